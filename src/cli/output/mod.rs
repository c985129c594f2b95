//! Standard output and standard error, and what happens when they fail.
//!
//! A reader that closes the pipe, as `head` does, has all it wanted: the program then ends
//! quietly and successfully. A full disk is an error. If writing to standard error fails, the
//! message is lost, since there is nowhere else to report it.
//!
//! `numbers`, `table` and `plies` put figures into text, `drawing` positions;
//! `progress` shows how far a job is.

pub mod drawing;
pub mod numbers;
pub mod plies;
pub mod progress;
pub mod table;

use std::fmt::{self, Display};
use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use crate::cli::advice::in_words;

/// Standard output, buffered. Call [`Output::finish`] at the end; otherwise an error in
/// the last bytes would go unnoticed.
pub struct Output(BufWriter<StdoutLock<'static>>);

/// Standard output failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
struct OutputError(#[source] io::Error);

impl Output {
    /// Takes standard output for the rest of the program's life.
    pub fn new() -> Output {
        Output(BufWriter::new(io::stdout().lock()))
    }

    /// Writes a line.
    pub fn line(&mut self, line: impl Display) -> anyhow::Result<()> {
        Ok(writeln!(self.0, "{line}").map_err(OutputError)?)
    }

    /// Writes text without a line end.
    pub fn text(&mut self, text: impl Display) -> anyhow::Result<()> {
        Ok(write!(self.0, "{text}").map_err(OutputError)?)
    }

    /// Flushes the output so far.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.0.flush().map_err(OutputError)?)
    }

    /// Flushes the rest.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.flush()
    }
}

/// Prints lines on standard output.
pub fn print(lines: impl IntoIterator<Item = impl Display>) -> anyhow::Result<()> {
    let mut out = Output::new();
    lines.into_iter().try_for_each(|line| out.line(line))?;
    out.finish()
}

/// Whether this is the error of a pipe whose reader has closed it.
pub fn reader_has_gone(error: &anyhow::Error) -> bool {
    let output = error.downcast_ref::<OutputError>();
    output.is_some_and(|OutputError(io)| io.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error and its causes, on one line.
pub fn report_error(error: &anyhow::Error) {
    say(format_args!("error: {}", in_words(error)));
}

/// Prints a message on standard error, always as one line.
pub fn say(message: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "strong4: {}", on_one_line(message));
}

/// Prints an event on standard error, as one line of JSON.
pub fn say_json(event: &impl Serialize) {
    let _ = writeln!(io::stderr(), "{}", json(event));
}

/// A record as one line of JSON.
pub fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("numbers, texts and lists of them")
}

/// A record to print as JSON: named values, in the order in which they are given.
///
/// ```text
///     record! { tier: 4, live: 1120 }      {"tier":4,"live":1120}
/// ```
macro_rules! record {
    ($($name:ident $(: $value:expr)?),+ $(,)?) => {{
        // Each field has a type parameter of its own name.
        #[allow(non_camel_case_types)]
        mod record {
            #[derive(::serde::Serialize)]
            pub struct Record<$($name),+> {
                $(pub $name: $name),+
            }
        }
        record::Record { $($name $(: $value)?),+ }
    }};
}
pub(crate) use record;

/// A message with line ends and other control characters escaped.
pub fn on_one_line(message: impl Display) -> String {
    let mut line = String::new();
    for c in message.to_string().chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}
