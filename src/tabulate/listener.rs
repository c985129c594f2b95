//! Listeners to the progress of a run, and shares of progress.
//!
//! A job of many runs is reported as one, from 0 to the end: each run is a share of all work.
//!
//! ```text
//!     all work      ├── run 1 ──┼─ run 2 ─┼─ … ─┼─ score tables ─┤
//!     a run         ├─ solving ─┼ tables ┤
//! ```
//!
//! Work is counted in nanoseconds, as estimated.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Tier, TierRange};
use crate::files::sealed::WorkingFileError;
use crate::progress::Progress;
use crate::sweep::Planes;

use super::estimate::Estimate;

/// The start of a run or of a part, or its continuation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Beginning {
    /// The part that this process solves and the number of parts; `None` if it solves them all.
    pub part: Option<(usize, usize)>,
    /// Its tiers.
    pub tiers: TierRange,
    /// The ply after which games are cut off, if any.
    pub cut: Option<Tier>,
    /// The outcome planes that it works on.
    pub planes: Planes,
    /// Its cost from the beginning.
    pub estimate: Estimate,
    /// Batches that are done.
    pub done: usize,
    /// All of its batches.
    pub batches: usize,
}

/// Receives the events and the progress of a job. Each method does nothing unless it is overridden.
pub trait Listener: Progress {
    /// This many runs will follow each other, at this cost in all.
    fn intends(&self, _estimate: &Estimate, _runs: usize) {}

    /// The run with this number begins, counted from 1. One more than the number of runs stands
    /// for the tables of scores, at the end.
    fn turns_to(&self, _run: usize, _runs: usize) {}

    /// This part of the work, `done` of `total`, was done before this process began, and must not
    /// count towards its pace.
    fn finds(&self, _done: u64, _total: u64) {}

    /// A run begins or continues.
    fn begins(&self, _run: &Beginning) {}

    /// Tables of scores will be made for these tiers.
    fn merges(&self, _tiers: TierRange) {}

    /// The existing pieces have this many bytes.
    fn wrote(&self, _bytes: u64) {}

    /// This many bytes wait in memory, and this many in files, until other batches read them.
    fn keeps(&self, _memory: u64, _files: u64) {}

    /// A file of an earlier run is unusable; its content will be computed again.
    fn does_again(&self, _error: &WorkingFileError) {}

    /// Whether the work is to stop. Then the batch that is being solved is completed, and all that
    /// are solved are published.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Another process is beginning or ending a run in this folder.
    fn waits(&self, _folder: &Path) {}

    /// The manifest of this folder is being made again from its tables.
    fn lists_again(&self, _folder: &Path) {}
}

impl Listener for () {}

/// A share of the work that is reported to a listener, or of another share.
#[derive(Clone, Copy)]
pub(super) struct Share<'a> {
    listener: &'a dyn Listener,
    of: Option<&'a Share<'a>>,
    before: u64,
    work: u64,
    all: u64,
}

impl<'a> Share<'a> {
    /// The shares of jobs of this much work that follow each other.
    pub(super) fn split(
        listener: &'a dyn Listener,
        of: Option<&'a Share<'a>>,
        work: &[u64],
    ) -> Vec<Share<'a>> {
        let all = work.iter().sum();
        let mut before = 0;
        let share = |work: &u64| {
            let share = Share { listener, of, before, work: *work, all };
            before += work;
            share
        };
        work.iter().map(share).collect()
    }

    /// This part of the job was done before this process began.
    pub(super) fn finds(&self, done: u64, total: u64) {
        let done = self.scaled(done, total);
        match self.of {
            Some(share) => share.finds(done, self.all),
            None => self.listener.finds(done, self.all),
        }
    }

    /// The job is done.
    pub(super) fn finish(&self) {
        self.advance(1, 1);
    }

    fn scaled(&self, done: u64, total: u64) -> u64 {
        let done = u128::from(done.min(total)) * u128::from(self.work);
        (done / u128::from(total.max(1))) as u64
    }
}

impl Progress for Share<'_> {
    fn advance(&self, done: u64, total: u64) {
        let done = self.before + self.scaled(done, total);
        match self.of {
            Some(share) => share.advance(done, self.all),
            None => self.listener.advance(done, self.all),
        }
    }

    fn prepare(&self, what: &'static str, done: u64, total: u64) {
        self.listener.prepare(what, done, total);
    }
}

/// The steps that each of two jobs is counted in.
const STEPS: u64 = 1 << 20;

/// One of two jobs at the same time, each of them half of a share.
pub(super) struct Half<'a> {
    pub share: &'a Share<'a>,
    /// How far both are.
    pub done: &'a [AtomicU64; 2],
    /// Which of them it is.
    pub number: usize,
}

impl Progress for Half<'_> {
    fn advance(&self, done: u64, total: u64) {
        let Half { share, done: halves, number } = self;
        let steps = u128::from(done.min(total)) * u128::from(STEPS) / u128::from(total.max(1));
        halves[*number].fetch_max(steps as u64, Ordering::Relaxed);
        let done = halves.iter().map(|half| half.load(Ordering::Relaxed)).sum();
        share.advance(done, 2 * STEPS);
    }
}
