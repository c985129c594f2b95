//! What an error means to whoever typed the command: its exit code, and what to type next.

use strong4::SolverError;
use strong4::solve::SolveError;
use strong4::stats::PliesError;
use strong4::table::{Fault, TableError};
use strong4::tabulate::TabulateError;

use super::Exit;

/// A wrong table, or sources that contradict each other, are a "no" answer. All else is bad
/// usage, or failed input or output.
pub fn exit_of(error: &anyhow::Error) -> Exit {
    let in_the_files = error.chain().any(|cause| {
        let solver = cause.downcast_ref::<SolverError>();
        if solver.is_some_and(|error| error.contradiction().is_some()) {
            return true;
        }
        let table = solver.and_then(SolverError::table);
        let table = table.or_else(|| match cause.downcast_ref::<TabulateError>() {
            // To ask for another board than that of the tables is a mistake of whoever asks.
            Some(TabulateError::Table(TableError { fault: Fault::OtherBoard { .. }, .. })) => None,
            Some(TabulateError::Table(error)) => Some(error),
            _ => cause.downcast_ref::<TableError>(),
        });
        table.is_some_and(|table| table.fault.is_in_the_files())
    });
    if in_the_files { Exit::No } else { Exit::Bad }
}

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
