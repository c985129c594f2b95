//! How long jobs tell how far they are.
//!
//! The library never prints: it calls a [`Progress`] as it goes, and whoever
//! asked for the job decides what to make of it. `&()` listens to nothing.

/// A listener to a long job.
///
/// Called from any thread, and often: it should do no more than take a note.
pub trait Progress: Sync {
    /// `done` of `total` equal parts of the work are finished. What a part is,
    /// a tier or a tile, is for the job to choose.
    fn advance(&self, done: u64, total: u64);

    /// The same for work that comes before the first part, if that takes long. `what` names
    /// it, and changes from one such work to the next.
    fn prepare(&self, _what: &'static str, _done: u64, _total: u64) {}
}

/// Silence.
impl Progress for () {
    fn advance(&self, _done: u64, _total: u64) {}
}

/// Listens to a job that only prepares another one.
pub(crate) struct Preparing<'a> {
    /// What the job does.
    pub what: &'static str,
    /// The listener to the other one.
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
