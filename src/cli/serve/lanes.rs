//! Three lanes for questions, so that a slow question never blocks quick ones.
//!
//! ```text
//!     question --> sight lane, no search: settled? --> answered: finished games, openings,
//!                                  | no                positions in tables
//!                                  v
//!                  quick lane, 1 to 10 ms: settled? -> answered, as most others are
//!                                  | no
//!                                  v
//!                  slow lane: searched until the deadline, then bounds
//! ```
//!
//! Each lane has `--threads` threads. A question that waits for the quick or the slow lane holds
//! none. The sight lane needs no turns: its threads go from one question to the next without delay.
//! The more questions wait for the quick lane, the shorter are its turns. So even among hundreds of
//! hard questions each gets one soon, and a question that gets none by its deadline is answered
//! with what the sight lane knows.
//!
//! The number of requests that wait beyond the sight lane is limited; one more is refused. When a
//! client disconnects, its question is dropped: a waiting one disappears, and a running search is
//! told to stop.

use std::future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use strong4::board::{Column, Moves, Position};
use strong4::query::{Answer, Opponent, Question, Review};
use strong4::{Solver, SolverError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep_until, timeout_at};

use super::reply::Failure;
use super::verb::{Verb, has_all_values, values_of};
use crate::cli::advice::in_words;

/// The longest turn in the quick lane.
const LONGEST: Duration = Duration::from_millis(10);
/// The shortest turn in the quick lane.
const SHORTEST: Duration = Duration::from_millis(1);
/// The time in which all questions that wait for the quick lane should have a turn.
const ROUND: Duration = Duration::from_millis(100);

/// The most requests that wait beyond the sight lane at a time.
pub(super) const WAITING: usize = 512;

/// The search in the sight lane never visits a node, so it needs no large table.
const SIGHT_BYTES: usize = 1 << 16;

/// The lanes, and the solvers behind them.
pub(super) struct Lanes {
    quick: Lane,
    slow: Lane,
    waiting: Arc<Semaphore>,
    /// Answers in the sight lane. It shares its tables with the other one.
    at_sight: Solver,
    solver: Solver,
}

/// A few threads, and the questions that wait for them.
struct Lane {
    threads: Arc<Semaphore>,
    width: usize,
    waiting: AtomicUsize,
    /// The longest turn; `None` if turns last until the deadline.
    longest: Option<Duration>,
}

/// A thread of a lane, until this is dropped.
type Turn = OwnedSemaphorePermit;

/// A request for one answer or many. Once one of its questions has to wait, it holds a place among
/// the waiting requests.
pub(super) struct Asking {
    lanes: Arc<Lanes>,
    place: OnceLock<OwnedSemaphorePermit>,
}

/// Receives an answer each time that more of it is known.
pub(super) type Growing = watch::Sender<Option<Answer>>;

/// An answer, or why there is none.
type Answered = Result<Answer, Failure>;

/// Sets a flag when it is dropped: the client has gone.
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Lanes {
    /// Lanes with this many threads each.
    pub(super) fn new(solver: &Solver, threads: usize) -> Lanes {
        let (solver, small) = (solver.to_builder().threads(1), SIGHT_BYTES);
        let [at_sight, solver] = [solver.clone().search_memory(small), solver]
            .map(|solver| solver.build().expect("its tables are open"));
        let [quick, slow] = [Some(LONGEST), None].map(|longest| Lane::new(threads, longest));
        Lanes { quick, slow, waiting: Arc::new(Semaphore::new(WAITING)), at_sight, solver }
    }

    /// Threads of each lane.
    pub(super) fn width(&self) -> usize {
        self.slow.width
    }

    /// Threads of all lanes together.
    pub(super) fn threads(of_a_lane: usize) -> usize {
        3 * of_a_lane
    }

    /// A new request.
    pub(super) fn request(self: &Arc<Lanes>) -> Asking {
        Asking { lanes: self.clone(), place: OnceLock::new() }
    }

    /// The move of an opponent that looks only a few moves ahead.
    pub(super) async fn move_of(
        &self,
        mut opponent: Opponent,
        position: Position,
    ) -> Result<Option<Column>, Failure> {
        let solver = self.at_sight.clone();
        let choose = move |_: &_| solver.choose(&mut opponent, &position, Question::default());
        on_a_thread(None, None, choose).await
    }
}

