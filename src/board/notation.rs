//! Games as text: `4453`, one digit for each move, columns from 1 at the left.
//!
//! Boards wider than nine columns use letters, with `a` for the tenth.

use std::fmt;

use super::{Board, Column, MoveError, Position};

/// A sequence of moves from the empty board, all of them legal.
///
/// ```
/// use strong4::board::{Board, Moves};
///
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// assert_eq!(game.columns().len(), 4);
/// assert_eq!(game.to_string(), "4453");
/// let error = Moves::parse(Board::STANDARD, "48").unwrap_err();
/// assert!(error.to_string().starts_with("move 2 is '8'"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It grows and shrinks by single moves:
///
/// ```
/// use strong4::board::{Board, Moves};
///
/// let board = Board::STANDARD;
/// let (mut game, middle) = (Moves::new(board), board.column(4).unwrap());
/// game.push(middle)?;
/// assert_eq!(game.position().top(middle), Some(strong4::board::Player::First));
/// assert_eq!((game.pop(), game.pop()), (Some(middle), None));
/// assert_eq!(game, Moves::new(board));
/// # Ok::<(), strong4::board::MoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Moves {
    columns: Vec<Column>,
    position: Position,
}

/// What is wrong with a move, and where; moves count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// A character that names no column of this board.
    #[error("move {place} is '{}': expected a column from {} to {}",
        .found.escape_debug(), letter(Column(0)), letter(Column(.board.width() as u8 - 1)))]
    NoColumn {
        /// Which move.
        place: usize,
        /// The character found.
        found: char,
        /// The board that the game is on.
        board: Board,
    },
    /// A column of the board that cannot take the stone.
    #[error("move {place} is '{}', but {error}", letter(*.column))]
    Refused {
        /// Which move.
        place: usize,
        /// The column played.
        column: Column,
        /// Why it was refused.
        error: MoveError,
    },
    /// Moves separated from each other, one of more than one digit, on a board of ten columns or
    /// more.
    #[error(
        "'{}' may be one column or two: write the columns from the tenth on as a, b, c …",
        .found.escape_debug()
    )]
    TwoDigits {
        /// The text found.
        found: String,
    },
}

impl Moves {
    /// The empty board, before the first move.
    pub fn new(board: Board) -> Moves {
        Moves { columns: Vec::new(), position: Position::empty(board) }
    }

    /// Reads and plays a game; the empty text is the empty board.
    pub fn parse(board: Board, text: &str) -> Result<Moves, NotationError> {
        let mut moves = Moves::new(board);
        for (place, found) in (1..).zip(text.chars()) {
            let column = column_of(found)
                .and_then(|number| board.column(number))
                .ok_or(NotationError::NoColumn { place, found, board })?;
            let refused = |error| NotationError::Refused { place, column, error };
            moves.push(column).map_err(refused)?;
        }
        Ok(moves)
    }

    /// The same, but commas or spaces are allowed between moves: `4,4,5,3`.
    pub fn parse_loose(board: Board, text: &str) -> Result<Moves, NotationError> {
        let parts: Vec<&str> = text.split([',', ' ']).filter(|part| !part.is_empty()).collect();
        let digits = |part: &str| part.len() > 1 && part.bytes().all(|b| b.is_ascii_digit());
        if board.width() > 9
            && parts.len() > 1
            && let Some(part) = parts.iter().find(|part| digits(part))
        {
            return Err(NotationError::TwoDigits { found: (*part).to_owned() });
        }
        Moves::parse(board, &parts.concat())
    }

    /// A game that is known to be legal and to end in `position`.
    pub(super) fn unchecked(columns: Vec<Column>, position: Position) -> Moves {
        Moves { columns, position }
    }

    /// Makes a move. One that is refused changes nothing.
    pub fn push(&mut self, column: Column) -> Result<(), MoveError> {
        self.position = self.position.play(column)?;
        self.columns.push(column);
        Ok(())
    }

    /// Takes back the last move, and returns its column; `None` on the empty board.
    pub fn pop(&mut self) -> Option<Column> {
        let column = self.columns.pop()?;
        let before = self.position.lift(column);
        self.position = before.expect("a stone where one was played");
        Some(column)
    }

    /// The board that the game is on.
    pub fn board(&self) -> Board {
        self.position.board()
    }

