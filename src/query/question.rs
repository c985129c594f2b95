//! What to find out, and how long to try.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::Value;
use crate::search::Limit;

/// What to find out about positions.
///
/// ```
/// use std::time::Duration;
/// use strong4::Solver;
/// use strong4::board::{Board, Position};
/// use strong4::query::Question;
///
/// let empty = Position::empty(Board::STANDARD);
/// let solver = Solver::builder(Board::STANDARD).without_openings().build()?;
/// let limit = Some(Duration::from_millis(20));
/// let answer = solver.analyze(&empty, Question { limit, ..Question::default() })?;
/// // What is not known is a bound.
/// assert_eq!(answer.value.score(), None);
/// assert!(answer.value.lower() < answer.value.upper());
/// # Ok::<(), strong4::SolverError>(())
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Question<'a> {
    /// Whether only win, draw or loss is wanted.
    pub outcome_only: bool,
    /// The time an answer may take. The answer may use all of it while anything is unknown.
    pub limit: Option<Duration>,
    /// Whether the line must reach the end of the game, however long that takes.
    pub whole_line: bool,
    /// Once this is set, the answer is whatever is known by then.
    pub stop: Option<&'a AtomicBool>,
    /// The threads of a long search, instead of as many as the solver has.
    pub threads: Option<usize>,
}

impl<'a> Question<'a> {
    pub(super) fn until(self) -> Until<'a> {
        Until::after(self.limit, self.stop)
    }
}

/// How much to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Win, draw or loss.
    Outcome,
    /// The exact score.
    Score,
}

impl Aim {
    /// Whether this is enough.
    pub(super) fn is_reached(self, value: Value) -> bool {
        match self {
            Aim::Outcome => value.outcome().is_some(),
            Aim::Score => value.score().is_some(),
        }
    }
}

/// A deadline, a flag that ends the search sooner, both, or neither.
#[derive(Clone, Copy, Default)]
pub(super) struct Until<'a> {
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Until<'a> {
    /// After `limit`, or once `stop` is set.
    pub fn after(limit: Option<Duration>, stop: Option<&'a AtomicBool>) -> Until<'a> {
        Until { deadline: limit.map(|limit| Instant::now() + limit), stop }
    }

    /// The same, but no later than `time` from now.
    pub fn within(self, time: Duration) -> Until<'a> {
        let end = Instant::now() + time;
        Until { deadline: Some(self.deadline.map_or(end, |deadline| deadline.min(end))), ..self }
    }

    /// Whether there is a deadline.
    pub fn is_timed(self) -> bool {
        self.deadline.is_some()
    }

    /// Whether the deadline has passed or the search was stopped.
    pub fn is_over(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The limit of one search, with at most `nodes` nodes.
    pub fn limit(self, nodes: Option<u64>) -> Limit<'a> {
        Limit { nodes, deadline: self.deadline, stop: self.stop }
    }
}
