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
pub(super) struct Answers {
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
    /// The place of each rest among those of its surplus.
    bit: Vec<u32>,
}

impl Places {
    fn new(rests: &Family) -> Places {
        let mut by_surplus: HashMap<i8, Vec<u32>> = HashMap::new();
        let mut bit = Vec::with_capacity(rests.len());
        for rest in 0..rests.len() {
            let list = by_surplus.entry(rests.surplus(rest)).or_default();
            bit.push(list.len() as u32);
            list.push(rest as u32);
        }
        Places { by_surplus, bit }
    }

    /// The rests of this surplus, in the order of their bits.
    pub(super) fn rests(&self, surplus: i8) -> &[u32] {
        self.by_surplus.get(&surplus).map_or(&[], Vec::as_slice)
    }

    /// The number of words that the answers to rests of this surplus take.
    pub(super) fn words(&self, surplus: i8) -> usize {
        self.rests(surplus).len().div_ceil(u64::BITS as usize)
    }

    /// The bit of a rest.
    pub(super) fn bit(&self, rest: usize) -> usize {
        self.bit[rest] as usize
    }
}

impl Answers {
    /// No types yet.
    pub(super) fn new(rests: &Family) -> Answers {
        Answers { words: Vec::new(), rows: Vec::new(), places: Places::new(rests) }
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
    pub(super) fn of(&self, kind: usize, is_odd: bool) -> &[u64] {
        let Row { even, odd, end } = self.rows[kind];
        if is_odd { &self.words[odd..end] } else { &self.words[even..odd] }
    }
}

/// One of many answers.
pub(super) fn get(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}
