//! `strong4.Solver`: the solver of the library.

use std::path::PathBuf;

use numpy::ndarray::{Array1, Array2};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyString, PyTuple, PyType};
use strong4::Solver;
use strong4::board::{MoveError, Position, Status};
use strong4::query::{Answer, Question, Record, Worth};
use strong4::search::Score;
use strong4::solver::{Batch, SolverError};

use crate::argument::{expected, whole};
use crate::batch::positions;
use crate::errors::{bad, raised};
use crate::job::{self, Job};
use crate::position::{PyPosition, board_named, game};

/// The entry of full columns in arrays of scores.
pub const NO_MOVE: i8 = -128;

/// Finds the values of positions of one board.
///
/// Solver(board="7x6", tables=None, threads=None) knows the built-in openings of 7x6, reads
/// the tables in the folder `tables` if one is given, and searches for the rest. It uses
/// `threads` threads, or one per core. TableError is raised if the folder has no tables.
///
/// Positions are given as moves, such as "4453", or as a Position. The score is for the player to
/// move: the number of stones that the winner still holds when the game ends, plus one; positive
/// if the player to move wins, negative if he loses, 0 for a draw.
///
/// A Solver can be shared by threads. It works without the GIL, and Ctrl-C stops it.
///
/// >>> from strong4 import Solver
/// >>> solver = Solver()
/// >>> solver.score("4453")
/// -2
/// >>> solver.scores("4453")
/// [-5, -5, -2, -3, -4, -2, -2]
/// >>> solver.play("4453")
/// 3
#[pyclass(frozen, module = "strong4", name = "Solver")]
pub struct PySolver {
    solver: Solver,
    tables: Option<PathBuf>,
    threads: Option<usize>,
}

impl PySolver {
    /// The position in an argument.
    fn asked(&self, position: &Bound<'_, PyAny>) -> PyResult<Position> {
        if let Ok(position) = position.cast::<PyPosition>() {
            return Ok(*position.get().get());
        }
        match position.cast::<PyString>() {
            Ok(text) => Ok(*game(self.solver.board(), text)?.position()),
            Err(_) => Err(expected("moves, such as '4453', or a Position", position)),
        }
    }

    /// Asks the library about a position, until Ctrl-C.
    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        question: impl FnOnce(&Solver, &Position, Question<'_>) -> Result<R, SolverError> + Send,
    ) -> PyResult<R> {
        let position = self.asked(position)?;
        let ask = |job: &Job| {
            let asked = Question { stop: Some(&job.stop), ..Question::default() };
            question(&self.solver, &position, asked)
        };
        job::run(py, ask, |_, _| Ok(()))?.map_err(|error| raised(&error))
    }

