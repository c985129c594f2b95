//! The format of a table: the names of files, how a tier is cut into blocks, what the bytes of a
//! file mean, and what can be wrong with them.
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
//!     error          what can be wrong with the files of tables
//! ```

pub(super) mod directory;

mod block;
mod block_index;
mod codec;
mod content;
mod error;
mod header;
mod layout;
mod raw_header;
mod summary;

use std::path::{Path, PathBuf};

use crate::board::{Board, Tier};

pub use block::{Block, BlockNumber, BlockShape, CellPlace};
pub(super) use block_index::{ENTRY_BYTES, IndexEntry};
pub use codec::EncodedBlocks;
#[cfg(feature = "tables")]
pub use codec::Encoder;
pub(crate) use codec::{Between, EncodedBlock};
pub(super) use codec::{Decoder, MOST_STORED, most_stored};
pub use content::Content;
pub(super) use content::ending_in;
pub(crate) use content::outcome_in;
pub(crate) use content::{BLOCK_COLUMNS, BLOCK_ROWS, PLANES, SCORE_ROWS};
pub(crate) use error::MANIFEST;
pub use error::{Damage, Fault, HeaderFault, TableError};
pub(super) use error::{OfFile, READ, WRITE};
pub(crate) use header::bytes_before_blocks;
pub use header::{Header, Stage};
pub use layout::{Horizon, Layout, TileBlocks};
pub(crate) use layout::{Layouts, width};
pub use raw_header::{FORMAT_VERSION, HEADER_BYTES};
pub(super) use summary::Hasher;
pub use summary::{Digest, TableSummary, TierCounts};

/// The folder of the tables of a board, unless another is given.
pub fn default_folder(board: Board) -> PathBuf {
    Path::new("tables").join(board.to_string())
}

/// The folder for tables of games that are cut off after this ply, inside that of the board.
pub fn cut_folder(folder: &Path, ply: Tier) -> PathBuf {
    folder.join(format!("cut-{ply:02}"))
}

/// The folder for tables of scores, inside that of the board.
pub fn score_folder(folder: &Path) -> PathBuf {
    folder.join("scores")
}

/// The table of a tier.
pub fn table_file(folder: &Path, tier: Tier) -> PathBuf {
    folder.join(format!("tier-{:02}.s4t", tier.0))
}

/// The tier whose unfinished table has this temporary name.
#[cfg(feature = "tables")]
pub(crate) fn tier_of_part(name: &str) -> Option<Tier> {
    let number =
        crate::files::name_of_temporary(name)?.strip_prefix("tier-")?.strip_suffix(".s4t")?;
    number.parse().ok().map(Tier)
}
