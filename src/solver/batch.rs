//! Many questions at once, on all threads.
//!
//! Threads take chunks of the items in turn, and the answers keep the order of the items. Each
//! search runs on one thread, because the others have work of their own. The program answers lines
//! with `input::in_order`, as they arrive; here all items exist, so threads can borrow them and need
//! no message for each, which may take as long as its answer.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{Solver, SolverError, lock};
use crate::board::{Outcome, Position};
use crate::progress::Progress;
use crate::query::Question;
use crate::search::Score;

/// Items that a thread takes at a time: quick ones take microseconds, slow ones a second.
const CHUNK: usize = 16;

/// A listener for a batch, and a flag that stops it. By default there is neither.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use strong4::board::{Board, Position};
/// use strong4::progress::Progress;
/// use strong4::{Batch, Solver, SolverError};
///
/// /// Has seen enough after ten.
/// struct Enough(AtomicBool);
///
/// impl Progress for Enough {
///     fn advance(&self, done: u64, _total: u64) {
///         self.0.fetch_or(done >= 10, Ordering::Relaxed);
///     }
/// }
///
/// let enough = Enough(AtomicBool::new(false));
/// let positions = [Position::empty(Board::STANDARD); 1000];
/// let batch = Batch { progress: &enough, stop: Some(&enough.0) };
/// let scores = Solver::new(Board::STANDARD).score_many(&positions, batch);
/// assert!(matches!(scores, Err(SolverError::Stopped)));
/// ```
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Hears how many items are done.
    pub progress: &'a dyn Progress,
    /// Once this is set, the batch ends with [`SolverError::Stopped`].
    pub stop: Option<&'a AtomicBool>,
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("stop", &self.stop).finish_non_exhaustive()
    }
}

impl Default for Batch<'_> {
    fn default() -> Self {
        Batch { progress: &(), stop: None }
    }
}

impl Batch<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
    }

    /// An error if the batch is stopped.
    pub(crate) fn go_on(&self) -> Result<(), SolverError> {
        if self.is_stopped() { Err(SolverError::Stopped) } else { Ok(()) }
    }

    /// A question that ends with the batch and uses one thread.
    pub fn question(&self) -> Question<'_> {
        Question { stop: self.stop, threads: Some(1), ..Question::default() }
    }
}

impl Solver {
    /// The scores of positions, in their order.
    ///
    /// ```
    /// use strong4::{Batch, Solver};
    /// use strong4::board::{Board, Position};
    ///
    /// let empty = Position::empty(Board::STANDARD);
    /// let moves: Vec<Position> = empty.children().map(|(_, child)| child).collect();
    /// let scores = Solver::new(Board::STANDARD).score_many(&moves, Batch::default())?;
    /// let scores: Vec<i32> = scores.into_iter().map(|score| score.get()).collect();
    /// assert_eq!(scores, [2, 1, 0, -1, 0, 1, 2]);
    /// # Ok::<(), strong4::SolverError>(())
    /// ```
    pub fn score_many(
        &self,
        positions: &[Position],
        batch: Batch,
    ) -> Result<Vec<Score>, SolverError> {
        self.all(positions, batch, |solver, position| solver.score_with(position, batch.question()))
    }

    /// The outcome of each position.
    pub fn outcome_many(
        &self,
        positions: &[Position],
        batch: Batch,
    ) -> Result<Vec<Outcome>, SolverError> {
        self.all(positions, batch, |solver, position| {
            solver.outcome_with(position, batch.question())
        })
    }

    /// What each move is worth, for each position; see [`Solver::move_scores`].
    pub fn move_scores_many(
        &self,
        positions: &[Position],
        batch: Batch,
    ) -> Result<Vec<Vec<Option<Score>>>, SolverError> {
        self.all(positions, batch, |solver, position| {
            solver.move_scores_with(position, batch.question())
        })
    }

    /// Asks the same of all items, on all threads, and returns the answers in order. The first
    /// error ends the batch. `ask` should pass on [the question of the batch](Batch::question).
    pub fn all<I: Sync, T: Send>(
        &self,
        items: &[I],
        batch: Batch,
        ask: impl Fn(&Solver, &I) -> Result<T, SolverError> + Sync,
    ) -> Result<Vec<T>, SolverError> {
        let mut answers: Vec<Option<T>> = Vec::new();
        answers.resize_with(items.len(), || None);
        let of = items.len();
        let (done, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let first_error: Mutex<Option<(usize, SolverError)>> = Mutex::default();
        let chunks = items.chunks(CHUNK).zip(answers.chunks_mut(CHUNK)).enumerate();
        let chunks = Mutex::new(chunks);
        let work = || {
            loop {
                let Some((number, (items, answers))) = lock(&chunks).next() else { return };
                for (at, (item, answer)) in items.iter().zip(answers).enumerate() {
                    if failed.load(Relaxed) || batch.is_stopped() {
                        return;
                    }
                    match ask(self, item) {
                        Ok(found) => *answer = Some(found),
                        Err(error) => {
                            failed.store(true, Relaxed);
                            let number = number * CHUNK + at + 1;
                            let mut first = lock(&first_error);
                            if first.as_ref().is_none_or(|(other, _)| number < *other) {
                                *first = Some((number, error));
                            }
                            return;
                        }
                    }
                    batch.progress.advance(1 + done.fetch_add(1, Relaxed), of as u64);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.shared.settings.threads.min(of.div_ceil(CHUNK)) {
                // If no more can be started, those that there are do it all.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None | Some((_, SolverError::Stopped)) => {}
            Some((number, error)) => {
                return Err(SolverError::Item { number, of, error: Box::new(error) });
            }
        }
        answers.into_iter().collect::<Option<Vec<T>>>().ok_or(SolverError::Stopped)
    }
}
