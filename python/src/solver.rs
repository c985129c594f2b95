//! `strong4.Solver`: the solver of the library.

use std::ffi::CStr;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use numpy::ndarray::{Array1, Array2};
use numpy::{PyArray1, PyArray2};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyDeprecationWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyInt, PyString, PyTuple};
use strong4::board::{Column, MoveError, Moves, Outcome, Position, Status};
use strong4::query::{Level, Opponent, Question};
use strong4::search::Score;
use strong4::tromp::Key;
use strong4::{Batch, Solver, SolverError};

use crate::analysis::{analysis, reviewed};
use crate::argument::{expected, whole};
use crate::batch::positions;
use crate::errors::{bad, raised};
use crate::job::{self, Job};
use crate::position::{PyPosition, board_named, game};

/// The entry of full columns in arrays of scores. These have 16 bits, in which it can be subtracted
/// from any score and any score from it.
pub const NO_MOVE: i16 = -128;

/// Finds the values of positions of one board.
///
/// Solver(board="7x6", tables=None, threads=None) knows the built-in openings of 7x6, reads
/// the tables in the folder `tables` if one is given, and searches for the rest. It uses
/// `threads` threads, or one per core. TableError is raised if the folder has no tables.
///
/// Positions are given as moves, such as "4453", or as a Position. The score is for the player to
/// move: the number of stones that the winner still holds when the game ends, plus one; positive
/// if the player to move wins, negative if that player loses, 0 for a draw.
///
/// A Solver can be shared by threads. It works without the GIL, and Ctrl-C stops it.
///
/// >>> from strong4 import Solver
/// >>> solver = Solver()
/// >>> solver.score("4453")
/// -2
/// >>> solver.move_scores("4453")
/// [-5, -5, -2, -3, -4, -2, -2]
/// >>> solver.best_move("4453")
/// 3
#[pyclass(frozen, module = "strong4", name = "Solver")]
pub struct PySolver {
    solver: Solver,
    tables: Option<PathBuf>,
    threads: Option<usize>,
}

impl PySolver {
    /// The solver itself.
    pub fn get(&self) -> &Solver {
        &self.solver
    }

    /// The position in an argument, with its moves if they are known.
    fn asked(&self, argument: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        if let Ok(position) = argument.cast::<PyPosition>() {
            return Ok(position.get().clone());
        }
        match argument.cast::<PyString>() {
            Ok(text) => Ok(PyPosition::of_game(&game(self.solver.board(), text)?)),
            Err(_) => Err(expected("moves, such as '4453', or a Position", argument)),
        }
    }

    /// Asks the library about a position, until Ctrl-C.
    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        asked: &PyPosition,
        question: impl FnOnce(&Solver, &Position, Question<'_>) -> Result<R, SolverError> + Send,
    ) -> PyResult<R> {
        let position = asked.get();
        let ask = |job: &Job| {
            let until = Question { stop: Some(&job.stop), ..Question::default() };
            question(&self.solver, position, until)
        };
        job::run(py, ask, |_, _| Ok(()))?.map_err(|error| raised(&error))
    }

