//! The error of everything that has a fixed set of values and is read from text or made of a number.

/// Text, or a number, that is no value of a type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{found}' is not {kind}: expected {expected}")]
pub struct ParseError {
    /// What was given.
    pub found: String,
    /// What it is not: "a level".
    pub kind: &'static str,
    /// The values that there are: "a whole number from 1 to 5".
    pub expected: String,
}

impl ParseError {
    pub(crate) fn new(
        found: impl ToString,
        kind: &'static str,
        expected: impl Into<String>,
    ) -> ParseError {
        ParseError { found: found.to_string(), kind, expected: expected.into() }
    }
}
