//! The exit code.

use std::process::ExitCode;

use strong4::SolverError;
use strong4::table::{Fault, TableError};
use strong4::tabulate::TabulateError;

/// The exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Done.
    Fine = 0,
    /// The answer is no.
    No = 1,
    /// Bad usage, or failed input or output.
    Bad = 2,
    /// Stopped by Ctrl-C.
    Stopped = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The exit code of an error. A wrong table, or sources that contradict each other, are a "no"
/// answer. All else is bad usage, or failed input or output.
pub(super) fn exit_of(error: &anyhow::Error) -> Exit {
    let in_the_files = error.chain().any(|cause| {
        let solver = cause.downcast_ref::<SolverError>();
        if solver.is_some_and(|error| error.contradiction().is_some()) {
            return true;
        }
        let table = solver.and_then(SolverError::table);
        let table = table.or_else(|| match cause.downcast_ref::<TabulateError>() {
            // Asking for a board other than that of the tables is the user's mistake.
            Some(TabulateError::Table(TableError { fault: Fault::OtherBoard { .. }, .. })) => None,
            Some(TabulateError::Table(error)) => Some(error),
            _ => cause.downcast_ref::<TableError>(),
        });
        table.is_some_and(|table| table.fault.is_in_the_files())
    });
    if in_the_files { Exit::No } else { Exit::Bad }
}