    /// Asks the library about many positions, with a bar if `progress` is true.
    fn ask_all<R: Send>(
        &self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        progress: bool,
        question: impl FnOnce(&Solver, &[Position], Batch<'_>) -> Result<R, SolverError> + Send,
    ) -> PyResult<R> {
        let positions = positions(py, array, self.solver.board())?;
        let ask = |job: &Job| {
            question(&self.solver, &positions, Batch { progress: job, stop: Some(&job.stop) })
        };
        let bar = match progress {
            false => None,
            true => {
                let bars = py.import("strong4._progress")?;
                Some(bars.call_method1("bar", (positions.len(),))?.unbind())
            }
        };
        let tell = |py: Python<'_>, done| match &bar {
            None => Ok(()),
            Some(bar) => bar.call_method1(py, "tell", (done,)).map(drop),
        };
        let answers = job::run(py, ask, tell);
        if let Some(bar) = &bar {
            bar.call_method0(py, "close")?;
        }
        answers?.map_err(|error| raised(&error))
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (board="7x6", tables=None, threads=None))]
    fn new(
        py: Python<'_>,
        board: &str,
        tables: Option<PathBuf>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySolver> {
        let (board, threads) = (board_named(board)?, threads.map(number_of_threads).transpose()?);
        let open = |_: &Job| {
            let mut solver = Solver::new(board);
            if let Some(threads) = threads {
                solver = solver.with_threads(threads);
            }
            match &tables {
                None => Ok(solver),
                Some(folder) => solver.with_tables(folder),
            }
        };
        let solver = job::run(py, open, |_, _| Ok(()))?.map_err(|error| raised(&error))?;
        Ok(PySolver { solver, tables, threads })
    }

    /// The score of a position, for the player to move.
    fn score(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<i32> {
        Ok(self.ask(py, position, Solver::score_with)?.get())
    }

    /// The score of each move for the player who makes it, column by column.
    ///
    /// It is None where the column is full, and everywhere when the game is over.
    fn scores(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<Option<i32>>> {
        let scores = self.ask(py, position, Solver::scores_with)?;
        Ok(scores.into_iter().map(|score| score.map(Score::get)).collect())
    }

    /// Everything about a position, as an Analysis.
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.ask(py, position, |solver, position, question| {
            let answer = solver.answer(position, question)?;
            let is_known = answer.value.score().is_some();
            if is_known { Ok(answer) } else { Err(SolverError::Stopped) }
        })?;
        analysis(py, &answer)
    }

    /// The best move, a column from 1: its score is that of the position.
    ///
    /// Of several best moves it is the one nearest to the centre, and of two such the left one.
    fn play(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<usize> {
        let asked = self.asked(position)?;
        let best = self.ask(py, position, Solver::best)?;
        best.map(|column| column.number()).ok_or_else(|| match asked.status() {
            Status::Won(winner) => bad(MoveError::GameOver(winner)),
            _ => PyValueError::new_err("the game is over: the board is full"),
        })
    }

    /// The scores of many positions: a NumPy array of int8, of shape (n,).
    ///
    /// `positions` is an array of n keys (uint64), or of shape (n, 2) with the bitboards of both
    /// players (see Position.bitboards); a list of ints or of Positions is accepted too.
    ///
    /// Uses all threads of the solver. progress=True shows a bar, with tqdm if it is installed.
    #[pyo3(signature = (positions, *, progress=false))]
    fn scores_of<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let scores = self.ask_all(py, positions, progress, Solver::scores_of)?;
        let scores = scores.into_iter().map(|score| score.get() as i8);
        Ok(PyArray1::from_owned_array(py, Array1::from_iter(scores)))
    }

    /// The scores of all moves of many positions: a NumPy array of int8, of shape (n, W).
    ///
    /// NO_MOVE, which is -128, marks full columns, and all columns when the game is over.
    /// Otherwise like scores_of().
    #[pyo3(signature = (positions, *, progress=false))]
    fn move_scores_of<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let scores = self.ask_all(py, positions, progress, Solver::move_scores_of)?;
        let shape = (scores.len(), self.solver.board().width());
        let scores = scores.into_iter().flatten();
        let cells = scores.map(|score| score.map_or(NO_MOVE, |score| score.get() as i8)).collect();
        let scores = Array2::from_shape_vec(shape, cells).map_err(bad)?;
        Ok(PyArray2::from_owned_array(py, scores))
    }

    /// The size of the board, such as "7x6".
    #[getter]
    fn board(&self) -> String {
        self.solver.board().to_string()
    }

    /// The folder of the tables; None if there is none.
    #[getter]
    fn tables(&self) -> Option<PathBuf> {
        self.tables.clone()
    }

    /// The tiers whose tables would have helped so far, but are missing in the folder.
    #[getter]
    fn missed_tiers(&self) -> Vec<usize> {
        self.solver.missed_tiers().into_iter().map(|tier| tier.stones()).collect()
    }

    fn __repr__(&self) -> String {
        match &self.tables {
            None => format!("Solver(board='{}')", self.board()),
            Some(tables) => format!("Solver(board='{}', tables={tables:?})", self.board()),
        }
    }

    /// Pickles a solver as its arguments.
    fn __reduce__<'py>(slf: &Bound<'py, PySolver>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let parts = (this.board(), this.tables.clone(), this.threads);
        (slf.get_type(), parts).into_pyobject(slf.py())
    }
}

/// Parses a number of threads, like `--threads`.
fn number_of_threads(threads: &Bound<'_, PyAny>) -> PyResult<usize> {
    const MOST: usize = 1024;
    let number = whole(threads).ok_or_else(|| expected("a number of threads", threads))?;
    match number.cast::<PyInt>()?.extract() {
        Ok(threads) if (1..=MOST).contains(&threads) => Ok(threads),
        _ => Err(bad(format!(
            "'{}' is not a number of threads: expected a whole number from 1 to {MOST}",
            number.str()?
        ))),
    }
}

/// An answer as a `strong4.Analysis`.
fn analysis<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    static ANALYSIS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static WORTH: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let Record { worth, columns, best, line, source, .. } = Record::of(answer);
    let class = WORTH.import(py, "strong4._analysis", "Worth")?;
    let column = |worth: Worth| class.call1((worth.category, worth.plies, worth.score));
    let columns = columns.into_iter().map(|worth| worth.map(column).transpose());
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let line = line.unwrap_or_default();
    let parts = (worth.category, worth.plies, worth.score, columns, best, line, source);
    ANALYSIS.import(py, "strong4._analysis", "Analysis")?.call1(parts)
}
