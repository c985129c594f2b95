//! Measures where the time of a sweep goes.
//!
//! Each thread has its own clock, which is off by default. When on, it is read
//! once whenever one kind of work gives way to another.

use std::time::{Duration, Instant};

/// The kinds of work on a tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Work {
    /// Making bit rows of fours across the centre and of move-order types.
    Masks,
    /// Reading, checking and unpacking children of moves in the centre.
    Unpack,
    /// Exchanging rows and columns.
    Turn,
    /// Folding outcomes of children into rows.
    Fold,
    /// Writing in wins across the centre, counting live outcomes.
    Finish,
    /// Picking, packing and writing lines that are handed on to other centres.
    Keep,
    /// The work of the observer; for tables, finding and packing quiet cells.
    Show,
}

impl Work {
    /// All kinds, in the order in which a tile meets them.
    pub const ALL: [Work; 7] =
        [Work::Masks, Work::Unpack, Work::Turn, Work::Fold, Work::Finish, Work::Keep, Work::Show];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Work::Masks => "masks",
            Work::Unpack => "unpack",
            Work::Turn => "turn",
            Work::Fold => "fold",
            Work::Finish => "finish",
            Work::Keep => "keep",
            Work::Show => "show",
        }
    }
}

/// How long each kind of work took, on all threads together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkTimes([Duration; Work::ALL.len()]);

impl WorkTimes {
    /// The time of one kind.
    pub fn of(&self, work: Work) -> Duration {
        self.0[work as usize]
    }

    /// The time of all kinds.
    pub fn sum(&self) -> Duration {
        self.0.iter().sum()
    }

    /// The sum of both.
    pub fn plus(self, other: WorkTimes) -> WorkTimes {
        WorkTimes(std::array::from_fn(|work| self.0[work] + other.0[work]))
    }
}

/// The clock of a thread.
#[derive(Default)]
pub(super) struct Clock {
    is_on: bool,
    last: Option<Instant>,
    times: WorkTimes,
}

impl Clock {
    /// Turns the clock on.
    pub fn turn_on(&mut self) {
        self.is_on = true;
    }

    /// Starts to measure a tile.
    pub fn start(&mut self) {
        self.last = self.is_on.then(Instant::now);
    }

    /// Adds the time since the start or the last lap to this kind.
    pub fn lap(&mut self, work: Work) {
        if let Some(last) = &mut self.last {
            let now = Instant::now();
            self.times.0[work as usize] += now - *last;
            *last = now;
        }
    }

    /// The times since the last call.
    pub fn take(&mut self) -> WorkTimes {
        std::mem::take(&mut self.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_and_a_clock_that_is_off_stands_still() {
        let mut clock = Clock::default();
        clock.start();
        clock.lap(Work::Fold);
        assert_eq!(clock.take(), WorkTimes::default());

        clock.turn_on();
        clock.start();
        std::thread::sleep(Duration::from_millis(2));
        clock.lap(Work::Turn);
        clock.lap(Work::Fold);
        let times = clock.take();
        assert!(times.of(Work::Turn) >= Duration::from_millis(2));
        assert_eq!(times.of(Work::Keep), Duration::ZERO);
        assert_eq!(Work::ALL.map(|work| times.of(work)).iter().sum::<Duration>(), times.sum());
        assert_eq!(clock.take(), WorkTimes::default());
        assert_eq!(times.plus(times).sum(), 2 * times.sum());
    }
}