impl Asking {
    /// Everything about a position that is known without a search.
    pub(super) async fn at_sight(&self, position: Position) -> Answered {
        let solver = self.lanes.at_sight.clone();
        on_a_thread(None, None, move |stop| {
            let (limit, stop) = (Some(Duration::ZERO), Some(stop));
            solver.analyze(&position, Question { limit, stop, ..Question::default() })
        })
        .await
    }

    /// The answer to a question about a position, as far as it is known by the `deadline`, with
    /// whatever else is known by then.
    pub(super) async fn answer(
        &self,
        verb: Verb,
        position: Position,
        deadline: Instant,
    ) -> Answered {
        let known = self.at_sight(position).await?;
        self.deepened_until(verb, known, deadline, None).await
    }

    /// Everything about a position for a client that has been sent what is `known`; `growing`
    /// receives each improvement.
    pub(super) async fn deepened(
        &self,
        known: Answer,
        deadline: Instant,
        growing: Growing,
    ) -> Answered {
        self.deepened_until(Verb::Analyze, known, deadline, Some(growing)).await
    }

    /// A review of a game, in which what is not known by the `deadline` is between bounds.
    pub(super) async fn review(&self, game: Moves, deadline: Instant) -> Result<Review, Failure> {
        self.take_place()?;
        let turn = timeout_at(deadline.into(), self.lanes.slow.turn()).await;
        let turn = turn.map_err(|_| Failure::busy())?;
        let solver = self.lanes.solver.clone();
        on_a_thread(Some(turn), Some(deadline), move |stop| {
            solver.review(&game, Question { stop: Some(stop), ..Question::default() }, &())
        })
        .await
    }

    async fn deepened_until(
        &self,
        verb: Verb,
        mut known: Answer,
        deadline: Instant,
        growing: Option<Growing>,
    ) -> Answered {
        // If only the line is missing, the answer does not wait for it, unless the client has the
        // values already.
        let waits = growing.is_some() || !has_all_values(&known);
        for lane in [&self.lanes.quick, &self.lanes.slow] {
            if verb.is_answered_by(&known) || until(deadline).is_zero() {
                break;
            }
            if waits {
                self.take_place()?;
            }
            let patience = if waits { deadline } else { Instant::now() };
            let Ok(turn) = timeout_at(patience.into(), lane.turn()).await else { break };
            let end = lane.end_of_turn(deadline);
            known = searched(&self.lanes.solver, verb, turn, known, end, growing.clone()).await?;
            if let Some(growing) = &growing {
                growing.send_replace(Some(known.clone()));
            }
        }
        Ok(known)
    }

    /// Takes a place among the waiting requests, unless this request has one.
    pub(super) fn take_place(&self) -> Result<(), Failure> {
        if self.place.get().is_none() {
            let permit = self.lanes.waiting.clone().try_acquire_owned();
            let _ = self.place.set(permit.map_err(|_| Failure::busy())?);
        }
        Ok(())
    }
}

impl Lane {
    fn new(width: usize, longest: Option<Duration>) -> Lane {
        let threads = Arc::new(Semaphore::new(width));
        Lane { threads, width, waiting: AtomicUsize::new(0), longest }
    }

    /// Waits for a turn.
    async fn turn(&self) -> Turn {
        let _waiting = self.wait();
        self.threads.clone().acquire_owned().await.expect("lanes stay open")
    }

