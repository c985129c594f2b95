//! The answers of types to all rests, one bit each.
//!
//! The colours of a board balance, so a member of surplus `d` meets only rests of two surpluses:
//! `-d`, which make an even number of stones, and `1 - d`, which make an odd one. The answers of
//! all types stand in one list of words:
//!
//! ```text
//!     type 0          type 1          type 2 ...
//!     even    odd     even    odd     even    odd
//! ```

use std::collections::HashMap;

use super::family::{Family, Members};

/// The answers of types that are numbered from 0.
pub(super) struct AnswerTable {
    words: Vec<u64>,
    rows: Vec<Row>,
    places: Places,
}

/// Where the answers of a type are.
struct Row {
    even: usize,
    odd: usize,
    end: usize,
}

/// Which bit is the answer to which rest.
pub(super) struct Places {
    /// Rests of one surplus, by number of stones.
    by_surplus: HashMap<i8, Vec<u32>>,
    /// By rest.
    of: Vec<RestPlace>,
}

impl Places {
    fn new(rests: &Family) -> Places {
        let mut by_surplus: HashMap<i8, Vec<u32>> = HashMap::new();
        let mut of = Vec::with_capacity(rests.len());
        for rest in 0..rests.len() {
            let list = by_surplus.entry(rests.surplus(rest)).or_default();
            of.push(RestPlace(list.len() as u32));
            list.push(rest as u32);
        }
        Places { by_surplus, of }
    }

    /// The rests of this surplus, in the order of their bits.
    pub(super) fn rests(&self, surplus: i8) -> &[u32] {
        self.by_surplus.get(&surplus).map_or(&[], Vec::as_slice)
    }

    /// The number of words that the answers to rests of this surplus take.
    pub(super) fn words(&self, surplus: i8) -> usize {
        self.rests(surplus).len().div_ceil(u64::BITS as usize)
    }

    /// The place of the answers to a rest.
    pub(super) fn of(&self, rest: usize) -> RestPlace {
        self.of[rest]
    }
}

impl AnswerTable {
    /// No types yet.
    pub(super) fn new(rests: &Family) -> AnswerTable {
        AnswerTable { words: Vec::new(), rows: Vec::new(), places: Places::new(rests) }
    }

    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// Adds this many types of one surplus, with these answers.
    pub(super) fn extend(&mut self, surplus: i8, types: usize, words: &[u64]) {
        let (even, odd) = (self.places.words(-surplus), self.places.words(1 - surplus));
        let first = self.words.len();
        self.words.extend_from_slice(words);
        let starts = (0..types).map(|number| first + number * (even + odd));
        self.rows.extend(starts.map(|start| Row {
            even: start,
            odd: start + even,
            end: start + even + odd,
        }));
    }

    /// The answers of a type to the rests that make an odd number of stones, or an even one.
    pub(super) fn of(&self, kind: usize, is_odd: bool) -> Answers<'_> {
        let Row { even, odd, end } = self.rows[kind];
        Answers(if is_odd { &self.words[odd..end] } else { &self.words[even..odd] })
    }
}

/// The answers of a type, or of a member, to the rests of one surplus.
#[derive(Clone, Copy)]
pub(crate) struct Answers<'a>(pub(super) &'a [u64]);

impl Answers<'_> {
    /// One of the answers.
    pub(super) fn get(self, place: RestPlace) -> bool {
        self.0[place.word() as usize] >> place.bit() & 1 == 1
    }
}

/// The place of the answers to a rest among those to rests of its surplus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RestPlace(u32);

/// Rests whose answers are in one word, as the bits of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RestWord {
    word: u32,
    pub(crate) rests: u64,
}

impl RestPlace {
    fn word(self) -> u32 {
        self.0 / u64::BITS
    }

    fn bit(self) -> u32 {
        self.0 % u64::BITS
    }

    /// These places, which all differ and are in order, word by word.
    pub(crate) fn by_word(places: &[RestPlace]) -> impl Iterator<Item = RestWord> {
        places.chunk_by(|a, b| a.word() == b.word()).map(|same| RestWord {
            word: same[0].word(),
            rests: same.iter().fold(0, |rests, place| rests | 1 << place.bit()),
        })
    }
}

impl RestWord {
    /// Those of these rests with which the left side makes a board that can be filled.
    #[inline]
    pub(crate) fn fitting(self, answers: Answers) -> u64 {
        answers.0[self.word as usize] & self.rests
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn answers_by_word_are_those_of_each_rest(
            words in proptest::collection::vec(any::<u64>(), 4),
            places in proptest::collection::btree_set(0u32..256, 0..60),
        ) {
            let answers = Answers(&words);
            let places: Vec<RestPlace> = places.into_iter().map(RestPlace).collect();
            let mut next = places.iter();
            for word in RestPlace::by_word(&places) {
                let fitting = word.fitting(answers);
                prop_assert_eq!(fitting & !word.rests, 0);
                for bit in (0..64).filter(|bit| word.rests >> bit & 1 == 1) {
                    prop_assert_eq!(fitting >> bit & 1 == 1, answers.get(*next.next().unwrap()));
                }
            }
            prop_assert!(next.next().is_none());
        }
    }
}
