//! What a table holds for each cell, and how large its blocks are: those of both kinds take equally
//! many bytes.
//!
//! ```text
//!     outcomes    2 bits: the first player wins, the first player holds    256 rows
//!     scores      1 byte: the ply that decides the game, 0 for a draw       64 rows
//! ```

use crate::board::Tier;

/// Rows of a block of outcomes that is not the last one of its panel.
pub(crate) const BLOCK_ROWS: usize = 256;

/// The same for a block of scores.
pub(crate) const SCORE_ROWS: usize = 64;

/// Columns of a panel that is not the last one of its tile. With `--cfg small_panels`, which
/// `make test-long` sets, tables are of another kind: those of small boards have many panels, too.
pub(crate) const BLOCK_COLUMNS: usize = if cfg!(small_panels) { 64 } else { 512 };

/// Bits of an outcome: the first player wins, the first player holds.
pub(crate) const PLANES: usize = 2;

/// Bits of a score.
pub(crate) const SCORE_BITS: usize = 8;

/// What a table holds for its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// The outcome; if a ply is given, of games that are cut off after it.
    Outcomes {
        /// The ply.
        cut: Option<Tier>,
    },
    /// The outcome, and the ply that decides it.
    Scores,
}

impl Content {
    /// Outcomes of games that go on to the full board.
    pub const OUTCOMES: Content = Content::Outcomes { cut: None };

    /// Rows of a block that is not the last one of its panel.
    pub(crate) fn block_rows(self) -> usize {
        match self {
            Content::Outcomes { .. } => BLOCK_ROWS,
            Content::Scores => SCORE_ROWS,
        }
    }

    /// Bits of a cell.
    pub(super) fn bits(self) -> usize {
        match self {
            Content::Outcomes { .. } => PLANES,
            Content::Scores => SCORE_BITS,
        }
    }
}

// Blocks of both kinds take equally many bytes.
const _: () = assert!(BLOCK_ROWS * PLANES == SCORE_ROWS * SCORE_BITS);
// The place of a column within a row is that of a bit in whole words.
const _: () = assert!(BLOCK_COLUMNS.is_multiple_of(64));
