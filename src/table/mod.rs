//! Tables: how the positions of a tier end, in a file.
//!
//! A folder has one table per tier, `tier-00.s4t`, `tier-01.s4t` …, and a manifest. A table holds
//! two bits for each stored cell of the [index](crate::index), in blocks that are decoded
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
//! them from a [source](ReadAt), through a `cache`. A [`Manifest`] lists the tables of a folder, an
//! [`Inventory`] what is really there, [`verify`] compares everything with everything, and a
//! [`FolderLock`] keeps other solvers out.
//! [`FolderLock`] keeps a second solver out.

mod agreement;
mod blocks;
mod cache;
mod codec;
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
mod source;
mod tables;
mod verify;
mod whereabouts;

pub use blocks::{BlockReader, DecodedBlock};
pub use codec::{DecodeError, EncodedBlocks, Encoder};
pub use counts::TierCounts;
pub use digest::{Digest, DigestError};
pub(crate) use error::MANIFEST;
pub use error::{Damage, Fault, TableError};
pub use header::{Header, Stage};
pub use header_fault::HeaderFault;
pub use inventory::{Inventory, TierFile, board_of};
pub(crate) use layout::{BLOCK_ROWS, PLANES};
pub use layout::{Block, BlockNumber, BlockShape, CellPlace, Content, Horizon, Layout, TileBlocks};
pub use lock::FolderLock;
pub(crate) use lock::{LOCK, has_no_locks};
#[cfg(fuzzing)]
pub(crate) use manifest::fuzz_manifest;
pub use manifest::{Manifest, ManifestTier};
pub(crate) use merge::Merger;
pub use names::{cut_folder, default_folder, part_file, score_folder, table_file};
pub use part::{TableSummary, TierPart};
pub use raw_header::{FORMAT_VERSION, HEADER_BYTES};
pub use read::{Table, table_header, tier_plies};
pub use source::{MappedFile, ReadAt};
pub use tables::Tables;
pub use verify::{Verified, verify};
pub use whereabouts::{FolderError, command, existing, inventory, meant, quoted};
