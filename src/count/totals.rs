//! Sums of positions, tier by tier.

use crate::board::Tier;

/// Counts by tier. Intermediate differences may wrap around; the totals fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Totals {
    pub(super) live: Vec<u64>,
    pub(super) terminal: Vec<u64>,
}

impl Totals {
    pub(super) fn new(up_to: Tier) -> Totals {
        let none = vec![0; up_to.stones() + 1];
        Totals { live: none.clone(), terminal: none }
    }

    pub(super) fn plus(mut self, other: Totals) -> Totals {
        self.add(&other);
        self
    }

    pub(super) fn add(&mut self, other: &Totals) {
        let add = |into: &mut [u64], from: &[u64]| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(*from));
        };
        add(&mut self.live, &other.live);
        add(&mut self.terminal, &other.terminal);
    }
}