    /// Counts a question as waiting until this is dropped.
    fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Relaxed);
        Waiting(&self.waiting)
    }

    /// When a turn that begins now must end.
    fn end_of_turn(&self, deadline: Instant) -> Instant {
        let share = |longest| self.share(self.waiting.load(Relaxed)).min(longest);
        self.longest.map_or(deadline, |longest| deadline.min(Instant::now() + share(longest)))
    }

    /// The longest turn that lets all waiting questions have one within a round.
    fn share(&self, waiting: usize) -> Duration {
        let rounds = waiting.div_ceil(self.width).max(1) as u32;
        (ROUND / rounds).max(SHORTEST)
    }
}

/// A question that waits.
struct Waiting<'l>(&'l AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The remaining time.
fn until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// What a search adds to what is known, until the question is answered or the turn ends.
async fn searched(
    solver: &Solver,
    verb: Verb,
    turn: Turn,
    mut known: Answer,
    end: Instant,
    growing: Option<Growing>,
) -> Answered {
    let solver = solver.clone();
    on_a_thread(Some(turn), None, move |stop| {
        let (limit, outcome_only) = (Some(until(end)), verb == Verb::Outcome);
        let question = Question { limit, outcome_only, stop: Some(stop), ..Question::default() };
        let position = known.position;
        if verb.is_of_the_position_alone() {
            let value = solver.value(&position, question)?;
            known.value = known.value.and(value).unwrap_or(value);
            return Ok(known);
        }
        let learn = |answer: &Answer| {
            if knows_more(answer, &known) {
                known = answer.clone();
                if let Some(growing) = &growing {
                    growing.send_replace(Some(known.clone()));
                }
                if verb != Verb::Analyze && verb.is_answered_by(&known) {
                    stop.store(true, Relaxed);
                }
            }
        };
        let answer = solver.watch(&position, question, learn)?;
        // The search starts over, and may stop before it knows as much as an earlier turn did.
        Ok(if knows_less(&answer, &known) { known } else { answer })
    })
    .await
}

/// Whether any value is wider than it was.
fn knows_less(answer: &Answer, than: &Answer) -> bool {
    values_of(answer)
        .zip(values_of(than))
        .any(|(now, before)| now.lower() < before.lower() || now.upper() > before.upper())
}

/// Whether no value is wider, and one is narrower.
fn knows_more(answer: &Answer, than: &Answer) -> bool {
    !knows_less(answer, than) && knows_less(than, answer)
}

