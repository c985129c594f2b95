//! Questions as lines, each answered with one line.
//!
//! A line that cannot be answered gets a record with the reason in its place. Their number is
//! reported at the end, and sets the exit code.

use std::io::{self, BufRead, BufReader, IsTerminal};

use strong4::progress::Progress;

use crate::cli::advice::in_words;
use crate::cli::exit::exit_of;
use crate::cli::input::in_order::{Taker, in_order};
use crate::cli::output::progress::{Meter, Shown};
use crate::cli::output::{Output, json, on_one_line, record, say};
use crate::cli::{Exit, Global};

/// Bytes read at once.
const READ_BYTES: usize = 1 << 16;

/// The form of the answers.
pub(crate) trait Answers: Sync {
    /// The noun for a question: singular and plural.
    fn named(&self) -> [&'static str; 2] {
        ["line", "lines"]
    }
    /// The header above the first answer.
    fn head(&self) -> Option<String> {
        None
    }
    /// Whether records are JSON.
    fn json(&self) -> bool;
    /// The record that answers a line; none for a comment.
    fn answer(&self, line: &str) -> anyhow::Result<Option<String>>;
    /// The record of a comment.
    fn comment(&self, line: &str) -> String {
        comment(line, self.json())
    }
    /// The record in place of an answer.
    fn refusal(&self, line: &str, reason: &str) -> String {
        refusal(line, reason, self.json())
    }
}

/// The record of a line without a question.
pub(crate) fn comment(comment: &str, as_json: bool) -> String {
    if as_json { json(&record! { comment }) } else { comment.to_owned() }
}

/// The record of a line that could not be answered, and why.
pub(crate) fn refusal(moves: &str, error: &str, as_json: bool) -> String {
    if as_json {
        return json(&record! { moves, error });
    }
    match moves.trim() {
        "" => on_one_line(format_args!("error: {error}")),
        moves => on_one_line(format_args!("{moves}: error: {error}")),
    }
}

/// One question per line in, one record per line out.
pub(crate) fn answer_lines(
    lines: impl Iterator<Item = io::Result<String>> + Send + 'static,
    answers: &impl Answers,
    progress: &impl Progress,
) -> anyhow::Result<Exit> {
    let (out, first_bad, exit) = (Output::new(), None, Exit::Fine);
    let mut records = Records { out, answers, lines: 0, bad: 0, first_bad, exit };
    if let Some(head) = answers.head() {
        records.out.line(head)?;
    }
    let answer = |line: &String| {
        let answer = answers.answer(line)?;
        Ok(answer.unwrap_or_else(|| answers.comment(line)))
    };
    in_order(lines, answer, &mut records, progress)?;
    records.finish()
}

/// Shows progress on a terminal if the answers go elsewhere.
pub(crate) fn meter_of_lines(what: &str, parts: &'static str, global: &Global) -> Meter {
    let unseen = io::stderr().is_terminal() && !io::stdout().is_terminal();
    let shown = Shown { quiet: global.quiet || !unseen, parts: Some(parts), ..Shown::default() };
    Meter::showing(what.to_owned(), shown)
}

/// The lines of standard input, without their ends.
pub(crate) fn lines_of_input() -> impl Iterator<Item = io::Result<String>> + Send + 'static {
    lines_of(BufReader::with_capacity(READ_BYTES, io::stdin()))
}

fn lines_of(
    input: impl BufRead + Send + 'static,
) -> impl Iterator<Item = io::Result<String>> + Send + 'static {
    // Text that is not UTF-8 cannot be a move either; the error names its line.
    let text = |line: Vec<u8>| {
        String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).into_owned()
    };
    input.split(b'\n').map(move |line| line.map(text))
}

/// Writes records, and counts those of bad lines.
struct Records<'a, A> {
    out: Output,
    answers: &'a A,
    lines: u64,
    bad: u64,
    /// The first bad line and its error.
    first_bad: Option<(u64, String)>,
    /// The exit code for the bad lines.
    exit: Exit,
}

impl<A: Answers> Taker<String, anyhow::Result<String>> for Records<'_, A> {
    fn take(
        &mut self,
        line: &String,
        result: Option<anyhow::Result<String>>,
    ) -> anyhow::Result<()> {
        self.lines += 1;
        let record = match result {
            Some(Ok(record)) => record,
            None => self.answers.refusal(line, "stopped before the answer was known"),
            Some(Err(error)) => {
                let reason = in_words(&error);
                let record = self.answers.refusal(line, &reason);
                self.bad += 1;
                self.exit = self.exit.max(exit_of(&error));
                self.first_bad.get_or_insert((self.lines, reason));
                record
            }
        };
        self.out.line(record)
    }

    fn pause(&mut self) -> anyhow::Result<()> {
        self.out.flush()
    }
}

impl<A: Answers> Records<'_, A> {
    fn finish(self) -> anyhow::Result<Exit> {
        self.out.finish()?;
        let Some((first, reason)) = self.first_bad else { return Ok(Exit::Fine) };
        let [one, several] = self.answers.named();
        match self.bad {
            1 => say(format_args!("error: {one} {first}: {reason}")),
            bad => say(format_args!(
                "error: {bad} of {} {several} could not be answered; the first is {one} \
                 {first}: {reason}",
                self.lines
            )),
        }
        Ok(self.exit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_nothing_else() {
        let lines = lines_of(BufReader::with_capacity(4, &b" 12\r\n345\n\n\xff \nnine"[..]));
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        assert_eq!(lines, [" 12", "345", "", "\u{fffd} ", "nine"]);
    }
}
