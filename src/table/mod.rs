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
//! A module imports only modules above it in this drawing:
//!
//! ```text
//!     format     how a tier is cut into blocks, what the bytes of a file mean, and errors
//!     reading    a [`Table`] in memory or in a file ([`ReadAt`]), one block per cell
//!     writing    a [`TierPart`] that grows until it is a table; scores made from outcomes
//!     folder     all tables of a board: [`Inventory`], [`Manifest`], [`check`](fn@check) and
//!                [`FolderLock`]
//! ```

#[cfg(feature = "tables")]
mod folder;
mod format;
mod reading;
#[cfg(feature = "tables")]
mod writing;

#[cfg(fuzzing)]
pub(crate) use folder::fuzz_manifest;
#[cfg(feature = "tables")]
pub use folder::{
    Checked, FolderError, FolderLock, Inventory, Manifest, ManifestTier, Tables, TierFile,
    board_of, check, existing, inventory, meant,
};
#[cfg(feature = "tables")]
pub(crate) use folder::{LOCK, folder_with_tables, sound_tables, tiers_in};
#[cfg(feature = "tables")]
pub use format::Encoder;
#[cfg(feature = "tables")]
pub(crate) use format::tier_of_part;
pub(crate) use format::{
    BLOCK_COLUMNS, BLOCK_ROWS, Between, EncodedBlock, Layouts, MANIFEST, PLANES, SCORE_ROWS,
    bytes_before_blocks, outcome_in, width,
};
pub use format::{
    Block, BlockNumber, BlockShape, CellPlace, Content, Damage, Digest, EncodedBlocks,
    FORMAT_VERSION, Fault, HEADER_BYTES, Header, HeaderFault, Horizon, Layout, Stage, TableError,
    TableSummary, TierCounts, TileBlocks, cut_folder, default_folder, score_folder, table_file,
};
pub use reading::{BlockReader, DecodedBlock, ReadAt, Table, table_header, tier_plies};
#[cfg(feature = "tables")]
pub use writing::TierPart;
#[cfg(feature = "tables")]
pub(crate) use writing::{Merger, publish};
