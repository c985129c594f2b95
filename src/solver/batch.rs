//! Many questions at once, on all threads.
//!
//! Threads take chunks of the items in turn. Each search runs on one thread, because the others
//! have work of their own.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::{Solver, SolverError};
use crate::board::{Outcome, Position};
use crate::in_order::InOrder;
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
        let of = items.len();
        let (chunks, done) = (InOrder::new(usize::MAX), AtomicU64::new(0));
        for (number, items) in items.chunks(CHUNK).enumerate() {
            chunks.add((number * CHUNK, items));
        }
        let work = |(first, items): &(usize, &[I])| {
            let answer = |(number, item)| {
                if chunks.is_stopped() || batch.is_stopped() {
                    return Err(SolverError::Stopped);
                }
                let answer = ask(self, item).map_err(|error| {
                    chunks.stop();
                    match error {
                        SolverError::Stopped => error,
                        error => SolverError::Item { number, of, error: Box::new(error) },
                    }
                })?;
                batch.progress.advance(1 + done.fetch_add(1, Relaxed), of as u64);
                Ok(answer)
            };
            (first + 1..).zip(*items).map(answer).collect::<Result<Vec<T>, SolverError>>()
        };
        let found = chunks.work_on_all(self.shared.settings.threads, work);
        let (mut answers, mut all) = (Vec::with_capacity(of), Ok(()));
        for found in found {
            match found.unwrap_or(Err(SolverError::Stopped)) {
                Ok(found) => answers.extend(found),
                // One that failed made the others stop.
                Err(SolverError::Stopped) => all = Err(SolverError::Stopped),
                Err(error) => return Err(error),
            }
        }
        all.map(|()| answers)
    }
}
