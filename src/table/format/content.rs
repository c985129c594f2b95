//! What a table holds for each cell, what that means, and how large blocks are: those of both kinds
//! take equally many bytes.
//!
//! ```text
//!     outcomes    2 bits: the first player wins, the first player holds    256 rows
//!     scores      1 byte: the ply that decides the game, 0 for a draw       64 rows
//! ```

use crate::board::{Board, Outcome, Player, Tier};

/// Rows of a block of outcomes that is not the last one of its panel.
pub(crate) const BLOCK_ROWS: usize = 256;

/// The same for a block of scores.
pub(crate) const SCORE_ROWS: usize = 64;

/// Columns of a panel that is not the last one of its tile. With `--cfg small_panels`, which
/// `make test-long` sets, tables are of another kind, in which even small boards have many panels.
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

/// The outcome for the mover of a tier, from whether the first player wins and whether they hold;
/// `None` if they win but do not even hold.
pub(crate) fn outcome_in(bits: [bool; 2], tier: Tier) -> Option<Outcome> {
    let first = match bits {
        [true, true] => Outcome::Win,
        [false, true] => Outcome::Draw,
        [false, false] => Outcome::Loss,
        [true, false] => return None,
    };
    Some(if tier.mover() == Player::First { first } else { first.for_other() })
}

/// How a game ends for the mover of a tier, and after how many plies. `ply` is the winning ply, or
/// 0 if nobody wins. One ply after the last cell is filled stands for never. `None` if the ply is
/// later than that, or not after the tier.
pub(in crate::table) fn ending_in(ply: u8, board: Board, tier: Tier) -> Option<(Outcome, usize)> {
    let ply = usize::from(ply);
    if ply == 0 {
        return Some((Outcome::Draw, 0));
    }
    let plies =
        ply.checked_sub(tier.stones()).filter(|plies| *plies > 0 && ply <= board.cells() + 1)?;
    Some((if plies % 2 == 1 { Outcome::Win } else { Outcome::Loss }, plies))
}
