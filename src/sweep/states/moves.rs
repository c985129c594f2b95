//! Where the children of the states of a tile are: places in a tile of the next
//! tier.
//!
//! A move keeps the order of the states, so their lists are walked forward.
//! Instead of a place there may be one of two special values:
//!
//! ```text
//!     FOUR      the move makes a four
//!     LOSES     the opponent wins at once, so that the child has no cells
//! ```

use crate::board::Player;
use crate::index::{ByClass, Class, SideState, Split};

use crate::sweep::kernels::{FOUR, LOSES};

use super::ByState;
use super::order::OrderedSide;

/// Where each state beside a centre stands among all of its class, if there is a table.
pub(in crate::sweep) fn all_ranks(side: &OrderedSide) -> Option<ByState> {
    let mut ranks = ByState::new(side.split)?;
    for class in Class::all(side.split.side_cells()) {
        for (state, rank) in side.states(class).iter().zip(side.order.all_ranks(class)) {
            ranks.set(*state, *rank);
        }
    }
    Some(ranks)
}

/// The children by a move of this player on this side: `split.side_width()` places for
/// each state that tiles hold when this player is to move. A move that is impossible, or loses at
/// once, repeats one of the same state that does not, if there is one; if any move makes
/// a four, all places of the state say so. A full side has none.
pub(in crate::sweep) fn side_moves(
    side: &OrderedSide,
    ranks: Option<&ByState>,
    player: Player,
) -> ByClass<u32> {
    let is_open = |class: Class| class.stones() < side.split.side_cells();
    let len = |class| if is_open(class) { side.order.len(class, player) } else { 0 };
    ByClass::new(
        side.split,
        |class| len(class) * side.split.side_width(),
        |class, places| {
            if is_open(class) {
                moves_of(side, ranks, class, player, places);
            }
        },
    )
}

fn moves_of(
    side: &OrderedSide,
    ranks: Option<&ByState>,
    class: Class,
    player: Player,
    places: &mut [u32],
) {
    let after = class.plus(Class::one(player));
    let of_children = side.order.places(after, player.other());
    let place = |rank| of_children.of_rank(rank).unwrap_or(LOSES);
    if let Some(ranks) = ranks {
        let known = |_, child| ranks.get(child).map_or(FOUR, place);
        return moves_by(side, class, player, places, known);
    }
    let (children, ranks) = (side.states(after), side.order.all_ranks(after));
    let mut next = [0; Split::MOST_SIDE_COLUMNS];
    moves_by(side, class, player, places, |column, child| {
        find(children, &mut next[column], child).map_or(FOUR, |child| place(ranks[child]))
    })
}

/// The children of a class. `place_of` finds the place of the child that a stone in a column
/// leads to.
fn moves_by(
    side: &OrderedSide,
    class: Class,
    player: Player,
    places: &mut [u32],
    mut place_of: impl FnMut(usize, SideState) -> u32,
) {
    let split = side.split;
    let per_row = split.side_width();
    places.fill(LOSES);
    let rows = side.order.places(class, player);
    for (state, rank) in side.states(class).iter().zip(side.order.all_ranks(class)) {
        let Some(row) = rows.of_rank(*rank) else { continue };
        let places = &mut places[row as usize * per_row..][..per_row];
        let (mut four, mut some) = (false, LOSES);
        for (number, (place, column)) in places.iter_mut().zip(split.side_columns()).enumerate() {
            let Some(child) = state.dropped(split, column, player) else { continue };
            match place_of(number, child) {
                FOUR => four = true,
                LOSES => {}
                child => (*place, some) = (child, child),
            }
        }
        if four {
            places.fill(FOUR);
        } else {
            places.iter_mut().filter(|place| **place == LOSES).for_each(|place| *place = some);
        }
    }
}

/// The places of the same states beside the centre that a stone of this player in the
/// centre leads to: one for each state that tiles hold when this player is to move.
pub(in crate::sweep) fn same_states(
    from: &OrderedSide,
    to: &OrderedSide,
    player: Player,
) -> ByClass<u32> {
    let len = |class| from.order.len(class, player);
    ByClass::new(from.split, len, |class, places| {
        places.fill(FOUR);
        let (rows, of_others) =
            (from.order.places(class, player), to.order.places(class, player.other()));
        let (others, other_ranks) = (to.states(class), to.order.all_ranks(class));
        let mut next = 0;
        for (state, rank) in from.states(class).iter().zip(from.order.all_ranks(class)) {
            let Some(row) = rows.of_rank(*rank) else { continue };
            if let Some(other) = find(others, &mut next, *state) {
                places[row as usize] = of_others.of_rank(other_ranks[other]).unwrap_or(LOSES);
            }
        }
    })
}

