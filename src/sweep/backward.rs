//! The backward sweep: how every position ends, tier by tier from the full board.
//!
//! The outcomes of a tier follow from those of the next one, tile by tile; what
//! is done to a tile is told in `step`. Two tiers are in memory. Their tiles are
//! handed out to the threads one by one, the largest first.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::board::{Player, Tier};
use crate::index::{Census, Index};
use crate::order::{OrderError, Orders, Widths};

use super::clock::WorkTimes;
use super::kernels::{Cpu, Tally};
use super::labels::Labels;
use super::masks::MaskSource;
use super::outcomes::Outcomes;
use super::step::{Scratch, Step};

/// The live positions of a tier by their outcome for the mover, mirror images
/// counted as two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OutcomeCounts {
    /// The mover wins.
    pub won: u64,
    /// Nobody does.
    pub drawn: u64,
    /// The other player wins.
    pub lost: u64,
}

impl OutcomeCounts {
    pub(super) fn of(tally: Tally, mover: Player) -> OutcomeCounts {
        let Tally { first_wins, first_holds, live } = tally;
        let (won, lost) = match mover {
            Player::First => (first_wins, live - first_holds),
            Player::Second => (live - first_holds, first_wins),
        };
        OutcomeCounts { won, drawn: first_holds - first_wins, lost }
    }

    /// All live positions.
    pub fn live(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// The outcomes of one tier after the other, from the full board down.
///
/// ```
/// use strong4::board::{Board, Tier};
/// use strong4::index::Index;
/// use strong4::sweep::{BackwardSweep, Cpu};
///
/// let index = Index::new(Board::new(4, 4)?)?;
/// let mut sweep = BackwardSweep::new(&index, Cpu::widest(), Tier(0))?;
/// while sweep.advance() {}
/// assert_eq!(sweep.outcomes().tier(), Tier(0));
/// assert_eq!(sweep.counts().drawn, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BackwardSweep<'a> {
    index: &'a Index,
    orders: Orders,
    labels: Labels,
    cpu: Cpu,
    first: Tier,
    /// The tier that the sweep has come to, and the memory for the one before it.
    outcomes: Outcomes<'a>,
    spare: Outcomes<'a>,
    counts: OutcomeCounts,
    /// One for each thread.
    scratch: Vec<Mutex<Scratch>>,
}

impl<'a> BackwardSweep<'a> {
    /// The sweep at the last tier, in which boards are full, with room to go
    /// down to the tier `first`.
    pub fn new(index: &'a Index, cpu: Cpu, first: Tier) -> Result<BackwardSweep<'a>, OrderError> {
        let board = index.board();
        let (sides, centre) =
            (index.census().split().side_width(), index.census().split().centre_width());
        let widths = Widths { left: sides, centre, right: sides };
        let orders = Orders::new(board, widths, board.last_tier())?;
        let labels = Labels::new(index, &orders);
        let [even, odd] =
            words(index.census(), first).map(|words| Outcomes::with_room(index.census(), words));
        let last_is_even = board.last_tier().stones().is_multiple_of(2);
        let (spare, outcomes) = if last_is_even { (even, odd) } else { (odd, even) };
        let scratch = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        let counts = OutcomeCounts::default();
        let mut sweep =
            BackwardSweep { index, orders, labels, cpu, first, outcomes, spare, counts, scratch };
        sweep.solve(board.last_tier(), false);
        Ok(sweep)
    }

    /// Bytes that the outcomes take in a sweep down to the tier `first`.
    pub fn bytes(census: &Census, first: Tier) -> u64 {
        words(census, first).into_iter().map(|words| (words * size_of::<u64>()) as u64).sum()
    }

    /// What the kernels are made of.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The outcomes of the tier that the sweep has come to.
    pub fn outcomes(&self) -> &Outcomes<'a> {
        &self.outcomes
    }

    /// The outcomes of the tier after it, which the sweep came from.
    pub fn next_outcomes(&self) -> Option<&Outcomes<'a>> {
        (self.outcomes.tier() != self.index.board().last_tier()).then_some(&self.spare)
    }

    /// How many live positions of the tier have which outcome.
    pub fn counts(&self) -> OutcomeCounts {
        self.counts
    }

    /// From now on the time that threads work is taken, by what they do.
    pub fn take_time(&mut self) {
        for scratch in &mut self.scratch {
            scratch.get_mut().expect("no thread has panicked").clock().turn_on();
        }
    }

    /// The time that threads have worked since this was asked last.
    pub fn work_times(&mut self) -> WorkTimes {
        let all = self
            .scratch
            .iter_mut()
            .map(|scratch| scratch.get_mut().expect("no thread has panicked").clock().take());
        all.fold(WorkTimes::default(), WorkTimes::plus)
    }

    /// Goes on to the tier before, if the sweep is not at its first tier.
    pub fn advance(&mut self) -> bool {
        let Some(stones) = self.outcomes.tier().0.checked_sub(1) else { return false };
        if Tier(stones) < self.first {
            return false;
        }
        self.solve(Tier(stones), true);
        true
    }

    fn solve(&mut self, tier: Tier, has_children: bool) {
        let step = Step {
            source: MaskSource { index: self.index, orders: &self.orders, labels: &self.labels },
            cpu: self.cpu,
            children: if has_children { Some(&self.outcomes) } else { None },
            mover: tier.mover(),
        };
        let scratch = &self.scratch;
        let tally = self
            .spare
            .reset(tier)
            .into_iter()
            .par_bridge()
            .map(|tile| {
                let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
                let scratch = &mut *scratch[thread].lock().expect("no thread has panicked");
                let images = step.source.index.census().tile_images(tile.tile);
                step.solve(tile, scratch).expect("tiles in memory").times(images)
            })
            .reduce(Tally::default, Tally::plus);
        self.counts = OutcomeCounts::of(tally, tier.mover());
        std::mem::swap(&mut self.outcomes, &mut self.spare);
    }
}

/// Words that hold the largest even and the largest odd tier from `first` on.
fn words(census: &Census, first: Tier) -> [usize; 2] {
    [0, 1].map(|odd| {
        let tiers = census.tiers().filter(|tier| *tier >= first && tier.stones() % 2 == odd);
        tiers.map(|tier| Outcomes::words(census, tier)).max().unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_the_kernels_give_the_same_bytes() {
        for board in ["7x3", "6x3", "5x4", "4x5", "3x6", "9x2", "8x2", "12x1", "2x6", "1x9"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let sweep = |cpu| BackwardSweep::new(&index, cpu, Tier(0)).unwrap();
            let mut sweeps: Vec<BackwardSweep> = Cpu::all().map(sweep).collect();
            loop {
                let (portable, others) = sweeps.split_first().unwrap();
                for other in others {
                    assert_eq!(other.counts(), portable.counts());
                    let tier = portable.outcomes.tier();
                    for tile in index.census().tiles(tier) {
                        let words =
                            |sweep: &BackwardSweep| sweep.outcomes.tile(tile).words.to_vec();
                        assert_eq!(words(other), words(portable), "{tile:?}");
                    }
                }
                if !sweeps.iter_mut().all(BackwardSweep::advance) {
                    break;
                }
            }
        }
    }
}
