//! The states of a side beside one centre: which there are, in which order tiles hold them, and what
//! a tile must know of each.
//!
//! ```text
//!     listing     the sides of centres, listed when they are needed
//!     threats     whom each state threatens: its group
//!     order       the order of the states by group, and which of them tiles hold
//!     fronts      what fours across the centre see of a state
//!     labels      the numbers of fronts and of move-order types, which many states share
//!     moves       where the children of each state stand
//! ```
//!
//! Whatever is known of states is a list for each class, or a number for each state.

mod fronts;
mod labels;
mod listing;
mod moves;
mod order;
mod threats;

pub(super) use fronts::{CrossingLines, Front};
pub(super) use labels::{Numbered, Numbering, OrderTypes, RowLabels, SideLabels};
pub(super) use listing::Listing;
pub(super) use moves::{all_ranks, same_states, side_moves};
pub use order::Scope;
pub(super) use order::{Held, HeldShares, OrderedSide, SideOrder};

use rayon::prelude::*;

use crate::index::{Class, SideState, Split};

/// With this many elements or more, several threads make the lists.
const WORTH_SHARING: usize = 1 << 14;

/// A list for each class of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ByClass<T> {
    all: Box<[T]>,
    /// Where the list of each class slot begins, and where the last one ends.
    starts: Box<[u32]>,
}

impl<T: Copy + Default + Send> ByClass<T> {
    /// Lists of these lengths, made on several threads if they are long. `fill` gets lists of
    /// defaults.
    pub(super) fn new(
        split: Split,
        len: impl Fn(Class) -> usize,
        fill: impl Fn(Class, &mut [T]) + Sync,
    ) -> ByClass<T> {
        let classes = || Class::all(split.side_cells());
        let mut starts = Vec::with_capacity(Class::slots(split.side_cells()) + 1);
        starts.push(0);
        let mut end = 0;
        starts.extend(classes().map(|class| {
            end += len(class) as u32;
            end
        }));
        let mut all = vec![T::default(); end as usize].into_boxed_slice();
        let mut rest = &mut all[..];
        let lists = classes().zip(starts.windows(2)).map(|(class, ends)| {
            let list = rest.split_off_mut(..(ends[1] - ends[0]) as usize);
            (class, list.expect("as long as all lists"))
        });
        if end < WORTH_SHARING as u32 {
            lists.for_each(|(class, list)| fill(class, list));
        } else {
            let lists: Vec<(Class, &mut [T])> = lists.collect();
            lists.into_par_iter().for_each(|(class, list)| fill(class, list));
        }
        ByClass { all, starts: starts.into() }
    }

    /// The list of a class; empty if the class has more stones than a side has room for.
    pub(super) fn of(&self, class: Class) -> &[T] {
        match self.starts.get(class.slot() + 1) {
            Some(end) => &self.all[self.starts[class.slot()] as usize..*end as usize],
            None => &[],
        }
    }
}

/// A number for each of some states.
pub(super) struct ByState(Box<[u32]>);

impl ByState {
    /// Means no number.
    const NONE: u32 = u32::MAX;

    /// The most bits of a state for which there is a table: those of sides of 7x6.
    const BITS: usize = 21;

    /// A table for the states of a side; `None` if they have too many bits.
    pub(super) fn new(split: Split) -> Option<ByState> {
        let bytes = ByState::bytes(split);
        (bytes > 0).then(|| ByState(vec![ByState::NONE; bytes / size_of::<u32>()].into()))
    }

    /// Bytes of a table, if there is one.
    pub(super) fn bytes(split: Split) -> usize {
        let bits = split.side_width() * split.board().column_bits();
        if bits <= ByState::BITS { size_of::<u32>() << bits } else { 0 }
    }

    /// The number of a state, if it has one.
    #[inline]
    pub(super) fn get(&self, state: SideState) -> Option<u32> {
        Some(self.0[state.bits() as usize]).filter(|number| *number != ByState::NONE)
    }

    /// Gives a state its number.
    pub(super) fn set(&mut self, state: SideState, number: u32) {
        self.0[state.bits() as usize] = number;
    }
}
