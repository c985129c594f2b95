//! Boards whose index would be too large, and by how much.

use std::fmt;

use crate::board::Board;
use crate::columns::TooManyColumnStates;

/// Why there is no index of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Columns with too many states.
    #[error(transparent)]
    Columns(#[from] TooManyColumnStates),
    /// A list would need too much memory or time.
    #[error("the index of {board} has too many {part} {found}, but the limit is {limit}")]
    TooLarge {
        /// The board.
        board: Board,
        /// Which list.
        part: LimitedList,
        /// Its length, or the length reached when counting stopped.
        found: u64,
        /// The longest that is supported.
        limit: u64,
    },
}

/// The lists whose length is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitedList {
    /// States of the centre.
    Centres,
    /// States of a side, times those of the nearer centre column, which are many on wide boards.
    Sides,
    /// Rows of all centres.
    Rows,
}

impl LimitedList {
    /// The longest supported list of this kind.
    pub const fn limit(self) -> u64 {
        match self {
            LimitedList::Centres => 1 << 18,
            LimitedList::Sides => 1 << 31,
            // 4 bytes each: 2 GiB.
            LimitedList::Rows => 1 << 29,
        }
    }

    /// Refuses `found` entries if they are too many.
    pub(super) fn check(self, board: Board, found: u64) -> Result<(), IndexError> {
        let limit = self.limit();
        if found > limit {
            return Err(IndexError::TooLarge { board, part: self, found, limit });
        }
        Ok(())
    }
}

impl fmt::Display for LimitedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LimitedList::Centres => "states of the centre: at least",
            LimitedList::Sides => "states of a side and its neighbour: at least",
            LimitedList::Rows => "rows of all centres:",
        })
    }
}
