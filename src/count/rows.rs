//! Rows of answers, and sums over the sides that answer yes.
//!
//! A side is always asked how many of the other sides go with it, by tier, given the stones on the
//! rest of the board. The answer is a row of bits, one for each local type of the other side with
//! the one surplus that balances the colours:
//!
//! ```text
//!     stones of the other side    0  1  2 ...              17 18
//!     local types                 1  1  11  111 ... 1101   10 0
//! ```
//!
//! There are few rows, on 7x6 about 1,000 per centre, because order is rarely an obstacle. So each
//! row is stored once, counts are added to its [`Weights`], and the row is summed once for all of
//! them. Most bits are set, so the bits that are not are subtracted from the sum of a class.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::local_types::{Class, of_surplus};

/// The number of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct RowId(u32);

/// What a row is about: the stones around the sides that it asks, and which sides these are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Setting {
    /// The stones outside the side that is asked.
    pub(super) stones: usize,
    /// The surplus of the sides that are asked.
    pub(super) surplus: i32,
}

/// All rows that have come up so far.
pub(super) struct Rows {
    /// The classes of the sides that are asked.
    classes: Vec<Class>,
    /// The most stones of positions that are counted.
    up_to: usize,
    rows: Vec<Row>,
    known: FxHashMap<Setting, FxHashMap<Box<[u64]>, RowId>>,
    /// A buffer.
    bits: Vec<u64>,
    both: FxHashMap<(RowId, RowId), RowId>,
    parts: Vec<Part>,
    missing: Vec<u32>,
}

struct Row {
    setting: Setting,
    /// The first of the members that are asked.
    first: usize,
    bits: Box<[u64]>,
    parts: Range<usize>,
}

/// The part of a row for one class, if any of it goes with the side that asks.
struct Part {
    class: usize,
    /// The number of stones of the position.
    tier: usize,
    /// The members of the class that do not go with it.
    missing: Range<usize>,
}

