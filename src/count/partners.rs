//! With which types of the other side each type of side goes, beside one centre.
//!
//! The types of the other side are numbered by surplus and then by stones, so
//! the partners of a type are bits in a short stretch of a row. Order is rarely
//! an obstacle: most of the time a type goes with all types of a class or with
//! none, and a sum over the class needs no bits.

use std::collections::HashMap;
use std::ops::Range;

use crate::order::{OrderType, Orders, SideTypes, TypeClass};

/// What one type answers to the types of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Share {
    None,
    Some,
    All,
}

/// The partners of a side's types beside one centre, now and before the centre's
/// top stone was dropped.
pub(super) struct Fits {
    pub(super) now: Partners,
    pub(super) before: Option<Partners>,
}

impl Fits {
    /// Beside the centre column `id`; `of_left` says whether left sides are asked
    /// about right ones, or the other way round.
    pub(super) fn new(orders: &Orders, id: usize, of_left: bool) -> Fits {
        let columns = orders.columns();
        let beside = |id: usize| Partners::new(orders, id, columns.codes[id].surplus(), of_left);
        let before = columns.lifted[id].map(|(_, below)| beside(below));
        Fits { now: beside(id), before }
    }

    /// For each type one that answers as it does here, the same for all that do.
    ///
    /// Types differ beside some centre or other; beside this one and the one
    /// without its top stone, many answer alike.
    pub(super) fn merged(&self, types: &SideTypes) -> Vec<OrderType> {
        let mut merged = Vec::with_capacity(types.len());
        for class in types.classes() {
            let mut first: HashMap<(&[u64], Option<&[u64]>), OrderType> = HashMap::new();
            for kind in class.types.clone().map(|kind| OrderType(kind as u32)) {
                let before = self.before.as_ref().map(|before| before.row(kind));
                merged.push(*first.entry((self.now.row(kind), before)).or_insert(kind));
            }
        }
        merged
    }
}

/// The partners of all types of one side beside one centre.
pub(super) struct Partners {
    words: usize,
    bits: Vec<u64>,
    classes: usize,
    shares: Vec<Share>,
}

impl Partners {
    /// Asks for all pairs of types with the column `centre` between them.
    fn new(orders: &Orders, centre: usize, surplus: i32, of_left: bool) -> Partners {
        let (mine, theirs): (&SideTypes, &SideTypes) =
            if of_left { (orders.left(), orders.right()) } else { (orders.right(), orders.left()) };
        let words = theirs.len().div_ceil(64);
        let classes = theirs.classes().len();
        let mut partners = Partners {
            words,
            bits: vec![0; words * mine.len()],
            classes,
            shares: vec![Share::None; classes * mine.len()],
        };
        let Some(centre) = orders.centre(&[centre]) else { return partners };
        for class in mine.classes() {
            for (at, other) in theirs.classes().iter().enumerate() {
                if !(0..=1).contains(&(class.surplus + surplus + other.surplus)) {
                    continue;
                }
                for kind in class.types.clone() {
                    let mut found = 0;
                    for partner in other.types.clone() {
                        let [a, b] = [kind, partner].map(|kind| OrderType(kind as u32));
                        let (left, right) = if of_left { (a, b) } else { (b, a) };
                        if orders.compatible(left, centre, right) {
                            partners.bits[kind * words + partner / 64] |= 1 << (partner % 64);
                            found += 1;
                        }
                    }
                    partners.shares[kind * classes + at] = match found {
                        0 => Share::None,
                        n if n == other.types.len() => Share::All,
                        _ => Share::Some,
                    };
                }
            }
        }
        partners
    }

    fn row(&self, kind: OrderType) -> &[u64] {
        &self.bits[kind.index() * self.words..(kind.index() + 1) * self.words]
    }

    /// Does this pair go together?
    pub(super) fn has(&self, kind: OrderType, partner: OrderType) -> bool {
        let partner = partner.index();
        self.bits[kind.index() * self.words + partner / 64] >> (partner % 64) & 1 == 1
    }

    /// How many types of a class a type goes with.
    pub(super) fn share(&self, kind: OrderType, class: usize) -> Share {
        self.shares[kind.index() * self.classes + class]
    }

    /// The sum of `weights` over the partners of `kind` in a class whose total
    /// weight is `all`.
    pub(super) fn sum(
        &self,
        kind: OrderType,
        class: usize,
        types: &TypeClass,
        weights: &[u32],
        all: u64,
    ) -> u64 {
        match self.share(kind, class) {
            Share::None => 0,
            Share::All => all,
            // Those that do not go with it are mostly fewer.
            Share::Some => all - sum_of(&types.types, weights, |word| !self.word(kind, word)),
        }
    }

    /// 64 partners of `kind` as bits.
    pub(super) fn word(&self, kind: OrderType, word: usize) -> u64 {
        self.bits[kind.index() * self.words + word]
    }
}

/// The sum of the weights of those in `range` whose bits are set.
pub(super) fn sum_of(range: &Range<usize>, weights: &[u32], bits: impl Fn(usize) -> u64) -> u64 {
    let mut sum = 0;
    for word in range.start / 64..range.end.div_ceil(64) {
        let first = 64 * word;
        let inside = u64::MAX << range.start.saturating_sub(first)
            & u64::MAX >> (first + 64).saturating_sub(range.end);
        let mut rest = bits(word) & inside;
        while rest != 0 {
            sum += u64::from(weights[first + rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn sums_over_bits_are_those_of_asking_one_by_one(
            weights in proptest::collection::vec(0u32..100, 256),
            words in proptest::array::uniform4(proptest::prelude::any::<u64>()),
            (start, end) in (0usize..256, 0usize..=256),
        ) {
            let expected: u64 = (start..end)
                .filter(|at| words[at / 64] >> (at % 64) & 1 == 1)
                .map(|at| u64::from(weights[at]))
                .sum();
            let range = start.min(end)..end;
            proptest::prop_assert_eq!(sum_of(&range, &weights, |word| words[word]), expected);
        }
    }
}
