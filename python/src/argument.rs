//! Arguments whose Python type must be checked when they arrive.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use strong4::tromp::Key;

use crate::errors::bad;

/// A whole number as a Python int, from an int or a NumPy integer.
pub fn whole<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    value.call_method0("__index__").ok().filter(|index| index.is_instance_of::<PyInt>())
}

/// The key with this number, which may be too large for one, or below zero.
pub fn key(number: &Bound<'_, PyAny>) -> PyResult<Key> {
    match number.extract() {
        Ok(number) => Ok(Key(number)),
        Err(_) => number.str()?.to_string().parse().map_err(bad),
    }
}

/// The error for a value of the wrong type.
pub fn expected(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {what}, not {found}"))
}
