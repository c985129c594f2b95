//! The answer to a question about a position, and its form for programs.

use std::cmp::Reverse;
use std::time::Duration;

use serde::Serialize;

use super::Value;
use crate::board::{Column, Moves, Outcome, Position, Status, letters};
use crate::json_integer::JsonInteger;
use crate::search::Plies;
use crate::tromp::Key;

/// Everything that was asked about a position.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, Source};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let answer = solver.analyze(game.position(), Question::default())?;
/// let best: Vec<usize> = answer.best.iter().map(|column| column.number()).collect();
/// assert_eq!((best, answer.source), (vec![3, 6, 7], Source::Embedded));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// What it is worth to the player to move.
    pub value: Value,
    /// What each move is worth to the player who makes it; `None` if the column is full or the game
    /// is over.
    pub columns: Vec<Option<Value>>,
    /// The moves that keep the outcome and that no other move is known to beat, those nearest to
    /// the centre first; empty if the outcome is not known.
    pub best: Vec<Column>,
    /// A game from here on in which both play their best, as far as it was found.
    pub line: Vec<Column>,
    /// Where the value of the position came from.
    pub source: Source,
    /// How long it took.
    pub time: Duration,
}

/// Where a value came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The tables; distances by a search that they guided.
    Table,
    /// The built-in openings.
    Embedded,
    /// A search that knew only the rules.
    Search,
}

impl Answer {
    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.position.status() != Status::Open
    }

    /// A move to make, if there is one: one of the best, or else the most promising.
    pub fn choice(&self) -> Option<Column> {
        let promise = |column: &Column| {
            let value = self.columns[column.index()]?;
            let from_centre = (2 * column.index() + 1).abs_diff(self.columns.len());
            Some((value.lower(), value.upper(), Reverse(from_centre)))
        };
        let columns = self.position.board().columns();
        let open = columns.filter(|column| promise(column).is_some());
        self.best.first().copied().or_else(|| open.max_by_key(promise))
    }

    /// The number of moves in a game that ends with this value; `None` if the value is unknown or a
    /// draw.
    pub fn plies(&self, value: Value) -> Option<Plies> {
        let score = value.score()?;
        let (board, tier) = (self.position.board(), self.position.tier());
        if score.outcome() == Outcome::Draw { None } else { score.plies(board, tier) }
    }

    /// Whether the line reaches the end of the game.
    pub fn line_ends(&self) -> bool {
        let play = |position: Position, column: &Column| position.play_unchecked(*column);
        self.line.iter().fold(self.position, play).status() != Status::Open
    }
}

/// The fields of an answer, as `strong4 query --json` prints them.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, Record};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let answer = solver.analyze(game.position(), Question::default())?;
/// let record = Record::of(&answer).with_moves(&game);
/// assert_eq!(record.worth.category, Some("loss"));
/// assert_eq!((record.worth.plies, record.worth.score), (Some(36), Some(-2)));
/// assert_eq!(record.best, [3, 6, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    /// The moves that led to the position, if they are known.
    pub moves: Option<String>,
    /// The key of the position.
    pub key: JsonInteger,
    /// The board, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// A drawing, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<String>,
    /// What the position is worth.
    #[serde(flatten)]
    pub worth: Worth,
    /// What each move is worth to the player who makes it; null if the column is full.
    pub columns: Vec<Option<Worth>>,
    /// The best moves, as columns from 1.
    pub best: Vec<usize>,
    /// A best line; null if none is known.
    pub line: Option<String>,
    /// Where the value came from: `embedded`, `table` or `search`.
    pub source: &'static str,
    /// The time it took.
    pub micros: u64,
}

/// What a position or a move is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Worth {
    /// `win`, `draw`, `loss`, or `over` if the game is over; null if unknown.
    pub category: Option<&'static str>,
    /// The number of moves to the end of the game; null for a draw, or if unknown.
    pub plies: Option<u8>,
    /// The score; null if unknown.
    pub score: Option<i32>,
    /// The least that the score can be.
    pub lower: i32,
    /// The most that the score can be.
    pub upper: i32,
}

impl Record {
    /// The record of an answer, without the fields that are on request.
    pub fn of(answer: &Answer) -> Record {
        let mut worth = Worth::of(answer, answer.value);
        if answer.is_over() {
            worth.category = Some("over");
            worth.plies = Some(0);
        }
        let columns = answer.columns.iter();
        Record {
            moves: None,
            key: Key::of(&answer.position).0.into(),
            board: None,
            drawing: None,
            worth,
            columns: columns.map(|v| v.map(|value| Worth::of(answer, value))).collect(),
            best: answer.best.iter().map(|column| Column::number(*column)).collect(),
            line: (answer.is_over() || !answer.line.is_empty()).then(|| letters(&answer.line)),
            source: answer.source.name(),
            micros: answer.time.as_micros() as u64,
        }
    }

    /// Adds the moves that led to the position.
    pub fn with_moves(self, moves: &Moves) -> Record {
        Record { moves: Some(moves.to_string()), ..self }
    }
}

impl Source {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Source::Table => "table",
            Source::Embedded => "embedded",
            Source::Search => "search",
        }
    }
}

impl Worth {
    /// The worth of a value in an answer.
    pub fn of(answer: &Answer, value: Value) -> Worth {
        Worth {
            category: value.category(),
            plies: answer.plies(value).map(|plies| plies.get()),
            score: value.score().map(|score| score.get()),
            lower: value.lower().get(),
            upper: value.upper().get(),
        }
    }
}

impl Value {
    /// The outcome, as named in records.
    pub fn category(self) -> Option<&'static str> {
        self.outcome().map(|outcome| outcome.name())
    }
}
