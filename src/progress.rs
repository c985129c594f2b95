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
}

/// Silence.
impl Progress for () {
    fn advance(&self, _done: u64, _total: u64) {}
}
