//! Tromp's code of a column, in both readings, and the key of a position.
//!
//! The stones of one column, bottom to top, need `H + 1` bits: the stones as bits, and a way to say
//! where they end. There are two readings.
//!
//! **Marker form**, the fast one: a 1 for each stone of the first player, a 0 for each of the
//! second, the bottom stone at bit 0, and a 1 above the last stone to mark the end.
//!
//! **Guard form**, the public one, has an extra bottom bit, the guard. In an empty column the guard
//! is 1 and all above it is 0. Otherwise the topmost 1 *is* the top stone, and the guard says whose
//! stones the 1s are: 1 the first player's, 0 the second player's. The zeros below the topmost 1
//! are stones of the other colour.
//!
//! A column of four rows that fills with X, then O, then X, read from top to bottom, the guard
//! behind the bar:
//!
//! ```text
//!     stones            X        O X       X O X
//!     guard form  0000|1   0001|1   0010|0   0101|1
//!     marker form 00001    00011    00101    01101
//! ```
//!
//! Both forms use `2^(H+1) - 1` of the `2^(H+1)` codes. The unused code, 0, means nothing in
//! either, so they are in bijection. The guard codes of all columns side by side, the leftmost
//! column in the lowest bits, are the [`Key`] of a position: 49 bits on 7x6.

mod column;

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Column, IllegalPosition, Player, Position};
use crate::parse_error::ParseError;

pub(crate) use column::ColumnCode;

/// The public name of a position: the guard codes of all its columns side by
/// side, the leftmost column in the lowest bits.
///
/// ```
/// use strong4::board::{Board, Moves};
/// use strong4::tromp::Key;
///
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let key: Key = "4433219977345".parse()?;
/// assert_eq!(key, Key::of(game.position()));
/// assert_eq!(key.decode(Board::STANDARD)?, *game.position());
/// // Not every number is a position, and not every position is reached by a game.
/// assert!(Key(7).decode(Board::STANDARD).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub u64);

/// Why a number is not the key of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// More bits than the columns have.
    #[error(
        "{key} is not a key: a key of {board} is below 2^{}", .board.width() * .board.column_bits()
    )]
    TooLarge {
        /// The number.
        key: u64,
        /// The board.
        board: Board,
    },
    /// The one code that no column has.
    #[error("{key} is not a key: the bits of column {column} are all 0, but an empty column is 1")]
    NoColumn {
        /// The number.
        key: u64,
        /// The column without a code.
        column: Column,
    },
    /// Columns that decode, but not to a position that games reach.
    #[error("{key} is the key of no position: {reason}")]
    Illegal {
        /// The number.
        key: u64,
        /// What is wrong with the stones.
        reason: IllegalPosition,
    },
}

impl Key {
    /// The key of a position.
    pub fn of(position: &Position) -> Key {
        let board = position.board();
        Key(board.columns().fold(0, |key, column| {
            key | column_code(position, column).guard() << (column.index() * board.column_bits())
        }))
    }

    /// The same for a position and its mirror image: the smaller of their keys.
    pub(crate) fn of_either(position: &Position) -> Key {
        Key::of(position).min(Key::of(&position.mirror()))
    }

    /// The position with this key, decoded and checked to be one that games reach.
    pub fn decode(self, board: Board) -> Result<Position, KeyError> {
        let position = self.decode_stones(board)?;
        position.validate().map_err(|reason| KeyError::Illegal { key: self.0, reason })?;
        Ok(position)
    }

    /// The stones that this key stands for, whether games reach them or not. Keys have no way to
    /// say that stones float, share a cell, or lie outside the board.
    pub fn decode_stones(self, board: Board) -> Result<Position, KeyError> {
        let bits = board.column_bits();
        if self.0.checked_shr((board.width() * bits) as u32).unwrap_or(0) != 0 {
            return Err(KeyError::TooLarge { key: self.0, board });
        }
        let code = |column: Column| {
            let content = self.0 >> (column.index() * bits) & (u64::MAX >> (64 - bits));
            ColumnCode::from_guard(content).ok_or(KeyError::NoColumn { key: self.0, column })
        };
        Ok(position_of(board, board.columns().map(code).collect::<Result<Vec<_>, _>>()?))
    }
}

