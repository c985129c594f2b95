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
    let mut next = [0; Split::MOST_SIDE_COLUMNS];
    for (state, places) in states.iter().zip(places.chunks_exact_mut(per_row)) {
        let (mut four, mut some) = (false, FULL);
        for ((place, column), next) in places.iter_mut().zip(split.side_columns()).zip(&mut next) {
            let code = state.column(split, column);
            if code.stones() < split.board().height() {
                let child = state.with_column(split, column, code.dropped(player));
                *next = skip_less(children, *next, child);
                four |= children.get(*next) != Some(&child);
                *place = *next as u32;
                some = *next as u32;
            }
        }
        debug_assert!(some != FULL, "a side that is not full has a move");
        if four {
            places.fill(FOUR);
        } else {
            places.iter_mut().filter(|place| **place == FULL).for_each(|place| *place = some);
        }
    }
}

/// The first place from `next` on whose state is not less than this one.
fn skip_less(sorted: &[SideState], mut next: usize, state: SideState) -> usize {
    while sorted.get(next).is_some_and(|other| *other < state) {
        next += 1;
    }
    next
}

/// The places of the same states beside another centre, which allows fewer.
pub(super) fn same_states(states: &[SideState], others: &[SideState], places: &mut Vec<u32>) {
    let mut next = 0;
    places.clear();
    places.extend(states.iter().map(|state| {
        next = skip_less(others, next, *state);
        if others.get(next) == Some(state) { next as u32 } else { FOUR }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::index::{Class, Index, SideColumn};

    /// The slow twin: a move at a time.
    fn by_moves(
        split: Split,
        player: Player,
        state: SideState,
        children: &[SideState],
    ) -> Vec<Option<usize>> {
        let child = |column: SideColumn| {
            let code = state.column(split, column);
            (code.stones() < split.board().height())
                .then(|| state.with_column(split, column, code.dropped(player)))
        };
        let place = |child| children.iter().position(|other| *other == child);
        split.side_columns().filter_map(child).map(place).collect()
    }

    #[test]
    fn children_are_found_where_moves_lead() {
        for (width, height) in [(7, 2), (5, 4), (6, 3), (9, 1), (4, 4), (3, 6)] {
            let index = Index::new(Board::new(width, height).unwrap()).unwrap();
            let (census, split) = (index.census(), index.census().split());
            let mut places = Vec::new();
            for centre in census.centres() {
                let open = census.classes(centre).filter(|c| c.stones() < split.side_cells());
                for (class, player) in open.flat_map(|c| Player::BOTH.map(|player| (c, player))) {
                    let states = index.rows(centre, class);
                    let children = index.rows(centre, class.plus(Class::one(player)));
                    side_moves(split, player, states, children, &mut places);
                    for (state, places) in states.iter().zip(places.chunks(split.side_width())) {
                        let expected = by_moves(split, player, *state, children);
                        if expected.contains(&None) {
                            assert!(places.iter().all(|place| *place == FOUR));
                        } else {
                            let found = |place: usize| places.contains(&(place as u32));
                            assert!(expected.iter().flatten().all(|place| found(*place)));
                            let known = |place: &u32| expected.contains(&Some(*place as usize));
                            assert!(places.iter().all(known));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn states_are_found_beside_a_centre_that_allows_fewer() {
        let index = Index::new(Board::new(5, 3).unwrap()).unwrap();
        let census = index.census();
        let mut places = Vec::new();
        for (centre, other) in census.centres().flat_map(|a| census.centres().map(move |b| (a, b)))
        {
            for class in census.classes(centre) {
                let (states, others) = (index.rows(centre, class), index.rows(other, class));
                same_states(states, others, &mut places);
                for (state, place) in states.iter().zip(&places) {
                    let expected = others.binary_search(state).map_or(FOUR, |place| place as u32);
                    assert_eq!(*place, expected);
                }
            }
        }
    }
}
