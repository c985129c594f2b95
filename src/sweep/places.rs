//! Where the rows of a tile find their children: places in a sorted list of
//! states, row by row.
//!
//! A move keeps the order of the states, so all lists are walked forward.

use crate::board::Player;
use crate::index::{SideState, Split};

/// The place of a child that is not in the list: the move made a four.
pub(super) const FOUR: u32 = u32::MAX;

/// The children of a move on this side: `split.side_width()` places for each
/// state. Moves into full columns repeat another one of the same state; a state
/// with a move that makes a four has no other.
///
/// The states are all of one class, and not full.
pub(super) fn side_moves(
    split: Split,
    player: Player,
    states: &[SideState],
    children: &[SideState],
    places: &mut Vec<u32>,
) {
    const FULL: u32 = u32::MAX - 1;
    let per_row = split.side_width();
    places.clear();
    places.resize(states.len() * per_row, FULL);
    for (move_, column) in split.side_columns().enumerate() {
        let mut next = 0;
        for (state, places) in states.iter().zip(places.chunks_exact_mut(per_row)) {
            let code = state.column(split, column);
            if code.stones() < split.board().height() {
                let child = state.with_column(split, column, code.dropped(player));
                while children.get(next).is_some_and(|other| *other < child) {
                    next += 1;
                }
                places[move_] = if children.get(next) == Some(&child) { next as u32 } else { FOUR };
            }
        }
    }
    for places in places.chunks_exact_mut(per_row) {
        if places.contains(&FOUR) {
            places.fill(FOUR);
        } else {
            let some = places.iter().copied().find(|place| *place != FULL);
            let some = some.expect("a side that is not full has a move");
            places.iter_mut().filter(|place| **place == FULL).for_each(|place| *place = some);
        }
    }
}

/// The places of the same states beside another centre, which allows fewer.
pub(super) fn same_states(states: &[SideState], others: &[SideState], places: &mut Vec<u32>) {
    let mut next = 0;
    places.clear();
    places.extend(states.iter().map(|state| {
        while others.get(next).is_some_and(|other| other < state) {
            next += 1;
        }
        if others.get(next) == Some(state) { next as u32 } else { FOUR }
    }));
}
