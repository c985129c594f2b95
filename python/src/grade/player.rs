//! Players: levels of strong4, programs, and functions of Python.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use strong4::grade::{Agent, Answers, Computer, Format, Process, ProcessGroup, Questions};
use strong4::query::Level;
use strong4::{Solver, SolverError};

use super::agent::{Batched, Each};
use crate::errors::bad;
use crate::layout::{self, Layout, Observer};
use crate::solver::level_numbered;

/// Who is to be asked: strong4.Player tells which kind an object is.
#[pyclass(frozen, module = "strong4", name = "_Player")]
pub struct PyPlayer(Kind);

enum Kind {
    Level(Level, u64),
    Program(String, Format, Duration),
    Function(Py<PyAny>),
    Batch(Py<PyAny>, Layout, Option<Observer>, usize),
}

#[pymethods]
impl PyPlayer {
    /// A level of strong4.
    #[staticmethod]
    fn level(level: &Bound<'_, PyAny>, seed: u64) -> PyResult<PyPlayer> {
        Ok(PyPlayer(Kind::Level(level_numbered(level)?, seed)))
    }

    /// A program.
    #[staticmethod]
    fn program(command: String, format: &str, move_time: f64) -> PyResult<PyPlayer> {
        let time = Duration::try_from_secs_f64(move_time).ok().filter(|time| !time.is_zero());
        let time = time
            .ok_or_else(|| bad(format!("'{move_time}' is not a time: expected seconds above 0")))?;
        Ok(PyPlayer(Kind::Program(command, format.parse().map_err(bad)?, time)))
    }

    /// A function of one Position.
    #[staticmethod]
    fn function(function: Py<PyAny>) -> PyPlayer {
        PyPlayer(Kind::Function(function))
    }

    /// A function of an array of positions in a layout.
    #[staticmethod]
    fn batch(
        function: Py<PyAny>,
        layout: &str,
        player: Option<&Bound<'_, PyAny>>,
        batch: usize,
    ) -> PyResult<PyPlayer> {
        if batch == 0 {
            return Err(bad("'0' is not a size of batches: expected a whole number from 1 on"));
        }
        Ok(PyPlayer(Kind::Batch(function, layout.parse()?, layout::observer(player)?, batch)))
    }
}

impl PyPlayer {
    /// The player, ready to answer; levels ask the solver.
    pub fn ready(&self, py: Python<'_>, solver: &Solver) -> Ready {
        match &self.0 {
            Kind::Level(level, seed) => Ready::Level(Computer::new(solver, *level, *seed)),
            Kind::Program(command, format, time) => {
                Ready::Program(Process::new(command, *format, *time))
            }
            Kind::Function(function) => Ready::Function(Each::new(function.clone_ref(py))),
            Kind::Batch(function, layout, observer, batch) => Ready::Batch(Batched {
                function: function.clone_ref(py),
                layout: *layout,
                observer: *observer,
                batch: *batch,
                raised: None,
            }),
        }
    }
}

/// A player that answers.
pub enum Ready {
    Level(Computer),
    Program(Process),
    Function(Each),
    Batch(Batched),
}

impl Agent for Ready {
    fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError> {
        match self {
            Ready::Level(agent) => agent.answer(asked, answers),
            Ready::Program(agent) => agent.answer(asked, answers),
            Ready::Function(agent) => agent.answer(asked, answers),
            Ready::Batch(agent) => agent.answer(asked, answers),
        }
    }

    fn batch(&self) -> usize {
        match self {
            Ready::Level(agent) => agent.batch(),
            Ready::Program(agent) => agent.batch(),
            Ready::Function(agent) => agent.batch(),
            Ready::Batch(agent) => agent.batch(),
        }
    }
}

impl Ready {
    /// Whether it runs in Python, perhaps on the thread that calls and on no other.
    pub fn needs_python(&self) -> bool {
        matches!(self, Ready::Function(_) | Ready::Batch(_))
    }

    /// The processes to end when the work is stopped.
    pub fn group(&self) -> Option<ProcessGroup> {
        match self {
            Ready::Program(process) => Some(process.group()),
            _ => None,
        }
    }

    /// What it raised that ended the work.
    pub fn raised(&mut self) -> Option<PyErr> {
        match self {
            Ready::Function(each) => each.raised.take(),
            Ready::Batch(whole) => whole.raised.take(),
            _ => None,
        }
    }

    /// The first failures in words. A program that never answered at all is an error.
    pub fn remarks(self, name: &str) -> PyResult<Vec<String>> {
        match self {
            Ready::Program(process) => {
                let mut remarks = process.remarks().to_vec();
                if let Some(last) = remarks.last()
                    && !process.has_answered()
                {
                    let reason = format!("{name} has not answered once: {last}");
                    return Err(PyValueError::new_err(reason));
                }
                if process.is_given_up() {
                    remarks.push("no answer many times in a row, so the rest was not asked".into());
                }
                Ok(remarks)
            }
            Ready::Function(each) => Ok(each.remarks),
            _ => Ok(vec![]),
        }
    }
}
