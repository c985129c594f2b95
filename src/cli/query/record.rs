//! An answer as JSON.

use serde::Serialize;
use strong4::board::{Column, Moves, Outcome};
use strong4::query::{Answer, Source, Value};
use strong4::tromp::Key;

use super::With;
use crate::cli::drawing::letters;
use crate::cli::whole::Whole;

/// An answer.
#[derive(Serialize)]
struct Record {
    moves: Option<String>,
    key: Whole,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<String>,
    #[serde(flatten)]
    worth: Worth,
    columns: Vec<Option<Worth>>,
    best: Vec<usize>,
    line: Option<String>,
    source: &'static str,
    micros: u64,
}

/// What a position or a move is worth.
#[derive(Serialize)]
pub struct Worth {
    /// Null if it is not known.
    category: Option<&'static str>,
    /// Moves to the end of the game; null for a draw, and if it is not known.
    plies: Option<u8>,
    /// Null if it is not known.
    score: Option<i32>,
    /// The score is not less,
    lower: i32,
    /// and not more.
    upper: i32,
}

pub fn json(moves: Option<&Moves>, answer: &Answer, with: &[With]) -> serde_json::Result<String> {
    let mut worth = Worth::of(answer, answer.value);
    if answer.is_over() {
        worth.category = Some("over");
        worth.plies = Some(0);
    }
    let position = &answer.position;
    let wanted = |what| with.contains(&what);
    serde_json::to_string(&Record {
        moves: moves.map(Moves::to_string),
        key: Key::of(position).0.into(),
        board: wanted(With::Board).then(|| position.board().to_string()),
        drawing: wanted(With::Drawing).then(|| position.to_string()),
        worth,
        columns: answer.columns.iter().map(|v| v.map(|value| Worth::of(answer, value))).collect(),
        best: answer.best.iter().map(|column| Column::number(*column)).collect(),
        line: (answer.is_over() || !answer.line.is_empty()).then(|| letters(&answer.line)),
        source: source(answer.source),
        micros: answer.time.as_micros() as u64,
    })
}

pub fn source(source: Source) -> &'static str {
    match source {
        Source::Table => "table",
        Source::Embedded => "embedded",
        Source::Search => "search",
    }
}

/// The outcome, as records name it.
pub fn category(value: Value) -> Option<&'static str> {
    value.outcome().map(|outcome| match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    })
}

impl Worth {
    /// Of a value that belongs to an answer.
    pub fn of(answer: &Answer, value: Value) -> Worth {
        Worth {
            category: category(value),
            plies: answer.plies(value).map(|plies| plies.0),
            score: value.score().map(|score| score.get()),
            lower: value.lower().get(),
            upper: value.upper().get(),
        }
    }
}
