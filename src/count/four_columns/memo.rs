//! The kinds of pairs found so far, by what they are made from.

/// The number of the row of a pair.
pub(super) type Kind = u16;

/// Everything on which the row of a pair depends: its kinds without the top stone of the left,
/// second and third column, and the surplus of all three together, which determines the colours of
/// those stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MadeFrom {
    pub(super) kinds: [Kind; 3],
    pub(super) surplus: i32,
}

/// The kinds found so far, in a table with open addressing. It is asked a million times per new
/// answer.
pub(super) struct Memo {
    /// What a pair is made from, in one word, and its kind.
    slots: Vec<(u64, Kind)>,
    used: usize,
}

impl Memo {
    const FREE: u64 = u64::MAX;

    pub(super) fn new() -> Memo {
        Memo { slots: vec![(Memo::FREE, 0); 1 << 12], used: 0 }
    }

    fn word(made_from: MadeFrom) -> u64 {
        let [left, second, third] = made_from.kinds.map(u64::from);
        left | second << 16 | third << 32 | u64::from(made_from.surplus as u8) << 48
    }

    fn first_slot(&self, word: u64) -> usize {
        let mixed = (word ^ word >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.slots.len().ilog2())) as usize
    }

    /// The slot of this word, or the free one where it would go.
    fn slot(&self, word: u64) -> usize {
        let mut slot = self.first_slot(word);
        while self.slots[slot].0 != word && self.slots[slot].0 != Memo::FREE {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    pub(super) fn get(&self, made_from: MadeFrom) -> Option<Kind> {
        let (word, kind) = self.slots[self.slot(Memo::word(made_from))];
        (word != Memo::FREE).then_some(kind)
    }

    pub(super) fn insert(&mut self, made_from: MadeFrom, kind: Kind) {
        if 2 * self.used >= self.slots.len() {
            let larger = vec![(Memo::FREE, 0); 2 * self.slots.len()];
            let entries = std::mem::replace(&mut self.slots, larger);
            for entry in entries.into_iter().filter(|(word, _)| *word != Memo::FREE) {
                let slot = self.slot(entry.0);
                self.slots[slot] = entry;
            }
        }
        let word = Memo::word(made_from);
        let slot = self.slot(word);
        self.slots[slot] = (word, kind);
        self.used += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn as_many_are_found_again_as_were_put_in() {
        let (mut memo, mut slow) = (Memo::new(), HashMap::new());
        // More than fit without growing, and few enough different ones to meet some twice.
        let mut random = 1u64;
        for number in 0..10_000u16 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let kinds = [16, 32, 48].map(|bits| (random >> bits) as Kind % 40);
            let made_from = MadeFrom { kinds, surplus: (random >> 60) as i32 - 8 };
            let word = Memo::word(made_from);
            assert_eq!(memo.get(made_from), slow.get(&word).copied());
            if memo.get(made_from).is_none() {
                slow.insert(word, number);
                memo.insert(made_from, number);
            }
        }
        assert!(slow.len() > 1 << 12 && memo.used == slow.len());
    }
}
