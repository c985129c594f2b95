//! What a program is told about a position, and how its answer is read: one question, one line
//! back.
//!
//! ```text
//!     moves    4453
//!     key      4433219977345
//!     board    . . . . . . .       the drawing of `strong4 show`, then an empty line
//!              …
//!     json     {"board":[0,0,…],"mark":1,"columns":7,"rows":6,"inarow":4,"moves":"4453","key":"…"}
//! ```
//!
//! In JSON, `board` and `mark` are what Kaggle's ConnectX gives its agents: rows from the top, 0
//! for an empty cell, and 1 and 2 for the players. Whatever the question looks like, the answer is
//! a column, counted from 1, or an object: `{"move":4}`,
//! `{"probabilities":[0,0.1,…],"value":-0.25}`.

use std::fmt::Write as _;
use std::io;
use std::str::FromStr;

use serde_json::{Value, json};

use super::answers::{Answers, Trouble};
use crate::board::{Board, Column, Moves, Player, Position};
use crate::parse_error::ParseError;
use crate::tromp::Key;

/// How a program is told about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// The moves that lead to it.
    #[default]
    Moves,
    /// Its key.
    Key,
    /// A drawing.
    Board,
    /// An object of JSON.
    Json,
}

impl FromStr for Format {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Format, ParseError> {
        Ok(match text {
            "moves" => Format::Moves,
            "key" => Format::Key,
            "board" => Format::Board,
            "json" => Format::Json,
            _ => return Err(ParseError::new(text, "a format", "moves, key, board or json")),
        })
    }
}

impl Format {
    /// A question, with its last line end.
    pub(super) fn question(self, game: &Moves) -> String {
        let position = game.position();
        match self {
            Format::Moves => format!("{game}\n"),
            Format::Key => format!("{}\n", Key::of(position)),
            Format::Board => {
                let mut drawing = String::new();
                for line in position.to_string().lines().take(position.board().height()) {
                    writeln!(drawing, "{line}").expect("text takes all");
                }
                drawing + "\n"
            }
            Format::Json => format!("{}\n", to_json(game)),
        }
    }
}

fn to_json(game: &Moves) -> Value {
    let position = game.position();
    let board = position.board();
    let rows = (0..board.height()).rev();
    let cells = rows.flat_map(|row| board.columns().map(move |column| (column, row)));
    let mark = |player: Player| player.index() + 1;
    let cells: Vec<usize> =
        cells.map(|(column, row)| position.stone_at(column, row).map_or(0, mark)).collect();
    json!({
        "board": cells,
        "mark": mark(position.mover()),
        "columns": board.width(),
        "rows": board.height(),
        "inarow": 4,
        "moves": game.to_string(),
        "key": Key::of(position).to_string(),
    })
}

/// Why a program has not answered.
#[derive(Debug)]
pub(super) struct Failed {
    pub trouble: Trouble,
    pub what: String,
    /// Whether the program ended by itself, with success, and said nothing.
    pub ended_well: bool,
}

impl Failed {
    pub(super) fn new(trouble: Trouble, what: &str) -> Failed {
        Failed { trouble, what: what.to_owned(), ended_well: false }
    }

    pub(super) fn found(expected: &str, found: &[u8]) -> Failed {
        let found = String::from_utf8_lossy(&found[..found.len().min(200)]);
        let found: String = found.chars().take(60).collect();
        let what = format!("expected {expected}, found '{}'", found.escape_debug());
        Failed::new(Trouble::Nonsense, &what)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::new(Trouble::Crash, &format!("{error}"))
    }
}

/// Reads an answer to a question, and stores it.
pub(super) fn read_answer(line: &str, position: &Position, at: usize, answers: &mut Answers) {
    let board = position.board();
    let line = line.trim();
    let Some(object) = line.starts_with('{').then(|| serde_json::from_str::<Value>(line)) else {
        return take(answers, at, column(board, line));
    };
    let Ok(Value::Object(object)) = object else { return answers.failed(at, Trouble::Nonsense) };
    let mut said = false;
    if let Some(number) = object.get("value") {
        answers.valued(at, number.as_f64().unwrap_or(f64::NAN));
        said = true;
    }
    if answers.choice(at, position) == Some(Err(Trouble::Nonsense)) {
        return;
    }
    if let Some(list) = object.get("probabilities") {
        let share = |share: &Value| share.as_f64().map_or(f32::NAN, |share| share as f32);
        let list: Vec<f32> = list.as_array().into_iter().flatten().map(share).collect();
        answers.preferred(at, &list);
        said = true;
    } else if let Some(name) = object.get("move") {
        let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        take(answers, at, column(board, &text));
        said = true;
    }
    if !said {
        answers.failed(at, Trouble::Nonsense);
    }
}

