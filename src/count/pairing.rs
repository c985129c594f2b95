//! For each reach of one side, the sides of the other that go with it.
//!
//! Given many reaches of one side, we want for each of them the number of sides of every kind on
//! the other side that complete no four with it. The reaches are split by some of their lines,
//! those parts by further lines, and so on. On the way down, the sides of the other hand that clash
//! with the lines so far drop out. The others are distinguished only by the lines that still matter
//! to the reaches below. So more and more of their reaches become equal, and the lower the level,
//! the fewer there are:
//!
//! ```text
//!     all sides of the other hand
//!      └ reaches far on line 7: those not near on 7, distinguished by lines 2 and 3
//!         ├ ... and far on 3: those not near on 3 either, distinguished by line 2
//!         └ ... not far on 3: all of them, distinguished by line 2
//! ```

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::reach::Reach;

/// The number of sides of each kind that go with a reach.
type Sums = Vec<u32>;

/// The number of reaches that are sampled for the best split.
const SAMPLE: usize = 64;

/// This many reaches or fewer are not split further.
const AT_ONCE: usize = 2;

/// Calls `visit` with the number of each of `targets`, which all differ, in any order, and with the
/// number of sides by kind, below `kinds`, among `others` that complete no four with it.
pub(super) fn for_each_reach(
    targets: impl IntoIterator<Item = Reach>,
    others: Others,
    kinds: usize,
    visit: impl FnMut(usize, &Sums),
) {
    let mut sums = vec![0; kinds];
    for (kind, sides) in &others.groups {
        sums[*kind as usize] += sides;
    }
    let mut targets: Vec<Target> =
        targets.into_iter().enumerate().map(|(at, reach)| (reach.bits(), at)).collect();
    let mut split = Split { visit, spare: Vec::new(), merger: Merger::new(kinds) };
    split.visit_all(&mut targets, &Rest { others, sums });
}

/// The bits of a reach, and its number.
type Target = (u128, usize);

/// Sides by reach: what they forbid, and the number of each kind.
#[derive(Default)]
pub(super) struct Others {
    reaches: Vec<(u128, Range<u32>)>,
    /// Kind and number of sides, reach by reach.
    groups: Vec<(u32, u32)>,
}

impl Others {
    /// Adds sides with this reach: their kinds, and the number of each.
    pub(super) fn push(&mut self, reach: Reach, groups: impl IntoIterator<Item = (u32, u32)>) {
        self.extend(reach.forbids(), groups);
    }

    fn extend(&mut self, forbids: u128, groups: impl IntoIterator<Item = (u32, u32)>) {
        let start = self.groups.len() as u32;
        self.groups.extend(groups);
        self.reaches.push((forbids, start..self.groups.len() as u32));
    }

    fn groups(&self, range: &Range<u32>) -> &[(u32, u32)] {
        &self.groups[range.start as usize..range.end as usize]
    }
}

/// The other sides that clash with none of the lines so far.
#[derive(Default)]
struct Rest {
    /// Those that may clash with lines still to come.
    others: Others,
    /// All of them.
    sums: Sums,
}

struct Split<V> {
    visit: V,
    /// Kept for their buffers.
    spare: Vec<Rest>,
    merger: Merger,
}

impl<V: FnMut(usize, &Sums)> Split<V> {
    /// Visits all these reaches, given the sides that may clash with some of them.
    fn visit_all(&mut self, targets: &mut [Target], rest: &Rest) {
        let mut below = self.spare.pop().unwrap_or_default();
        if targets.len() <= AT_ONCE {
            for (bits, number) in targets {
                below.sums.clone_from(&rest.sums);
                rest.without(*bits, &mut below.sums);
                (self.visit)(*number, &below.sums);
            }
        } else {
            let some = targets.iter().fold(0, |some, (bits, _)| some | bits);
            let all = targets.iter().fold(u128::MAX, |all, (bits, _)| all & bits);
            self.merger.merge(rest, all, some & !all, &mut below);
            let bit = dividing(targets, some & !all);
            targets.sort_unstable_by_key(|(bits, _)| bits & bit);
            let (without, with) =
                targets.split_at_mut(targets.partition_point(|(bits, _)| bits & bit == 0));
            self.visit_all(without, &below);
            self.visit_all(with, &below);
        }
        self.spare.push(below);
    }
}

