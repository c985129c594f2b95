//! The forward sweep: which cells are live, tier by tier from the empty board.
//!
//! A cell is live if a game reaches it and goes on. Looking back one move:
//!
//! ```text
//!     live(cell) = the last mover has no four
//!                  and live(cell without a top stone of the last mover), for one of them
//! ```
//!
//! A four of the other player needs no look: the parent, which has it too,
//! would not be live. Nor do fours on one side of the board, since the tile has
//! no such cells; that leaves the fours across the centre.
//!
//! Only the live cells of the tier before are needed. Moves on the left are rows
//! of a parent tile, and moves on the right are the same in the mirror image,
//! turned. Moves in the centre are rows of the tile beside the centre without the
//! stone, from which the columns that allow the stone are picked.

use rayon::prelude::*;

use crate::board::{Player, Tier};
use crate::index::{Cell, Class, Index, SideColumn, SideState, Tile};

use super::compress::Compress;
use super::crossing::CrossingFours;
use super::matrix::or_into;
use super::plane::{TileWords, shape};
use super::transpose::or_transposed;
use super::{BitMatrix, Plane};

/// The live cells of one tier after another. Two tiers are in memory, with a bit
/// for each cell of both mirror halves.
///
/// ```
/// use strong4::{board::Board, index::Index, sweep::ForwardSweep};
///
/// let index = Index::new(Board::new(4, 4)?)?;
/// let mut sweep = ForwardSweep::new(&index);
/// let mut live = vec![sweep.live_positions()];
/// while sweep.advance() {
///     live.push(sweep.live_positions());
/// }
/// assert_eq!(live[..6], [1, 4, 16, 52, 160, 436]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ForwardSweep<'a> {
    index: &'a Index,
    live: Plane<'a>,
    /// The memory of the tier before, to be reused.
    spare: Plane<'a>,
}

impl<'a> ForwardSweep<'a> {
    /// The sweep at tier 0, whose one position is live.
    pub fn new(index: &'a Index) -> ForwardSweep<'a> {
        let plane = Plane::new(index.census(), Tier(0));
        let mut sweep = ForwardSweep { index, live: plane.clone(), spare: plane };
        for tile in sweep.live.tiles_mut() {
            tile.own[0] = 1;
        }
        sweep
    }

    /// The tier that the sweep has reached.
    pub fn tier(&self) -> Tier {
        self.live.tier()
    }

    /// Which cells of the tier are live.
    pub fn live(&self) -> &Plane<'a> {
        &self.live
    }

    /// Is this cell of the tier live? Cells of other tiers are unknown.
    pub fn is_live(&self, cell: Cell) -> Option<bool> {
        self.live.bit(cell)
    }

    /// The number of live positions of the tier, mirror images counted as two.
    pub fn live_positions(&self) -> u64 {
        self.live.ones()
    }

    /// Goes on to the next tier, if there is one.
    pub fn advance(&mut self) -> bool {
        let last_mover = self.tier().mover();
        if self.tier() == self.index.board().last_tier() {
            return false;
        }
        self.spare.reset(self.tier().next_unchecked());
        let step = Step { index: self.index, parents: &self.live, last_mover };
        let tiles = self.spare.tiles_mut();
        tiles.into_par_iter().with_max_len(1).for_each(|tile| step.fill(tile));
        std::mem::swap(&mut self.live, &mut self.spare);
        true
    }
}

/// The step to one tier from the one before.
struct Step<'a> {
    index: &'a Index,
    parents: &'a Plane<'a>,
    last_mover: Player,
}

impl Step<'_> {
    /// Finds the live cells of a tile and of its mirror image, all bits of which are 0.
    fn fill(&self, TileWords { tile, own, mirrored }: TileWords) {
        let census = self.index.census();
        let image = census.mirrored(tile);
        let (shape, image_shape) = (shape(census, tile), shape(census, image));

        self.or_left_moves(tile, own);
        if tile == image {
            let left_moves = own.to_vec();
            or_transposed(&left_moves, shape, own);
        } else {
            self.or_left_moves(image, mirrored);
            or_transposed(mirrored, image_shape, own);
        }
        self.or_centre_moves(tile, own);

        let fours = CrossingFours::new(self.index, tile, self.last_mover);
        let states = self.index.rows(tile.centre, tile.left);
        for (row, state) in own.chunks_exact_mut(shape.stride()).zip(states) {
            fours.clear_from_row(*state, row);
        }
        if tile != image {
            mirrored.fill(0);
            or_transposed(own, shape, mirrored);
        }
    }

    /// Adds the cells to which a move on the left side leads from a live one.
    fn or_left_moves(&self, tile: Tile, to: &mut [u64]) {
        let Some(left) = tile.left.minus(Class::one(self.last_mover)) else { return };
        let Some(parents) = self.parents.tile(Tile { left, ..tile }) else { return };
        let split = self.index.census().split();
        let parent_states = self.index.rows(tile.centre, left);
        // Lifting a stone of a column keeps the order of the states, so the search for
        // each parent's row goes on from the one before.
        let mut lifts: Vec<(SideColumn, usize)> =
            split.side_columns().map(|column| (column, 0)).collect();
        let states = self.index.rows(tile.centre, tile.left);
        for (row, state) in to.chunks_exact_mut(parents.shape().stride()).zip(states) {
            for (column, next) in &mut lifts {
                let code = state.column(split, *column);
                let Some(lifted) = code.lifted().filter(|_| code.top() == Some(self.last_mover))
                else {
                    continue;
                };
                let parent = state.with_column(split, *column, lifted);
                *next += place_of(parent, &parent_states[*next..]);
                or_into(row, parents.row(*next));
            }
        }
    }

    /// Adds the cells to which a move in the centre leads from a live one.
    fn or_centre_moves(&self, tile: Tile, to: &mut [u64]) {
        let census = self.index.census();
        for (_, parent) in census.centre(tile.centre).before(self.last_mover) {
            let parent = census.find_centre(parent).expect("a centre with a stone less");
            let parent = Tile { centre: parent, ..tile };
            if let Some(parents) = self.parents.tile(parent) {
                self.or_rows_beside(parent, parents, tile, to);
            }
        }
    }

    /// Adds the cells of a tile to those with the same sides beside another centre,
    /// which allows fewer sides.
    fn or_rows_beside(&self, from_tile: Tile, from: BitMatrix, tile: Tile, to: &mut [u64]) {
        let census = self.index.census();
        let columns = |tile: Tile| self.index.rows(census.reversed(tile.centre), tile.right);
        let mut kept = vec![0; from.shape().stride()];
        for place in places_of(columns(tile), columns(from_tile)) {
            kept[place / 64] |= 1 << (place % 64);
        }
        let compress = Compress::new(&kept);
        let rows = |tile: Tile| self.index.rows(tile.centre, tile.left);
        let stride = shape(census, tile).stride();
        let places = places_of(rows(tile), rows(from_tile));
        for (row, place) in to.chunks_exact_mut(stride).zip(places) {
            compress.or_into(row, from.row(place));
        }
    }
}

/// The place of a state in a sorted list that has it.
fn place_of(state: SideState, among: &[SideState]) -> usize {
    let place = among.iter().position(|other| *other >= state);
    let place = place.expect("taking a stone away makes no four");
    debug_assert_eq!(among[place], state);
    place
}

/// The places of sorted states in a longer sorted list.
fn places_of<'a>(
    states: &'a [SideState],
    among: &'a [SideState],
) -> impl Iterator<Item = usize> + 'a {
    states.iter().scan(0, move |next, state| {
        *next += place_of(*state, &among[*next..]);
        Some(*next)
    })
}
