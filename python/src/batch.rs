//! Many positions in one argument.
//!
//! ```text
//!     array of uint64, (n,)       keys, as Position.key
//!     array of uint64, (n, 2)     bitboards: the stones of the first player, and of the second
//!     array or column of str      moves, such as "4453"
//!     list, or array of objects   keys, moves and Positions in any mixture
//! ```
//!
//! NumPy would turn a mixture of ints and text into text, so lists are read item by item unless they
//! are full of ints.

use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use strong4::board::{Board, Position};
use strong4::tromp::Key;

use crate::argument::{expected, key, whole};
use crate::errors::bad;
use crate::position::{PyPosition, game};

/// The positions in an argument. The solver checks whether games lead to those from keys.
pub fn positions(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    board: Board,
) -> PyResult<Vec<Position>> {
    let numpy = py.import("numpy")?;
    let kind_of = |array: &Bound<'_, PyAny>| -> PyResult<String> {
        array.getattr("dtype")?.getattr("kind")?.extract()
    };
    let mut array = numpy.call_method1("asarray", (given,))?;
    // A mixture of ints below and above 2^63 becomes floats, one of ints and text becomes text.
    if !given.is(&array) && ["f", "U"].contains(&kind_of(&array)?.as_str()) {
        array = numpy.call_method1("asarray", (given, "object"))?;
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let dtype = array.getattr("dtype")?;
    let kind = kind_of(&array)?;
    match (kind.as_str(), &shape[..]) {
        (_, []) if matches!(kind.as_str(), "U" | "O") => Err(not_many(given)),
        (_, [0] | [0, _]) => Ok(Vec::new()),
        ("O" | "U", [_]) => mixture(&array, board),
        ("u" | "i" | "O", [_] | [_, 2]) => words(&array, &shape, board),
        ("u" | "i" | "O" | "U", _) => Err(bad_shape(&array)?),
        _ => Err(PyTypeError::new_err(format!(
            "expected keys or bitboards, which are uint64, or moves, which are text, not {dtype}"
        ))),
    }
}

/// Keys, or bitboards.
fn words(array: &Bound<'_, PyAny>, shape: &[usize], board: Board) -> PyResult<Vec<Position>> {
    let py = array.py();
    let dtype: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let array = match dtype.as_str() {
        "O" => numbers_of_objects(array)?,
        "i" => {
            // None is below zero if the least is a key.
            key(&array.call_method0("min")?)?;
            array.clone()
        }
        _ => array.clone(),
    };
    let copy = PyDict::new(py);
    copy.set_item("copy", false)?;
    let array = array.call_method("astype", ("uint64",), Some(&copy))?;
    let words = array.cast::<PyArrayDyn<u64>>()?;
    let words = words.try_readonly().map_err(bad)?;
    let words = words.as_array();
    let of = shape[0];
    match shape {
        [_] => {
            let keys = words.iter().enumerate();
            keys.map(|(at, key)| with_key(*key, board).map_err(|error| bad(at_item(at, of, error))))
                .collect()
        }
        _ => {
            let stones = |at: usize| [0, 1].map(|player| words[[at, player].as_ref()]);
            let position = |at: usize| {
                let [first, second] = stones(at);
                let position = Position::from_stones(board, first, second);
                position.map_err(|why| {
                    bad(at_item(at, of, format!("no game leads to this board: {why}")))
                })
            };
            (0..of).map(position).collect()
        }
    }
}

/// Keys, moves and Positions.
fn mixture(array: &Bound<'_, PyAny>, board: Board) -> PyResult<Vec<Position>> {
    let of = array.len()?;
    let mut positions = Vec::with_capacity(of);
    for (at, item) in array.call_method0("tolist")?.try_iter()?.enumerate() {
        let item = item?;
        let position = one(&item, board).map_err(|error| {
            let type_of_error = error.get_type(item.py());
            PyErr::from_type(type_of_error, at_item(at, of, error.value(item.py()).to_string()))
        })?;
        positions.push(position);
    }
    Ok(positions)
}

/// A position as a Position, moves, or a key.
fn one(item: &Bound<'_, PyAny>, board: Board) -> PyResult<Position> {
    if let Ok(position) = item.cast::<PyPosition>() {
        let position = *position.get().get();
        let found = position.board();
        return match found == board {
            true => Ok(position),
            false => Err(bad(format!("a position on {found}, not on {board}"))),
        };
    }
    if let Ok(moves) = item.cast::<PyString>() {
        return Ok(*game(board, moves)?.position());
    }
    let number = whole(item).filter(|_| !item.is_instance_of::<PyBool>());
    let number = number.ok_or_else(|| expected("moves, a key or a Position", item))?;
    with_key(word(&number)?, board).map_err(bad)
}

/// The position with this key. It need not be one that a game reaches.
fn with_key(key: u64, board: Board) -> Result<Position, String> {
    Key(key).decode_stones(board).map_err(|error| {
        let digits = key.to_string();
        let is_column = |digit: char| {
            digit.to_digit(10).is_some_and(|number| board.column(number as usize).is_some())
        };
        let hint = match digits.len() > 1 && digits.chars().all(is_column) {
            true => format!("; moves are text: '{digits}'"),
            false => String::new(),
        };
        format!("{error}{hint}")
    })
}

fn at_item(at: usize, of: usize, error: impl std::fmt::Display) -> String {
    format!("number {} of {of}: {error}", at + 1)
}

fn bad_shape(array: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let shape = array.getattr("shape")?;
    Ok(bad(format!(
        "an array of shape {shape}: expected (n,) for keys or moves, or (n, 2) for bitboards"
    )))
}

fn not_many(found: &Bound<'_, PyAny>) -> PyErr {
    expected("many positions: a list, or an array of keys, bitboards or moves", found)
}

/// A number that fits uint64.
fn word(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(key(number.cast::<PyInt>()?)?.0)
}

/// An array of uint64, made of ints that may be too large for it.
fn numbers_of_objects<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    for object in array.getattr("flat")?.try_iter()? {
        let object = object?;
        let Some(number) = whole(&object) else {
            return Err(expected("bitboards, which are uint64", &object));
        };
        word(&number)?;
    }
    array.py().import("numpy")?.call_method1("asarray", (array, "uint64"))
}
