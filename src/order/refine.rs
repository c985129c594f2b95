//! Sorting members of a family by their answers into types.
//!
//! Two partial boards, a *member* and its *rest*, make a board. The board can be emptied in turn if
//! its stones can be lifted one by one in alternating colours:
//!
//! ```text
//! answer(member, rest) =   OR over lifts of the last mover's stone off the member: answer(lifted, rest)
//!                       OR OR over lifts of the last mover's stone off the rest:   answer(member, lifted)
//! answer(nothing, nothing) = yes
//! ```
//!
//! The last mover is known from the number of stones, and colours must balance. So a member meets
//! only rests of two surpluses: `-d`, for an even total number of stones, and `1 - d`, for an odd
//! one. The answers of a member are one bit per rest. Members with the same answers are one type.
//!
//! The members that lifting leads to already have types, so most members are recognised by the
//! types of their lifts alone, and few rows of answers are computed.

use std::collections::HashMap;
use std::ops::Range;

use super::family::Family;
use super::quick::QuickMap;
use super::steps::Steps;
use crate::board::Player;

/// A family sorted into types.
#[derive(PartialEq, Eq)]
pub(super) struct Types {
    /// The types, as a family: each is lifted as its first member is.
    pub(super) family: Family,
    /// The type of each member.
    pub(super) of: Vec<u32>,
    /// The answers of each type.
    answers: Vec<Answers>,
    layout: Layout,
}

/// One bit per rest of the two surpluses that a member can meet.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Answers {
    /// Rests with which the number of stones is even.
    even: Vec<u64>,
    /// Rests with which it is odd.
    odd: Vec<u64>,
}

/// Where the bits of the rests are: rests of one surplus, by number of stones.
#[derive(PartialEq, Eq)]
struct Layout {
    by_surplus: HashMap<i8, Vec<u32>>,
    bit: Vec<u32>,
}

impl Layout {
    fn new(rests: &Family) -> Layout {
        let mut by_surplus: HashMap<i8, Vec<u32>> = HashMap::new();
        let mut bit = Vec::with_capacity(rests.len());
        for rest in 0..rests.len() {
            let list = by_surplus.entry(rests.surplus(rest)).or_default();
            bit.push(list.len() as u32);
            list.push(rest as u32);
        }
        Layout { by_surplus, bit }
    }

    fn rests(&self, surplus: i8) -> &[u32] {
        self.by_surplus.get(&surplus).map_or(&[], Vec::as_slice)
    }

    fn no_answers(&self, surplus: i8) -> Vec<u64> {
        vec![0; self.rests(surplus).len().div_ceil(64)]
    }
}

impl Types {
    /// Sorts `members` into types by their answers to `rests`. Members that `kept_apart`
    /// distinguishes never share a type.
    pub(super) fn new(
        members: &Family,
        rests: &Family,
        kept_apart: Option<&Types>,
        steps: &Steps,
    ) -> Types {
        let mut sorter = Sorter {
            rests,
            types: Types {
                family: Family::default(),
                of: Vec::with_capacity(members.len()),
                answers: Vec::new(),
                layout: Layout::new(rests),
            },
            by_lifts: QuickMap::default(),
            lifts: Lifts::default(),
            by_own_lifts: QuickMap::default(),
            by_answers: QuickMap::default(),
        };
        for member in 0..members.len() {
            steps.reach(member, members.len());
            let label = Label {
                stones: members.stones(member),
                surplus: members.surplus(member),
                apart: kept_apart.map_or(0, |types| types.of[member]),
            };
            sorter.lifts.list(label, members, member, &sorter.types.of);
            let found = sorter.type_of(label);
            sorter.types.of.push(found);
        }
        steps.finish();
        sorter.types
    }

    /// Number of types.
    pub(super) fn len(&self) -> usize {
        self.answers.len()
    }

    /// The answers of a type to the rests that give an odd number of stones, or an even one.
    pub(super) fn answers(&self, kind: usize, is_odd: bool) -> &[u64] {
        let Answers { even, odd } = &self.answers[kind];
        if is_odd { odd } else { even }
    }

    /// The place of the answers to a rest.
    pub(super) fn place(&self, rest: usize) -> u32 {
        self.layout.bit[rest]
    }

