//! Many positions in a NumPy array.
//!
//! ```text
//!     (n,)     keys: as Position.key
//!     (n,)     keys, like Position.key
//!     (n, 2)   bitboards: the stones of the first player, and of the second;
//! ```

use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use strong4::board::{Board, Position};
use strong4::tromp::{Key, KeySyntaxError};

use crate::argument::whole;
use crate::errors::bad;
use crate::position::PyPosition;

/// The positions in an array. The solver checks whether games lead to them.
pub fn positions(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    board: Board,
) -> PyResult<Vec<Position>> {
    let numpy = py.import("numpy")?;
    let given = array;
    let mut array = numpy.call_method1("asarray", (given,))?;
    // NumPy turns a mix of ints below and above 2^63 into floats.
    if !given.is(&array) && array.getattr("dtype")?.getattr("kind")?.eq("f")? {
        array = numpy.call_method1("asarray", (given, "object"))?;
    }
    if array.getattr("size")?.extract::<usize>()? == 0 {
        return match array.getattr("ndim")?.extract::<usize>()? {
            1 | 2 => Ok(Vec::new()),
            _ => Err(bad_shape(&array)?),
        };
    }
    let dtype = array.getattr("dtype")?;
    match dtype.getattr("kind")?.extract::<String>()?.as_str() {
        "u" => {}
        "i" => refuse_negative(&array)?,
        "O" => {
            if let Some(positions) = made_of_positions(&array, board)? {
                return Ok(positions);
            }
            array = numbers_of_objects(py, &array)?;
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "expected an array of keys or bitboards, which are uint64, not {dtype}"
            )));
        }
    }
    let copy = PyDict::new(py);
    copy.set_item("copy", false)?;
    let array = array.call_method("astype", ("uint64",), Some(&copy))?;
    let words = array.cast::<PyArrayDyn<u64>>()?;
    let words = words.try_readonly().map_err(bad)?;
    let words = words.as_array();
    let at = |number: usize, of: usize| {
        move |error: String| bad(format!("number {number} of {of}: {error}"))
    };
    match *words.shape() {
        [n] => {
            let keys = words.iter().enumerate();
            keys.map(|(i, key)| {
                let decoded = Key(*key).decode_stones(board);
                decoded.map_err(|error| at(i + 1, n)(error.to_string()))
            })
            .collect()
        }
        [n, 2] => {
            let stones = |i: usize| [0, 1].map(|player| words[[i, player].as_ref()]);
            let position = |i: usize| {
                let [first, second] = stones(i);
                let position = Position::from_stones(board, first, second);
                position.map_err(|why| at(i + 1, n)(format!("no game leads to this board: {why}")))
            };
            (0..n).map(position).collect()
        }
        _ => Err(bad_shape(&array)?),
    }
}

fn bad_shape(array: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let shape = array.getattr("shape")?;
    Ok(bad(format!("an array of shape {shape}: expected (n,) for keys, or (n, 2) for bitboards")))
}

/// Refuses numbers below zero.
fn refuse_negative(array: &Bound<'_, PyAny>) -> PyResult<()> {
    let least = array.call_method0("min")?;
    if least.lt(0)? {
        return Err(bad(KeySyntaxError { found: least.str()?.to_string() }));
    }
    Ok(())
}

/// The positions, if the array consists of Position objects.
fn made_of_positions(array: &Bound<'_, PyAny>, board: Board) -> PyResult<Option<Vec<Position>>> {
    let objects = array.getattr("flat")?;
    let mut positions = Vec::new();
    for object in objects.try_iter()? {
        let Ok(position) = object?.cast_into::<PyPosition>() else { return Ok(None) };
        let position = *position.get().get();
        if position.board() != board {
            let number = positions.len() + 1;
            let found = position.board();
            return Err(bad(format!("number {number}: a position on {found}, not on {board}")));
        }
        positions.push(position);
    }
    Ok(Some(positions))
}

/// An array of uint64, made of ints that may be too large for it.
fn numbers_of_objects<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    for object in array.getattr("flat")?.try_iter()? {
        let object = object?;
        let Some(number) = whole(&object) else {
            let kind = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected an array of keys or bitboards, which are uint64, not of {kind}"
            )));
        };
        if number.cast::<PyInt>()?.extract::<u64>().is_err() {
            return Err(bad(KeySyntaxError { found: number.str()?.to_string() }));
        }
    }
    py.import("numpy")?.call_method1("asarray", (array, "uint64"))
}
