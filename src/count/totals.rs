//! Sums of positions, tier by tier, and how far a count has come, to continue it later.
//!
//! ```text
//!     at  0   4  number of centres
//!      4   4  tiers, from the first
//!         8   1  per centre: 2 if it is counted, 0 if not
//!     then   8  per tier: live positions of these centres, then terminal ones
//! ```

use crate::board::Tier;
use crate::files::{long, word};

/// Stands for a centre that is counted. Earlier versions, which put down a 1, shared out the
/// terminal positions of boards of even width in another way, so that their sums cannot be
/// continued.
const DONE: u8 = 2;

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

/// The positions of some centres.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    pub(super) is_done: Vec<bool>,
    pub(super) totals: Totals,
}

impl Counted {
    /// Before the first centre.
    pub(super) fn nothing(centres: usize, up_to: Tier) -> Counted {
        Counted { is_done: vec![false; centres], totals: Totals::new(up_to) }
    }

    /// Whether it is of this many centres and of tiers up to this one.
    pub(super) fn is_of(&self, centres: usize, up_to: Tier) -> bool {
        self.is_done.len() == centres && self.totals.live.len() == up_to.stones() + 1
    }

    pub(super) fn is_complete(&self) -> bool {
        self.is_done.iter().all(|is_done| *is_done)
    }

    /// Adds the positions of a centre.
    pub(super) fn add(&mut self, centre: usize, totals: Totals) {
        self.is_done[centre] = true;
        self.totals.add(&totals);
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Counted { is_done, totals } = self;
        let lengths = [is_done.len() as u32, totals.live.len() as u32];
        let mut bytes: Vec<u8> = lengths.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(is_done.iter().map(|is_done| DONE * u8::from(*is_done)));
        let numbers = totals.live.iter().chain(&totals.terminal);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// `None` if the lengths do not match, or an earlier version has written them.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Counted> {
        let (lengths, bytes) = bytes.split_at_checked(8)?;
        let [centres, tiers] = [0, 4].map(|at| word(lengths, at) as usize);
        let (is_done, bytes) = bytes.split_at_checked(centres)?;
        let is_known = is_done.iter().all(|is_done| [0, DONE].contains(is_done));
        if !is_known || Some(bytes.len()) != tiers.checked_mul(16) {
            return None;
        }
        let mut live: Vec<u64> = bytes.chunks_exact(8).map(|number| long(number, 0)).collect();
        let terminal = live.split_off(tiers);
        let totals = Totals { live, terminal };
        Some(Counted { is_done: is_done.iter().map(|is_done| *is_done == DONE).collect(), totals })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::board::{Board, TierRange};
    use crate::count::{count, count_on};

    /// Whenever a count is stopped, the next one finds the same numbers, and does no centre twice.
    #[test]
    fn a_count_continues_where_it_was_stopped() {
        for (width, height) in [(5, 3), (3, 4), (4, 4), (2, 5), (1, 6), (6, 2)] {
            let board = Board::new(width, height).unwrap();
            let tiers = TierRange::all(board);
            let expected = count(board, tiers, &()).unwrap();
            let stages = Mutex::new(Vec::new());
            let store = |counted: &Counted| stages.lock().unwrap().push(counted.to_bytes());
            assert_eq!(count_on(board, tiers, None, None, &store, &()).unwrap(), expected);
            let stages = stages.into_inner().unwrap();
            for (stage, bytes) in stages.iter().enumerate() {
                let found = Counted::from_bytes(bytes).unwrap();
                assert_eq!(found.to_bytes(), *bytes);
                let later = Mutex::new(0);
                let store = |_: &Counted| *later.lock().unwrap() += 1;
                let counts = count_on(board, tiers, None, Some(found), &store, &()).unwrap();
                assert_eq!(counts, expected, "{board} after stage {stage}");
                assert!(later.into_inner().unwrap() < stages.len() - stage, "{board}, {stage}");
            }
        }
    }

    #[test]
    fn bytes_that_make_no_sense_are_refused() {
        let bytes = Counted::nothing(3, Tier(4)).to_bytes();
        assert!(Counted::from_bytes(&bytes).is_some());
        for length in 0..bytes.len() {
            assert_eq!(Counted::from_bytes(&bytes[..length]), None, "{length}");
        }
        let mut earlier = bytes;
        earlier[8] = 1;
        assert_eq!(
            Counted::from_bytes(&earlier),
            None,
            "a centre that an earlier version has counted"
        );
        let endless = [&u32::MAX.to_le_bytes()[..]; 3].concat();
        assert_eq!(Counted::from_bytes(&endless), None);
    }
}
