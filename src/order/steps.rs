//! The progress of the search for types.
//!
//! Sorting takes two steps per round: sort rests, sort sides. The first round is
//! short, because it knows few types. The later rounds take about equally long, but how many there
//! will be is not known until nothing changes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::progress::Progress;

/// Members between two reports of progress. In large families a member takes well below a
/// microsecond, in small ones up to a millisecond.
pub(super) const EVERY: usize = 64;
/// The number of parts of a step that are reported.
const PARTS: u64 = 1000;

/// Steps that take about equally long.
pub(super) struct Steps<'a> {
    what: &'static str,
    expected: u64,
    done: AtomicU64,
    listener: &'a dyn Progress,
}

impl<'a> Steps<'a> {
    /// Expects this many steps, but there may be more.
    pub(super) fn new(what: &'static str, expected: u64, listener: &'a dyn Progress) -> Steps<'a> {
        Steps { what, expected, done: AtomicU64::new(0), listener }
    }

    /// Reports that this many of all members of this step are done; from any thread.
    pub(super) fn reach(&self, members: usize, all: usize) {
        if members.is_multiple_of(EVERY) {
            let part = PARTS * members as u64 / all.max(1) as u64;
            let done = self.done.load(Ordering::Relaxed);
            let total = self.expected.max(done + 1);
            self.listener.prepare(self.what, done * PARTS + part, total * PARTS);
        }
    }

    /// Ends the step.
    pub(super) fn finish(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(u64, u64)>>);

    impl Progress for Heard {
        fn advance(&self, _done: u64, _total: u64) {}

        fn prepare(&self, _what: &'static str, done: u64, total: u64) {
            self.0.lock().unwrap().push((done, total));
        }
    }

    #[test]
    fn more_steps_than_expected_are_more_of_the_work() {
        let heard = Heard::default();
        let steps = Steps::new("sorting", 2, &heard);
        for _ in 0..3 {
            (0..128).for_each(|member| steps.reach(member, 128));
            steps.finish();
        }
        let heard = heard.0.into_inner().unwrap();
        let twice = [(0, 2000), (500, 2000), (1000, 2000), (1500, 2000)];
        assert_eq!(heard, [&twice[..], &[(2000, 3000), (2500, 3000)]].concat());
    }
}