    /// Asks the library about many positions, with a bar if `progress` is true.
    pub fn ask_all<R: Send>(
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
        let show = |py: Python<'_>, done| match &bar {
            None => Ok(()),
            Some(bar) => bar.call_method1(py, "show", (done,)).map(drop),
        };
        let answers = job::run(py, ask, show);
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
            let mut solver = Solver::builder(board);
            if let Some(threads) = threads {
                solver = solver.threads(threads);
            }
            if let Some(folder) = &tables {
                solver = solver.tables(folder);
            }
            solver.build()
        };
        let solver = job::run(py, open, |_, _| Ok(()))?.map_err(|error| raised(&error))?;
        Ok(PySolver { solver, tables, threads })
    }

    /// The score of a position, for the player to move.
    fn score(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<i32> {
        Ok(self.ask(py, &self.asked(position)?, Solver::score_with)?.get())
    }

    /// The outcome of a position for the player to move: "win", "draw" or "loss".
    ///
    /// With tables of outcomes it takes less than the score.
    fn outcome(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        Ok(self.ask(py, &self.asked(position)?, Solver::outcome_with)?.name())
    }

    /// The score of each move for the player who makes it, column by column.
    ///
    /// It is None where the column is full, and everywhere when the game is over.
    fn move_scores(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Option<i32>>> {
        let scores = self.ask(py, &self.asked(position)?, Solver::move_scores_with)?;
        Ok(scores.into_iter().map(|score| score.map(Score::get)).collect())
    }

    /// Everything about a position, as an Analysis.
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = self.asked(position)?;
        let answer = self.ask(py, &asked, |solver, position, question| {
            let answer = solver.analyze(position, question)?;
            let is_known = answer.value.score().is_some();
            if is_known { Ok(answer) } else { Err(SolverError::Stopped) }
        })?;
        analysis(py, asked, &answer)
    }

    /// The best move, a column from 1: its score is that of the position.
    ///
    /// Of several best moves it is the one nearest to the centre, and of two such the left one.
    fn best_move(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<usize> {
        let asked = self.asked(position)?;
        let best = self.ask(py, &asked, Solver::best_move_with)?;
        best.map(Column::number).ok_or_else(|| is_over(asked.get()))
    }

    /// The move of a computer player, a column from 1.
    ///
    /// Level 1 sees its own fours, 2 also the other player's, 3 looks 4 moves ahead, 4 looks 6 ahead,
    /// and 5 never errs. Among moves that look equally good it chooses at random, with the middle
    /// more likely than the edge. With a `seed`, the same position always gets the same move.
    #[pyo3(signature = (position, level=None, *, seed=None))]
    #[pyo3(text_signature = "($self, position, level=5, *, seed=None)")]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        level: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<usize> {
        let asked = self.asked(position)?;
        let level = level.map_or(Ok(Level::PERFECT), level_numbered)?;
        // Otherwise a seed would decide all moves of a game alike.
        let seed = match seed {
            Some(seed) => seed ^ Key::of(asked.get()).0,
            None => RandomState::new().hash_one(()),
        };
        let mut opponent = Opponent::new(level, seed);
        let choice = self.ask(py, &asked, |solver, position, question| {
            solver.choose(&mut opponent, position, question)
        })?;
        choice.map(Column::number).ok_or_else(|| is_over(asked.get()))
    }

    /// A game, move by move, as a Review: what each move was worth, and the best moves.
    ///
    /// `game` is given as moves, such as "4453", or as a Position whose moves are known.
    fn review<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = self.asked(game)?;
        let moves = asked.known_game();
        let moves = moves.ok_or_else(|| bad("the moves of this position are not known"))?;
        let moves = Moves::parse(asked.get().board(), &moves).map_err(bad)?;
        let ask = |job: &Job| {
            let question = Question { stop: Some(&job.stop), ..Question::default() };
            let review = self.solver.review(&moves, question, &())?;
            let is_known = review.last.value.score().is_some()
                && review.moves.iter().all(|reviewed| reviewed.best_worth.score().is_some());
            if is_known { Ok(review) } else { Err(SolverError::Stopped) }
        };
        let review = job::run(py, ask, |_, _| Ok(()))?.map_err(|error| raised(&error))?;
        reviewed(py, asked, &review)
    }

    /// The scores of many positions: a NumPy array of int8, of shape (n,).
    ///
    /// `positions` is an array of n keys (uint64), or of shape (n, 2) with the bitboards of both
    /// players (see Position.bitboards); or an array, a list or a column of pandas with moves, keys
    /// and Positions in any mixture.
    ///
    /// Uses all threads of the solver. progress=True shows a bar, with tqdm if it is installed.
    #[pyo3(signature = (positions, *, progress=false))]
    fn score_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let scores = self.ask_all(py, positions, progress, Solver::score_many)?;
        let scores = scores.into_iter().map(|score| score.get() as i8);
        Ok(PyArray1::from_owned_array(py, Array1::from_iter(scores)))
    }

    /// The outcomes of many positions: a NumPy array of int8, of shape (n,).
    ///
    /// 1 is a win for the player to move, 0 a draw, -1 a loss. Otherwise like score_many().
    #[pyo3(signature = (positions, *, progress=false))]
    fn outcome_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let outcomes = self.ask_all(py, positions, progress, Solver::outcome_many)?;
        let outcomes = outcomes.into_iter().map(|outcome| match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        });
        Ok(PyArray1::from_owned_array(py, Array1::from_iter(outcomes)))
    }

    /// The scores of all moves of many positions: a NumPy array of int16, of shape (n, W).
    ///
    /// Full columns have no score, and no column has one when the game is over. With masked=True
    /// these are masked, so that max(), argmax(), mean() and differences leave them out. Without it
    /// they hold NO_MOVE, which is -128. Otherwise like score_many().
    #[pyo3(signature = (positions, *, masked=false, progress=false))]
    fn move_scores_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        masked: bool,
        progress: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let scores = self.ask_all(py, positions, progress, Solver::move_scores_many)?;
        let shape = (scores.len(), self.solver.board().width());
        let scores = scores.into_iter().flatten();
        let cells = scores.map(|score| score.map_or(NO_MOVE, |score| score.get() as i16)).collect();
        let scores = Array2::from_shape_vec(shape, cells).map_err(bad)?;
        let scores = PyArray2::from_owned_array(py, scores).into_any();
        if !masked {
            return Ok(scores);
        }
        let missing = scores.rich_compare(NO_MOVE, CompareOp::Eq)?;
        let filled = [("fill_value", NO_MOVE)].into_py_dict(py)?;
        py.import("numpy.ma")?.call_method("MaskedArray", (scores, missing), Some(&filled))
    }

    /// Deprecated: this is called move_scores().
    fn scores(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<Option<i32>>> {
        warn_of_old_name(py, c"Solver.scores() is deprecated: use move_scores()")?;
        self.move_scores(py, position)
    }

    /// Deprecated: this is called best_move().
    fn play(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<usize> {
        warn_of_old_name(py, c"Solver.play() is deprecated: use best_move()")?;
        self.best_move(py, position)
    }

    /// Deprecated: this is called score_many().
    #[pyo3(signature = (positions, *, progress=false))]
    fn scores_of<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        warn_of_old_name(py, c"Solver.scores_of() is deprecated: use score_many()")?;
        self.score_many(py, positions, progress)
    }

    /// Deprecated: this is called move_scores_many().
    #[pyo3(signature = (positions, *, progress=false))]
    fn move_scores_of<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        warn_of_old_name(py, c"Solver.move_scores_of() is deprecated: use move_scores_many()")?;
        self.move_scores_many(py, positions, false, progress)
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

/// Warns the caller of a method that it has another name now.
fn warn_of_old_name(py: Python<'_>, message: &CStr) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), message, 1)
}

/// The level with this number.
pub fn level_numbered(level: &Bound<'_, PyAny>) -> PyResult<Level> {
    let number = whole(level).ok_or_else(|| expected("a level, which is an int", level))?;
    number.str()?.to_cow()?.parse().map_err(bad)
}

/// There is no move to make.
fn is_over(position: &Position) -> PyErr {
    match position.status() {
        Status::Won(winner) => bad(MoveError::GameOver(winner)),
        _ => PyValueError::new_err("the game is over: the board is full"),
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
