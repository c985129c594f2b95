//! One bit for each cell of a tier.
//!
//! Both mirror halves are there, though only one is ever computed: a sweep that
//! needs the transpose of a tile finds it as a tile of its own. A stored tile
//! lies next to its mirror image, so that the two can be filled by one thread:
//!
//! ```text
//!     (a,b) (b,a)   (a,c) (c,a)   (d,d)   …     the tiles of all centres
//! ```

use crate::board::Tier;
use crate::index::{Cell, Census, Class, Tile};

use super::{BitMatrix, MatrixShape};

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
pub(super) struct TileWords<'a> {
    pub tile: Tile,
    pub own: &'a mut [u64],
    pub mirrored: &'a mut [u64],
}

impl<'a> Plane<'a> {
    /// A plane with all bits 0.
    pub fn new(census: &'a Census, tier: Tier) -> Plane<'a> {
        let mut plane = Plane { census, tier, words: Vec::new(), starts: Vec::new() };
        plane.reset(tier);
        plane
    }

    /// Sets all bits to 0, for another tier, in the same memory.
    pub(crate) fn reset(&mut self, tier: Tier) {
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

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.tier
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

    /// The bit of a cell; cells of other tiers have none.
    pub fn bit(&self, cell: Cell) -> Option<bool> {
        let matrix = self.tile(cell.tile)?;
        Some(matrix.bit(cell.row as usize, cell.column as usize))
    }

    /// Number of bits that are 1, mirror images counted as two.
    pub fn ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// All stored tiles with their words, the largest first.
    pub(super) fn tiles_mut(&mut self) -> Vec<TileWords<'_>> {
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
pub(super) fn shape(census: &Census, tile: Tile) -> MatrixShape {
    MatrixShape { rows: census.tile_rows(tile), columns: census.tile_columns(tile) }
}