impl FromStr for Key {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Key, ParseError> {
        let is_plain = text.bytes().all(|b| b.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|_| is_plain)
            .map(Key)
            .ok_or_else(|| ParseError::new(text, "a key", "a whole number below 2^64"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The code of one column of a position; that of an empty one if the board has no such column.
pub(crate) fn column_code(position: &Position, column: Column) -> ColumnCode {
    let shift = (column.index() * position.board().column_bits()) as u32;
    let first = position.stones(Player::First).checked_shr(shift).unwrap_or(0);
    let height = position.column_height(column);
    ColumnCode(first & ((1 << height) - 1) | 1 << height)
}

/// The position with these columns, the leftmost first, whether games reach it or not.
pub(crate) fn position_of(board: Board, columns: impl IntoIterator<Item = ColumnCode>) -> Position {
    let mut stones = [0; 2];
    for (column, code) in board.columns().zip(columns) {
        let shift = column.index() * board.column_bits();
        stones[0] |= code.first_stones() << shift;
        stones[1] |= code.second_stones() << shift;
    }
    Position::from_stones_unchecked(board, stones[0], stones[1])
}

/// The naive code: one ternary digit per cell (0 empty, 1 first, 2 second), the bottom left cell
/// least significant. 7x6 has `3^42` such numbers, which take 67 bits; the column codes take 49. It
/// is only kept as a yardstick. Boards of more than 80 cells would overflow, and there are none.
pub(crate) fn naive_code(position: &Position) -> u128 {
    let board = position.board();
    let cells =
        board.columns().flat_map(|column| (0..board.height()).map(move |row| (column, row)));
    cells.rev().fold(0, |code, (column, row)| {
        let digit = match position.stone_at(column, row) {
            None => 0,
            Some(Player::First) => 1,
            Some(Player::Second) => 2,
        };
        3 * code + digit
    })
}

/// Bits that the naive code of a board needs.
pub(crate) fn naive_bits(board: Board) -> u32 {
    let largest = 3u128.pow(board.cells() as u32) - 1;
    largest.ilog2() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Moves;
    use crate::random::games;

    #[test]
    #[allow(clippy::unusual_byte_groupings, reason = "the gap stands for the guard's bar")]
    fn the_worked_example_of_the_second_column() {
        use Player::{First as X, Second as O};
        // top … bottom | guard, on a board of three rows
        let grown = |players: &[Player]| {
            players.iter().fold(ColumnCode::EMPTY, |code, player| code.dropped_unchecked(*player))
        };
        for (stones, guard, marker) in [
            (&[][..], 0b000_1, 0b0001),
            (&[X][..], 0b001_1, 0b0011),
            (&[X, O][..], 0b010_0, 0b0101),
            (&[X, O, X][..], 0b101_1, 0b1101),
        ] {
            let code = grown(stones);
            assert_eq!(code.guard(), guard);
            assert_eq!(code.marker(), marker);
        }
        let board = Board::new(4, 3).unwrap();
        let position = Position::from_drawing(board, ".X.. .O.. .X..").unwrap();
        assert_eq!(Key::of(&position), Key(0b0001_0001_1011_0001));
    }

    #[test]
    fn the_tallest_column_fits() {
        let board = Board::new(1, 63).unwrap();
        let full = Moves::parse(board, &"1".repeat(63)).unwrap();
        let key = Key::of(full.position());
        assert_eq!(key.decode(board), Ok(*full.position()));
        assert_eq!(Key(0).decode(board), Err(KeyError::NoColumn { key: 0, column: Column(0) }));
    }

    #[test]
    fn sizes_are_those_of_the_literature() {
        assert_eq!(naive_bits(Board::STANDARD), 67);
        assert_eq!(Board::STANDARD.width() * Board::STANDARD.column_bits(), 49);
    }

    #[test]
    fn numbers_that_are_no_position_say_why() {
        let board = Board::STANDARD;
        let error = |key| Key(key).decode(board).unwrap_err().to_string();
        assert_eq!(error(1 << 49), "562949953421312 is not a key: a key of 7x6 is below 2^49");
        assert_eq!(
            error(0),
            "0 is not a key: the bits of column 1 are all 0, but an empty column is 1"
        );
        let empty = Key::of(&Position::empty(board)).0;
        assert_eq!(Key(empty).decode(board), Ok(Position::empty(board)));
        // One column of X on X, and one of X on O.
        assert!(error(empty + 0b111 - 1).contains("has 2 stones and the second (O) 0"));
        assert!(error(empty + 0b101 - 1).ends_with("X and O in turn, leads to these stones"));
    }

    #[test]
    fn keys_are_read_as_they_are_printed() {
        let key = Key::of(&Position::empty(Board::STANDARD));
        assert_eq!(key.to_string().parse(), Ok(key));
        for text in ["", "-1", "+1", "1.0", "0x1", "one", "18446744073709551616"] {
            let refused = text.parse::<Key>().unwrap_err().to_string();
            assert_eq!(
                refused,
                format!("'{text}' is not a key: expected a whole number below 2^64")
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn a_key_that_decodes_is_the_key_of_what_it_decodes_to(
            width in 1u64..=8, height in 1u64..=10, bits: u64,
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let key = Key(bits.checked_shr(64 - (width * (height + 1)) as u32).unwrap_or(0));
            if let Ok(position) = key.decode_stones(board) {
                proptest::prop_assert_eq!(Key::of(&position), key);
            }
            // Decoding never panics, whatever the number.
            let _ = Key(bits).decode(board);
        }

        #[test]
        fn games_survive_the_way_through_the_key(game in games()) {
            let (board, position) = (game.board(), *game.position());
            proptest::prop_assert_eq!(Key::of(&position).decode(board), Ok(position));
            let mut naive = naive_code(&position);
            for column in board.columns() {
                for row in 0..board.height() {
                    let digit = position.stone_at(column, row).map_or(0, |p| p.index() as u128 + 1);
                    proptest::prop_assert_eq!(naive % 3, digit);
                    naive /= 3;
                }
            }
            proptest::prop_assert_eq!(naive, 0);
        }
    }
}
