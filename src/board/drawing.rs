//! Boards as pictures, drawn and read.
//!
//! ```
//! use strong4::board::{Board, Moves, Position};
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
//! assert_eq!(Position::from_drawing(board, &position.to_string()), Ok(position));
//! ```

use std::fmt;

use super::notation::letter;
use super::{Board, Player, Position};

/// Why a drawing could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawingError {
    /// The number of rows of text is not that of the board.
    #[error("the drawing has {found} rows, the board {expected}")]
    Rows {
        /// Rows of the board.
        expected: usize,
        /// Rows drawn.
        found: usize,
    },
    /// The number of cells in a row is not the width of the board.
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
    #[error("row {row} of the drawing holds '{}': expected X, O or .", .found.escape_debug())]
    Character {
        /// Which row, from 1 at the top.
        row: usize,
        /// The character found.
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
            let text: String = cells.into_iter().flat_map(|cell| [cell, ' ']).collect();
            write!(f, "{}{end}", text.trim_end())
        };
        for row in (0..board.height()).rev() {
            let cell = |column| self.stone_at(column, row).map_or('.', Player::letter);
            write_row(board.columns().map(cell).collect(), "\n")?;
        }
        write_row(board.columns().map(letter).collect(), "")
    }
}

impl Position {
    /// Reads a drawing such as the one that a position prints: rows from top to bottom of `X`, `O`
    /// and `.`, in either case. Spaces or line ends separate the cells and the rows; the cells of a row
    /// may also stand together. A row with the column numbers may stand below, and nothing after it is
    /// read. Colours are ignored, and so are the marks around the last stone, `(X)`, and a four, `[X]`.
    /// Whether a game reaches the position is for [`validate`](Position::validate) to say.
    pub fn from_drawing(board: Board, text: &str) -> Result<Position, DrawingError> {
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
                return Err(DrawingError::Cells {
                    row,
                    expected: board.width(),
                    found: cells.len(),
                });
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
}

/// Cuts lines into drawings, each to be read by [`Position::from_drawing`]. An empty line ends a drawing
/// that has all its rows. Lines that begin with `#` are skipped, and so is what the program says
/// about a position below its drawing.
#[derive(Debug)]
pub struct DrawingSplitter {
    board: Board,
    /// The rows of the drawing that has not ended yet.
    rows: Vec<String>,
    /// Whether a drawing has been read.
    began: bool,
    /// Whether the current text is a description below a drawing, and not a drawing.
    is_described: bool,
}

impl DrawingSplitter {
    /// Nothing has been read yet.
    pub fn new(board: Board) -> DrawingSplitter {
        DrawingSplitter { board, rows: Vec::new(), began: false, is_described: false }
    }

    /// Reads a line, without its end; returns a drawing if the line ends one.
    pub fn push(&mut self, line: &str) -> Option<String> {
        let between = self.rows.is_empty();
        if line.trim().is_empty() {
            self.is_described = false;
            return if self.rows.len() >= self.board.height() { self.take() } else { None };
        }
        if line.trim_start().starts_with('#') {
            return None;
        }
        if between
            && self.began
            && (self.is_described && !is_row(self.board, line) || begins_description(line))
        {
            self.is_described = true;
            return None;
        }
        self.is_described = false;
        self.rows.push(line.to_owned());
        self.began = true;
        if between && is_whole(self.board, line) { self.take() } else { None }
    }

    /// The drawing that the end of the input completes.
    pub fn finish(mut self) -> Option<String> {
        self.take()
    }

