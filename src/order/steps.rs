//! The progress of the search for types.
//!
//! Sorting takes two steps per round: sort rests, sort sides. The first round is short, because it
//! knows few types. The later rounds take about equally long, but how many there will be is not
//! known until nothing changes.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::progress::Progress;

/// Members between two reports of progress. In large families a member takes well below a
/// microsecond, in small ones up to a millisecond.
const EVERY: usize = 64;
/// The number of parts of a step that are reported.
const PARTS: u64 = 1000;

/// Steps that take about equally long.
pub(super) struct Steps<'a> {
    what: &'static str,
    expected: u64,
    done: AtomicU64,
    /// Members of this step that are done.
    reached: AtomicUsize,
    listener: &'a dyn Progress,
}

impl<'a> Steps<'a> {
    /// Expects this many steps, but there may be more.
    pub(super) fn new(what: &'static str, expected: u64, listener: &'a dyn Progress) -> Steps<'a> {
        let (done, reached) = (AtomicU64::new(0), AtomicUsize::new(0));
        Steps { what, expected, done, reached, listener }
    }

    /// One of all members of this step is done; from any thread, in any order.
    pub(super) fn pass(&self, member: usize, all: usize) {
        if member % EVERY == EVERY - 1 {
            let reached = self.reached.fetch_add(EVERY, Ordering::Relaxed) + EVERY;
            let part = PARTS * reached as u64 / all as u64;
            let done = self.done.load(Ordering::Relaxed);
            let total = self.expected.max(done + 1);
            self.listener.prepare(self.what, done * PARTS + part, total * PARTS);
        }
    }

    /// Ends the step.
    pub(super) fn finish(&self) {
        self.reached.store(0, Ordering::Relaxed);
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
            (0..128).for_each(|member| steps.pass(member, 128));
            steps.finish();
        }
        let heard = heard.0.into_inner().unwrap();
        let twice = [(500, 2000), (1000, 2000), (1500, 2000), (2000, 2000)];
        assert_eq!(heard, [&twice[..], &[(2500, 3000), (3000, 3000)]].concat());
    }
}
