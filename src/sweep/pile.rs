//! A pile: what a centre hands on to one other, tile by tile.
//!
//! ```text
//!     centre ── tiles of every other tier, lines in the order of the reader ──► one other centre
//! ```
//!
//! A tile is found by its classes, which distinguish the tiles of a centre in a tier. Its lines lie
//! in blocks, and a pile records where these are. It has a single reader, which reads each
//! block once.

use std::ops::Range;

use crate::index::{CentreId, Tile};

/// The name of a pile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PileName {
    /// The centre that hands on, as it is stored.
    pub from: CentreId,
    /// The centre that reads it; `None` if its tiles are whole.
    pub to: Option<CentreId>,
}

/// The tiles of a pile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Pile {
    /// Sorted by key, once all are there.
    tiles: Vec<KeptLines>,
    blocks: Vec<Block>,
}

/// The lines of a tile that are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KeptLines {
    /// The classes of the tile: [`key`].
    pub key: u32,
    pub columns: u32,
    /// Its first block among those of the pile.
    first: u32,
    pub count: u32,
}

/// A block of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub lines: u32,
    pub place: Place,
}

/// The bytes of a block, in a file or in memory, where they need no checksum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub start: u64,
    pub len: u32,
    pub checksum: u32,
}

/// The classes of a tile in a word.
pub(super) fn key(tile: Tile) -> u32 {
    let [left, right] =
        [tile.left, tile.right].map(|class| [class.stones() as u8, class.first_stones() as u8]);
    u32::from_le_bytes([left[0], left[1], right[0], right[1]])
}

/// Where a piece in memory starts, given its number: pieces are shorter than 4 GiB.
pub(super) fn place_in_memory(piece: usize) -> u64 {
    (piece as u64) << 32
}

/// The number of the piece in memory that this place lies in, and the offset in it.
pub(super) fn piece_in_memory(start: u64) -> (usize, usize) {
    ((start >> 32) as usize, start as u32 as usize)
}

impl Pile {
    /// Adds a tile.
    pub fn add(&mut self, key: u32, columns: u32, blocks: &[Block]) {
        let (first, count) = (self.blocks.len() as u32, blocks.len() as u32);
        self.blocks.extend_from_slice(blocks);
        self.tiles.push(KeptLines { key, columns, first, count });
    }

    /// Sorts the tiles, once all are there.
    pub fn sort(&mut self) {
        self.tiles.sort_unstable_by_key(|tile| tile.key);
        self.tiles.shrink_to_fit();
        self.blocks.shrink_to_fit();
    }

    /// A tile, if it is there.
    pub fn tile(&self, key: u32) -> Option<(KeptLines, &[Block])> {
        let place = self.tiles.binary_search_by_key(&key, |tile| tile.key).ok()?;
        let lines = self.tiles[place];
        Some((lines, self.blocks_of(lines)))
    }

    /// All tiles.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = (KeptLines, &[Block])> {
        self.tiles.iter().map(|lines| (*lines, self.blocks_of(*lines)))
    }

    fn blocks_of(&self, lines: KeptLines) -> &[Block] {
        &self.blocks[lines.first as usize..][..lines.count as usize]
    }

    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Adds a start to the places of waiting blocks, which were counted from it.
    pub fn put_down(&mut self, waiting: &[u32], start: u64) {
        waiting.iter().for_each(|block| self.blocks[*block as usize].place.start += start);
    }

    /// The bytes in which all blocks lie, if nothing else lies there.
    pub fn span(&self) -> Option<Range<u64>> {
        let places = || self.blocks.iter().map(|block| block.place);
        let start = places().map(|place| place.start).min()?;
        let end = places().map(|place| place.start + u64::from(place.len)).max()?;
        let sum: u64 = places().map(|place| u64::from(place.len)).sum();
        (end - start == sum).then_some(start..end)
    }
}
