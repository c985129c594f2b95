//! Sorting members of a family by their answers into types.
//!
//! Two partial boards, a *member* and its *rest*, make a board. The board can be filled if its
//! stones can also be lifted one by one, in alternating colours, the last mover's first:
//!
//! ```text
//!     answer(nothing, nothing)  =  yes
//!     answer(member, rest)      =  after lifting some top stone of the last mover,
//!                                      off the member:  answer(lifted, rest)
//!                                   or off the rest:    answer(member, lifted)
//! ```
//!
//! The last mover is known from the number of stones, and colours must balance. So a member meets
//! only rests of two surpluses: `-d`, for an even total number of stones, and `1 - d`, for an odd
//! one. The answers of a member are one bit per rest. Members with the same answers are one type.
//!
//! The members that lifting leads to already have types, so most members are recognised by the
//! types of their predecessors alone, and few rows of answers are computed.
//!
//! Members with equally many stones and the same surplus are a *class*. Predecessors lead out of
//! the class, and no type goes beyond it. So all classes with equally many stones are sorted at
//! once:
//!
//! ```text
//!     stones     0         1            2                3
//!     surplus    0      -1   1      -2  0  2      -3  -1  1  3
//!               one after the other ->       side by side within
//! ```

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::family::{Family, Members};
use super::sorter::{AnswerTable, Sorter};
use super::steps::Steps;

/// A family sorted into types.
pub(super) struct Types {
    /// The types, as a family: each is lifted as its first member is.
    pub(super) family: Family,
    /// The type of each member.
    pub(super) of: Vec<u32>,
    pub(super) answers: AnswerTable,
}

impl Types {
    /// Sorts `members` into types by their answers to `rests`. Members that `kept_apart`
    /// distinguishes never share a type.
    pub(super) fn new(
        members: &impl Members,
        rests: &Family,
        kept_apart: Option<&Types>,
        steps: &Steps,
    ) -> Types {
        let (family, of) = (Family::default(), vec![0; members.len()]);
        let mut types = Types { family, of, answers: AnswerTable::new(rests) };
        let mut done = 0;
        while done < members.len() {
            let stones = members.stones(done);
            let classes = classes_from(members, done);
            let sort = |(surplus, class): &(i8, Vec<u32>)| {
                let mut sorter = Sorter::new(rests, &types.answers, stones, *surplus);
                let type_of = |member: &u32| {
                    let member = *member as usize;
                    let apart = kept_apart.map_or(0, |types| types.of[member]);
                    let found = sorter.type_of(members, member, apart, &types.of);
                    steps.pass(member, members.len());
                    found
                };
                let of: Vec<u32> = class.iter().map(type_of).collect();
                ((sorter.types, sorter.answers), of)
            };
            let sorted: Vec<_> = classes.par_iter().map(sort).collect();
            for ((surplus, class), ((family, answers), of)) in classes.iter().zip(sorted) {
                let before = types.len() as u32;
                types.family.append(&family);
                types.answers.extend(*surplus, family.len(), &answers);
                for (member, of) in class.iter().zip(of) {
                    types.of[*member as usize] = before + of;
                }
                done += class.len();
            }
        }
        steps.finish();
        types
    }

    /// Number of types.
    pub(super) fn len(&self) -> usize {
        self.family.len()
    }

    /// Whether a board of this type and this rest can be filled; `false` if the colours do not
    /// balance.
    pub(super) fn answer(&self, kind: usize, rests: &Family, rest: usize) -> bool {
        let balance = self.family.surplus(kind) + rests.surplus(rest);
        let place = self.answers.places.of(rest);
        matches!(balance, 0 | 1) && self.answers.of(kind, balance == 1).get(place)
    }
}

/// The classes of the members that have as many stones as this one, the first of them: by surplus,
/// all members of each.
fn classes_from(members: &impl Members, first: usize) -> Vec<(i8, Vec<u32>)> {
    let mut classes: BTreeMap<i8, Vec<u32>> = BTreeMap::new();
    let all = first..members.len();
    for member in all.take_while(|member| members.stones(*member) == members.stones(first)) {
        classes.entry(members.surplus(member)).or_default().push(member as u32);
    }
    classes.into_iter().collect()
}
