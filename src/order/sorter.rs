//! Sorts one class: the members with equally many stones and the same surplus.
//!
//! Three maps lead from a member to its type, each to fewer keys than the one before:
//!
//! ```text
//!     types of its predecessors -> answers from lifting its own stones -> all answers -> type
//! ```
//!
//! Only the first is asked for every member.
//!
//! Answers take one bit each. The colours of a board balance, so a member of surplus `d` meets only
//! rests of two surpluses: `-d`, which make an even number of stones, and `1 - d`, which make an
//! odd one. The answers of all types stand in one list of words:
//!
//! ```text
//!     type 0          type 1          type 2 ...
//!     even    odd     even    odd     even    odd
//! ```

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::family::{Family, Members};
use crate::board::Player;

/// The answers of types that are numbered from 0.
pub(super) struct AnswerTable {
    words: Vec<u64>,
    rows: Vec<Row>,
    pub(super) places: Places,
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

/// What keeps members apart that give the same answers, and answers.
type Key = (u32, Box<[u64]>);

/// Finds the types of a class, and numbers them from 0.
pub(super) struct Sorter<'a> {
    rests: &'a Family,
    /// The answers of the types with fewer stones.
    fewer: &'a AnswerTable,
    stones: u8,
    surplus: i8,
    /// The words of answers to rests that make an even number of stones; those to the others
    /// follow.
    even: usize,
    /// The types that have been found, and their answers.
    pub(super) types: Family,
    pub(super) answers: Vec<u64>,
    /// The predecessors of the current member.
    predecessors: Predecessors,
    /// By what keeps it apart and the types that its predecessors lead to.
    by_predecessors: FxHashMap<Box<[u32]>, u32>,
    /// By the answers that follow from lifting the member's own stones.
    by_own_predecessors: FxHashMap<Key, u32>,
    /// By all answers.
    by_answers: FxHashMap<Key, u32>,
}

/// The types that the predecessors of a member lead to, each once: in one list, so that looking it
/// up takes no memory.
#[derive(Default)]
struct Predecessors {
    list: Vec<u32>,
    /// Where in the list the types of each player's predecessors are.
    of: [Range<usize>; 2],
    /// A buffer.
    types: Vec<u32>,
}

impl Predecessors {
    /// Lists them, after what keeps the member apart.
    fn list(&mut self, apart: u32, members: &impl Members, member: usize, types: &[u32]) {
        self.list.clear();
        self.list.push(apart);
        for (player, of) in Player::BOTH.into_iter().zip(&mut self.of) {
            self.types.clear();
            members.list_predecessors(member, player, &mut self.types);
            self.types.iter_mut().for_each(|lifted| *lifted = types[*lifted as usize]);
            self.types.sort_unstable();
            self.types.dedup();
            // Their number says where the second player's types begin.
            self.list.push(self.types.len() as u32);
            *of = self.list.len()..self.list.len() + self.types.len();
            self.list.extend_from_slice(&self.types);
        }
    }

    /// The types that lifting a stone of this player leads to.
    fn of(&self, player: Player) -> &[u32] {
        &self.list[self.of[player.index()].clone()]
    }
}

impl<'a> Sorter<'a> {
    pub(super) fn new(
        rests: &'a Family,
        fewer: &'a AnswerTable,
        stones: u8,
        surplus: i8,
    ) -> Sorter<'a> {
        Sorter {
            rests,
            fewer,
            stones,
            surplus,
            even: fewer.places.words(-surplus),
            types: Family::default(),
            answers: Vec::new(),
            predecessors: Predecessors::default(),
            by_predecessors: FxHashMap::default(),
            by_own_predecessors: FxHashMap::default(),
            by_answers: FxHashMap::default(),
        }
    }

    /// The type of a member, where those of members with fewer stones are known. Members with
    /// different values of `apart` have different types.
    pub(super) fn type_of(
        &mut self,
        members: &impl Members,
        member: usize,
        apart: u32,
        types: &[u32],
    ) -> u32 {
        self.predecessors.list(apart, members, member, types);
        if let Some(found) = self.by_predecessors.get(self.predecessors.list.as_slice()) {
            return *found;
        }
        let own = (apart, self.own_answers());
        let found = match self.by_own_predecessors.get(&own) {
            Some(found) => *found,
            None => {
                let all = (apart, self.with_answers_by_rests(own.1.clone()));
                let found = match self.by_answers.get(&all) {
                    Some(found) => *found,
                    None => self.add(all),
                };
                self.by_own_predecessors.insert(own, found);
                found
            }
        };
        self.by_predecessors.insert(self.predecessors.list.as_slice().into(), found);
        found
    }

    fn add(&mut self, all: Key) -> u32 {
        let new = self.types.len() as u32;
        let [first, second] =
            Player::BOTH.map(|player| self.predecessors.of(player).iter().copied());
        self.types.push(self.stones, self.surplus, first, second);
        self.answers.extend_from_slice(&all.1);
        self.by_answers.insert(all, new);
        new
    }

    /// The answers that do not depend on lifting from the rest. Lifting the first player's stone
    /// makes an odd number even, and lifting the second's makes an even one odd.
    fn own_answers(&self) -> Box<[u64]> {
        let odd = self.fewer.places.words(1 - self.surplus);
        let mut own = vec![0; self.even + odd].into_boxed_slice();
        let (even, odd) = own.split_at_mut(self.even);
        for lifted in self.predecessors.of(Player::First) {
            or(odd, self.fewer.of(*lifted as usize, false).0);
        }
        for lifted in self.predecessors.of(Player::Second) {
            or(even, self.fewer.of(*lifted as usize, true).0);
        }
        own
    }

    /// Adds the answers that lift a stone of the rest first, smaller rests before larger.
    fn with_answers_by_rests(&self, mut own: Box<[u64]>) -> Box<[u64]> {
        let (answers_even, answers_odd) = own.split_at_mut(self.even);
        let places = &self.fewer.places;
        let even = places.rests(-self.surplus);
        let odd = places.rests(1 - self.surplus);
        let stones = |rest: &u32| self.rests.stones(*rest as usize);
        let (mut next_even, mut next_odd) = (0, 0);
        loop {
            let even_is_smaller = match (even.get(next_even), odd.get(next_odd)) {
                (None, None) => break,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (Some(e), Some(o)) => stones(e) <= stones(o),
            };
            let lifts_to = |rest: u32, player, answers: &[u64]| {
                let predecessors = self.rests.predecessors(rest as usize, player);
                predecessors.iter().any(|lifted| Answers(answers).get(places.of(*lifted as usize)))
            };
            if even_is_smaller {
                let rest = even[next_even];
                let nothing = self.stones == 0 && stones(&rest) == 0;
                if nothing || lifts_to(rest, Player::Second, answers_odd) {
                    set(answers_even, next_even);
                }
                next_even += 1;
            } else {
                if lifts_to(odd[next_odd], Player::First, answers_even) {
                    set(answers_odd, next_odd);
                }
                next_odd += 1;
            }
        }
        own
    }
}

fn or(into: &mut [u64], from: &[u64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into |= from;
    }
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
