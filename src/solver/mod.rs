//! The door: one value that answers every question about positions of a board.
//!
//! A [`Solver`] is opened in one line, kept in any struct, cloned, and used from any thread. Behind
//! it are the built-in openings, a folder of tables if there is one, and a search:
//!
//! ```text
//!     score, scores of all moves, outcome, answer, review         one position or game
//!     all, scores_of, move_scores_of, outcomes_of                 many, on all threads
//!            |
//!     experts, one for each question in progress                  kept for the next one
//!            |
//!     openings      tables      search
//! ```
//!
//! No question panics. A position of another board, a position that no game reaches, and a table
//! that cannot be read are errors.

mod batch;
mod error;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::board::{Board, Column, Moves, Outcome, Position, Tier, validate};
use crate::index::Finder;
use crate::oracle::Oracle;
use crate::progress::Progress;
use crate::query::{
    Answer, Expert, Opponent, QueryError, Question, Review, SEARCH_BYTES, Source, Value,
};
use crate::search::Score;
use crate::table::{Tables, existing};

pub use batch::Batch;
pub use error::SolverError;

/// Answers questions about positions of one board.
///
/// Clones share tables and what they have learnt. Questions asked at the same time each have a
/// search of their own, whose [memory](Solver::with_search_memory) is kept for later ones.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "444455552")?;
/// assert_eq!(solver.score(game.position())?.get(), 2);
/// let scores = solver.scores(game.position())?;
/// assert_eq!(scores.iter().flatten().max().map(|score| score.get()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solver {
    shared: Arc<Shared>,
    threads: usize,
}

/// What clones share.
struct Shared {
    sources: Sources,
    /// The experts that are not in use.
    idle: Mutex<Vec<Expert>>,
    /// Tiers whose tables would have helped, but were missing.
    missed: Mutex<BTreeSet<Tier>>,
}

/// What an expert is made of.
#[derive(Clone)]
struct Sources {
    board: Board,
    openings: bool,
    tables: Option<Tabulated>,
    search_bytes: usize,
}

/// Tables, and the way to their cells.
#[derive(Clone)]
struct Tabulated {
    folder: PathBuf,
    finder: Arc<Finder>,
    tables: Arc<Tables>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("board", &self.board())
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver with the built-in openings for this board, and without tables. It searches on as
    /// many threads as the machine has.
    pub fn new(board: Board) -> Solver {
        let sources = Sources { board, openings: true, tables: None, search_bytes: SEARCH_BYTES };
        Solver::of(sources, rayon::current_num_threads())
    }

    /// A solver for the board whose tables are in this folder.
    ///
    /// ```
    /// use strong4::Solver;
    ///
    /// let error = Solver::open("nowhere").err().unwrap();
    /// assert!(error.to_string().starts_with("there is no folder nowhere"));
    /// ```
    pub fn open(folder: impl AsRef<Path>) -> Result<Solver, SolverError> {
        let (board, ..) = existing(None, Some(folder.as_ref()))?;
        Solver::new(board).with_tables(folder)
    }

    /// Adds the tables in this folder. They are opened when they are first needed, and a search
    /// replaces a missing one.
    pub fn with_tables(self, folder: impl AsRef<Path>) -> Result<Solver, SolverError> {
        let (board, folder, _) = existing(Some(self.board()), Some(folder.as_ref()))?;
        let finder = Arc::new(Finder::new(board)?);
        let tables = Arc::new(Tables::open(&folder, finder.census()));
        let tables = Some(Tabulated { folder, finder, tables });
        Ok(self.with(|sources| Sources { tables, ..sources }))
    }

    /// Removes the built-in openings.
    pub fn without_openings(self) -> Solver {
        self.with(|sources| Sources { openings: false, ..sources })
    }

    /// Sets the size of the table of each search in bytes, instead of 64 MiB.
    pub fn with_search_memory(self, bytes: usize) -> Solver {
        self.with(|sources| Sources { search_bytes: bytes, ..sources })
    }

    /// Limits a long search or a batch to this many threads. The answers are the same.
    pub fn with_threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    fn of(sources: Sources, threads: usize) -> Solver {
        let (idle, missed) = (Mutex::default(), Mutex::default());
        Solver { shared: Arc::new(Shared { sources, idle, missed }), threads }
    }

    fn with(self, change: impl FnOnce(Sources) -> Sources) -> Solver {
        Solver::of(change(self.shared.sources.clone()), self.threads)
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.shared.sources.board
    }

    /// The folder of its tables, if it has any.
    pub fn folder(&self) -> Option<&Path> {
        self.shared.sources.tables.as_ref().map(|tables| tables.folder.as_path())
    }

    /// The tiers whose tables would have helped so far, but were missing.
    pub fn missed_tiers(&self) -> Vec<Tier> {
        lock(&self.shared.missed).iter().copied().collect()
    }

    /// The score for the player to move: how the game ends if both play their best, and how soon.
    pub fn score(&self, position: &Position) -> Result<Score, SolverError> {
        self.score_with(position, Question::default())
    }

