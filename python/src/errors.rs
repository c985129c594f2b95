//! What Python raises, and with which text: that of the command line.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    strong4,
    TableError,
    PyException,
    "A table is missing, damaged, or contradicts what else is known."
);

/// Input that makes no sense.
pub fn bad(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
