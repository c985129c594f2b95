//! Two lanes for questions, so that a slow question never blocks quick ones.
//!
//! ```text
//!     question --> quick lane, 10 ms: settled? --> answered, as most are
//!                                  | no
//!                                  v
//!                  slow lane: searched until the deadline, then bounds
//! ```
//!
//! Each lane has `--threads` threads. A waiting question holds none. The number of waiting
//! requests is limited; one more is refused. When a client disconnects, its question is dropped: a
//! waiting one disappears, and a running search is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use strong4::board::Position;
use strong4::query::{Answer, Question, Value};
use strong4::{Solver, SolverError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use super::failure::Failure;

/// The time limit of the quick lane.
const QUICK: Duration = Duration::from_millis(10);

/// The most requests that wait for answers at a time.
const WAITING: usize = 256;

/// The lanes, and the waiting room in front of them.
pub struct Lanes {
    waiting: Arc<Semaphore>,
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    /// Threads of each lane.
    width: usize,
}

/// A place in the waiting room.
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

/// Sets a flag when it is dropped: the client has gone.
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Lanes {
    /// Lanes with this many threads each.
    pub fn new(threads: usize) -> Lanes {
        let [waiting, quick, slow] =
            [WAITING, threads, threads].map(|permits| Arc::new(Semaphore::new(permits)));
        Lanes { waiting, quick, slow, width: threads }
    }

    /// Threads of each lane.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Threads of both lanes together.
    pub fn threads(of_a_lane: usize) -> usize {
        2 * of_a_lane
    }

    /// A place in the waiting room, unless it is full.
    pub fn place(&self) -> Result<Place, Failure> {
        let permit = self.waiting.clone().try_acquire_owned().map_err(|_| Failure::busy())?;
        Ok(Place { _permit: permit })
    }

    /// Everything about a position that is known by the `deadline`. `growing` receives each
    /// improvement until then.
    pub async fn answer(
        &self,
        solver: &Solver,
        position: Position,
        deadline: Instant,
        growing: Option<watch::Sender<Option<Answer>>>,
    ) -> Result<Answer, Failure> {
        let first = self.at_a_glance(solver, position, deadline).await?;
        if is_settled(&first) || until(deadline).is_zero() {
            return Ok(first);
        }
        if let Some(growing) = &growing {
            growing.send_replace(Some(first.clone()));
        }
        match timeout_at(deadline.into(), turn(&self.slow)).await {
            Ok(turn) => in_depth(solver, turn, first, deadline, growing).await,
            Err(_) => Ok(first),
        }
    }

    /// The answer of the quick lane.
    async fn at_a_glance(
        &self,
        solver: &Solver,
        position: Position,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let turn = timeout_at(deadline.into(), turn(&self.quick)).await;
        let (turn, solver) = (turn.map_err(|_| Failure::busy())?, solver.clone());
        on_a_thread(turn, move |stop| {
            let (limit, stop) = (Some(until(deadline).min(QUICK)), Some(stop));
            solver.answer(&position, Question { limit, stop, ..Question::default() })
        })
        .await
    }

    /// Runs short work in the quick lane.
    pub async fn quickly<R: Send + 'static>(
        &self,
        deadline: Instant,
        work: impl FnOnce() -> Result<R, SolverError> + Send + 'static,
    ) -> Result<R, Failure> {
        let turn = timeout_at(deadline.into(), turn(&self.quick)).await;
        on_a_thread(turn.map_err(|_| Failure::busy())?, |_| work()).await
    }
}

/// Is every value exact, and the line complete?
pub fn is_settled(answer: &Answer) -> bool {
    let columns = answer.columns.iter().flatten();
    answer.value.score().is_some()
        && columns.into_iter().all(|value| value.score().is_some())
        && answer.line_ends()
}

/// The remaining time.
fn until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// The answer of the slow lane, which starts from the quick lane's.
async fn in_depth(
    solver: &Solver,
    turn: OwnedSemaphorePermit,
    first: Answer,
    deadline: Instant,
    growing: Option<watch::Sender<Option<Answer>>>,
) -> Result<Answer, Failure> {
    let solver = solver.clone();
    on_a_thread(turn, move |stop| {
        let (limit, stop) = (Some(until(deadline)), Some(stop));
        let question = Question { limit, stop, ..Question::default() };
        let (position, mut known) = (first.position, first);
        let learn = |answer: &Answer| {
            if knows_more(answer, &known) {
                known = answer.clone();
                if let Some(growing) = &growing {
                    growing.send_replace(Some(known.clone()));
                }
            }
        };
        let answer = solver.answer_growing(&position, question, learn)?;
        // The search starts over, and may stop before it knows as much as the quick lane did.
        Ok(if knows_less(&answer, &known) { known } else { answer })
    })
    .await
}

/// Is any value wider than it was?
fn knows_less(answer: &Answer, than: &Answer) -> bool {
    values(answer)
        .zip(values(than))
        .any(|(now, before)| now.lower() < before.lower() || now.upper() > before.upper())
}

/// Is none wider, and one narrower?
fn knows_more(answer: &Answer, than: &Answer) -> bool {
    !knows_less(answer, than) && knows_less(than, answer)
}

fn values(answer: &Answer) -> impl Iterator<Item = Value> {
    std::iter::once(answer.value).chain(answer.columns.iter().copied().flatten())
}

/// Waits for a turn in a lane.
async fn turn(lane: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    lane.clone().acquire_owned().await.expect("lanes stay open")
}

/// Runs work on a thread of the pool. The turn lasts until the work ends, even if the client has
/// left; leaving sets the flag that is passed to the work.
async fn on_a_thread<R: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce(&AtomicBool) -> Result<R, SolverError> + Send + 'static,
) -> Result<R, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let leaving = Leaving(stop.clone());
    let done = spawn_blocking(move || {
        let result = work(&stop);
        drop(turn);
        result
    });
    let done = done.await;
    drop(leaving);
    match done {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error @ (SolverError::Unreachable(_) | SolverError::OtherBoard { .. }))) => {
            Err(Failure::bad(format!("{:#}", anyhow::Error::from(error))))
        }
        Ok(Err(error)) => Err(Failure::fault(format!("{:#}", anyhow::Error::from(error)))),
        Err(_) => Err(Failure::fault("the search broke off: please report this position")),
    }
}
