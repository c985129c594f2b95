//! What a sweep has done for a tier: positions counted, and time spent.
//!
//! Each thread has its own clock, which is off by default. When on, it is read once whenever one
//! kind of work gives way to another.

use std::time::{Duration, Instant};

use crate::board::{OutcomeCounts, Player, Tier};

use crate::sweep::kernels::CellCounts;

/// What has been done for a tier.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TierWork {
    pub(in crate::sweep) tally: CellCounts,
    /// Seconds that passed. Where threads solve centres side by side, tiers share the seconds in
    /// proportion to the time that threads spent on them, so the sum of all tiers is not more than
    /// the time that passed.
    pub seconds: f64,
    /// What the threads spent their time on, if the clocks were on.
    pub times: WorkTimes,
}

impl TierWork {
    /// From the numbers of live cells that the first player wins, that this
    /// player does not lose, and of all; and seconds.
    pub fn new([first_wins, first_holds, live]: [u64; 3], seconds: f64) -> TierWork {
        let tally = CellCounts { first_wins, first_holds, live };
        TierWork { tally, seconds, times: WorkTimes::default() }
    }

    /// The live positions of the tier that the sweep has met so far, by outcome for the mover.
    /// Mirror images count as two.
    pub fn met(self, tier: Tier) -> OutcomeCounts {
        let CellCounts { first_wins, first_holds, live } = self.tally;
        let (drawn, lost) = (first_holds - first_wins, live - first_holds);
        let for_first = OutcomeCounts { won: first_wins, drawn, lost };
        match tier.mover() {
            Player::First => for_first,
            Player::Second => for_first.for_other(),
        }
    }

    /// The sum of both.
    pub fn plus(self, other: TierWork) -> TierWork {
        TierWork {
            tally: self.tally.plus(other.tally),
            seconds: self.seconds + other.seconds,
            times: self.times.plus(other.times),
        }
    }

    /// Live cells that the first player wins, that this player does not lose, and all.
    pub fn tally(self) -> [u64; 3] {
        [self.tally.first_wins, self.tally.first_holds, self.tally.live]
    }
}

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
pub(in crate::sweep) struct Clock {
    is_on: bool,
    last: Option<Instant>,
    times: WorkTimes,
}

impl Clock {
    /// Turns the clock on or off.
    pub(crate) fn set(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Adds what the clocks of others have measured.
    pub(crate) fn add(&mut self, times: WorkTimes) {
        self.times = self.times.plus(times);
    }

    /// A clock that is on or off, and starts now.
    pub(crate) fn of(is_on: bool) -> Clock {
        let mut clock = Clock { is_on, ..Clock::default() };
        clock.start();
        clock
    }

    /// Starts to measure a tile.
    pub(crate) fn start(&mut self) {
        self.last = self.is_on.then(Instant::now);
    }

    /// Adds the time since the start or the last lap to this kind.
    pub(crate) fn lap(&mut self, work: Work) {
        if let Some(last) = &mut self.last {
            let now = Instant::now();
            self.times.0[work as usize] += now - *last;
            *last = now;
        }
    }

    /// The times since the last call.
    pub(crate) fn take(&mut self) -> WorkTimes {
        std::mem::take(&mut self.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is the most that a piece may state.
    #[test]
    fn sums_that_no_board_comes_to_stay_too_large() {
        let work = TierWork::new([(1 << 62) - 1; 3], 1.0);
        let sum = (0..8).fold(TierWork::default(), |sum, _| sum.plus(work));
        assert_eq!((sum.met(Tier(4)).total(), sum.seconds), (u64::MAX, 8.0));
    }

    #[test]
    fn kinds_are_told_apart_and_a_clock_that_is_off_stands_still() {
        let mut clock = Clock::default();
        clock.start();
        clock.lap(Work::Fold);
        assert_eq!(clock.take(), WorkTimes::default());

        clock.set(true);
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
