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
//!
//! Both mirror halves of a tier are there, though only one is ever computed: the transpose of a
//! tile is a tile of its own. A stored tile lies next to its mirror image, so that one thread can
//! fill the two:
//!
//! ```text
//!     (a,b) (b,a)   (a,c) (c,a)   (d,d)   …     the tiles of all centres
//! ```

use rayon::prelude::*;

use crate::board::{Player, Tier};
use crate::index::{Cell, Census, Centre, Class, Index, SideColumn, SideState, Tile};

use crate::sweep::bits::{
    BitMatrix, Extract, MatrixShape, clear_from, ones, or_into, or_transposed,
};
use crate::sweep::states::CrossingLines;

/// The live cells of one tier after another. Two tiers are in memory, with a bit
/// for each cell of both mirror halves.
///
/// ```
/// use strong4::board::Board;
/// use strong4::inside::{index::Index, sweep::ForwardSweep};
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
        self.live.tier
    }

    /// Which cells of the tier are live.
    pub fn live(&self) -> &Plane<'a> {
        &self.live
    }

    /// Whether this cell of the tier is live. Cells of other tiers are unknown.
    pub fn is_live(&self, cell: Cell) -> Option<bool> {
        let matrix = self.live.tile(cell.tile)?;
        Some(matrix.bit(cell.row as usize, cell.column as usize))
    }

    /// The number of live positions of the tier, mirror images counted as two.
    pub fn live_positions(&self) -> u64 {
        self.live.words.iter().map(|word| u64::from(word.count_ones())).sum()
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
        // each parent's row continues from the one before.
        let mut parents_rows: Vec<(SideColumn, usize)> =
            split.side_columns().map(|column| (column, 0)).collect();
        let states = self.index.rows(tile.centre, tile.left);
        for (row, state) in to.chunks_exact_mut(parents.shape().stride()).zip(states) {
            for (column, next) in &mut parents_rows {
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
                self.or_same_sides(parent, parents, tile, to);
            }
        }
    }

    /// Adds the cells of a tile to those with the same sides beside another centre,
    /// which allows fewer sides.
    fn or_same_sides(&self, from_tile: Tile, from: BitMatrix, tile: Tile, to: &mut [u64]) {
        let census = self.index.census();
        let columns = |tile: Tile| self.index.rows(census.reversed(tile.centre), tile.right);
        let mut kept = vec![0; from.shape().stride()];
        for place in places_of(columns(tile), columns(from_tile)) {
            kept[place / 64] |= 1 << (place % 64);
        }
        let extract = Extract::new(&kept);
        let rows = |tile: Tile| self.index.rows(tile.centre, tile.left);
        let stride = shape(census, tile).stride();
        let places = places_of(rows(tile), rows(from_tile));
        for (row, place) in to.chunks_exact_mut(stride).zip(places) {
            extract.or_into(row, from.row(place));
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

/// A bit for each cell of a tier, both mirror halves.
#[derive(Clone, Debug)]
pub struct Plane<'a> {
    census: &'a Census,
    tier: Tier,
    words: Vec<u64>,
    /// The first word of each tile, by centre and left class.
    starts: Vec<usize>,
}

/// A stored tile, its words, and those of its mirror image: none if the tile is
/// its own.
struct TileWords<'a> {
    tile: Tile,
    own: &'a mut [u64],
    mirrored: &'a mut [u64],
}

