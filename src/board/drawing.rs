//! Boards as pictures, drawn and read.
//!
//! ```
//! use strong4::board::{Board, Moves, parse_drawing};
//!
//! let board = "4x3".parse::<Board>().unwrap();
//! let position = *Moves::parse(board, "2231").unwrap().position();
//! assert_eq!(
//!     position.to_string(),
//!     ". . . .\n\
//!      . O . .\n\
//!      O X X .\n\
//!      1 2 3 4"
//! );
//! assert_eq!(parse_drawing(board, &position.to_string()), Ok(position));
//! ```

use std::fmt;

use super::notation::letter;
use super::{Board, Player, Position};

/// Why a drawing could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DrawingError {
    /// Not one row of text per row of the board.
    #[error("the drawing has {found} rows, the board {expected}")]
    Rows {
        /// Rows of the board.
        expected: usize,
        /// Rows drawn.
        found: usize,
    },
    /// Not one cell per column.
    #[error("row {row} of the drawing has {found} cells, the board {expected} columns")]
    Cells {
        /// Which row, from 1 at the top.
        row: usize,
        /// Columns of the board.
        expected: usize,
        /// Cells drawn.
        found: usize,
    },
    /// A character that is neither a stone nor an empty cell.
    #[error("row {row} of the drawing holds '{}': expected X, O or .", .found.escape_default())]
    Character {
        /// Which row, from 1 at the top.
        row: usize,
        /// What stood there.
        found: char,
    },
    /// A stone with an empty cell below it.
    #[error("the stone in row {row}, column {column} of the drawing rests on nothing")]
    Floating {
        /// Which row, from 1 at the top.
        row: usize,
        /// Which column, from 1 at the left.
        column: usize,
    },
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board();
        let mut write_row = |cells: Vec<char>, end: &str| {
            let mut text = String::with_capacity(2 * cells.len());
            for cell in cells {
                text.push(cell);
                text.push(' ');
            }
            write!(f, "{}{end}", text.trim_end())
        };
        for row in (0..board.height()).rev() {
            let cell = |column| self.stone_at(column, row).map_or('.', Player::letter);
            write_row(board.columns().map(cell).collect(), "\n")?;
        }
        write_row(board.columns().map(letter).collect(), "")
    }
}

/// Reads a drawing such as the one that a [`Position`] prints: rows from top to
/// bottom, `X`, `O` and `.`, in either case, separated by spaces, line ends, or
/// for the cells of one row by nothing. A row with the column numbers may stand
/// below; what follows it is not read. Whether a game reaches the position is for
/// [`validate`](super::validate) to say.
pub fn parse_drawing(board: Board, text: &str) -> Result<Position, DrawingError> {
    let mut rows = rows_of(board, text);
    let numbers: Vec<char> = board.columns().map(letter).collect();
    if rows.get(board.height()) == Some(&numbers) {
        rows.truncate(board.height());
    }
    if rows.len() != board.height() {
        return Err(DrawingError::Rows { expected: board.height(), found: rows.len() });
    }
    let mut stones = [0u64; 2];
    for (from_bottom, cells) in rows.iter().rev().enumerate() {
        let row = board.height() - from_bottom;
        if cells.len() != board.width() {
            return Err(DrawingError::Cells { row, expected: board.width(), found: cells.len() });
        }
        for (column, found) in board.columns().zip(cells) {
            let player = match found {
                '.' | '_' => continue,
                'X' | 'x' => Player::First,
                'O' | 'o' => Player::Second,
                _ => return Err(DrawingError::Character { row, found: *found }),
            };
            let below = from_bottom.checked_sub(1).map_or(0, |below| board.cell(column, below));
            if below & !(stones[0] | stones[1]) != 0 {
                return Err(DrawingError::Floating { row, column: column.number() });
            }
            stones[player.index()] |= board.cell(column, from_bottom);
        }
    }
    Ok(Position::from_stones_unchecked(board, stones[0], stones[1]))
}

