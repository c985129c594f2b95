//! Functions of Python as players, asked about one position or about many at once.
//!
//! ```text
//!     an answer about one position                about many
//!     an int        a column, from 1              an array of ints (n,)
//!     a float       a value from -1 to 1          an array of floats (n,)
//!     W floats      probabilities                 an array of floats (n, W)
//!     a pair        one of these moves, a value   a pair of arrays
//! ```

use std::time::Instant;

use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyTuple};
use strong4::SolverError;
use strong4::board::Board;
use strong4::grade::{Agent, Answers, Questions, Trouble};

use crate::argument::whole;
use crate::errors::bad;
use crate::layout::{self, Layout, Observer};
use crate::position::PyPosition;

/// What a function raised that ends the exam.
pub type Raised = Option<PyErr>;

/// How many failures in a row are a mistake in the function, if it has never answered.
const PATIENCE: usize = 3;
/// How many failures are remembered in words.
const REMARKS: usize = 5;

/// A function of one Position.
pub struct Each {
    function: Py<PyAny>,
    has_answered: bool,
    pub raised: Raised,
    /// The first failures.
    pub remarks: Vec<String>,
}

impl Each {
    pub fn new(function: Py<PyAny>) -> Each {
        Each { function, has_answered: false, raised: None, remarks: vec![] }
    }
}

impl Agent for Each {
    fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError> {
        (0..answers.len()).try_for_each(|at| {
            Python::attach(|py| self.ask(py, asked, at, answers)).map_err(|raised| {
                self.raised = Some(raised);
                SolverError::Stopped
            })
        })
    }

    /// One at a time, so that Ctrl-C and the bar need not wait.
    fn batch(&self) -> usize {
        1
    }
}

impl Each {
    fn ask(
        &mut self,
        py: Python<'_>,
        asked: Questions,
        at: usize,
        answers: &mut Answers,
    ) -> PyResult<()> {
        let game = asked.game(at);
        let start = Instant::now();
        let said = self.function.bind(py).call1((PyPosition::of_game(&game),));
        answers.took(at, start.elapsed().as_secs_f64());
        let board = game.position().board();
        match said.and_then(|said| take_one(&said, at, board, answers)) {
            Ok(()) => self.has_answered = true,
            Err(error) if error.is_instance_of::<PyException>(py) => {
                answers.failed(at, Trouble::Crash);
                self.remarks.push(format!("crash, after '{game}': {error}"));
                if !self.has_answered && self.remarks.len() == PATIENCE {
                    return Err(error);
                }
                self.remarks.truncate(REMARKS);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Reads an answer about one position.
fn take_one(
    said: &Bound<'_, PyAny>,
    at: usize,
    board: Board,
    answers: &mut Answers,
) -> PyResult<()> {
    if let Some((said, value)) = pair(said, |second| second.extract::<f64>().ok()) {
        take_one(&said, at, board, answers)?;
        answers.valued(at, value);
    } else if let Some(number) = whole(said) {
        take_column(number.extract().unwrap_or(-1), at, board, answers);
    } else if said.is_instance_of::<PyFloat>() || said.len().is_err() {
        match said.extract() {
            Ok(value) => answers.valued(at, value),
            Err(_) => answers.failed(at, Trouble::Nonsense),
        }
    } else {
        match said.extract::<Vec<f32>>() {
            Ok(probabilities) => answers.preferred(at, &probabilities),
            Err(_) => answers.failed(at, Trouble::Nonsense),
        }
    }
    Ok(())
}

fn take_column(number: i64, at: usize, board: Board, answers: &mut Answers) {
    match usize::try_from(number).ok().and_then(|number| board.column(number)) {
        Some(column) => answers.played(at, column),
        None => answers.failed(at, Trouble::Illegal),
    }
}

/// A function of an array of positions.
pub struct Batched {
    pub function: Py<PyAny>,
    pub layout: Layout,
    pub observer: Option<Observer>,
    pub batch: usize,
    pub raised: Raised,
}

impl Agent for Batched {
    fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError> {
        Python::attach(|py| self.ask(py, asked, answers)).map_err(|raised| {
            self.raised = Some(raised);
            SolverError::Stopped
        })
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

impl Batched {
    fn ask(&self, py: Python<'_>, asked: Questions, answers: &mut Answers) -> PyResult<()> {
        let positions = asked.positions();
        let board = positions[0].board();
        let array = layout::write_many(py, positions, board, self.layout, self.observer)?;
        let start = Instant::now();
        let said = self.function.bind(py).call1((array,))?;
        let seconds = start.elapsed().as_secs_f64() / positions.len() as f64;
        (0..positions.len()).for_each(|at| answers.took(at, seconds));
        match pair(&said, |second| second.len().is_ok().then(|| second.clone())) {
            Some((said, values)) if said.len().is_ok() => {
                take_many(&said, board, answers)?;
                take_many(&values, board, answers)
            }
            _ => take_many(&said, board, answers),
        }
    }
}

/// The parts of a pair, if the second is what is wanted.
fn pair<'py, T>(
    said: &Bound<'py, PyAny>,
    second: impl FnOnce(&Bound<'py, PyAny>) -> Option<T>,
) -> Option<(Bound<'py, PyAny>, T)> {
    let pair = said.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2)?;
    let first = pair.get_item(0).ok()?;
    // Two probabilities are no pair.
    let is_move = whole(&first).is_some() || first.len().is_ok();
    Some((first, second(&pair.get_item(1).ok()?)?)).filter(|_| is_move)
}

/// Reads answers about all positions.
fn take_many(said: &Bound<'_, PyAny>, board: Board, answers: &mut Answers) -> PyResult<()> {
    let py = said.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (said,))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    let copy = PyDict::new(py);
    copy.set_item("copy", false)?;
    let (n, width) = (answers.len(), board.width());
    match (kind.as_str(), &shape[..]) {
        ("i" | "u", [len]) if *len == n => {
            let columns = array.call_method("astype", ("int64",), Some(&copy))?;
            let columns = columns.cast::<PyArrayDyn<i64>>()?.try_readonly().map_err(bad)?;
            let columns = columns.as_array();
            if columns.iter().any(|column| *column == 0) {
                return Err(bad("column 0: columns count from 1, so add 1 to what counts from 0"));
            }
            columns.iter().enumerate().for_each(|(at, n)| take_column(*n, at, board, answers));
        }
        ("f", [len] | [len, _]) if *len == n && (shape.len() == 1 || shape[1] == width) => {
            let numbers = array.call_method("astype", ("float32",), Some(&copy))?;
            let numbers = numbers.cast::<PyArrayDyn<f32>>()?.try_readonly().map_err(bad)?;
            let numbers: Vec<f32> = numbers.as_array().iter().copied().collect();
            if shape.len() == 1 {
                (0..n).for_each(|at| answers.valued(at, numbers[at].into()));
            } else {
                let rows = numbers.chunks_exact(width).enumerate();
                rows.for_each(|(at, row)| answers.preferred(at, row));
            }
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "expected {n} columns (ints), probabilities (floats, shape ({n}, {width})) or values \
                 (floats), not an array of {dtype} of shape {}",
                array.getattr("shape")?
            )));
        }
    }
    Ok(())
}
