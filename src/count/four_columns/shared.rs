//! What all third columns share.

use super::fill_order;
use super::fours::{Halves, RightStones};
use super::kernel::Left;
use super::states::{Group, State, States, groups};
use super::strips::{Predecessors, Strips};
use crate::board::Tier;
use crate::cpu::Cpu;

/// What all third columns share.
pub(super) struct Shared {
    pub states: States,
    pub strips: Strips,
    predecessors: Predecessors,
    pub up_to: Tier,
    pub cpu: Cpu,
    pub lefts: Vec<Lefts>,
    pub halves: Halves,
    pub right: RightStones,
    pub right_lifted: RightStones,
    /// By number, the columns with one more stone.
    pub taller: Vec<Vec<usize>>,
}

/// Left columns that are treated alike.
pub(super) struct Lefts {
    pub group: Group,
    pub closed: bool,
    pub lefts: Vec<Left>,
    /// The same columns without their top stones.
    pub below: Vec<Left>,
}

impl Shared {
    pub fn new(states: States, strips: Strips, up_to: Tier, cpu: Cpu) -> Shared {
        let halves = Halves::new(states.height);
        let mut taller = vec![Vec::new(); states.open.len()];
        for (number, state) in states.open.iter().enumerate() {
            if let Some((_, below)) = state.lift {
                taller[usize::from(below)].push(number);
            }
        }
        Shared {
            predecessors: Predecessors::new(&states, &strips),
            up_to,
            cpu,
            lefts: Lefts::all(&states, halves),
            halves,
            right: RightStones::new(&states, &strips, false),
            right_lifted: RightStones::new(&states, &strips, true),
            taller,
            states,
            strips,
        }
    }

    pub fn fill_order(&self) -> fill_order::Inputs<'_> {
        fill_order::Inputs {
            states: &self.states,
            strips: &self.strips,
            predecessors: &self.predecessors,
        }
    }
}

impl Lefts {
    fn all(states: &States, halves: Halves) -> Vec<Lefts> {
        let left = |number: usize, state: &State| Left {
            number: number as u16,
            halves: halves.codes(state),
        };
        let below = |state: &State| {
            let number = usize::from(state.lift?.1);
            Some(left(number, &states.open[number]))
        };
        let lefts = |closed: bool, list: &[State]| -> Vec<Lefts> {
            let of_group = |group: Group| {
                let members = &list[group.states.clone()];
                let lefts = members.iter().zip(group.states.clone());
                Lefts {
                    lefts: lefts.map(|(state, number)| left(number, state)).collect(),
                    below: members.iter().filter_map(below).collect(),
                    closed,
                    group,
                }
            };
            groups(list).into_iter().map(of_group).collect()
        };
        [lefts(false, &states.open), lefts(true, &states.closed)].into_iter().flatten().collect()
    }
}
