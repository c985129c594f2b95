//! Checks many known scores.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use strong4::Solver;
use strong4::query::{Known, Question, Tally, Value};

use crate::cli::Exit;
use crate::cli::exit::exit_of;
use crate::cli::input::asked::{lines_of_file, name, without_comment};
use crate::cli::input::in_order::{Taker, in_order};
use crate::cli::output::numbers::{counted, grouped};
use crate::cli::output::progress::{Meter, Shown};
use crate::cli::output::{Output, json, record, report_error, say};

/// Queries every position of a file, and prints the scores that differ.
pub(super) fn check(
    solver: &Solver,
    file: &Path,
    question: Question<'static>,
    json: bool,
    quiet: bool,
) -> anyhow::Result<Exit> {
    let lines = lines_of_file(file).with_context(|| name(file))?;
    let shown = Shown { quiet, parts: Some("positions"), ..Shown::default() };
    let meter = Meter::showing("checking".to_owned(), shown);
    // There are enough lines to keep all threads busy.
    let question = Question { threads: Some(1), ..question };
    let (start, tally, exit, out) = (Instant::now(), Tally::default(), Exit::Fine, Output::new());
    let mut sums = Sums { question, json, start, number: 0, tally, exit, out };
    in_order(lines, |line: &String| ask(solver, line, question), &mut sums, &meter)?;
    drop(meter);
    let exit = sums.exit();
    sums.tell()?;
    Ok(exit)
}

/// Counts how the answers compare with the known scores.
struct Sums {
    question: Question<'static>,
    json: bool,
    start: Instant,
    number: u64,
    tally: Tally,
    /// The exit code for the lines without an answer.
    exit: Exit,
    out: Output,
}

impl Taker<String, anyhow::Result<Option<Asked>>> for Sums {
    fn take(
        &mut self,
        _: &String,
        answer: Option<anyhow::Result<Option<Asked>>>,
    ) -> anyhow::Result<()> {
        self.number += 1;
        let number = self.number;
        let (known, value, time) = match answer.transpose() {
            Ok(Some(Some(answer))) => answer,
            // A comment, or no answer.
            Ok(_) => return Ok(()),
            Err(error) => {
                self.exit = self.exit.max(exit_of(&error));
                report_error(&error.context(format!("line {number}")));
                return Ok(());
            }
        };
        let fits = agrees(value, &known, self.question);
        self.tally.add(fits, time);
        if !fits {
            let (moves, score) = (&known.moves, known.score);
            let found = match value {
                Value::Exact(score) => score.to_string(),
                Value::Between(between) => between.to_string(),
            };
            say(format_args!("line {number}: {moves}: expected {score}, found {found}"));
        }
        Ok(())
    }

    fn pause(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    fn stop(&mut self) -> anyhow::Result<()> {
        self.tell()
    }
}

impl Sums {
    /// The summary so far.
    fn tell(&mut self) -> anyhow::Result<()> {
        let seconds = self.start.elapsed().as_secs_f64();
        let per_second = if seconds > 0.0 { self.tally.positions as f64 / seconds } else { 0.0 };
        let to_line = if self.json { to_json } else { to_text };
        let line = to_line(&self.tally, per_second);
        self.out.line(line)?;
        self.out.flush()
    }

    fn exit(&self) -> Exit {
        let mismatch = if self.tally.mismatches > 0 { Exit::No } else { Exit::Fine };
        self.exit.max(mismatch)
    }
}

/// A known score, the answer to its line, and the time that it took.
type Asked = (Known, Value, Duration);

/// The answer to a line; none for a comment.
fn ask(solver: &Solver, line: &str, question: Question) -> anyhow::Result<Option<Asked>> {
    let Some(text) = without_comment(line) else { return Ok(None) };
    let known = Known::parse(solver.board(), text)?;
    let start = Instant::now();
    let value = solver.value(known.moves.position(), question)?;
    Ok(Some((known, value, start.elapsed())))
}

/// Whether the answer agrees with the known score. Bounds suffice if only bounds were requested.
fn agrees(value: Value, known: &Known, question: Question) -> bool {
    let inside = (value.lower()..=value.upper()).contains(&known.score);
    let outcome = value.outcome() == Some(known.score.outcome());
    match question {
        Question { limit: Some(_), .. } => inside,
        Question { outcome_only: true, .. } => outcome && inside,
        _ => value == Value::Exact(known.score),
    }
}

fn to_json(tally: &Tally, per_second: f64) -> String {
    json(&record! {
        positions: tally.positions,
        mismatches: tally.mismatches,
        per_second: per_second.round(),
        mean_micros: tally.mean().as_micros() as u64,
        worst_micros: tally.worst.as_micros() as u64,
    })
}

fn to_text(tally: &Tally, per_second: f64) -> String {
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
