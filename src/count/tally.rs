//! Sums of positions, tier by tier.

use crate::board::Tier;

/// Counts by tier; differences on the way may wrap around, the totals fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    pub(super) live: Vec<u64>,
    pub(super) terminal: Vec<u64>,
}

impl Tally {
    pub(super) fn new(up_to: Tier) -> Tally {
        let none = vec![0; up_to.stones() + 1];
        Tally { live: none.clone(), terminal: none }
    }

    pub(super) fn plus(mut self, other: Tally) -> Tally {
        let add = |into: &mut [u64], from: Vec<u64>| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(from));
        };
        add(&mut self.live, other.live);
        add(&mut self.terminal, other.terminal);
        self
    }
}
