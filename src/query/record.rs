//! An answer for programs, as `strong4 query --json` prints it.

use serde::Serialize;

use super::{Answer, Source, Value};
use crate::board::{Column, Moves, letters};
use crate::tromp::Key;
use crate::whole::Whole;

/// The fields of an answer.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, Record};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let answer = solver.answer(game.position(), Question::default())?;
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
    pub key: Whole,
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
