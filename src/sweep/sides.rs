//! All that is found once for a centre and serves all its tiles: how the states
//! of both sides stand, their labels, and where moves lead.

use std::sync::{Arc, OnceLock};

use crate::board::Player;
use crate::index::{CentreId, Class, Index};

use super::by_class::by_class;
use super::column_bits::ColumnBits;
use super::crossing::CrossingLines;
use super::labels::{Kinds, SideLabels};
use super::places::{OrderedSide, all_ranks, same_states, side_moves};
use super::row_labels::RowLabels;
use super::side_order::SideOrder;

/// For each class of a side, by slot, one list for each player who may move.
type ByClass = Vec<[Box<[u32]>; 2]>;

/// Both sides of a centre.
pub(super) struct CentreSides {
    lines: CrossingLines,
    left: Side,
    /// None, if the centre looks the same from the right.
    right: Option<Side>,
    /// By player.
    moves: [Vec<CentreMove>; 2],
    /// By player: does a stone of his in the centre make a four there?
    wins_upright: [bool; 2],
}

/// One side of a centre.
pub(super) struct Side {
    pub order: Arc<SideOrder>,
    pub labels: SideLabels,
    /// How many places each state has.
    pub per_row: usize,
    moves: ByClass,
    /// By class slot and player to move, once a tile has asked for them.
    rows: Vec<[OnceLock<RowLabels>; 2]>,
    columns: Vec<[OnceLock<ColumnBits>; 2]>,
}

impl Side {
    /// The labels of the states of a class that tiles hold when this player is to move.
    pub fn rows(&self, class: Class, mover: Player) -> &RowLabels {
        let rows = &self.rows[class.slot()][mover.index()];
        rows.get_or_init(|| RowLabels::new(&self.order, &self.labels, class, mover))
    }

    /// The children of the states of a class that is not full: [`side_moves`].
    pub fn moves(&self, class: Class, player: Player) -> &[u32] {
        &self.moves[class.slot()][player.index()]
    }
}

/// A stone in the centre, and where the states of both sides are after it.
pub(super) struct CentreMove {
    /// The centre that it leads to.
    pub centre: CentreId,
    left: Vec<Box<[u32]>>,
    /// None, if all looks the same from the right.
    right: Option<Vec<Box<[u32]>>>,
}

impl CentreMove {
    /// The places of left states: [`same_states`].
    pub fn left(&self, class: Class) -> &[u32] {
        &self.left[class.slot()]
    }

    /// The places of right states.
    pub fn right(&self, class: Class) -> &[u32] {
        &self.right.as_ref().unwrap_or(&self.left)[class.slot()]
    }
}

impl CentreSides {
    /// Both sides of a centre; `order` knows how the states stand beside each centre.
    pub fn new(
        index: &Index,
        kinds: &Kinds,
        centre: CentreId,
        order: &(impl Fn(CentreId) -> Arc<SideOrder> + Sync),
    ) -> CentreSides {
        let census = index.census();
        let reversed = census.reversed(centre);
        let side = |centre| Side::new(index, kinds, centre, order(centre));
        let moves = Player::BOTH.map(|player| {
            let after = census.centre(centre).after(player, census.board().height());
            let after = after.filter_map(|(_, after)| census.find_centre(after));
            let centre_move = |after| {
                let (left, right) = ([centre, after], [reversed, census.reversed(after)]);
                CentreMove {
                    centre: after,
                    left: beside(index, left, player, order),
                    right: (left != right).then(|| beside(index, right, player, order)),
                }
            };
            after.map(centre_move).collect()
        });
        CentreSides {
            lines: CrossingLines::of(census.split()),
            left: side(centre),
            right: (reversed != centre).then(|| side(reversed)),
            moves,
            wins_upright: Player::BOTH.map(|player| {
                let mut after = census.centre(centre).after(player, census.board().height());
                after.any(|(column, _)| column.has_four())
            }),
        }
    }

    /// Does a stone of this player in the centre make a four there?
    pub fn wins_upright(&self, player: Player) -> bool {
        self.wins_upright[player.index()]
    }

    /// The bit rows of the states of a class that tiles have as columns when this player
    /// is to move.
    pub fn columns(&self, kinds: &Kinds, class: Class, mover: Player) -> &ColumnBits {
        let Side { order, labels, columns, .. } = self.right();
        let columns = &columns[class.slot()][mover.index()];
        columns.get_or_init(|| ColumnBits::new(kinds, self.lines, order, labels, class, mover))
    }

    pub fn left(&self) -> &Side {
        &self.left
    }

    pub fn right(&self) -> &Side {
        self.right.as_ref().unwrap_or(&self.left)
    }

    /// The stones in the centre that this player can play, and that some game goes on after.
    pub fn centre_moves(&self, player: Player) -> &[CentreMove] {
        &self.moves[player.index()]
    }
}

impl Side {
    fn new(index: &Index, kinds: &Kinds, centre: CentreId, order: Arc<SideOrder>) -> Side {
        let split = index.census().split();
        let side = OrderedSide { index, centre, order: &order };
        let ranks = all_ranks(side);
        let of_class = |class: Class| {
            let open = class.stones() < split.side_cells();
            Player::BOTH.map(|player| {
                if open { side_moves(side, ranks.as_ref(), class, player) } else { Box::default() }
            })
        };
        let moves = by_class(index, centre, of_class);
        let labels = SideLabels::new(index, kinds, centre, &order);
        let slots = moves.len();
        Side {
            labels,
            per_row: split.side_width(),
            moves,
            order,
            rows: (0..slots).map(|_| Default::default()).collect(),
            columns: (0..slots).map(|_| Default::default()).collect(),
        }
    }
}

/// Where the states beside a centre are beside another one, class by class.
pub(super) fn beside(
    index: &Index,
    [from, to]: [CentreId; 2],
    player: Player,
    order: &impl Fn(CentreId) -> Arc<SideOrder>,
) -> Vec<Box<[u32]>> {
    let orders = [from, to].map(order);
    let side =
        |number: usize| OrderedSide { index, centre: [from, to][number], order: &orders[number] };
    let [from_side, to_side] = [side(0), side(1)];
    by_class(index, from, |class| same_states(from_side, to_side, class, player))
}
