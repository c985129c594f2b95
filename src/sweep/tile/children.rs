//! Where the children of a tile are, and how they get to its rows.
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

use crate::board::Player;
use crate::files::sealed::WorkingFileError;
use crate::index::{Census, CentreId, Class, Tile};

use crate::sweep::bits::Planes;
use crate::sweep::handoff::{HandedTile, Inputs};

use super::TierTiles;
use super::centre::{CentreSides, Side};
use super::pool::StoredTile;
use super::waiting::Solved;

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
                |child| side_moves(sides.left(), tile.left, mover, next.same_centre(child), shared);
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
            let moves = side_moves(sides.right(), tile.right, mover, child, shared);
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

fn side_moves<'a>(
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

/// The solved tiles of the next tier: those of the same centre, and what was handed on by centres with
/// one stone more.
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
