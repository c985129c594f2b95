//! When a search must end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::search::Limit;

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

    /// Is there a deadline?
    pub fn is_timed(self) -> bool {
        self.deadline.is_some()
    }

    /// Has the deadline passed, or has somebody stopped the search?
    pub fn is_over(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The limit of one search, with at most `nodes` nodes.
    pub fn limit(self, nodes: Option<u64>) -> Limit<'a> {
        Limit { nodes, deadline: self.deadline, stop: self.stop }
    }
}
