//! Why a program has not answered.

use std::io;

use crate::grade::answers::Trouble;

/// Why there was no answer.
#[derive(Debug)]
pub(super) struct Failed {
    pub trouble: Trouble,
    pub what: String,
    /// Whether the program ended by itself, with success, and said nothing.
    pub ended_well: bool,
}

impl Failed {
    pub(super) fn new(trouble: Trouble, what: &str) -> Failed {
        Failed { trouble, what: what.to_owned(), ended_well: false }
    }

    pub(super) fn found(expected: &str, found: &[u8]) -> Failed {
        let found = String::from_utf8_lossy(&found[..found.len().min(200)]);
        let found: String = found.chars().take(60).collect();
        let what = format!("expected {expected}, found '{}'", found.escape_debug());
        Failed::new(Trouble::Nonsense, &what)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::new(Trouble::Crash, &format!("{error}"))
    }
}
