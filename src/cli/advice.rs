//! What to type next after an error.

use strong4::SolverError;
use strong4::solve::SolveError;
use strong4::stats::PliesError;

/// An error and what led to it, on one line, with what to type next if that is known.
pub fn in_words(error: &anyhow::Error) -> String {
    match error.chain().find_map(advice) {
        Some(advice) => format!("{error:#}: {advice}"),
        None => format!("{error:#}"),
    }
}

/// What to type next. The library reports facts; options and commands are known only here.
fn advice(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(SolveError::Memory { last, .. }) = error.downcast_ref() {
        return Some(format!("try a smaller board, or --tiers nearer to {last}"));
    }
    if let Some(PliesError::NoScores { board, .. }) = error.downcast_ref() {
        let command = format!("strong4 solve --board {board} --scores");
        return Some(format!("'{command}' finds how soon positions are over"));
    }
    error.downcast_ref::<SolverError>()?.contradiction()?;
    Some("'strong4 verify --deep' finds out whether a table is wrong".to_owned())
}
