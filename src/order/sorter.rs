//! Sorts one class: the members with equally many stones and the same surplus.
//!
//! Three maps lead from a member to its type, each to fewer keys than the one before:
//!
//! ```text
//!     types of its predecessors  ->  answers from lifting its own stones  ->  all answers  ->  type
//! ```
//!
//! Only the first is asked for every member.

use std::ops::Range;

use super::answers::{AnswerTable, Answers};
use super::family::{Family, Members};
use crate::board::Player;
use crate::quick_map::QuickMap;

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
    types: Family,
    answers: Vec<u64>,
    /// The predecessors of the current member.
    predecessors: Predecessors,
    /// By what keeps it apart and the types that its predecessors lead to.
    by_predecessors: QuickMap<Box<[u32]>, u32>,
    /// By the answers that follow from lifting the member's own stones.
    by_own_predecessors: QuickMap<Key, u32>,
    /// By all answers.
    by_answers: QuickMap<Key, u32>,
}

/// The types that the predecessors of a member lead to, each once: in one list, so that looking it up
/// takes no memory.
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
            even: fewer.places().words(-surplus),
            types: Family::default(),
            answers: Vec::new(),
            predecessors: Predecessors::default(),
            by_predecessors: QuickMap::default(),
            by_own_predecessors: QuickMap::default(),
            by_answers: QuickMap::default(),
        }
    }

    /// The types and their answers.
    pub(super) fn into_types(self) -> (Family, Vec<u64>) {
        (self.types, self.answers)
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
        let odd = self.fewer.places().words(1 - self.surplus);
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
        let places = self.fewer.places();
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