/// The drawings in a text, each to be read by [`parse_drawing`]. An empty line ends a
/// drawing that has all its rows; what the program tells of a position below its
/// drawing is left out.
pub fn split_drawings(board: Board, text: &str) -> Vec<String> {
    let (mut drawings, mut rows) = (Vec::new(), Vec::new());
    let mut told = false;
    for line in text.lines() {
        if line.trim().is_empty() {
            told = false;
            if rows.len() >= board.height() {
                drawings.push(std::mem::take(&mut rows).join("\n"));
            }
        } else if rows.is_empty() && is_whole(board, line) {
            drawings.push(line.to_owned());
        } else if rows.is_empty() && !drawings.is_empty() && (told || is_told(line)) {
            told = true;
        } else {
            rows.push(line);
        }
    }
    if !rows.is_empty() {
        drawings.push(rows.join("\n"));
    }
    drawings
}

/// Do all rows of a board stand on this line, as words?
fn is_whole(board: Board, line: &str) -> bool {
    let words = || line.split_whitespace();
    words().count() == board.height() && words().all(|row| row.chars().count() == board.width())
}

/// Does what is told of a position begin with this line?
fn is_told(line: &str) -> bool {
    ["X, the first player,", "O, the second player,", "the board is full"]
        .iter()
        .any(|beginning| line.starts_with(beginning))
}

/// The cells of each row: a row is a line, or, where all rows stand on one
/// line, a word.
fn rows_of(board: Board, text: &str) -> Vec<Vec<char>> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let cells = |row: &&str| row.chars().filter(|c| !c.is_whitespace()).collect();
    match lines[..] {
        [line] if board.height() > 1 => {
            line.split_whitespace().collect::<Vec<_>>().iter().map(cells).collect()
        }
        _ => lines.iter().map(cells).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Moves;

    #[test]
    fn bad_drawings_are_told_apart() {
        let board = Board::new(3, 2).unwrap();
        let read = |text| parse_drawing(board, text).unwrap_err();
        assert_eq!(read("X.."), DrawingError::Rows { expected: 2, found: 1 });
        assert_eq!(read(""), DrawingError::Rows { expected: 2, found: 0 });
        assert_eq!(read("...\nX."), DrawingError::Cells { row: 2, expected: 3, found: 2 });
        assert_eq!(read("...\nX?."), DrawingError::Character { row: 2, found: '?' });
        assert_eq!(read(".O.\nX.."), DrawingError::Floating { row: 1, column: 2 });
    }

    #[test]
    fn drawings_are_told_apart_and_from_what_is_told_of_them() {
        let board = Board::new(3, 2).unwrap();
        let shown = "\
            . . .\nX . .\n1 2 3\n\nO, the second player, is to move\nboard    3x2\n\n\
            ...\n\n.X.\n\n\
            ... ..X\n\
            . . .\nX O .\n1 2 3\n -1 0 0\n\nthe board is full\nmore\n\
            \nX.";
        let drawings = split_drawings(board, shown);
        let read: Vec<_> = drawings.iter().map(|text| parse_drawing(board, text)).collect();
        let played = |moves| Ok(*Moves::parse(board, moves).unwrap().position());
        assert_eq!(read[..4], ["1", "2", "3", "12"].map(played));
        assert_eq!(read[4..], [Err(DrawingError::Rows { expected: 2, found: 1 })]);
        assert!(split_drawings(board, " \n\n").is_empty());
        // What is told of no drawing is no drawing.
        assert_eq!(split_drawings(board, "the board is full").len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn what_is_drawn_can_be_read_back(
            width in 1u64..=12, height in 1u64..=12,
            choices in proptest::collection::vec(0usize..12, 0..40),
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let mut position = *Moves::parse(board, "").unwrap().position();
            for choice in choices {
                let column = board.column(choice % board.width() + 1).unwrap();
                position = position.play(column).unwrap_or(position);
            }
            proptest::prop_assert_eq!(parse_drawing(board, &position.to_string()), Ok(position));
        }

        #[test]
        fn no_text_makes_reading_panic(text: String) {
            let _ = parse_drawing(Board::STANDARD, &text);
            for drawing in split_drawings(Board::STANDARD, &text) {
                let _ = parse_drawing(Board::STANDARD, &drawing);
            }
        }
    }
}
