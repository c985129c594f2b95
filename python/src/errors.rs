//! The exceptions, with the messages of the command line.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use strong4::SolverError;
use strong4::board::IllegalPosition;
use strong4::tables::FolderError;

create_exception!(
    strong4,
    TableError,
    PyException,
    "A table is missing or damaged, or contradicts another source."
);

/// Bad input.
pub fn bad(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Stones that no game leads to.
pub fn unreachable(why: IllegalPosition) -> PyErr {
    bad(format!("no game leads to this board: {why}"))
}

/// The reason why a solver has no answer.
pub fn raised(error: &SolverError) -> PyErr {
    match kind(error) {
        Kind::Input => bad(error),
        Kind::Table => TableError::new_err(error.to_string()),
        Kind::Stopped => PyKeyboardInterrupt::new_err(()),
    }
}

enum Kind {
    Input,
    Table,
    Stopped,
}

fn kind(error: &SolverError) -> Kind {
    match error {
        SolverError::Item { error, .. } => kind(error),
        SolverError::Folder(FolderError::OtherBoard { .. }) => Kind::Input,
        SolverError::Folder(_) | SolverError::Query(_) => Kind::Table,
        SolverError::Stopped => Kind::Stopped,
        _ => Kind::Input,
    }
}
