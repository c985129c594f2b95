//! An answer as JSON.

use serde::Serialize;
use strong4::board::{Column, Moves, Outcome};
use strong4::query::{Answer, Source, Value};
use strong4::tromp::Key;

use super::report::letters;

/// An answer. The key is exact; above 2^53 it needs a reader that keeps whole numbers
/// whole.
#[derive(Serialize)]
struct Record {
    moves: Option<String>,
    key: u64,
    #[serde(flatten)]
    worth: Worth,
    columns: Vec<Option<Worth>>,
    best: Vec<usize>,
    line: String,
    source: &'static str,
    micros: u64,
}

/// What a position or a move is worth.
#[derive(Serialize)]
struct Worth {
    /// Null if it is not known.
    category: Option<&'static str>,
    /// Moves to the end of the game; null for a draw, and if it is not known.
    plies: Option<u8>,
    score: ScoreRecord,
}

/// A number, or an object with two bounds.
#[derive(Serialize)]
#[serde(untagged)]
enum ScoreRecord {
    Exact(i32),
    Between { lower: i32, upper: i32 },
}

pub fn json(moves: Option<&Moves>, answer: &Answer) -> serde_json::Result<String> {
    let mut worth = Worth::of(answer, answer.value);
    if answer.is_over() {
        worth.category = Some("over");
        worth.plies = Some(0);
    }
    serde_json::to_string(&Record {
        moves: moves.map(Moves::to_string),
        key: Key::of(&answer.position).0,
        worth,
        columns: answer.columns.iter().map(|v| v.map(|value| Worth::of(answer, value))).collect(),
        best: answer.best.iter().map(|column| Column::number(*column)).collect(),
        line: letters(&answer.line),
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

impl Worth {
    fn of(answer: &Answer, value: Value) -> Worth {
        let category = value.outcome().map(|outcome| match outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        });
        let score = match value {
            Value::Exact(score) => ScoreRecord::Exact(score.get()),
            Value::Between(between) => {
                ScoreRecord::Between { lower: between.lower.get(), upper: between.upper.get() }
            }
        };
        Worth { category, plies: answer.plies(value).map(|plies| plies.0), score }
    }
}