impl Rows {
    pub(super) fn new(classes: Vec<Class>, up_to: usize) -> Rows {
        Rows {
            classes,
            up_to,
            rows: Vec::new(),
            known: FxHashMap::default(),
            bits: Vec::new(),
            both: FxHashMap::default(),
            parts: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The members that are asked.
    pub(super) fn asked(&self, setting: Setting) -> Range<usize> {
        let classes = of_surplus(&self.classes, setting.surplus);
        match &self.classes[classes] {
            [] => 0..0,
            classes => classes[0].members.start..classes[classes.len() - 1].members.end,
        }
    }

    /// The number of members that may be asked.
    pub(super) fn members(&self) -> usize {
        self.classes.last().map_or(0, |class| class.members.end)
    }

    /// The row with the answers of all members that are asked.
    pub(super) fn ask(
        &mut self,
        setting: Setting,
        mut says_yes: impl FnMut(usize) -> bool,
    ) -> RowId {
        let asked = self.asked(setting);
        let mut bits = std::mem::take(&mut self.bits);
        bits.clear();
        bits.resize(asked.len().div_ceil(64), 0);
        for (at, member) in asked.enumerate() {
            bits[at / 64] |= u64::from(says_yes(member)) << (at % 64);
        }
        self.find(setting, bits)
    }

    /// The row with these bits; keeps them as the buffer.
    fn find(&mut self, setting: Setting, buffer: Vec<u64>) -> RowId {
        let known = self.known.entry(setting).or_default();
        if let Some(known) = known.get(buffer.as_slice()) {
            self.bits = buffer;
            return *known;
        }
        let bits: Box<[u64]> = buffer.as_slice().into();
        self.bits = buffer;
        let new = RowId(self.rows.len() as u32);
        known.insert(bits.clone(), new);
        let first_part = self.parts.len();
        let first = self.asked(setting).start;
        let says_yes =
            |member: &usize| bits[(member - first) / 64] >> ((member - first) % 64) & 1 == 1;
        for number in of_surplus(&self.classes, setting.surplus) {
            let class = &self.classes[number];
            let tier = setting.stones + class.stones;
            if tier <= self.up_to && class.members.clone().any(|member| says_yes(&member)) {
                let start = self.missing.len();
                let missing = class.members.clone().filter(|member| !says_yes(member));
                self.missing.extend(missing.map(|member| member as u32));
                let missing = start..self.missing.len();
                self.parts.push(Part { class: number, tier, missing });
            }
        }
        self.rows.push(Row { setting, first, bits, parts: first_part..self.parts.len() });
        new
    }

    /// The setting of a row.
    pub(super) fn setting(&self, row: RowId) -> Setting {
        self.rows[row.0 as usize].setting
    }

    /// The answer of a member.
    pub(super) fn has(&self, row: RowId, member: usize) -> bool {
        let row = &self.rows[row.0 as usize];
        let at = member - row.first;
        row.bits[at / 64] >> (at % 64) & 1 == 1
    }

    /// The members that are in both of two rows with the same setting.
    pub(super) fn both(&mut self, a: RowId, b: RowId) -> RowId {
        if a == b {
            return a;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(known) = self.both.get(&pair) {
            return *known;
        }
        let both = self.combine(a, b, |a, b| a & b);
        self.both.insert(pair, both);
        both
    }

    /// Makes a row from two with the same setting.
    pub(super) fn combine(&mut self, a: RowId, b: RowId, with: impl Fn(u64, u64) -> u64) -> RowId {
        let mut bits = std::mem::take(&mut self.bits);
        let [a, b] = [a, b].map(|row| &self.rows[row.0 as usize]);
        debug_assert_eq!(a.setting, b.setting);
        bits.clear();
        bits.extend(a.bits.iter().zip(&b.bits).map(|(a, b)| with(*a, *b)));
        let setting = a.setting;
        self.find(setting, bits)
    }

    /// Given the `sums` of the members, passes on how many of them answer yes, by tier, for each
    /// row with a weight. Clears the weights.
    pub(super) fn drain(
        &self,
        weights: &mut Weights,
        sums: &[u32],
        totals: &mut Vec<u64>,
        mut add: impl FnMut(usize, Weight, u64),
    ) {
        totals.clear();
        totals.extend(self.classes.iter().map(|class| {
            sums[class.members.clone()].iter().map(|number| u64::from(*number)).sum::<u64>()
        }));
        weights.drain(|row, weight| {
            for part in &self.parts[self.rows[row.0 as usize].parts.clone()] {
                let all = totals[part.class];
                if all > 0 {
                    let missing = &self.missing[part.missing.clone()];
                    let missing = missing.iter().map(|member| u64::from(sums[*member as usize]));
                    add(part.tier, weight, all - missing.sum::<u64>());
                }
            }
        });
    }
}

/// How often a row counts. Intermediate differences may wrap around.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Weight {
    /// For positions of the row's tier that are live.
    pub(super) live: u64,
    /// For terminal positions with one more stone.
    pub(super) ended: u64,
}

impl Weight {
    fn add(&mut self, other: Weight) {
        self.live = self.live.wrapping_add(other.live);
        self.ended = self.ended.wrapping_add(other.ended);
    }
}

/// Weights by row; clearing costs only as much as was added.
#[derive(Default)]
pub(super) struct Weights {
    of: Vec<Weight>,
    touched: Vec<RowId>,
}

impl Weights {
    pub(super) fn add(&mut self, row: RowId, weight: Weight) {
        let at = row.0 as usize;
        if at >= self.of.len() {
            self.of.resize(at + 1, Weight::default());
        }
        let of = &mut self.of[at];
        if *of == Weight::default() {
            self.touched.push(row);
        }
        of.add(weight);
    }

    /// Adds positions that have ended, or subtracts them if the number is negative.
    pub(super) fn add_ended(&mut self, row: RowId, number: i64) {
        self.add(row, Weight { live: 0, ended: number as u64 });
    }

    pub(super) fn drain(&mut self, mut take: impl FnMut(RowId, Weight)) {
        for row in self.touched.drain(..) {
            let weight = std::mem::take(&mut self.of[row.0 as usize]);
            // A row is touched twice if its weight was 0 in between.
            if weight != Weight::default() {
                take(row, weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_over_rows_are_those_of_asking_one_by_one(
            sizes in proptest::collection::vec(0usize..70, 4),
            sums in proptest::collection::vec(0u32..9, 280),
            answers in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 280), 3),
            weights in proptest::collection::vec((0usize..3, -3i64..9), 0..9),
            up_to in 5usize..9,
        ) {
            let mut end = 0;
            let classes: Vec<Class> = [(-1, 2), (0, 1), (0, 3), (2, 2)].into_iter().zip(&sizes)
                .map(|((surplus, stones), size)| {
                    end += size;
                    Class { stones, surplus, members: end - size..end }
                })
                .collect();
            let setting = Setting { stones: 4, surplus: 0 };
            let mut rows = Rows::new(classes.clone(), up_to);
            let ids: Vec<RowId> =
                answers.iter().map(|row| rows.ask(setting, |member| row[member])).collect();
            let both = rows.both(ids[0], ids[1]);
            for member in rows.asked(setting) {
                prop_assert_eq!(rows.has(both, member), answers[0][member] && answers[1][member]);
            }
            let mut given = Weights::default();
            let mut expected = [0u64; 16];
            for (row, number) in weights {
                given.add_ended(ids[row], number);
                for class in classes.iter().filter(|class| class.surplus == 0) {
                    for member in class.members.clone().filter(|member| answers[row][*member]) {
                        let tier = setting.stones + class.stones;
                        if tier <= up_to {
                            let number = number * i64::from(sums[member]);
                            expected[tier] = expected[tier].wrapping_add(number as u64);
                        }
                    }
                }
            }
            let mut found = [0u64; 16];
            rows.drain(&mut given, &sums, &mut Vec::new(), |tier, weight, number| {
                found[tier] = found[tier].wrapping_add(weight.ended.wrapping_mul(number));
            });
            prop_assert_eq!(found, expected);
        }
    }
}
