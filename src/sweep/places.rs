//! Where the states of a tile find their children: places in the tile of the
//! next tier.
//!
//! A move keeps the order of the states, so their lists are walked forward.
//! Instead of a place there may be one of two special values:
//!
//! ```text
//!     FOUR      the move makes a four
//!     LOSES     the opponent wins at once, so that the child has no cells
//! ```

use crate::board::Player;
use crate::index::{CentreId, Class, Index, SideState, Split};

use super::by_state::ByState;
use super::side_order::SideOrder;

/// The move makes a four: its player has won.
pub(super) const FOUR: u32 = u32::MAX;

/// The opponent completes a four at once: the best that can be said of the move is
/// that others may be better.
pub(super) const LOSES: u32 = u32::MAX - 1;

/// A side beside a centre: the states, and the order in which they stand.
#[derive(Clone, Copy)]
pub(super) struct OrderedSide<'a> {
    pub index: &'a Index,
    pub centre: CentreId,
    pub order: &'a SideOrder,
}

impl<'a> OrderedSide<'a> {
    fn states(self, class: Class) -> &'a [SideState] {
        self.index.rows(self.centre, class)
    }
}

/// Where each state beside a centre stands among all of its class, if there is a table.
pub(super) fn all_ranks(side: OrderedSide) -> Option<ByState> {
    let census = side.index.census();
    let mut ranks = ByState::new(census.split())?;
    for class in census.classes(side.centre) {
        for (state, rank) in side.states(class).iter().zip(side.order.all_ranks(class)) {
            ranks.set(*state, *rank);
        }
    }
    Some(ranks)
}

/// The children by a move of this player on this side: `split.side_width()` places for
/// each state that tiles hold when he is to move. Moves that are not possible, or
/// lose at once, repeat another one of the same state that does not, if there is
/// one; a state with a move that makes a four has no other.
///
/// The class must not be full.
pub(super) fn side_moves(
    side: OrderedSide,
    ranks: Option<&ByState>,
    class: Class,
    player: Player,
) -> Box<[u32]> {
    let after = class.plus(Class::one(player));
    let place = |rank| side.order.place_of_rank(after, rank, player.other()).unwrap_or(LOSES);
    if let Some(ranks) = ranks {
        return moves_by(side, class, player, |_, child| ranks.get(child).map_or(FOUR, place));
    }
    let (children, ranks) = (side.states(after), side.order.all_ranks(after));
    let mut next = [0; Split::MOST_SIDE_COLUMNS];
    moves_by(side, class, player, |column, child| {
        find(children, &mut next[column], child).map_or(FOUR, |child| place(ranks[child]))
    })
}

/// The children of a class, found by whatever knows the place of the child that a stone
/// in a column leads to.
fn moves_by(
    side: OrderedSide,
    class: Class,
    player: Player,
    mut place_of: impl FnMut(usize, SideState) -> u32,
) -> Box<[u32]> {
    let split = side.index.census().split();
    let per_row = split.side_width();
    let mut places = vec![LOSES; side.order.len(class, player) * per_row];
    for (number, state) in side.states(class).iter().enumerate() {
        let Some(row) = side.order.place(class, number, player) else { continue };
        let places = &mut places[row as usize * per_row..][..per_row];
        let (mut four, mut some) = (false, LOSES);
        for (number, (place, column)) in places.iter_mut().zip(split.side_columns()).enumerate() {
            let code = state.column(split, column);
            if code.stones() == split.board().height() {
                continue;
            }
            match place_of(number, state.with_column(split, column, code.dropped(player))) {
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
    places.into()
}

/// The places of the same states beside the centre that a stone of this player in the
/// centre leads to: one for each state that tiles hold when he is to move.
pub(super) fn same_states(
    from: OrderedSide,
    to: OrderedSide,
    class: Class,
    player: Player,
) -> Box<[u32]> {
    let (states, others) = (from.states(class), to.states(class));
    let mut places = vec![FOUR; from.order.len(class, player)];
    let mut next = 0;
    for (number, state) in states.iter().enumerate() {
        let Some(row) = from.order.place(class, number, player) else { continue };
        if let Some(child) = find(others, &mut next, *state) {
            let place = to.order.place(class, child, player.other());
            places[row as usize] = place.unwrap_or(LOSES);
        }
    }
    places.into()
}

/// The number of a state in a sorted list, of which what lies before `next` is less.
fn find(sorted: &[SideState], next: &mut usize, state: SideState) -> Option<usize> {
    while sorted.get(*next).is_some_and(|other| *other < state) {
        *next += 1;
    }
    (sorted.get(*next) == Some(&state)).then_some(*next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::index::SideColumn;
    use crate::sweep::Scope;
    use crate::sweep::groups::groups;

    const SCOPES: [Scope; 2] = [Scope::InDoubt, Scope::EveryCell];

    fn place_of(side: OrderedSide, class: Class, state: SideState, mover: Player) -> u32 {
        match side.states(class).iter().position(|other| *other == state) {
            None => FOUR,
            Some(number) => side.order.place(class, number, mover).unwrap_or(LOSES),
        }
    }

    /// The slow twin: a move at a time.
    fn by_moves(side: OrderedSide, class: Class, number: usize, player: Player) -> Vec<u32> {
        let split = side.index.census().split();
        let state = side.states(class)[number];
        let child = |column: SideColumn| {
            let code = state.column(split, column);
            (code.stones() < split.board().height())
                .then(|| state.with_column(split, column, code.dropped(player)))
        };
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
            let index = Index::new(Board::new(width, height).unwrap()).unwrap();
            let (census, split) = (index.census(), index.census().split());
            for centre in census.centres() {
                let order = SideOrder::new(&index, centre, scope, &groups(&index, centre));
                let side = OrderedSide { index: &index, centre, order: &order };
                let open = census.classes(centre).filter(|c| c.stones() < split.side_cells());
                for (class, player) in open.flat_map(|c| Player::BOTH.map(|player| (c, player))) {
                    let places = side_moves(side, None, class, player);
                    let ranks = all_ranks(side).unwrap();
                    assert_eq!(places, side_moves(side, Some(&ranks), class, player));
                    let rows = order.numbers(class, player);
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
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            let orders: Vec<SideOrder> = census
                .centres()
                .map(|c| SideOrder::new(&index, c, scope, &groups(&index, c)))
                .collect();
            let beside = |centre: CentreId| OrderedSide {
                index: &index,
                centre,
                order: &orders[centre.index()],
            };
            for (centre, player) in census.centres().flat_map(|c| Player::BOTH.map(|p| (c, p))) {
                let from = beside(centre);
                let next = census.centre(centre).after(player, index.board().height());
                for next in next.filter_map(|(_, next)| census.find_centre(next)) {
                    for class in census.classes(centre) {
                        let places = same_states(from, beside(next), class, player);
                        let numbers = from.order.numbers(class, player);
                        for (number, place) in numbers.zip(&places) {
                            let state = from.states(class)[number as usize];
                            let to = beside(next);
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