    /// The same, but an error if the question ends before the score is known.
    pub fn score_with(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Score, SolverError> {
        let (value, _) = self.value(position, question)?;
        value.score().ok_or(SolverError::Stopped)
    }

    /// Win, draw or loss, for the player to move.
    pub fn outcome(&self, position: &Position) -> Result<Outcome, SolverError> {
        let question = Question { outcome_only: true, ..Question::default() };
        let (value, _) = self.value(position, question)?;
        value.outcome().ok_or(SolverError::Stopped)
    }

    /// What each move is worth to the player who makes it, column by column; `None` if the column
    /// is full or the game is over.
    pub fn scores(&self, position: &Position) -> Result<Vec<Option<Score>>, SolverError> {
        self.scores_with(position, Question::default())
    }

    /// The same, but an error if the question ends before all of them are known.
    pub fn scores_with(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Vec<Option<Score>>, SolverError> {
        let known = |value: Value| value.score().ok_or(SolverError::Stopped);
        let moves = self.moves(position, question)?.into_iter();
        moves.map(|value| value.map(known).transpose()).collect()
    }

    /// The best move, as far as is known when the question ends; of several, the one nearest to the
    /// centre. `None` if the game is over.
    pub fn best(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Option<Column>, SolverError> {
        self.ask(position, |expert| expert.choice(position, question))
    }

    /// The value of a position for the player to move, and where it came from.
    pub fn value(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<(Value, Source), SolverError> {
        self.ask(position, |expert| expert.value(position, question))
    }

    /// What each move is worth, as far as it is known when the question ends.
    pub fn moves(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Vec<Option<Value>>, SolverError> {
        self.ask(position, |expert| expert.moves(position, question))
    }

    /// Everything about a position.
    ///
    /// ```
    /// use strong4::Solver;
    /// use strong4::board::{Board, Moves};
    /// use strong4::query::Question;
    ///
    /// let solver = Solver::new(Board::STANDARD);
    /// let game = Moves::parse(Board::STANDARD, "3145175534244665")?;
    /// let answer = solver.answer(game.position(), Question::default())?;
    /// assert_eq!(answer.value.score().unwrap().get(), 6);
    /// assert!(answer.line_ends());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self, position: &Position, question: Question) -> Result<Answer, SolverError> {
        self.answer_telling(position, question, &())
    }

    /// The same, but `progress` hears how many of the values are known.
    pub fn answer_telling(
        &self,
        position: &Position,
        question: Question,
        progress: &impl Progress,
    ) -> Result<Answer, SolverError> {
        self.ask(position, |expert| expert.answer_telling(position, question, progress))
    }

    /// The same, but `grown` sees the answer each time that more of it may be known.
    pub fn answer_growing(
        &self,
        position: &Position,
        question: Question,
        grown: impl FnMut(&Answer),
    ) -> Result<Answer, SolverError> {
        self.ask(position, |expert| expert.answer_growing(position, question, grown))
    }

    /// Reviews a game move by move; `progress` hears how many moves have been reviewed.
    pub fn review(
        &self,
        game: &Moves,
        question: Question,
        progress: &impl Progress,
    ) -> Result<Review, SolverError> {
        self.ask(game.position(), |expert| expert.review(game, question, progress))
    }

    /// The move that an opponent makes; `None` if the game is over.
    pub fn choose(
        &self,
        opponent: &mut Opponent,
        position: &Position,
        question: Question,
    ) -> Result<Option<Column>, SolverError> {
        self.ask(position, |expert| opponent.choose(expert, position, question))
    }

    /// Checks a position, and asks an expert about it.
    fn ask<R>(
        &self,
        position: &Position,
        question: impl FnOnce(&mut Expert) -> Result<R, QueryError>,
    ) -> Result<R, SolverError> {
        if position.board() != self.board() {
            let (expected, found) = (self.board(), position.board());
            return Err(SolverError::OtherBoard { expected, found });
        }
        validate(position)?;
        let mut expert = self.expert();
        let answer = question(&mut expert);
        lock(&self.shared.missed).append(&mut expert.take_missed_tiers());
        lock(&self.shared.idle).push(expert);
        Ok(answer?)
    }

    /// An idle expert, or a new one.
    fn expert(&self) -> Expert {
        let idle = lock(&self.shared.idle).pop();
        let mut expert = idle.unwrap_or_else(|| self.shared.sources.expert());
        expert.search_on(self.threads);
        expert
    }
}

impl Sources {
    fn expert(&self) -> Expert {
        let mut expert = Expert::new(self.board);
        expert.search_in(self.search_bytes);
        if !self.openings {
            expert = expert.without_openings();
        }
        match &self.tables {
            Some(Tabulated { finder, tables, .. }) => {
                expert.with_tables(Oracle::new(finder, tables))
            }
            None => expert,
        }
    }
}

/// A panic cannot leave a half-made expert in the list, because experts in use are not in it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
