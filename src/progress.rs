//! How long jobs report how far they are.
//!
//! The library never prints. It calls a [`Progress`] as it goes, and the caller decides what to do
//! with that. `&()` ignores everything.

/// A listener to a long job.
///
/// Called from any thread, and often, so it should do no more than take a note.
pub trait Progress: Sync {
    /// `done` of `total` equal parts of the work are finished. The job chooses the parts, such as
    /// tiers or tiles.
    fn advance(&self, done: u64, total: u64);

    /// The same for long work that comes before the first part. `what` names it, and changes from
    /// one such work to the next.
    fn prepare(&self, _what: &'static str, _done: u64, _total: u64) {}
}

/// Ignores everything.
impl Progress for () {
    fn advance(&self, _done: u64, _total: u64) {}
}

/// Reports the progress of one job as the preparation of another.
pub(crate) struct Preparing<'a> {
    /// What the job does.
    pub what: &'static str,
    /// The listener of the other job.
    pub listener: &'a dyn Progress,
}

impl Progress for Preparing<'_> {
    fn advance(&self, done: u64, total: u64) {
        self.listener.prepare(self.what, done, total);
    }

    fn prepare(&self, what: &'static str, done: u64, total: u64) {
        self.listener.prepare(what, done, total);
    }
}
