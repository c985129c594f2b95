//! Tables: how the positions of a tier end, in a file.
//!
//! A folder has one table per tier, `tier-00.s4t`, `tier-01.s4t` …, and a manifest. A table holds
//! two bits for each stored cell of the index, in blocks that are decoded
//! separately:
//!
//! ```text
//!     header       512 bytes: board, tier, counts, digest of the next table
//!     block index  16 bytes for each block: offset, length, checksum
//!     blocks       each up to 256 rows of up to 512 columns, packed
//! ```
//!
//! `docs/table-format.md` says which cells mean anything, and everything else needed to write a
//! reader.
//!
//! The rooms, bottom to top: [`Layout`] cuts a tier into blocks, `codec` packs them, and `entry`
//! and [`Header`] say where they are and what they mean. [`TierPart`] writes them; [`Table`] reads
//! them from memory or a file ([`ReadAt`]), through a `cache`. A [`Manifest`] lists the tables of a
//! folder, an [`Inventory`] what is really there, [`check`](fn@check) compares everything with
//! everything, and a [`FolderLock`] keeps other solvers out.

mod agreement;
mod block;
mod blocks;
mod cache;
mod cell_place;
mod check;
mod codec;
mod content;
mod counts;
mod digest;
mod directory;
mod entry;
mod error;
mod header;
mod header_fault;
mod inventory;
mod layout;
mod lock;
mod manifest;
mod meaning;
mod merge;
mod names;
mod part;
mod raw_header;
mod read;
mod read_at;
mod sound;
mod tables;
mod tile_blocks;
mod whereabouts;

pub use block::{Block, BlockNumber, BlockShape};
pub use blocks::{BlockReader, DecodedBlock};
pub use cell_place::CellPlace;
pub use check::{Checked, check};
pub(crate) use codec::Between;
pub use codec::{DecodeError, EncodedBlocks, Encoder};
pub use content::Content;
pub(crate) use content::{BLOCK_COLUMNS, BLOCK_ROWS, PLANES, SCORE_ROWS};
pub use counts::TierCounts;
pub use digest::{Digest, DigestError};
pub(crate) use error::MANIFEST;
pub use error::{Damage, Fault, TableError};
pub(crate) use header::bytes_before_blocks;
pub use header::{Header, Stage};
pub use header_fault::HeaderFault;
pub(crate) use inventory::tiers_in;
pub use inventory::{Inventory, TierFile, board_of};
pub(crate) use layout::Layouts;
pub use layout::{Horizon, Layout};
pub use lock::FolderLock;
pub(crate) use lock::{LOCK, has_no_locks};
#[cfg(fuzzing)]
pub(crate) use manifest::fuzz_manifest;
pub use manifest::{Manifest, ManifestTier};
pub(crate) use merge::Merger;
pub(crate) use names::tier_of_part;
pub use names::{cut_folder, default_folder, score_folder, table_file};
pub(crate) use part::publish;
pub use part::{TableSummary, TierPart};
pub use raw_header::{FORMAT_VERSION, HEADER_BYTES};
pub use read::{Table, table_header, tier_plies};
pub use read_at::ReadAt;
pub(crate) use sound::sound_tables;
pub use tables::Tables;
pub use tile_blocks::TileBlocks;
pub(crate) use tile_blocks::width;
pub(crate) use whereabouts::folder_with_tables;
pub use whereabouts::{FolderError, command, existing, inventory, meant, quoted};
