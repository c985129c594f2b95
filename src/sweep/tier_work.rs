//! What a sweep has done for a tier: positions counted, and time spent.

use crate::board::{OutcomeCounts, Player, Tier};

use super::clock::WorkTimes;
use super::kernels::CellCounts;

/// What has been done for a tier.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TierWork {
    pub(super) tally: CellCounts,
    /// Seconds that passed. Where threads solve centres side by side, tiers share the seconds in
    /// proportion to the time that threads spent on them, so the sum of all tiers is not more than
    /// the time that passed.
    pub seconds: f64,
    /// What the threads spent their time on, if the clocks were on.
    pub times: WorkTimes,
}

impl TierWork {
    /// From the numbers of live cells that the first player wins, in which he does
    /// not lose, and of all; and seconds.
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

    /// Live cells that the first player wins, in which he does not lose, and all.
    pub fn tally(self) -> [u64; 3] {
        [self.tally.first_wins, self.tally.first_holds, self.tally.live]
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
}
