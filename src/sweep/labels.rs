//! What the rows and columns of a tile share with others: their labels.
//!
//! Which fours a state makes across the centre depends only on its [front](super::fronts), and
//! which sides it can be filled in turn with only on its [move-order type](super::order_types).
//! There are few of both, so states carry their numbers:
//!
//! ```text
//!     state      s0  s1  s2  s3  s4  …        of a class, in the order in which they stand
//!     front       4   4   7   4   0
//!     type       12  12  12   3  12
//! ```

use std::ops::Range;

use crate::board::Player;
use crate::index::{Census, Class, SideState};
use crate::order::CentreSet;

use super::by_class::ByClass;
use super::fronts::{Face, Front, Fronts, Reach};
use super::order_types::OrderTypes;
use super::ordered_side::OrderedSide;

/// The labels of the states of a side beside one centre.
pub(super) struct SideLabels {
    /// The centre, as move-order types know it.
    pub centre: CentreSet,
    fronts: Fronts,
    /// The numbers of the states' fronts, in the order in which they stand.
    numbers: ByClass<u32>,
    /// The numbers of their types.
    types: ByClass<u32>,
}

impl SideLabels {
    /// Labels the states beside a centre.
    pub fn new(census: &Census, order_types: &OrderTypes, side: &OrderedSide) -> SideLabels {
        let split = census.split();
        let columns = census.centre(side.centre);
        let mut fronts = Fronts::new(split, columns);
        side.all_states().iter().for_each(|state| fronts.add(*state));
        let label = |number_of: &(dyn Fn(Class, SideState) -> u32 + Sync)| {
            let len = |class| side.states(class).len();
            ByClass::new(split, len, |class, labels| {
                let (states, numbers) = (side.states(class), side.order.all_numbers(class));
                for (label, number) in labels.iter_mut().zip(numbers) {
                    *label = number_of(class, states[*number as usize]);
                }
            })
        };
        let numbers = label(&|_, state| fronts.number_of(state));
        let types = label(&|class, state| order_types.number_of(split, class, state));
        SideLabels { centre: order_types.centre(columns), fronts, numbers, types }
    }

    /// The types of the states at these ranks, counted from the first of their class.
    pub fn types(&self, class: Class, ranks: [Range<usize>; 2]) -> impl Iterator<Item = u32> {
        picked(self.types.of(class), ranks)
    }

    /// The fronts of the states at these ranks.
    pub fn fronts(
        &self,
        class: Class,
        ranks: [Range<usize>; 2],
    ) -> impl Iterator<Item = &Front> + Clone {
        let numbers = picked(self.numbers.of(class), ranks);
        numbers.map(|number| self.fronts.front(number))
    }

    /// A face by its number.
    pub fn face(&self, number: u32) -> Face {
        self.fronts.face(number)
    }

    /// A reach of this player by its number.
    pub fn reach(&self, player: Player, number: u32) -> Reach {
        self.fronts.reach(player, number)
    }
}

fn picked(labels: &[u32], ranks: [Range<usize>; 2]) -> impl Iterator<Item = u32> + Clone {
    let [free, others] = ranks.map(|ranks| &labels[ranks]);
    free.iter().chain(others).copied()
}