impl<'a> Plane<'a> {
    /// A plane with all bits 0.
    fn new(census: &'a Census, tier: Tier) -> Plane<'a> {
        let mut plane = Plane { census, tier, words: Vec::new(), starts: Vec::new() };
        plane.reset(tier);
        plane
    }

    /// Sets all bits to 0, for another tier, in the same memory.
    fn reset(&mut self, tier: Tier) {
        let census = self.census;
        let tiles = census.centres().len() * Class::slots(census.split().side_cells());
        self.starts.clear();
        self.starts.resize(tiles, usize::MAX);
        let mut words = 0;
        for tile in census.tiles(tier) {
            for image in [tile, census.mirrored(tile)] {
                let place = self.place(image);
                if self.starts[place] == usize::MAX {
                    self.starts[place] = words;
                    words += shape(census, image).words();
                }
            }
        }
        self.tier = tier;
        self.words.clear();
        self.words.resize(words, 0);
    }

    /// The bits of a tile, stored or mirrored, if the tier has it.
    pub fn tile(&self, tile: Tile) -> Option<BitMatrix<'_>> {
        let start = self.starts[self.place(tile)];
        if start == usize::MAX || self.census.tier(tile) != self.tier {
            return None;
        }
        let shape = shape(self.census, tile);
        Some(BitMatrix::new(&self.words[start..][..shape.words()], shape))
    }

    /// All stored tiles with their words, the largest first.
    fn tiles_mut(&mut self) -> Vec<TileWords<'_>> {
        let census = self.census;
        let mut rest = &mut self.words[..];
        let mut tiles: Vec<TileWords> = census
            .tiles(self.tier)
            .map(|tile| {
                let mut take = |words| rest.split_off_mut(..words).expect("the words of a tile");
                let own = take(shape(census, tile).words());
                let images = census.tile_images(tile);
                let mirrored =
                    if images == 2 { shape(census, census.mirrored(tile)).words() } else { 0 };
                TileWords { tile, own, mirrored: take(mirrored) }
            })
            .collect();
        tiles.sort_by_key(|tile| std::cmp::Reverse(tile.own.len()));
        tiles
    }

    fn place(&self, tile: Tile) -> usize {
        let slots = Class::slots(self.census.split().side_cells());
        tile.centre.index() * slots + tile.left.slot()
    }
}

/// The shape of a tile as a matrix.
fn shape(census: &Census, tile: Tile) -> MatrixShape {
    MatrixShape { rows: census.tile_rows(tile), columns: census.tile_columns(tile) }
}

/// The fours of one colour in a tile, with cells on both sides.
struct CrossingFours {
    lines: CrossingLines,
    player: Player,
    centre: Centre,
    /// For each demand, the right sides that meet it.
    met: Vec<u64>,
    stride: usize,
}

impl CrossingFours {
    fn new(index: &Index, tile: Tile, player: Player) -> CrossingFours {
        let census = index.census();
        let split = census.split();
        let centre = census.centre(tile.centre);
        let lines = CrossingLines::of(split);
        let states = index.rows(census.reversed(tile.centre), tile.right);
        let stride = states.len().div_ceil(64);
        let mut met = vec![0; lines.demand_count() * stride];
        for (column, state) in states.iter().enumerate() {
            for demand in ones(lines.held(*state, player)) {
                met[demand * stride + column / 64] |= 1 << (column % 64);
            }
        }
        CrossingFours { lines, player, centre, met, stride }
    }

    /// Clears, in a row of the tile, the right sides that complete a four with this left side.
    fn clear_from_row(&self, left: SideState, row: &mut [u64]) {
        for demand in ones(self.lines.demanded(self.centre, left, self.player)) {
            clear_from(row, &self.met[demand * self.stride..][..self.stride]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::index::Cell;

    use super::*;

    #[test]
    fn rows_of_demands_find_the_fours_of_each_cell() {
        for board in ["5x4", "4x4", "6x3", "7x2", "3x4", "2x3", "1x4", "7x1"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            for tile in census.tiers().flat_map(|tier| census.tiles(tier)) {
                for player in Player::BOTH {
                    let fours = CrossingFours::new(&index, tile, player);
                    for (row, left) in index.rows(tile.centre, tile.left).iter().enumerate() {
                        let columns = census.tile_columns(tile);
                        let mut clean = vec![u64::MAX; columns.div_ceil(64)];
                        fours.clear_from_row(*left, &mut clean);
                        for column in 0..columns {
                            let cell = Cell { tile, row: row as u32, column: column as u32 };
                            let found = clean[column / 64] >> (column % 64) & 1 == 0;
                            assert_eq!(found, index.has_crossing_four_of(cell, player));
                        }
                    }
                }
            }
        }
    }
}
