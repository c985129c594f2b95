//! Exams and games for players, and their reports.
//!
//! ```text
//!     exam      positions and the scores of their moves
//!     player    levels, programs, and functions of Python
//!     agent     how functions are asked
//!     report    the marks, as numbers and arrays
//! ```
//!
//! `strong4._grade` in Python decides what kind of player an object is, and gives reports their form.

mod agent;
mod exam;
mod player;
mod report;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use strong4::grade::ProcessGroup;
use strong4::progress::Progress;
use strong4::{Batch, SolverError};

use crate::errors::raised;
use crate::job::{self, Job};
use crate::solver::PySolver;
use player::{PyPlayer as Player, Ready};

pub use exam::PyExam;
pub use player::PyPlayer;
pub use report::{PyGames, PyReport, picture_of_reports};

/// Gives a player an exam.
#[pyfunction]
pub fn grade(
    py: Python<'_>,
    exam: &Bound<'_, PyExam>,
    name: &str,
    player: &Bound<'_, Player>,
    solver: &Bound<'_, PySolver>,
    bar: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    let exam = exam.get().get();
    let players = [player.get().ready(py, solver.get().get())];
    let (report, [player]) =
        ask(py, players, bar, |[player], batch| exam.grade(name, player, batch))?;
    Ok(PyReport::new(report, player.remarks(name)?))
}

/// Lets a player play games against another one.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn play_games(
    py: Python<'_>,
    name: &str,
    player: &Bound<'_, Player>,
    opponent: &Bound<'_, Player>,
    opponent_name: &str,
    solver: &Bound<'_, PySolver>,
    number: usize,
    seed: u64,
    bar: Option<Py<PyAny>>,
) -> PyResult<PyGames> {
    let solver = solver.get().get();
    let players = [player, opponent].map(|player| player.get().ready(py, solver));
    let (games, [player, opponent]) = ask(py, players, bar, |[player, opponent], batch| {
        strong4::grade::play_games(name, player, opponent, solver, number, seed, batch)
    })?;
    opponent.remarks(opponent_name)?;
    Ok(PyGames::new(games, player.remarks(name)?))
}

/// Lets players answer, until Ctrl-C: those that need Python on this thread, and others behind it.
fn ask<R: Send, const N: usize>(
    py: Python<'_>,
    mut players: [Ready; N],
    bar: Option<Py<PyAny>>,
    work: impl FnOnce(&mut [Ready; N], Batch) -> Result<R, SolverError> + Send,
) -> PyResult<(R, [Ready; N])> {
    let done = if players.iter().any(Ready::needs_python) {
        let shown = Shown::new(bar);
        let batch = Batch { progress: &shown, stop: Some(&shown.stop) };
        let done = py.detach(|| work(&mut players, batch));
        shown.close(py)?;
        done
    } else {
        let show = |py: Python<'_>, done: u64| match &bar {
            None => Ok(()),
            Some(bar) => bar.call_method1(py, "show", (done,)).map(drop),
        };
        let groups: Vec<_> = players.iter().filter_map(Ready::group).collect();
        let end = || groups.iter().for_each(ProcessGroup::end);
        let asked = &mut players;
        let ask = |job: &Job| work(asked, Batch { progress: job, stop: Some(&job.stop) });
        let done = job::run_until(py, ask, show, end);
        if let Some(bar) = &bar {
            bar.call_method0(py, "close")?;
        }
        done?
    };
    if let Some(error) = players.iter_mut().find_map(Ready::raised) {
        return Err(error);
    }
    done.map(|done| (done, players)).map_err(|error| raised(&error))
}

/// A bar that this thread moves.
struct Shown {
    bar: Option<Py<PyAny>>,
    stop: AtomicBool,
    raised: Mutex<Option<PyErr>>,
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
