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
//! Whatever is known of states is a list [for each class](crate::index::ByClass), or a number for each
//! state.

mod fronts;
mod labels;
mod listing;
mod moves;
mod order;
mod threats;

pub(super) use fronts::{CrossingLines, Front};
pub(super) use labels::{Numbered, Numbering, OrderTypes, RowLabels, SideLabels};
pub(crate) use listing::Listing;
pub(super) use moves::{all_ranks, same_states, side_moves};
pub use order::Scope;
pub(super) use order::{Held, HeldShares, OrderedSide, SideOrder};

use crate::index::{SideState, Split};

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
