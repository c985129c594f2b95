//! The format of a table: how a tier is cut into blocks, and what the bytes of a file mean.
//!
//! ```text
//!     content        what a cell holds, and how large blocks are
//!     block          a block, and the place of a cell in it
//!     layout         the blocks of a tile, and of a tier
//!     codec          how a block is packed
//!     block_index    where each block is stored
//!     directory      the tiles of a table of scores
//!     raw_header     the first 512 bytes of a file, as numbers
//!     header         the same, checked
//!     summary        the numbers of a tier, and the digest that identifies a table
//!     names          the names of files
//! ```

mod block;
mod block_index;
mod codec;
mod content;
mod header;
mod layout;
mod names;
mod raw_header;
mod summary;

pub(super) mod directory;

pub use block::{Block, BlockNumber, BlockShape, CellPlace};
pub(super) use block_index::{ENTRY_BYTES, IndexEntry};
pub(crate) use codec::Between;
pub use codec::{DecodeError, EncodedBlocks, Encoder};
pub(super) use codec::{Decoder, MOST_STORED, most_stored};
pub use content::Content;
pub(crate) use content::{BLOCK_COLUMNS, BLOCK_ROWS, PLANES, SCORE_ROWS};
pub(super) use content::{bits_of, ending_in, outcome_in};
pub(crate) use header::bytes_before_blocks;
pub use header::{Header, Stage};
pub use layout::{Horizon, Layout, TileBlocks};
pub(crate) use layout::{Layouts, width};
pub(crate) use names::tier_of_part;
pub use names::{cut_folder, default_folder, score_folder, table_file};
pub(super) use raw_header::MAGIC;
pub use raw_header::{FORMAT_VERSION, HEADER_BYTES};
pub(super) use summary::Hasher;
pub use summary::{Digest, DigestError, TableSummary, TierCounts};