    /// The position that the game has reached.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves, first to last.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}

impl IntoIterator for Moves {
    type Item = Column;
    type IntoIter = std::vec::IntoIter<Column>;

    fn into_iter(self) -> Self::IntoIter {
        self.columns.into_iter()
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = Column;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Column>>;

    fn into_iter(self) -> Self::IntoIter {
        self.columns.iter().copied()
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.columns.iter().try_for_each(|column| write!(f, "{}", letter(*column)))
    }
}

/// The character that stands for a column: `1` to `9`, then `a`, `b` …
pub(crate) fn letter(column: Column) -> char {
    char::from_digit(column.number() as u32, 36).unwrap_or('?')
}

/// Columns in the notation of moves.
pub fn letters(columns: &[Column]) -> String {
    columns.iter().copied().map(letter).collect()
}

/// The number of the column that a character stands for.
fn column_of(letter: char) -> Option<usize> {
    letter.to_digit(36).map(|number| number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_pushed_is_what_is_read_and_popping_undoes_it(
            width in 1u64..=32, height in 1u64..=63,
            steps in proptest::collection::vec(proptest::option::weighted(0.8, 0u8..32), 0..80),
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let mut game = Moves::new(board);
            for step in steps {
                let before = game.clone();
                match step.map(Column) {
                    Some(column) if game.push(column).is_ok() => {
                        let mut popped = game.clone();
                        proptest::prop_assert_eq!(popped.pop(), Some(column));
                        proptest::prop_assert_eq!(popped, before);
                    }
                    Some(_) => proptest::prop_assert_eq!(&game, &before),
                    None => proptest::prop_assert_eq!(game.pop(), before.columns.last().copied()),
                }
                proptest::prop_assert_eq!(Moves::parse(board, &game.to_string()), Ok(game.clone()));
                proptest::prop_assert!((&game).into_iter().eq(game.clone()));
            }
        }
    }

    #[test]
    fn moves_may_stand_apart() {
        let loose = |board: &str, text: &str| {
            let moves = Moves::parse_loose(board.parse().unwrap(), text);
            moves.map(|moves| moves.to_string()).map_err(|error| error.to_string())
        };
        for text in ["445", "4,4,5", "4, 4, 5", "4 4 5", "44 5"] {
            assert_eq!(loose("7x6", text).as_deref(), Ok("445"), "{text}");
        }
        assert_eq!(
            loose("7x6", "4 4 8").unwrap_err(),
            "move 3 is '8': expected a column from 1 to 7"
        );
        assert_eq!(loose("12x4", "9,a,b").as_deref(), Ok("9ab"));
        let wide = Moves::parse(Board::new(12, 4).unwrap(), "9abc").unwrap();
        assert!(wide.into_iter().map(Column::number).eq(9..=12));
        assert_eq!(loose("12x4", "12").as_deref(), Ok("12"));
        assert!(loose("12x4", "9,10").unwrap_err().starts_with("'10' may be one column or two"));
    }

    #[test]
    fn a_bad_move_is_named_with_its_place() {
        let error = |text| Moves::parse(Board::STANDARD, text).unwrap_err().to_string();
        assert_eq!(error("448"), "move 3 is '8': expected a column from 1 to 7");
        assert_eq!(error("4x"), "move 2 is 'x': expected a column from 1 to 7");
        assert_eq!(error("0"), "move 1 is '0': expected a column from 1 to 7");
        assert_eq!(error("4 4"), "move 2 is ' ': expected a column from 1 to 7");
        assert_eq!(error("é"), "move 1 is 'é': expected a column from 1 to 7");
        assert_eq!(error("\u{ff14}"), "move 1 is '４': expected a column from 1 to 7");
        // What would be invisible, or turn the line around, is escaped.
        for (found, shown) in [("\0", "\\0"), ("\u{85}", "\\u{85}"), ("\u{202e}", "\\u{202e}")] {
            let expected = format!("move 1 is '{shown}': expected a column from 1 to 7");
            assert_eq!(error(found), expected);
        }
        assert_eq!(error("1111111"), "move 7 is '1', but column 1 is full");
        assert_eq!(
            error("12121213"),
            "move 8 is '3', but the game is over: the first player has four in a row"
        );
    }
}
