//! Everything that is computed once per centre for all its tiles: the order of the states
//! of both sides, their labels, and where moves lead. So it tells where the children of a tile are,
//! and how they get to its rows.
//!
//! Only one of two mirror images is stored, so a child may be there as it is or
//! turned. We need a tile with our columns, to fold its rows into ours, or one
//! with our rows, to fold its columns into ours:
//!
//! ```text
//!                     stored as it is              stored as its mirror image
//!     left move       as stored                    by rows, after turning
//!     right move      by columns, after turning    (never: see below)
//!     centre move     by columns, after turning    by rows, after turning
//! ```
//!
//! A right child has a larger right class than the tile. So if the tile is the
//! stored one of two mirror images, so is the child.

use std::sync::{Arc, OnceLock};

use crate::board::{Player, Tier};
use crate::files::sealed::WorkingFileError;
use crate::index::{ByClass, Census, CentreId, Class, Tile};

use crate::sweep::bits::Planes;
use crate::sweep::handoff::{HandedTile, Inputs};
use crate::sweep::states::{
    CrossingLines, Listing, OrderTypes, OrderedSide, RowLabels, SideLabels, SideOrder, all_ranks,
    same_states, side_moves,
};

use super::TierTiles;
use super::masks::{ColumnBits, Labelling};
use super::waiting::{Solved, StoredTile};

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

/// How all moves of a tile are made.
#[derive(Default)]
pub(super) struct MovePlan<'a> {
    /// Children whose rows are taken as they are.
    pub as_stored: Option<Moves<'a>>,
    /// Children that share the rows of the tile and are folded by columns: those of a
    /// move on the right, then those of moves in the centre.
    pub by_columns: [Option<Moves<'a>>; 3],
    /// Children whose rows are the columns of the tile, and are folded by rows.
    pub by_rows: [Option<Moves<'a>>; 3],
}

/// Moves that lead to one tile of children.
#[derive(Clone, Copy)]
pub(super) struct Moves<'a> {
    pub child: Child<'a>,
    /// The children of each row, or column, that is folded.
    pub places: &'a [u32],
    /// How many children each has.
    pub per_row: usize,
}

/// A tile of children, and which of its lines are looked at.
#[derive(Clone, Copy)]
pub(super) enum Child<'a> {
    /// None of the moves leads to a cell.
    Nothing,
    /// Beside the same centre. Its first lines, this many, are ours.
    SameCentre(StoredTile<'a>, usize),
    /// Handed on, block by block. For each of our lines, its place among those of the tile: all
    /// that matters is whether it has one.
    Handed(HandedTile<'a>, &'a [u32]),
}

impl<'a> MovePlan<'a> {
    /// Plans the moves of a tile that is not won in the centre.
    pub(super) fn make(
        census: &Census,
        sides: &'a CentreSides,
        tile: Tile,
        mover: Player,
        next: &'a NextTier<'a>,
    ) -> Result<MovePlan<'a>, WorkingFileError> {
        let mut plan = MovePlan::default();
        for (number, centre) in (1..).zip(sides.centre_moves(mover)) {
            let child = Tile { centre: centre.centre, ..tile };
            let (left, right) = (centre.left(tile.left), centre.right(tile.right));
            if census.is_stored(child) {
                let columns = centre.columns_handed_on(tile, true);
                let child = Child::Handed(next.handed_on(child, tile.centre, columns)?, left);
                plan.by_columns[number] = Some(Moves { child, places: right, per_row: 1 });
            } else {
                let (image, to) = (census.mirrored(child), census.reversed(tile.centre));
                let columns = centre.columns_handed_on(tile, false);
                let child = Child::Handed(next.handed_on(image, to, columns)?, right);
                plan.by_rows[number] = Some(Moves { child, places: left, per_row: 1 });
            }
        }
        let (one, full) = (Class::one(mover), census.split().side_cells());
        if tile.left.stones() < full {
            let child = Tile { left: tile.left.plus(one), ..tile };
            let shared = sides.right().order().shared(tile.right);
            let moves =
                |child| moves_on(sides.left(), tile.left, mover, next.same_centre(child), shared);
            if census.is_stored(child) {
                plan.as_stored = Some(moves(child));
            } else {
                plan.by_rows[0] = Some(moves(census.mirrored(child)));
            }
        }
        if tile.right.stones() < full {
            let child = Tile { right: tile.right.plus(one), ..tile };
            debug_assert!(census.is_stored(child));
            let shared = sides.left().order().shared(tile.left);
            let child = next.same_centre(child);
            let moves = moves_on(sides.right(), tile.right, mover, child, shared);
            plan.by_columns[0] = Some(moves);
        }
        Ok(plan)
    }
}

/// Whether each cell of a tile is won by a stone in the centre.
pub(super) fn is_won_in_the_centre(
    census: &Census,
    sides: &CentreSides,
    tile: Tile,
    mover: Player,
) -> bool {
    let child = |centre| Tile { centre, ..tile };
    let mut moves = sides.centre_moves(mover).iter();
    sides.wins_upright(mover) || moves.any(|to| census.tile_cells(child(to.centre)) == 0)
}

/// The moves on a side from the states of a class.
fn moves_on<'a>(
    side: &'a Side,
    class: Class,
    mover: Player,
    child: Option<StoredTile<'a>>,
    shared: usize,
) -> Moves<'a> {
    let child = child.filter(|child| child.panels().shape.rows > 0);
    let child = child.map_or(Child::Nothing, |child| Child::SameCentre(child, shared));
    Moves { child, places: side.moves(class, mover), per_row: side.per_row }
}

/// The solved tiles of the next tier: those of the same centre, and what was handed on by centres
/// with one stone more.
pub(in crate::sweep) struct NextTier<'a> {
    pub inputs: &'a Inputs<'a>,
    pub same_centre: SameCentre<'a>,
    pub planes: Planes,
}

/// The solved tiles of the same centre: the whole tier, or the children of one tile.
pub(in crate::sweep) enum SameCentre<'a> {
    Tier(&'a TierTiles),
    Tiles(&'a [Option<(Tile, Solved<'a>)>; 2]),
}

impl NextTier<'_> {
    /// A stored tile of the same centre, if the tier has it.
    fn same_centre(&self, tile: Tile) -> Option<StoredTile<'_>> {
        match &self.same_centre {
            SameCentre::Tier(tier) => tier.tile(tile).map(StoredTile::Plain),
            SameCentre::Tiles(tiles) => {
                let (_, found) = tiles.iter().flatten().find(|(other, _)| *other == tile)?;
                Some(found.tile())
            }
        }
    }

    /// A stored tile that was handed on to this centre, which must have this many columns.
    fn handed_on(
        &self,
        tile: Tile,
        to: CentreId,
        columns: usize,
    ) -> Result<HandedTile<'_>, WorkingFileError> {
        self.inputs.tile(tile, Some(to))?.with_columns(columns, self.planes.count())
    }
}
