//! What kernels work on, and what they count.

use crate::board::Player;

/// How the outcomes of all moves of a player are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) enum Fold {
    /// The first player takes the best.
    Or,
    /// The second player takes what is worst for the first.
    And,
}

impl Fold {
    pub(crate) fn of(mover: Player) -> Fold {
        match mover {
            Player::First => Fold::Or,
            Player::Second => Fold::And,
        }
    }

    /// A word of cells that this mover has won.
    pub(crate) fn won(self) -> u64 {
        match self {
            Fold::Or => u64::MAX,
            Fold::And => 0,
        }
    }

    /// A word of cells that this mover has lost, which changes nothing.
    pub(crate) fn lost(self) -> u64 {
        !self.won()
    }
}

/// Rows that are turned.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Rows<'a> {
    pub words: &'a [u64],
    /// What will be turned next, as far as it is known. It is prefetched.
    pub next: &'a [u64],
}

/// Instead of the place of a child: the move makes a four, so its player has won.
pub(in crate::sweep) const FOUR: u32 = u32::MAX;

/// The same: the opponent completes a four at once, so the child has no cells, and any other move
/// is at least as good.
pub(in crate::sweep) const LOSES: u32 = u32::MAX - 1;

/// The children of some rows.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Children<'a> {
    /// The rows that the places count.
    pub rows: &'a [u64],
    /// Words of one plane of such a row.
    pub width: usize,
    /// For each row of the result `per_row` places among them, or [`FOUR`]
    /// or [`LOSES`].
    pub places: &'a [u32],
    /// Places per row of the result.
    pub per_row: usize,
    /// The columns in which children count, in words of the result.
    pub within: &'a [u64],
}

/// How much the distinct lines of a panel are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) struct PackedSize {
    pub distinct: u32,
    pub bytes: u32,
}

/// Lines of a packed panel, and all its distinct lines.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct PackedPanel<'a> {
    /// The number of a distinct line for each of the lines: u16.
    pub tokens: &'a [u8],
    /// Where the distinct lines start, all of which are whole.
    pub starts: &'a [u32],
    pub bytes: &'a [u8],
}

/// What finishing the rows of a block takes.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Finish<'a> {
    /// For each kind of demands, the columns that complete a four of either player.
    pub fours: &'a [u64],
    /// For each reach, the columns with which the player to move completes a four.
    pub within_reach: &'a [u64],
    /// For each move-order type, the columns with which it makes a board that can be filled.
    pub fillable: &'a [u64],
    /// The columns that exist.
    pub columns: &'a [u64],
    /// The demands of each row.
    pub demands: &'a [u32],
    /// The reach of each row.
    pub reaches: &'a [u32],
    /// The type of each row.
    pub types: &'a [u32],
}

/// Numbers of live cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::sweep) struct CellCounts {
    /// Those that the first player wins.
    pub first_wins: u64,
    /// Those that the first player does not lose.
    pub first_holds: u64,
    /// All.
    pub live: u64,
}

impl CellCounts {
    /// The sum. It overflows only if a file was forged; then it stays too large, and so is found
    /// to be wrong.
    pub(crate) fn plus(self, other: CellCounts) -> CellCounts {
        CellCounts {
            first_wins: self.first_wins.saturating_add(other.first_wins),
            first_holds: self.first_holds.saturating_add(other.first_holds),
            live: self.live.saturating_add(other.live),
        }
    }

    pub(crate) fn times(self, factor: u64) -> CellCounts {
        CellCounts {
            first_wins: self.first_wins * factor,
            first_holds: self.first_holds * factor,
            live: self.live * factor,
        }
    }
}