/// The number of a state in a sorted list, in which all states before `next` are less.
fn find(sorted: &[SideState], next: &mut usize, state: SideState) -> Option<usize> {
    while sorted.get(*next).is_some_and(|other| *other < state) {
        *next += 1;
    }
    (sorted.get(*next) == Some(&state)).then_some(*next)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::board::Board;
    use crate::index::Census;

    use super::*;
    use crate::sweep::states::{Listing, Scope};

    const SCOPES: [Scope; 2] = [Scope::InDoubt, Scope::EveryCell];

    fn place_of(side: &OrderedSide, class: Class, state: SideState, mover: Player) -> u32 {
        match side.states(class).iter().position(|other| *other == state) {
            None => FOUR,
            Some(number) => side.order.place(class, number, mover).unwrap_or(LOSES),
        }
    }

    /// The slow twin: a move at a time.
    fn by_moves(side: &OrderedSide, class: Class, number: usize, player: Player) -> Vec<u32> {
        let split = side.split;
        let state = side.states(class)[number];
        let child = |column| state.dropped(split, column, player);
        let after = class.plus(Class::one(player));
        let place = |child| place_of(side, after, child, player.other());
        split.side_columns().filter_map(child).map(place).collect()
    }

    #[test]
    fn children_are_found_where_moves_lead() {
        for ((width, height), scope) in [(7, 2), (5, 4), (6, 3), (9, 1), (4, 4), (3, 6)]
            .into_iter()
            .flat_map(|board| SCOPES.map(|scope| (board, scope)))
        {
            let census = Arc::new(Census::new(Board::new(width, height).unwrap()).unwrap());
            let (split, listing) = (census.split(), Listing::new(&census, scope));
            for (centre, player) in census.centres().flat_map(|c| Player::BOTH.map(|p| (c, p))) {
                let side = &*listing.side(centre, census.board().last_tier());
                let all_places = side_moves(side, None, player);
                let ranks = all_ranks(side).unwrap();
                assert_eq!(all_places, side_moves(side, Some(&ranks), player));
                for class in census.classes(centre) {
                    let places = all_places.of(class);
                    if class.stones() == split.side_cells() {
                        assert!(places.is_empty());
                        continue;
                    }
                    let rows = side.order.numbers(class, player);
                    for (number, places) in rows.zip(places.chunks(split.side_width())) {
                        let expected = by_moves(side, class, number as usize, player);
                        if expected.contains(&FOUR) {
                            assert!(scope == Scope::EveryCell);
                            assert!(places.iter().all(|place| *place == FOUR));
                            continue;
                        }
                        let hold = expected.iter().filter(|place| **place != LOSES);
                        assert!(hold.clone().all(|place| places.contains(place)));
                        if hold.count() == 0 {
                            assert!(places.iter().all(|place| *place == LOSES));
                        } else {
                            let known = |place: &u32| *place != LOSES && expected.contains(place);
                            assert!(places.iter().all(known));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn states_are_found_beside_the_next_centre() {
        for (board, scope) in
            ["5x3", "5x4", "4x4", "3x6"].into_iter().flat_map(|b| SCOPES.map(|scope| (b, scope)))
        {
            let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
            let listing = Listing::new(&census, scope);
            for (centre, player) in census.centres().flat_map(|c| Player::BOTH.map(|p| (c, p))) {
                let from = &*listing.side(centre, census.board().last_tier());
                let next = census.centre(centre).after(player, census.board().height());
                for next in next.filter_map(|(_, next)| census.find_centre(next)) {
                    let to = &*listing.side(next, census.board().last_tier());
                    let places = same_states(from, to, player);
                    for class in census.classes(centre) {
                        let numbers = from.order.numbers(class, player);
                        for (number, place) in numbers.zip(places.of(class)) {
                            let state = from.states(class)[number as usize];
                            assert_eq!(*place, place_of(to, class, state, player.other()));
                            assert!(scope == Scope::EveryCell || *place != FOUR);
                            // Whatever is looked at is handed on.
                            let handed_on = to.order.handed_on(class, player) as u32;
                            assert!(*place >= LOSES || *place < handed_on);
                        }
                    }
                }
            }
        }
    }
}
