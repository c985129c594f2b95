//! Standard output and standard error, and what happens when they fail.
//!
//! A reader that closes the pipe, as `head` does, has all it wanted: the program then ends
//! quietly and successfully. A full disk is an error. If writing to standard error fails, the
//! message is lost, since there is nowhere else to report it.
//!
//! `numbers`, `table` and `plies` put figures into text, `drawing` positions;
//! `progress` shows how far a job is.

pub(super) mod drawing;
pub(super) mod numbers;
pub(super) mod plies;
pub(super) mod progress;
pub(super) mod table;

use std::fmt::{self, Display};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::cli::advice::in_words;

/// Standard output, buffered. Call [`Output::finish`] at the end; otherwise an error in
/// the last bytes would go unnoticed.
pub(super) struct Output(BufWriter<StdoutLock<'static>>);

/// Standard output failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
struct OutputError(#[source] io::Error);

impl Output {
    /// Takes standard output for the rest of the program's life.
    pub(super) fn new() -> Output {
        Output(BufWriter::new(io::stdout().lock()))
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: impl Display) -> anyhow::Result<()> {
        Ok(writeln!(self.0, "{line}").map_err(OutputError)?)
    }

    /// Writes text without a line end.
    pub(super) fn text(&mut self, text: impl Display) -> anyhow::Result<()> {
        Ok(write!(self.0, "{text}").map_err(OutputError)?)
    }

    /// Flushes the output so far.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.0.flush().map_err(OutputError)?)
    }

    /// Flushes the rest.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.flush()
    }
}

/// What went wrong with a file or folder that was to be written.
pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write to {}", path.display())
}

/// Prints lines on standard output.
pub(super) fn print(lines: impl IntoIterator<Item = impl Display>) -> anyhow::Result<()> {
    let mut out = Output::new();
    lines.into_iter().try_for_each(|line| out.line(line))?;
    out.finish()
}

/// Whether this is the error of a pipe whose reader has closed it.
pub(super) fn reader_has_gone(error: &anyhow::Error) -> bool {
    let output = error.downcast_ref::<OutputError>();
    output.is_some_and(|OutputError(io)| io.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error and its causes, on one line.
pub(super) fn report_error(error: &anyhow::Error) {
    say(format_args!("error: {}", in_words(error)));
}

/// Prints a message on standard error, always as one line.
pub(super) fn say(message: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "strong4: {}", on_one_line(message));
}

/// Prints an event on standard error, as one line of JSON.
pub(super) fn say_json(event: &impl Serialize) {
    let _ = writeln!(io::stderr(), "{}", json(event));
}

/// A record as one line of JSON.
pub(super) fn json(record: &impl Serialize) -> String {
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
            pub(crate) struct Record<$($name),+> {
                $(pub(crate) $name: $name),+
            }
        }
        record::Record { $($name $(: $value)?),+ }
    }};
}
pub(crate) use record;

/// Records as comma-separated values: a header, which names some of their values, and a row of
/// these for each record.
pub(super) fn csv<R: Serialize>(header: &str, records: impl IntoIterator<Item = R>) -> Vec<String> {
    let cell = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => csv_cell(text),
        value => value.to_string(),
    };
    let row = |record| {
        let record = serde_json::to_value(record).expect("numbers, texts and lists of them");
        header.split(',').map(|name| cell(&record[name])).collect::<Vec<_>>().join(",")
    };
    std::iter::once(header.to_owned()).chain(records.into_iter().map(row)).collect()
}

/// A value between commas: quoted if it contains commas, quotes or line ends.
pub(super) fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

/// A message with line ends and other control characters escaped.
pub(super) fn on_one_line(message: impl Display) -> String {
    let mut line = String::new();
    for c in message.to_string().chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_values_that_the_header_names_and_quotes_where_they_must_be() {
        let [first, second] = [("plain", None), ("a, \"b\"", Some(0.25))];
        let record = |(text, share)| record! { unused: 1, share, text };
        let rows = csv("text,share", [first, second].map(record));
        assert_eq!(rows, ["text,share", "plain,", "\"a, \"\"b\"\"\",0.25"]);
        assert_eq!(json(&record(first)), r#"{"unused":1,"share":null,"text":"plain"}"#);
    }
}