fn take(answers: &mut Answers, at: usize, column: Result<Column, Trouble>) {
    match column {
        Ok(column) => answers.played(at, column),
        Err(trouble) => answers.failed(at, trouble),
    }
}

/// The column that a program names: `4`, or from the tenth on `a` or `10`.
fn column(board: Board, text: &str) -> Result<Column, Trouble> {
    let is_number = !text.is_empty() && text.len() < 9 && text.bytes().all(|b| b.is_ascii_digit());
    let mut letters = text.chars();
    let number = match (letters.next(), letters.next()) {
        _ if is_number => text.parse().ok(),
        (Some(letter), None) => letter.to_digit(36).map(|number| number as usize),
        _ => None,
    };
    match number.and_then(|number| board.column(number)) {
        Some(column) => Ok(column),
        // A column that the board lacks is a move, though no legal one.
        None if is_number => Err(Trouble::Illegal),
        None => Err(Trouble::Nonsense),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Moves {
        Moves::parse(Board::STANDARD, moves).unwrap()
    }

    fn said(line: &str) -> Answers {
        let mut answers = Answers::new(Board::STANDARD, 1);
        read_answer(line, game("").position(), 0, &mut answers);
        answers
    }

    fn choice(line: &str) -> Result<usize, Trouble> {
        let choice = said(line).choice(0, game("").position());
        choice.expect("an answer").map(Column::number)
    }

    #[test]
    fn questions_are_lines_of_the_format() {
        let game = game("4453");
        assert_eq!(Format::Moves.question(&game), "4453\n");
        assert_eq!(Format::Key.question(&game), "4433219977345\n");
        let drawing = Format::Board.question(&game);
        assert!(drawing.ends_with(". . . O . . .\n. . O X X . .\n\n"), "{drawing}");
        assert_eq!(drawing.lines().count(), 7);
        let json: Value = serde_json::from_str(&Format::Json.question(&game)).unwrap();
        assert_eq!((&json["mark"], &json["moves"]), (&json!(1), &json!("4453")));
        let cells = json["board"].as_array().unwrap();
        assert_eq!(cells.len(), 42);
        assert_eq!(cells[28..], [0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0].map(|cell| json!(cell)));
        for (name, format) in [("moves", Format::Moves), ("json", Format::Json)] {
            assert_eq!(name.parse(), Ok(format));
        }
        assert!(
            "drawing".parse::<Format>().unwrap_err().to_string().starts_with("'drawing' is not")
        );
    }

    #[test]
    fn answers_are_columns_or_objects() {
        for line in ["4", " 4\r", "04", r#"{"move":4}"#, r#"{"move":"4"}"#] {
            assert_eq!(choice(line), Ok(4), "{line}");
        }
        let net = said(r#"{"probabilities":[0,0,0.25,0.75,0,0,0],"value":-0.5}"#);
        assert_eq!(net.choice(0, game("").position()), Some(Ok(Column(3))));
        assert_eq!((net.value(0), net.probabilities(0).unwrap()[2]), (Some(-0.5), 0.25));
        assert_eq!(said(r#"{"value":1}"#).choice(0, game("").position()), None);
    }

    #[test]
    fn what_is_no_answer_is_named() {
        for line in ["8", "0", "99", r#"{"move":0}"#, "00000000"] {
            assert_eq!(choice(line), Err(Trouble::Illegal), "{line}");
        }
        for line in [
            "",
            "four",
            "4 4",
            "-1",
            "4.0",
            "x",
            "é",
            "\u{ff14}",
            "123456789012345678901",
            "{",
            "{}",
            "[4]",
            r#"{"move":null}"#,
            r#"{"move":4,"value":"high"}"#,
            r#"{"probabilities":[1]}"#,
            r#"{"probabilities":"all"}"#,
            r#"{"move":4,"value":7}"#,
        ] {
            assert_eq!(choice(line), Err(Trouble::Nonsense), "{line}");
        }
    }
}
