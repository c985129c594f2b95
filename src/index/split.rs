//! The cut of a board into left side, centre and right side.
//!
//! ```text
//!     7 columns     a b c | M | c b a
//!     8 columns     a b c | M N | c b a
//!     2 columns           | M N |             the sides are empty
//! ```
//!
//! The centre is one column if the width is odd and two if it is even. The columns of either side
//! are counted from the outside in.

use crate::board::{Board, Column};
use crate::too_large::BoardTooLarge;

/// A column of a side, counted from the outside in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideColumn(pub(super) u8);

/// How the columns of a board are divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    board: Board,
    side_width: usize,
}

/// Where a column of the board lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the left side.
    Left(SideColumn),
    /// The only centre column, or the right one of two, which is farther from the left side.
    Far,
    /// The left one of two centre columns, which is nearer to the left side.
    Near,
    /// On the right side.
    Right(SideColumn),
}

impl Split {
    /// The most columns of a side: those of 32x1, whose centre is two columns wide.
    pub(crate) const MOST_SIDE_COLUMNS: usize = 15;

    /// The cut of a board.
    pub fn of(board: Board) -> Split {
        Split { board, side_width: (board.width() - 1) / 2 }
    }

    /// The board that is cut.
    pub fn board(self) -> Board {
        self.board
    }

    /// Columns of either side.
    pub fn side_width(self) -> usize {
        self.side_width
    }

    /// Columns of the centre, one or two.
    pub fn centre_width(self) -> usize {
        self.board.width() - 2 * self.side_width
    }

    /// Cells of either side.
    pub(crate) fn side_cells(self) -> usize {
        self.side_width * self.board.height()
    }

    /// The columns of a side, from the outside in.
    pub fn side_columns(self) -> impl DoubleEndedIterator<Item = SideColumn> + ExactSizeIterator {
        (0..self.side_width as u8).map(SideColumn)
    }

    /// Where a column of the board lies.
    pub fn place(self, column: Column) -> Place {
        let from_right = self.board.width() - 1 - column.index();
        if column.index() < self.side_width {
            Place::Left(SideColumn(column.index() as u8))
        } else if from_right < self.side_width {
            Place::Right(SideColumn(from_right as u8))
        } else if from_right == self.side_width {
            Place::Far
        } else {
            Place::Near
        }
    }

    /// The column of the board at this place.
    pub fn column(self, place: Place) -> Column {
        let from_right = |column: u8| Column(self.board.width() as u8 - 1 - column);
        match place {
            Place::Left(SideColumn(column)) => Column(column),
            Place::Near => Column(self.side_width as u8),
            Place::Far => from_right(self.side_width as u8),
            Place::Right(SideColumn(column)) => from_right(column),
        }
    }
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
    pub(super) fn check(self, board: Board, found: u64) -> Result<(), BoardTooLarge> {
        let limit = self.limit();
        if found > limit {
            return Err(BoardTooLarge::Index { board, list: self.name(), found, limit });
        }
        Ok(())
    }

    /// What is listed, before its number.
    fn name(self) -> &'static str {
        match self {
            LimitedList::Centres => "states of the centre: at least",
            LimitedList::Sides => "states of a side and its neighbour: at least",
            LimitedList::Rows => "rows of all centres:",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(width: u64) -> Vec<Place> {
        let split = Split::of(Board::new(width, 1).unwrap());
        let back = |column| {
            let place = split.place(column);
            assert_eq!(split.column(place), column);
            place
        };
        split.board().columns().map(back).collect()
    }

    #[test]
    fn columns_count_from_the_outside_in() {
        use Place::*;
        let side = SideColumn;
        assert_eq!(places(1), [Far]);
        assert_eq!(places(2), [Near, Far]);
        assert_eq!(places(3), [Left(side(0)), Far, Right(side(0))]);
        let left = [Left(side(0)), Left(side(1))];
        let right = [Right(side(1)), Right(side(0))];
        assert_eq!(places(6), [&left[..], &[Near, Far], &right].concat());
    }
}