/// Runs work on a thread of the pool, which belongs to the sight lane unless a `turn` is given. The
/// turn lasts until the work ends, even if the client has left. If the client leaves or the
/// deadline passes, the flag that is passed to the work is set.
async fn on_a_thread<R: Send + 'static>(
    turn: Option<Turn>,
    deadline: Option<Instant>,
    work: impl FnOnce(&AtomicBool) -> Result<R, SolverError> + Send + 'static,
) -> Result<R, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let leaving = Leaving(stop.clone());
    let mut done = spawn_blocking(move || {
        let result = work(&stop);
        drop(turn);
        result
    });
    let end = async {
        match deadline {
            Some(deadline) => sleep_until(deadline.into()).await,
            None => future::pending().await,
        }
    };
    let done = tokio::select! {
        done = &mut done => done,
        () = end => {
            leaving.0.store(true, Relaxed);
            done.await
        }
    };
    drop(leaving);
    match done {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error @ (SolverError::Unreachable(_) | SolverError::OtherBoard { .. }))) => {
            Err(Failure::bad(format!("{:#}", anyhow::Error::from(error))))
        }
        Ok(Err(error)) => Err(Failure::fault(in_words(&error.into()))),
        Err(_) => Err(Failure::fault("the search broke off: please report this position")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::{Board, Moves};
    use strong4::tabulate::{Request, tabulate};

    fn position(moves: &str) -> Position {
        *Moves::parse(Board::STANDARD, moves).unwrap().position()
    }

    #[tokio::test]
    async fn easy_questions_wait_for_no_thread_of_hard_ones() {
        let lanes = Arc::new(Lanes::new(&Solver::new(Board::STANDARD), 2));
        let busy = |lane: &Lane| lane.threads.clone().acquire_many_owned(2);
        let busy = (busy(&lanes.quick).await.unwrap(), busy(&lanes.slow).await.unwrap());
        let request = || lanes.request();
        let far = Instant::now() + Duration::from_secs(3600);
        // Finished games and openings, although their lines need a search.
        for moves in ["1212121", "", "44", "4453", "445321"] {
            for verb in Verb::ALL {
                let answer = request().answer(verb, position(moves), far).await.unwrap();
                assert!(has_all_values(&answer), "{moves}");
                assert_eq!(answer.choice().is_some(), moves != "1212121");
            }
        }
        let answer = request().answer(Verb::Analyze, position("4453"), far).await.unwrap();
        assert!(!answer.line_ends());
        let beginner = Opponent::new("4".parse().unwrap(), 7);
        let column = lanes.move_of(beginner, position("112233")).await.unwrap();
        assert_eq!(column.map(Column::number), Some(4));
        // Hard ones get the bounds of the rules by their deadline, even if it has passed.
        for wait in [0, 50] {
            let soon = Instant::now() + Duration::from_millis(wait);
            for verb in Verb::ALL {
                let answer = request().answer(verb, position("4444443332"), soon).await.unwrap();
                assert!(!verb.is_answered_by(&answer));
            }
        }
        // Those that find all places taken are refused, and the others are not.
        let places = lanes.waiting.clone().acquire_many_owned(WAITING as u32).await.unwrap();
        let answer = async |moves| request().answer(Verb::Analyze, position(moves), far).await;
        assert!(answer("4444443332").await.is_err());
        assert!(answer("4453").await.is_ok());
        drop((busy, places));
        let answer = request().answer(Verb::Analyze, position("4453"), far).await.unwrap();
        assert!(Verb::Analyze.is_answered_by(&answer), "{answer:?}");
    }

    #[tokio::test]
    async fn positions_in_tables_wait_for_no_thread_of_hard_ones() {
        let (board, folder): (Board, _) = ("4x4".parse().unwrap(), tempfile::tempdir().unwrap());
        tabulate(&Request::new(board, folder.path()).with_scores(), &()).unwrap();
        let solver = Solver::open(folder.path()).unwrap();
        let lanes = Arc::new(Lanes::new(&solver, 1));
        let busy = |lane: &Lane| lane.threads.clone().acquire_owned();
        let busy = (busy(&lanes.quick).await, busy(&lanes.slow).await);
        let far = Instant::now() + Duration::from_secs(3600);
        for moves in ["", "1", "1234", "12344321"] {
            let position = *Moves::parse(board, moves).unwrap().position();
            let answer = lanes.request().answer(Verb::Analyze, position, far).await.unwrap();
            assert!(Verb::Analyze.is_answered_by(&answer), "{moves}: {answer:?}");
        }
        drop(busy);
    }

    #[test]
    fn turns_shrink_as_the_queue_grows() {
        let lane = Lane::new(2, Some(LONGEST));
        let turn = |waiting| lane.share(waiting).min(LONGEST);
        assert_eq!([0, 1, 20].map(turn), [LONGEST; 3]);
        assert_eq!(turn(40), LONGEST / 2);
        assert_eq!([200, 500, 10_000].map(turn), [SHORTEST; 3]);
        // Only those that wait count.
        let waiting = [(); 40].map(|()| lane.wait());
        let far = Instant::now() + Duration::from_secs(60);
        assert!(lane.end_of_turn(far) <= Instant::now() + LONGEST / 2);
        drop(waiting);
        assert_eq!(lane.waiting.load(Relaxed), 0);
        assert_eq!(Lane::new(2, None).end_of_turn(far), far);
    }
}
