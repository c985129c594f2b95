//! Everything that is computed once per centre for all its tiles: the order of the states
//! of both sides, their labels, and where moves lead.

use std::sync::{Arc, OnceLock};

use crate::board::{Player, Tier};
use crate::index::{ByClass, Census, CentreId, Class, Tile};

use crate::sweep::states::{
    CrossingLines, Listing, OrderTypes, OrderedSide, RowLabels, SideLabels, SideOrder, all_ranks,
    same_states, side_moves,
};

use super::masks::{ColumnBits, Labelling};

/// Both sides of a centre.
pub(in crate::sweep) struct CentreSides {
    lines: CrossingLines,
    left: Side,
    /// `None` if the centre looks the same from the right.
    right: Option<Side>,
    /// By player.
    moves: [Vec<CentreMove>; 2],
    /// By player: whether a stone of that player in the centre makes a four there.
    wins_upright: [bool; 2],
}

/// One side of a centre.
pub(in crate::sweep) struct Side {
    states: Arc<OrderedSide>,
    pub labels: SideLabels,
    /// Number of places that each state has.
    pub per_row: usize,
    /// By player who moves.
    moves: [ByClass<u32>; 2],
    /// By class slot and player to move, once a tile has asked for them.
    rows: Vec<[OnceLock<RowLabels>; 2]>,
    columns: Vec<[OnceLock<ColumnBits>; 2]>,
}

impl Side {
    fn new(census: &Census, order_types: &OrderTypes, states: Arc<OrderedSide>) -> Side {
        let split = census.split();
        let ranks = all_ranks(&states);
        let slots = Class::slots(split.side_cells());
        Side {
            labels: SideLabels::new(census, order_types, &states),
            per_row: split.side_width(),
            moves: Player::BOTH.map(|player| side_moves(&states, ranks.as_ref(), player)),
            states,
            rows: (0..slots).map(|_| Default::default()).collect(),
            columns: (0..slots).map(|_| Default::default()).collect(),
        }
    }

    /// Its states.
    pub(crate) fn states(&self) -> &OrderedSide {
        &self.states
    }

    /// The order of its states.
    pub(crate) fn order(&self) -> &SideOrder {
        &self.states.order
    }

    /// The labels of the states of a class that tiles hold when this player is to move.
    pub(crate) fn rows(
        &self,
        class: Class,
        mover: Player,
        labelling: &mut Labelling,
    ) -> &RowLabels {
        let (order, numbering) = (self.order(), &mut labelling.numbering);
        let rows = &self.rows[class.slot()][mover.index()];
        rows.get_or_init(|| RowLabels::new(order, &self.labels, class, mover, numbering))
    }

    /// The children of the states of a class: [`side_moves`].
    pub(crate) fn moves(&self, class: Class, player: Player) -> &[u32] {
        self.moves[player.index()].of(class)
    }
}

/// A stone in the centre, and where the states of both sides are after it.
pub(in crate::sweep) struct CentreMove {
    /// The centre that it leads to.
    pub centre: CentreId,
    player: Player,
    left: MovedSide,
    /// `None` if all looks the same from the right.
    right: Option<MovedSide>,
}

/// A side beside the centre that a stone leads to.
struct MovedSide {
    states: Arc<OrderedSide>,
    /// Where the states of the side before are: [`same_states`].
    places: ByClass<u32>,
}

impl CentreMove {
    /// The places of left states.
    pub(crate) fn left(&self, class: Class) -> &[u32] {
        self.left.places.of(class)
    }

    /// The places of right states.
    pub(crate) fn right(&self, class: Class) -> &[u32] {
        self.right_side().places.of(class)
    }

    fn right_side(&self) -> &MovedSide {
        self.right.as_ref().unwrap_or(&self.left)
    }

    /// How many columns of the child of a tile are handed on, counted from its first: of the child
    /// itself if it is stored, or else of its mirror image.
    pub(crate) fn columns_handed_on(&self, tile: Tile, is_stored: bool) -> usize {
        let [left, right] = [(&self.left, tile.left), (self.right_side(), tile.right)];
        let [rows, columns] = if is_stored { [left, right] } else { [right, left] };
        let has_rows = rows.0.states.order.len(rows.1, self.player.other()) > 0;
        if has_rows { columns.0.states.order.handed_on(columns.1, self.player) } else { 0 }
    }
}

impl CentreSides {
    /// Both sides of a centre, with what tiles have up to this tier.
    pub(crate) fn new(
        census: &Census,
        order_types: &OrderTypes,
        centre: CentreId,
        listing: &Listing,
        last: Tier,
    ) -> CentreSides {
        let reversed = census.reversed(centre);
        let of = [centre, reversed].map(|centre| listing.side(centre, last));
        let moves = Player::BOTH.map(|player| {
            let after = census.centre(centre).after(player, census.board().height());
            let after = after.filter_map(|(_, after)| census.find_centre(after));
            let centre_move = |after| {
                let (left, right) = ([centre, after], [reversed, census.reversed(after)]);
                let moved = |[from, to]: [CentreId; 2]| {
                    let from = &of[usize::from(from != centre)];
                    let states = listing.side(to, last);
                    let places = same_states(from, &states, player);
                    MovedSide { states, places }
                };
                CentreMove {
                    centre: after,
                    player,
                    left: moved(left),
                    right: (left != right).then(|| moved(right)),
                }
            };
            after.map(centre_move).collect()
        });
        CentreSides {
            lines: CrossingLines::of(census.split()),
            left: Side::new(census, order_types, of[0].clone()),
            right: (reversed != centre).then(|| Side::new(census, order_types, of[1].clone())),
            moves,
            wins_upright: Player::BOTH.map(|player| {
                let mut after = census.centre(centre).after(player, census.board().height());
                after.any(|(column, _)| column.has_four())
            }),
        }
    }

    /// Whether a stone of this player in the centre makes a four there.
    pub(crate) fn wins_upright(&self, player: Player) -> bool {
        self.wins_upright[player.index()]
    }

    /// The bit rows of the states of a class that are columns of tiles when this player is
    /// to move.
    pub(crate) fn columns(
        &self,
        order_types: &OrderTypes,
        class: Class,
        mover: Player,
        labelling: &mut Labelling,
    ) -> &ColumnBits {
        let right = self.right();
        let (order, labels) = (right.order(), &right.labels);
        let columns = &right.columns[class.slot()][mover.index()];
        columns.get_or_init(|| {
            ColumnBits::new(order_types, self.lines, order, labels, class, mover, labelling)
        })
    }

    pub(crate) fn left(&self) -> &Side {
        &self.left
    }

    pub(crate) fn right(&self) -> &Side {
        self.right.as_ref().unwrap_or(&self.left)
    }

    /// The stones that this player can drop in the centre and after which some game goes on.
    pub(crate) fn centre_moves(&self, player: Player) -> &[CentreMove] {
        &self.moves[player.index()]
    }
}
