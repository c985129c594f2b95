//! One value that answers every question about positions of a board.
//!
//! A [`Solver`] is made in one line, kept in any struct, cloned, and used from any thread. Behind
//! it are the built-in openings, a folder of tables if there is one, and a search:
//!
//! ```text
//!     score, outcome, move_scores, analyze, watch                 one position
//!     best_move, choose                                           the move from it
//!     review                                                      a game
//!     score_many, outcome_many, move_scores_many                  many, on all threads
//!            |
//!     sessions, one for each question in progress                 kept for the next one
//!            |
//!     openings      tables      search
//! ```
//!
//! No question panics. A position of another board, a position that no game reaches, and a table
//! that cannot be read are errors.

mod batch;
mod builder;
mod error;
#[cfg_attr(not(feature = "tables"), path = "no_tables.rs")]
mod tables;

use std::fmt;
#[cfg(feature = "tables")]
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "tables")]
use crate::board::Tier;
use crate::board::{Board, Column, Moves, Outcome, Position};
use crate::progress::Progress;
use crate::query::{Answer, Opponent, QueryError, Question, Review, SEARCH_BYTES, Session, Value};
use crate::search::Score;

pub use batch::Batch;
pub use builder::SolverBuilder;
pub use error::SolverError;
use tables::OpenTables;

/// Answers questions about positions of one board.
///
/// Its settings are fixed when it is [built](Solver::builder). Clones share everything: settings,
/// tables, and what earlier questions have taught. Questions asked at the same time each have a
/// search of their own, whose [memory](SolverBuilder::search_memory) is kept for later ones.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "444455552")?;
/// assert_eq!(solver.score(game.position())?.get(), 2);
/// let scores = solver.move_scores(game.position())?;
/// assert_eq!(scores.iter().flatten().max().map(|score| score.get()), Some(2));
/// assert_eq!(solver.best_move(game.position())?.unwrap().number(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solver {
    shared: Arc<Shared>,
}

/// What clones share.
struct Shared {
    settings: Settings,
    tables: Option<Arc<OpenTables>>,
    /// The sessions that are not in use.
    /// They are large, so they stay where they are while they are lent out.
    #[allow(clippy::vec_box)]
    idle: Mutex<Vec<Box<Session>>>,
}

impl Solver {
    /// A solver with the built-in openings for this board, and without tables. It searches on as
    /// many threads as the machine has.
    pub fn new(board: Board) -> Solver {
        Solver::of(Settings::new(board), None)
    }

    fn of(settings: Settings, tables: Option<Arc<OpenTables>>) -> Solver {
        Solver { shared: Arc::new(Shared { settings, tables, idle: Mutex::default() }) }
    }

    /// A solver for the board whose tables are in this folder.
    ///
    /// ```
    /// use strong4::Solver;
    ///
    /// let error = Solver::open("nowhere").err().unwrap();
    /// assert!(error.to_string().starts_with("there is no folder nowhere"));
    /// ```
    #[cfg(feature = "tables")]
    pub fn open(folder: impl AsRef<Path>) -> Result<Solver, SolverError> {
        let tables = OpenTables::in_folder(None, folder.as_ref())?;
        Ok(Solver::of(Settings::new(tables.finder.board()), Some(Arc::new(tables))))
    }

    /// The folder of its tables, if it has any.
    #[cfg(feature = "tables")]
    pub fn folder(&self) -> Option<&Path> {
        self.shared.tables.as_ref().map(|tables| &*tables.folder)
    }

    /// The tiers whose tables would have helped so far, but were missing.
    #[cfg(feature = "tables")]
    pub fn missed_tiers(&self) -> Vec<Tier> {
        self.shared.tables.as_ref().map(|tables| tables.missed()).unwrap_or_default()
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.shared.settings.board
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
        self.value(position, question)?.score().ok_or(SolverError::Stopped)
    }

    /// Win, draw or loss, for the player to move.
    pub fn outcome(&self, position: &Position) -> Result<Outcome, SolverError> {
        self.outcome_with(position, Question::default())
    }

