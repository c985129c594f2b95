//! The record in place of an answer, in text and as JSON.

use serde::Serialize;

use super::output::on_one_line;

#[derive(Serialize)]
struct Refusal<'a> {
    moves: &'a str,
    error: &'a str,
}

#[derive(Serialize)]
struct Comment<'a> {
    comment: &'a str,
}

/// A line that could not be answered, and why.
pub fn refusal(line: &str, reason: &str) -> String {
    match line.trim() {
        "" => on_one_line(format_args!("error: {reason}")),
        line => on_one_line(format_args!("{line}: error: {reason}")),
    }
}

/// The same as JSON.
pub fn refusal_as_json(line: &str, reason: &str) -> serde_json::Result<String> {
    serde_json::to_string(&Refusal { moves: line, error: reason })
}

/// A line without a question, as JSON.
pub fn comment(line: &str) -> serde_json::Result<String> {
    serde_json::to_string(&Comment { comment: line })
}

/// The empty game is written `''`, which would otherwise be invisible.
pub fn named(moves: &str) -> String {
    if moves.is_empty() { "''".to_owned() } else { moves.to_owned() }
}
