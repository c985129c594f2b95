//! When a search gives up.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// What a search may spend. By default there is no limit.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limit<'a> {
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops the search once it is set.
    pub stop: Option<&'a AtomicBool>,
}

/// The clock and the flag are checked once per this many nodes.
const PATIENCE: u64 = 1 << 12;

impl Limit<'_> {
    /// The number of nodes at which to check again, after `nodes` have been visited; `None` if the
    /// search must stop.
    pub(super) fn next_look(&self, nodes: u64) -> Option<u64> {
        let most = self.nodes.unwrap_or(u64::MAX);
        let stopped = self.stop.is_some_and(|stop| stop.load(Relaxed));
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        (nodes < most && !stopped && !late).then(|| most.min(nodes + PATIENCE))
    }
}
