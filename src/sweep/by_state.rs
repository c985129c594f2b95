//! A number for each state of a side, looked up by the bits of the state.

use crate::index::{SideState, Split};

/// A number for each of some states.
pub(super) struct ByState(Box<[u32]>);

impl ByState {
    /// Means no number.
    const NONE: u32 = u32::MAX;

    /// The most bits of a state for which there is a table: those of sides of 7x6.
    const BITS: usize = 21;

    /// A table for the states of a side; `None` if they have too many bits.
    pub fn new(split: Split) -> Option<ByState> {
        let bytes = ByState::bytes(split);
        (bytes > 0).then(|| ByState(vec![ByState::NONE; bytes / size_of::<u32>()].into()))
    }

    /// Bytes of a table, if there is one.
    pub fn bytes(split: Split) -> usize {
        let bits = split.side_width() * split.board().column_bits();
        if bits <= ByState::BITS { size_of::<u32>() << bits } else { 0 }
    }

    /// The number of a state, if it has one.
    #[inline]
    pub fn get(&self, state: SideState) -> Option<u32> {
        Some(self.0[state.bits() as usize]).filter(|number| *number != ByState::NONE)
    }

    /// Gives a state its number.
    pub fn set(&mut self, state: SideState, number: u32) {
        self.0[state.bits() as usize] = number;
    }
}
