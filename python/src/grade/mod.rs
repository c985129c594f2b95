//! Exams for players written in Python, and their reports.
//!
//! ```text
//!     exam      positions and the scores of their moves
//!     agent     functions of Python as players
//!     report    the marks, as numbers and arrays
//! ```
//!
//! `strong4._grade` in Python decides what kind of player an object is, and gives reports their form.

mod agent;
mod exam;
mod report;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use strong4::grade::{Agent, Computer};
use strong4::progress::Progress;
use strong4::solver::{Batch, SolverError};

use crate::errors::{bad, raised};
use crate::job::{self, Job};
use crate::layout::{self, Layout};
use crate::solver::{PySolver, level_numbered};
use agent::{Each, Raised, Whole};

pub use exam::PyExam;
pub use report::{PyReport, picture_of_reports};

/// Grades a level of strong4.
#[pyfunction]
pub fn grade_level(
    py: Python<'_>,
    exam: &Bound<'_, PyExam>,
    name: &str,
    level: &Bound<'_, PyAny>,
    seed: u64,
    solver: &Bound<'_, PySolver>,
    bar: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    let exam = exam.get().get();
    let mut computer = Computer::new(solver.get().get(), level_numbered(level)?, seed);
    in_background(py, bar, || (), |batch| exam.grade(name, &mut computer, batch))
        .map(|report| PyReport::new(report, vec![]))
}

/// Grades a program.
#[pyfunction]
#[cfg(unix)]
pub fn grade_command(
    py: Python<'_>,
    exam: &Bound<'_, PyExam>,
    name: &str,
    command: &str,
    format: &str,
    move_time: f64,
    bar: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    let exam = exam.get().get();
    let move_time = Duration::try_from_secs_f64(move_time)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| bad(format!("'{move_time}' is not a time: expected seconds above 0")))?;
    let mut process =
        strong4::grade::Process::new(command, format.parse().map_err(bad)?, move_time);
    let group = process.group();
    let end = || group.end();
    let report = in_background(py, bar, end, |batch| exam.grade(name, &mut process, batch));
    let mut remarks = process.remarks().to_vec();
    match remarks.last() {
        Some(last) if report.is_ok() && !process.has_answered() => {
            return Err(PyValueError::new_err(format!("{name} has not answered once: {last}")));
        }
        _ => {}
    }
    if process.is_given_up() {
        remarks.push("no answer many times in a row, so the rest was not asked".to_owned());
    }
    report.map(|report| PyReport::new(report, remarks))
}

/// Grades a function of one Position.
#[pyfunction]
pub fn grade_function<'py>(
    py: Python<'py>,
    exam: &Bound<'py, PyExam>,
    name: &str,
    function: Bound<'py, PyAny>,
    bar: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    let mut each = Each::new(function);
    let report = in_front(py, exam, name, &mut each, bar, |each| &mut each.raised)?;
    Ok(PyReport::new(report, each.remarks))
}

/// Grades a function of an array of positions in a layout.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn grade_batch<'py>(
    py: Python<'py>,
    exam: &Bound<'py, PyExam>,
    name: &str,
    function: Bound<'py, PyAny>,
    layout: &str,
    player: Option<&Bound<'py, PyAny>>,
    batch: usize,
    bar: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    if batch == 0 {
        return Err(bad("'0' is not a size of batches: expected a whole number from 1 on"));
    }
    let (layout, observer) = (layout.parse::<Layout>()?, layout::observer(player)?);
    let mut whole = Whole { function, layout, observer, batch, raised: None };
    let report = in_front(py, exam, name, &mut whole, bar, |whole| &mut whole.raised)?;
    Ok(PyReport::new(report, vec![]))
}

/// Asks a player that needs Python, on this thread: players may belong to it.
fn in_front<A: Agent>(
    py: Python<'_>,
    exam: &Bound<'_, PyExam>,
    name: &str,
    agent: &mut A,
    bar: Option<Py<PyAny>>,
    raised_by: impl Fn(&mut A) -> &mut Raised,
) -> PyResult<strong4::grade::Report> {
    let shown = Shown::new(bar);
    let batch = Batch { progress: &shown, stop: Some(&shown.stop) };
    let report = exam.get().get().grade(name, agent, batch);
    shown.close(py)?;
    match raised_by(agent).take() {
        Some(error) => Err(error),
        None => report.map_err(|error| raised(&error)),
    }
}

/// Asks a player that does not need Python, until Ctrl-C.
fn in_background<R: Send>(
    py: Python<'_>,
    bar: Option<Py<PyAny>>,
    end: impl Fn() + Sync,
    work: impl FnOnce(Batch) -> Result<R, SolverError> + Send,
) -> PyResult<R> {
    let show = |py: Python<'_>, done: u64| match &bar {
        None => Ok(()),
        Some(bar) => bar.call_method1(py, "show", (done,)).map(drop),
    };
    let ask = |job: &Job| work(Batch { progress: job, stop: Some(&job.stop) });
    let done = job::run_until(py, ask, show, end);
    if let Some(bar) = &bar {
        bar.call_method0(py, "close")?;
    }
    done?.map_err(|error| raised(&error))
}

/// A bar that this thread moves.
struct Shown {
    bar: Option<Py<PyAny>>,
    stop: AtomicBool,
    raised: Mutex<Raised>,
}

impl Shown {
    fn new(bar: Option<Py<PyAny>>) -> Shown {
        Shown { bar, stop: AtomicBool::new(false), raised: Mutex::default() }
    }

    /// Ends the bar; an error if it had one.
    fn close(self, py: Python<'_>) -> PyResult<()> {
        if let Some(raised) = self.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(raised);
        }
        self.bar.map_or(Ok(()), |bar| bar.call_method0(py, "close").map(drop))
    }
}

impl Progress for Shown {
    fn advance(&self, done: u64, _total: u64) {
        let show = |py: Python<'_>| {
            py.check_signals()?;
            self.bar.as_ref().map_or(Ok(()), |bar| bar.call_method1(py, "show", (done,)).map(drop))
        };
        if let Err(raised) = Python::attach(show) {
            self.stop.store(true, Relaxed);
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
        }
    }
}