    fn take(&mut self) -> Option<String> {
        let rows = std::mem::take(&mut self.rows);
        (!rows.is_empty()).then(|| rows.join("\n"))
    }
}

/// The text without colours and marks, which say nothing about the position.
fn unmarked(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    // A colour is an escape, a bracket, numbers and an m.
    let plain = parts.fold(first, |plain, part| {
        let behind = part.strip_prefix('[').and_then(|colour| colour.split_once('m'));
        let is_colour = |colour: &str| colour.bytes().all(|b| b.is_ascii_digit() || b == b';');
        match behind {
            Some((colour, rest)) if is_colour(colour) => plain + rest,
            _ => plain + "\x1b" + part,
        }
    });
    plain.replace(['(', ')', '[', ']'], " ")
}

/// Whether the words of this line are all the rows of a board.
fn is_whole(board: Board, line: &str) -> bool {
    let words = || line.split_whitespace();
    words().count() == board.height() && words().all(|row| row.chars().count() == board.width())
}

/// Whether this is a row of a drawing, and nothing else.
fn is_row(board: Board, line: &str) -> bool {
    let cells = unmarked(line).replace(char::is_whitespace, "");
    cells.chars().count() == board.width() && cells.chars().all(|c| "XxOo._".contains(c))
}

/// Whether this is the first line of the program's description of a position.
fn begins_description(line: &str) -> bool {
    ["X, the first player,", "O, the second player,", "the board is full"]
        .iter()
        .any(|beginning| line.starts_with(beginning))
}

/// The cells of each row. A row is a line, or a word if all rows stand on one line.
fn rows_of(board: Board, text: &str) -> Vec<Vec<char>> {
    let text = &unmarked(text);
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
    use crate::random::games;

    fn split(board: Board, text: &str) -> Vec<String> {
        let mut splitter = DrawingSplitter::new(board);
        let mut drawings: Vec<String> =
            text.lines().filter_map(|line| splitter.push(line)).collect();
        drawings.extend(splitter.finish());
        drawings
    }

    #[test]
    fn a_drawing_ends_with_an_empty_line_before_the_next_one_comes() {
        let mut splitter = DrawingSplitter::new(Board::new(3, 2).unwrap());
        let ends = ["...", "X..", "1 2 3", "", "O, the second player, is to move", "", "... .X."];
        let ends = ends.map(|line| splitter.push(line).is_some());
        assert_eq!(ends, [false, false, false, true, false, false, true]);
        assert_eq!(splitter.finish(), None);
    }

    #[test]
    fn colours_and_marks_are_not_read() {
        let board = Board::new(4, 2).unwrap();
        let read = |text| Position::from_drawing(board, text);
        let marked = "    .    .    .   (\x1b[1;31mX\x1b[0m)\n   [X]  [O]  [X]   O\n";
        assert_eq!(read(marked), read("...X\nXOXO"));
        assert!(read(marked).is_ok());
        assert!(read("...\x1b[X\nXOXO").is_err());
    }

    #[test]
    fn bad_drawings_are_refused_with_the_reason() {
        let board = Board::new(3, 2).unwrap();
        let read = |text| Position::from_drawing(board, text).unwrap_err();
        assert_eq!(read("X.."), DrawingError::Rows { expected: 2, found: 1 });
        assert_eq!(read(""), DrawingError::Rows { expected: 2, found: 0 });
        assert_eq!(read("...\nX."), DrawingError::Cells { row: 2, expected: 3, found: 2 });
        assert_eq!(read("...\nX?."), DrawingError::Character { row: 2, found: '?' });
        assert_eq!(read(".O.\nX.."), DrawingError::Floating { row: 1, column: 2 });
    }

    #[test]
    fn drawings_are_separated_from_each_other_and_from_descriptions() {
        let board = Board::new(3, 2).unwrap();
        let shown = "\
            . . .\nX . .\n1 2 3\n\nO, the second player, is to move\nboard    3x2\n\n\
            ...\n\n.X.\n\n\
            ... ..X\n\
            . . .\nX O .\n1 2 3\n -1 0 0\n\nthe board is full\nmore\n\
            \nX.";
        let drawings = split(board, shown);
        let read: Vec<_> =
            drawings.iter().map(|text| Position::from_drawing(board, text)).collect();
        let played = |moves| Ok(*Moves::parse(board, moves).unwrap().position());
        assert_eq!(read[..4], ["1", "2", "3", "12"].map(played));
        assert_eq!(read[4..], [Err(DrawingError::Rows { expected: 2, found: 1 })]);
        assert!(split(board, " \n\n").is_empty());
        // A description without a drawing is an error, not skipped.
        assert_eq!(split(board, "the board is full").len(), 1);
        let twice = "...\nX..\n\nO, the second player, is to move\nmore\n".repeat(2);
        assert_eq!(split(board, &twice), ["...\nX.."; 2]);
        assert_eq!(split(board, "# a\n...\n# b\n.X.\n\n# c\n"), ["...\n.X."]);
    }

    proptest::proptest! {
        #[test]
        fn what_is_drawn_can_be_read_back(game in games()) {
            let (board, position) = (game.board(), *game.position());
            proptest::prop_assert_eq!(Position::from_drawing(board, &position.to_string()), Ok(position));
        }

        #[test]
        fn no_text_makes_reading_panic(text: String) {
            let _ = Position::from_drawing(Board::STANDARD, &text);
            for drawing in split(Board::STANDARD, &text) {
                let _ = Position::from_drawing(Board::STANDARD, &drawing);
            }
        }
    }
}
