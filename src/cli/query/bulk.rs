//! Many known scores, checked.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::Serialize;
use strong4::query::{Expert, Known, Question, Tally, Value};

use super::super::Exit;
use super::super::numbers::grouped;
use super::super::output::{Output, report_error, say};
use super::read_text;

/// What came of it, as JSON.
#[derive(Serialize)]
struct Record {
    positions: u64,
    mismatches: u64,
    per_second: f64,
    mean_micros: u64,
    worst_micros: u64,
}

/// Asks for every position of a file, and tells which scores differ.
pub fn check(
    expert: &mut Expert,
    file: &Path,
    question: Question,
    json: bool,
) -> anyhow::Result<Exit> {
    let text = read_text(file).with_context(|| file.display().to_string())?;
    let board = expert.board();
    let mut tally = Tally::default();
    let mut bad_lines = false;
    for (number, line) in (1..).zip(text.lines()) {
        let known = match Known::parse(board, line) {
            Ok(known) => known,
            Err(error) => {
                report_error(&anyhow::Error::new(error).context(format!("line {number}")));
                bad_lines = true;
                continue;
            }
        };
        let start = Instant::now();
        let (value, _) = expert.value(known.moves.position(), question)?;
        let fits = agrees(value, &known, question);
        tally.add(fits, start.elapsed());
        if !fits {
            let (moves, score) = (&known.moves, known.score);
            let found = match value {
                Value::Exact(score) => score.to_string(),
                Value::Between(between) => between.to_string(),
            };
            say(format_args!("line {number}: {moves}: expected {score}, found {found}"));
        }
    }
    let mut out = Output::new();
    out.line(if json { as_json(&tally)? } else { as_text(&tally) })?;
    out.finish()?;
    Ok(match (bad_lines, tally.mismatches) {
        (true, _) => Exit::Bad,
        (false, 0) => Exit::Fine,
        _ => Exit::No,
    })
}

/// Does the answer say what is known? Bounds will do where they were asked for.
fn agrees(value: Value, known: &Known, question: Question) -> bool {
    let inside = (value.lower()..=value.upper()).contains(&known.score);
    let outcome = value.outcome() == Some(known.score.outcome());
    match question {
        Question { limit: Some(_), .. } => inside,
        Question { outcome_only: true, .. } => outcome && inside,
        _ => value == Value::Exact(known.score),
    }
}

fn as_json(tally: &Tally) -> serde_json::Result<String> {
    serde_json::to_string(&Record {
        positions: tally.positions,
        mismatches: tally.mismatches,
        per_second: tally.per_second().round(),
        mean_micros: tally.mean().as_micros() as u64,
        worst_micros: tally.worst.as_micros() as u64,
    })
}

fn as_text(tally: &Tally) -> String {
    let millis = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
    format!(
        "{} positions, {} mismatches; {} positions/s, mean {}, worst {}",
        grouped(tally.positions),
        grouped(tally.mismatches),
        grouped(tally.per_second() as u64),
        millis(tally.mean()),
        millis(tally.worst)
    )
}
