//! When an answer is due.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::search::Limit;

/// The moment at which what is known must do: it comes, or somebody calls for it.
#[derive(Clone, Copy, Default)]
pub(super) struct Until<'a> {
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Until<'a> {
    /// After so long, or once the flag is set.
    pub fn after(limit: Option<Duration>, stop: Option<&'a AtomicBool>) -> Until<'a> {
        Until { deadline: limit.map(|limit| Instant::now() + limit), stop }
    }

    /// No later than after `time` from now.
    pub fn within(self, time: Duration) -> Until<'a> {
        let end = Instant::now() + time;
        Until { deadline: Some(self.deadline.map_or(end, |deadline| deadline.min(end))), ..self }
    }

    /// Does a clock run?
    pub fn is_timed(self) -> bool {
        self.deadline.is_some()
    }

    /// Has it come?
    pub fn is_over(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What one search may spend, of so many nodes.
    pub fn limit(self, nodes: Option<u64>) -> Limit<'a> {
        Limit { nodes, deadline: self.deadline, stop: self.stop }
    }
}