    /// Can a board of this type and this rest be emptied in turn? `false` if the colours do not
    /// balance.
    pub(super) fn answer(&self, kind: usize, rests: &Family, rest: usize) -> bool {
        let bit = self.layout.bit[rest] as usize;
        let balance = self.family.surplus(kind) + rests.surplus(rest);
        match balance {
            0 => get(&self.answers[kind].even, bit),
            1 => get(&self.answers[kind].odd, bit),
            _ => false,
        }
    }
}

/// What members of one type have in common before any answer is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Label {
    stones: u8,
    surplus: i8,
    apart: u32,
}

/// A label and the types that the lifts of a member lead to, each once: in one list, so that looking
/// it up takes no memory.
#[derive(Default)]
struct Lifts {
    list: Vec<u32>,
    /// Where in the list the types of each player's lifts are.
    of: [Range<usize>; 2],
    /// A buffer.
    types: Vec<u32>,
}

impl Lifts {
    fn list(&mut self, label: Label, members: &Family, member: usize, types: &[u32]) {
        let Label { stones, surplus, apart } = label;
        self.list.clear();
        self.list.extend([u32::from(stones), surplus as u32, apart]);
        for (player, of) in Player::BOTH.into_iter().zip(&mut self.of) {
            let lifts = members.lifts(member, player).iter();
            self.types.clear();
            self.types.extend(lifts.map(|lifted| types[*lifted as usize]));
            self.types.sort_unstable();
            self.types.dedup();
            // Their number tells where the second player's types begin.
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

struct Sorter<'a> {
    rests: &'a Family,
    types: Types,
    /// The lifts of the current member.
    lifts: Lifts,
    /// By the label and the types that the lifts lead to.
    by_lifts: QuickMap<Box<[u32]>, u32>,
    /// By the answers that follow from lifting the member's own stones.
    by_own_lifts: QuickMap<(Label, Answers), u32>,
    /// By all answers.
    by_answers: QuickMap<(Label, Answers), u32>,
}

impl Sorter<'_> {
    fn type_of(&mut self, label: Label) -> u32 {
        if let Some(found) = self.by_lifts.get(self.lifts.list.as_slice()) {
            return *found;
        }
        let own = (label, self.own_lifts(label));
        let found = match self.by_own_lifts.get(&own) {
            Some(found) => *found,
            None => {
                let all = (label, self.with_lifts_of_rests(label, own.1.clone()));
                let found = match self.by_answers.get(&all) {
                    Some(found) => *found,
                    None => self.add(label, all),
                };
                self.by_own_lifts.insert(own, found);
                found
            }
        };
        self.by_lifts.insert(self.lifts.list.as_slice().into(), found);
        found
    }

    fn add(&mut self, label: Label, all: (Label, Answers)) -> u32 {
        let new = self.types.answers.len() as u32;
        let [first, second] = Player::BOTH.map(|player| self.lifts.of(player).iter().copied());
        self.types.family.push(label.stones, label.surplus, first, second);
        self.types.answers.push(all.1.clone());
        self.by_answers.insert(all, new);
        new
    }

    /// The answers that do not depend on lifting from the rest. Lifting the first player's stone
    /// makes an odd number even, and lifting the second's makes an even one odd.
    fn own_lifts(&self, label: Label) -> Answers {
        let mut own = Answers {
            even: self.types.layout.no_answers(-label.surplus),
            odd: self.types.layout.no_answers(1 - label.surplus),
        };
        for lifted in self.lifts.of(Player::First) {
            or(&mut own.odd, &self.types.answers[*lifted as usize].even);
        }
        for lifted in self.lifts.of(Player::Second) {
            or(&mut own.even, &self.types.answers[*lifted as usize].odd);
        }
        own
    }

    /// Adds the answers that lift a stone of the rest first, smaller rests before larger.
    fn with_lifts_of_rests(&self, label: Label, mut own: Answers) -> Answers {
        let layout = &self.types.layout;
        let even = layout.rests(-label.surplus);
        let odd = layout.rests(1 - label.surplus);
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
                let lifts = self.rests.lifts(rest as usize, player);
                lifts.iter().any(|l| get(answers, layout.bit[*l as usize] as usize))
            };
            if even_is_smaller {
                let rest = even[next_even];
                let nothing = label.stones == 0 && stones(&rest) == 0;
                if nothing || lifts_to(rest, Player::Second, &own.odd) {
                    set(&mut own.even, next_even);
                }
                next_even += 1;
            } else {
                if lifts_to(odd[next_odd], Player::First, &own.even) {
                    set(&mut own.odd, next_odd);
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

fn get(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}
