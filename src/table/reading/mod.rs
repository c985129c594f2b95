//! Reading tables: single cells, through a cache of blocks, or whole blocks.

mod block_reader;
mod cache;
mod read_at;
mod table;

pub use block_reader::{BlockReader, DecodedBlock};
pub use read_at::ReadAt;
pub(super) use table::read_header;
pub use table::{Table, table_header, tier_plies};
