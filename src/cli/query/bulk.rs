//! Many known scores, checked.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::Serialize;
use strong4::board::Board;
use strong4::query::{Expert, Known, KnownError, Question, Tally, Value};
use strong4::table::TableError;

use super::{Experts, name, read_text};
use crate::cli::Exit;
use crate::cli::numbers::{counted, grouped};
use crate::cli::output::{Output, report_error, say};

/// What came of it, as JSON.
#[derive(Serialize)]
struct Record {
    positions: u64,
    mismatches: u64,
    per_second: f64,
    mean_micros: u64,
    worst_micros: u64,
}

/// Lines that are answered together.
const TOGETHER: usize = 1 << 12;

/// Asks for every position of a file, and tells which scores differ.
pub fn check(
    board: Board,
    experts: &Experts,
    file: &Path,
    question: Question,
    json: bool,
) -> anyhow::Result<Exit> {
    let text = read_text(file).with_context(|| name(file))?;
    let lines: Vec<&str> = text.lines().collect();
    let (mut tally, mut elapsed) = (Tally::default(), Duration::ZERO);
    let mut bad_lines = false;
    let mut numbers = 1..;
    for lines in lines.chunks(TOGETHER) {
        let start = Instant::now();
        let answers = experts.each(lines, |expert, line| ask(expert, board, line, question));
        elapsed += start.elapsed();
        for (number, answer) in numbers.by_ref().zip(answers) {
            let (known, value, time) = match answer {
                Ok(answer) => answer?,
                Err(error) => {
                    report_error(&anyhow::Error::new(error).context(format!("line {number}")));
                    bad_lines = true;
                    continue;
                }
            };
            let fits = agrees(value, &known, question);
            tally.add(fits, time);
            if !fits {
                let (moves, score) = (&known.moves, known.score);
                let found = match value {
                    Value::Exact(score) => score.to_string(),
                    Value::Between(between) => between.to_string(),
                };
                say(format_args!("line {number}: {moves}: expected {score}, found {found}"));
            }
        }
    }
    let seconds = elapsed.as_secs_f64();
    let per_second = if seconds > 0.0 { tally.positions as f64 / seconds } else { 0.0 };
    let mut out = Output::new();
    out.line(if json { as_json(&tally, per_second)? } else { as_text(&tally, per_second) })?;
    out.finish()?;
    Ok(match (bad_lines, tally.mismatches) {
        (true, _) => Exit::Bad,
        (false, 0) => Exit::Fine,
        _ => Exit::No,
    })
}

type Asked = Result<(Known, Value, Duration), TableError>;

/// The answer to a line, unless the line is bad.
fn ask(
    expert: &mut Expert,
    board: Board,
    line: &str,
    question: Question,
) -> Result<Asked, KnownError> {
    let known = Known::parse(board, line)?;
    let start = Instant::now();
    let value = expert.value(known.moves.position(), question);
    Ok(value.map(|(value, _)| (known, value, start.elapsed())))
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

fn as_json(tally: &Tally, per_second: f64) -> serde_json::Result<String> {
    serde_json::to_string(&Record {
        positions: tally.positions,
        mismatches: tally.mismatches,
        per_second: per_second.round(),
        mean_micros: tally.mean().as_micros() as u64,
        worst_micros: tally.worst.as_micros() as u64,
    })
}

fn as_text(tally: &Tally, per_second: f64) -> String {
    let millis = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
    format!(
        "{}, {}; {} positions/s, mean {}, worst {}",
        counted(tally.positions, "position", "positions"),
        counted(tally.mismatches, "mismatch", "mismatches"),
        grouped(per_second as u64),
        millis(tally.mean()),
        millis(tally.worst)
    )
}