/// The bit of these that splits a sample of the reaches most evenly.
fn dividing(targets: &[Target], among: u128) -> u128 {
    let step = targets.len().div_ceil(SAMPLE);
    let mut counts = [0usize; 128];
    for (bits, _) in targets.iter().step_by(step) {
        let mut rest = bits & among;
        while rest != 0 {
            counts[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }
    let uneven = |bit: &usize| (2 * counts[*bit]).abs_diff(targets.len().div_ceil(step));
    let bits = (0..128).filter(|bit| among >> bit & 1 == 1);
    1 << bits.min_by_key(uneven).expect("reaches that differ")
}

impl Rest {
    /// Subtracts those that clash with one of these bits.
    fn without(&self, bits: u128, sums: &mut Sums) {
        for (forbids, range) in &self.others.reaches {
            if forbids & bits != 0 {
                for (kind, sides) in self.others.groups(range) {
                    sums[*kind as usize] -= sides;
                }
            }
        }
    }
}

/// Merges others that are alike from now on.
struct Merger {
    /// By what they still forbid.
    numbers: FxHashMap<u128, u32>,
    /// The same in order.
    forbidden: Vec<u128>,
    /// The numbers of the first and the next reach of each.
    kept: Vec<(u32, Range<u32>)>,
    counts: Vec<u32>,
    touched: Vec<u32>,
}

impl Merger {
    fn new(kinds: usize) -> Merger {
        Merger {
            numbers: FxHashMap::default(),
            forbidden: Vec::new(),
            kept: Vec::new(),
            counts: vec![0; kinds],
            touched: Vec::new(),
        }
    }

    /// Those of `from` that clash with none of the bits `clashing`, distinguished by the bits
    /// `distinguishing`.
    fn merge(&mut self, from: &Rest, clashing: u128, distinguishing: u128, into: &mut Rest) {
        self.numbers.clear();
        self.forbidden.clear();
        self.kept.clear();
        into.others.reaches.clear();
        into.others.groups.clear();
        into.sums.clone_from(&from.sums);
        for (forbids, range) in &from.others.reaches {
            let forbids_still = forbids & distinguishing;
            if forbids & clashing != 0 {
                for (kind, sides) in from.others.groups(range) {
                    into.sums[*kind as usize] -= sides;
                }
            } else if forbids_still != 0 {
                let number = *self.numbers.entry(forbids_still).or_insert_with(|| {
                    self.forbidden.push(forbids_still);
                    self.forbidden.len() as u32 - 1
                });
                self.kept.push((number, range.clone()));
            }
        }
        self.kept.sort_unstable_by_key(|(number, range)| (*number, range.start));
        for same in self.kept.chunk_by(|a, b| a.0 == b.0) {
            let forbids = self.forbidden[same[0].0 as usize];
            if let [(_, range)] = same {
                into.others.extend(forbids, from.others.groups(range).iter().copied());
                continue;
            }
            for (kind, sides) in same.iter().flat_map(|(_, range)| from.others.groups(range)) {
                let count = &mut self.counts[*kind as usize];
                if *count == 0 {
                    self.touched.push(*kind);
                }
                *count += sides;
            }
            let counts = &mut self.counts;
            let take = |kind| (kind, std::mem::take(&mut counts[kind as usize]));
            into.others.extend(forbids, self.touched.drain(..).map(take));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn sums_are_those_of_asking_every_pair(
            targets in proptest::collection::vec((0u64..64, 0u64..64), 0..40),
            others in proptest::collection::vec((0u64..64, 0u64..64, 0u32..5, 1u32..9), 0..40),
        ) {
            let reach = |near: u64, far: u64| Reach { near: near << 40, far: (near & far) << 40 };
            let mut targets: Vec<Reach> = targets.into_iter().map(|(n, f)| reach(n, f)).collect();
            targets.sort_unstable();
            targets.dedup();
            let mut all = Others::default();
            for (near, far, kind, sides) in &others {
                all.push(reach(*near, *far), [(*kind, *sides)]);
            }
            let mut visited = vec![0; targets.len()];
            for_each_reach(targets.iter().copied(), all, 5, |number, sums| {
                visited[number] += 1;
                let target = targets[number];
                let mut expected = vec![0; 5];
                for (near, far, kind, sides) in &others {
                    let other = reach(*near, *far);
                    if target.near & other.far | target.far & other.near == 0 {
                        expected[*kind as usize] += sides;
                    }
                }
                assert_eq!(sums, &expected);
            });
            assert!(visited.iter().all(|visits| *visits == 1));
        }
    }
}
