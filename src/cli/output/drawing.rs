//! A position in plain text, with the last stone and a four marked, and values below.
//!
//! ```text
//!     .    .    .    .      [X] is part of a four,
//!    (X)   .    .    .      (X) the last stone,
//!    [X]   O    .    .      and below each column is
//!    [X]   O    .    .      the value of a move there
//!    [X]   O    .    .
//!     1    2    3    4
//!    +1   -2    0  loss
//! ```

use std::io::{self, IsTerminal};

use strong4::board::{Board, Column, Player, Position, Status, fours, letter};
use strong4::query::Value;
use strong4::query::words::short;

use crate::cli::ColorChoice;

/// The width of a column in characters.
const WIDTH: usize = 5;

/// A drawing.
#[derive(Clone, Copy)]
pub(crate) struct Drawing<'a> {
    /// The position.
    pub position: &'a Position,
    /// The last move, if it and a four are to be marked.
    pub last: Option<Column>,
    /// The values of the moves; if empty, nothing is drawn below the columns.
    pub values: &'a [Option<Value>],
    /// Whether stones are coloured.
    pub color: bool,
}

impl Drawing<'_> {
    /// The drawing, without a line end.
    pub(crate) fn draw(&self) -> String {
        let board = self.position.board();
        let mut lines: Vec<String> = (0..board.height()).rev().map(|row| self.row(row)).collect();
        let names = board.columns().map(|column| (letter(column), None)).collect();
        lines.push(line(names));
        let mut drawing = lines.join("\n");
        if self.color {
            drawing = colored(&drawing);
        }
        if self.values.is_empty() || self.position.status() != Status::Open {
            return drawing;
        }
        let values = self.values.iter().map(|value| value.map_or(String::new(), short));
        let values: String = values.map(|value| format!("{value:>WIDTH$}")).collect();
        format!("{drawing}\n{}", values.trim_end())
    }

    fn row(&self, row: usize) -> String {
        let board = self.position.board();
        let four = match (self.last, self.position.status()) {
            (Some(_), Status::Won(winner)) => fours(board, self.position.stones(winner)),
            _ => 0,
        };
        let cell = |column| {
            let stone = self.position.stone_at(column, row).map_or('.', Player::letter);
            let is_last =
                self.last == Some(column) && self.position.column_height(column) == row + 1;
            let mark = match board.cell(column, row) & four != 0 {
                _ if is_last => Some(['(', ')']),
                true => Some(['[', ']']),
                false => None,
            };
            (stone, mark)
        };
        line(board.columns().map(cell).collect())
    }
}

/// Characters, each at the end of its column, between its marks if it has any.
fn line(cells: Vec<(char, Option<[char; 2]>)>) -> String {
    let mut line = vec![' '; WIDTH * cells.len() + 1];
    for (at, (c, mark)) in cells.into_iter().enumerate() {
        let place = WIDTH * (at + 1) - 1;
        line[place] = c;
        if let Some([before, behind]) = mark {
            (line[place - 1], line[place + 1]) = (before, behind);
        }
    }
    String::from_iter(line).trim_end().to_owned()
}

/// The first and the last column, as moves are written.
pub(crate) fn ends(board: Board) -> [char; 2] {
    [Board::column(board, 1), board.column(board.width())].map(|column| column.map_or('?', letter))
}

/// Whether standard output should be coloured.
pub(crate) fn in_color(choice: ColorChoice) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => io::stdout().is_terminal() && !set("NO_COLOR") && !dumb,
    }
}

/// X in red and O in yellow.
pub(crate) fn colored(drawing: &str) -> String {
    drawing.replace('X', "\x1b[1;31mX\x1b[0m").replace('O', "\x1b[1;33mO\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Moves;

    #[test]
    fn only_stones_are_coloured() {
        let game = Moves::parse("4x3".parse().unwrap(), "22").unwrap();
        assert_eq!(colored(&game.position().to_string()).matches("\x1b[0m").count(), 2);
    }
}