    /// The same, but an error if the question ends before the outcome is known.
    pub fn outcome_with(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Outcome, SolverError> {
        let question = Question { outcome_only: true, ..question };
        self.value(position, question)?.outcome().ok_or(SolverError::Stopped)
    }

    /// What each move is worth to the player who makes it, column by column; `None` if the column
    /// is full or the game is over.
    pub fn move_scores(&self, position: &Position) -> Result<Vec<Option<Score>>, SolverError> {
        self.move_scores_with(position, Question::default())
    }

    /// The same, but an error if the question ends before all of them are known.
    pub fn move_scores_with(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Vec<Option<Score>>, SolverError> {
        let known = |value: Value| value.score().ok_or(SolverError::Stopped);
        let answer = self.ask(position, question, |session| session.answer(position, question))?;
        answer.columns.into_iter().map(|value| value.map(known).transpose()).collect()
    }

    /// The best move; of several, the one nearest to the centre, and of two such the left one.
    /// `None` if the game is over.
    pub fn best_move(&self, position: &Position) -> Result<Option<Column>, SolverError> {
        self.best_move_with(position, Question::default())
    }

    /// The same, as far as the best move is known when the question ends.
    pub fn best_move_with(
        &self,
        position: &Position,
        question: Question,
    ) -> Result<Option<Column>, SolverError> {
        self.ask(position, question, |session| Ok(session.answer(position, question)?.choice()))
    }

    /// The value of a position for the player to move, as far as it is known when the question
    /// ends.
    pub fn value(&self, position: &Position, question: Question) -> Result<Value, SolverError> {
        self.ask(position, question, |session| session.value(position, question))
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
    /// let answer = solver.analyze(game.position(), Question::default())?;
    /// assert_eq!(answer.value.score().unwrap().get(), 6);
    /// assert!(answer.line_ends());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyze(&self, position: &Position, question: Question) -> Result<Answer, SolverError> {
        self.analyze_with_progress(position, question, &())
    }

    /// The same, but `progress` receives how many of the values are known.
    pub fn analyze_with_progress(
        &self,
        position: &Position,
        question: Question,
        progress: &impl Progress,
    ) -> Result<Answer, SolverError> {
        self.ask(position, question, |session| {
            session.analyze_with_progress(position, question, progress)
        })
    }

    /// The same, but `grown` sees the answer each time that more of it may be known.
    pub fn watch(
        &self,
        position: &Position,
        question: Question,
        grown: impl FnMut(&Answer),
    ) -> Result<Answer, SolverError> {
        self.ask(position, question, |session| session.watch(position, question, grown))
    }

    /// Reviews a game move by move; `progress` receives how many moves have been reviewed.
    pub fn review(
        &self,
        game: &Moves,
        question: Question,
        progress: &impl Progress,
    ) -> Result<Review, SolverError> {
        let position = game.position();
        self.ask(position, question, |session| session.review(game, question, progress))
    }

    /// The move that an opponent makes; `None` if the game is over.
    pub fn choose(
        &self,
        opponent: &mut Opponent,
        position: &Position,
        question: Question,
    ) -> Result<Option<Column>, SolverError> {
        self.ask(position, question, |session| opponent.choose(session, position, question))
    }

    /// Checks a position, and asks a session about it.
    fn ask<R>(
        &self,
        position: &Position,
        question: Question,
        ask: impl FnOnce(&mut Session) -> Result<R, QueryError>,
    ) -> Result<R, SolverError> {
        if position.board() != self.board() {
            let (expected, found) = (self.board(), position.board());
            return Err(SolverError::OtherBoard { expected, found });
        }
        position.validate()?;
        let mut session = self.session();
        session.use_threads(question.threads.unwrap_or(self.shared.settings.threads));
        let answer = ask(&mut session);
        if let Some(tables) = &self.shared.tables {
            tables.miss(session.take_missed_tiers());
        }
        lock(&self.shared.idle).push(session);
        Ok(answer?)
    }

    /// An idle session, or a new one.
    fn session(&self) -> Box<Session> {
        let idle = lock(&self.shared.idle).pop();
        let settings = &self.shared.settings;
        idle.unwrap_or_else(|| Box::new(settings.session(self.shared.tables.as_deref())))
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { settings, tables, .. } = &*self.shared;
        f.debug_struct("Solver").field("settings", settings).field("tables", tables).finish()
    }
}

/// Everything that is chosen but the tables.
#[derive(Clone, Copy, Debug)]
struct Settings {
    board: Board,
    openings: bool,
    search_bytes: usize,
    threads: usize,
}

impl Settings {
    fn new(board: Board) -> Settings {
        let threads = rayon::current_num_threads();
        Settings { board, openings: true, search_bytes: SEARCH_BYTES, threads }
    }

    /// A session with these settings.
    fn session(&self, tables: Option<&OpenTables>) -> Session {
        let mut session = Session::new(self.board);
        session.set_search_memory(self.search_bytes);
        if !self.openings {
            session = session.without_openings();
        }
        match tables {
            Some(tables) => tables.add_to(session),
            None => session,
        }
    }
}

/// A panic cannot leave a half-made session in the list, because sessions in use are not in it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
