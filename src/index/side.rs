//! The state of a side: the marker codes of its columns in one number.
//!
//! The outermost column lies in the highest bits and the innermost in the lowest, on the left and
//! on the right side alike:
//!
//! ```text
//!     3 columns of height 6     aaaaaaa bbbbbbb ccccccc     a outermost
//! ```
//!
//! So neighbours in the order of the codes share the outer columns, and dropping a stone into a
//! given column keeps the order: it maps a marker code `m` with highest bit `2^s` to `m + 2^s` or
//! `m + 2^(s+1)`, both of which grow with `m`, and leaves the other digits alone.

use crate::tromp::ColumnCode;

use super::{Class, SideColumn, Split};

/// The stones of a side. Its columns take at most 31 bits on any board, because two sides and a
/// centre fit into 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideState(pub(super) u32);

impl SideState {
    /// The side with these columns, from the outside in.
    pub(crate) fn from_columns(
        split: Split,
        columns: impl IntoIterator<Item = ColumnCode>,
    ) -> SideState {
        let bits = split.board().column_bits();
        SideState(columns.into_iter().fold(0, |code, column| code << bits | column.marker() as u32))
    }

    /// The stones of one of its columns.
    pub fn column(self, split: Split, column: SideColumn) -> ColumnCode {
        let code = self.0 >> shift(split, column) & digit(split);
        ColumnCode::from_marker(code.into()).expect("a side state has no empty digit")
    }

    /// The same side with other stones in one column.
    pub(crate) fn with_column(
        self,
        split: Split,
        column: SideColumn,
        code: ColumnCode,
    ) -> SideState {
        let shift = shift(split, column);
        SideState(self.0 & !(digit(split) << shift) | (code.marker() as u32) << shift)
    }

    /// The marker codes of all columns, the innermost lowest.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The class that the state is in.
    pub fn class(self, split: Split) -> Class {
        split
            .side_columns()
            .map(|column| class_of_column(self.column(split, column)))
            .fold(Class::EMPTY, Class::plus)
    }
}

/// The stones of a column, and the first player's among them.
pub(super) fn class_of_column(code: ColumnCode) -> Class {
    Class::new(code.stones(), code.first_stones().count_ones() as usize)
        .expect("a player's stones are among the stones")
}

fn shift(split: Split, column: SideColumn) -> usize {
    (split.side_width() - 1 - usize::from(column.0)) * split.board().column_bits()
}

fn digit(split: Split) -> u32 {
    u32::MAX >> (32 - split.board().column_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Player};

    fn marker(code: u64) -> ColumnCode {
        ColumnCode::from_marker(code).unwrap()
    }

    #[test]
    fn the_innermost_column_is_the_lowest_digit() {
        let split = Split::of(Board::STANDARD);
        let columns = [marker(0b1), marker(0b101), marker(0b1110)];
        let side = SideState::from_columns(split, columns);
        assert_eq!(side, SideState(0b000_0001 << 14 | 0b000_0101 << 7 | 0b000_1110));
        assert!(split.side_columns().map(|column| side.column(split, column)).eq(columns));
        assert_eq!(side.class(split), Class::new(5, 3).unwrap());
        let outermost = split.side_columns().next().unwrap();
        let other = side.with_column(split, outermost, marker(0b11));
        assert_eq!(other, SideState(0b000_0011 << 14 | 0b000_0101 << 7 | 0b000_1110));
    }

    #[test]
    fn dropping_a_stone_keeps_the_order() {
        for player in Player::BOTH {
            let dropped: Vec<u64> =
                (1..1 << 7).map(|code| marker(code).dropped_unchecked(player).marker()).collect();
            assert!(dropped.is_sorted_by(|a, b| a < b));
        }
    }
}
