//! A tile: its outcomes follow from those of its children.
//!
//! ```text
//!     masks      the bit rows of a tile: fours across the centre, and move order
//!     waiting    the tiles of a large centre, one by one, in memory and in files
//!     centre     both sides of a centre, prepared once for all its tiles, and where moves lead
//!     folding    combines the outcomes of the children of a tile, on one thread or several
//!     step       solves a tile, and shows it to observers
//! ```
//!
//! The tiles of one tier of one centre share a piece of memory, unless the centre is large.

mod centre;
mod folding;
mod masks;
mod step;
mod waiting;

pub(super) use centre::{CentreSides, NextTier, SameCentre};
pub(super) use folding::Blocks;
pub use step::{Observer, SolvedTile};
pub(super) use step::{Scratch, Step};
pub(super) use waiting::{PlainTile, TilePool, WaitingTier, children, sort_by_chains};

use crate::board::Player;
use crate::index::{Class, Split, Tile};

use crate::sweep::bits::{AlignedWords, MatrixShape, PanelTile, Panels, Planes};

/// Memory for a tier of a centre, reused from tier to tier.
#[derive(Default)]
pub(super) struct TierTiles {
    words: AlignedWords,
    /// The stored tiles, by left class: their first word and their shape.
    tiles: Vec<Option<(usize, Panels)>>,
}

/// A stored tile and its words; there are none if nothing in it is in doubt.
pub(super) struct TileOutcomes<'a> {
    pub tile: Tile,
    pub panels: Panels,
    pub words: &'a mut [u64],
}

/// The part of a tile that is held when this player is to move.
pub(super) fn panels_of(sides: &CentreSides, tile: Tile, mover: Player, planes: Planes) -> Panels {
    let rows = sides.left().order().len(tile.left, mover);
    let columns = sides.right().order().len(tile.right, mover);
    let shape = match rows.min(columns) {
        0 => MatrixShape { rows: 0, columns: 0 },
        _ => MatrixShape { rows, columns },
    };
    Panels { shape, planes: planes.count() }
}

impl TierTiles {
    /// Makes memory for these tiles of a tier, in the same place, and returns them with arbitrary
    /// content.
    pub(super) fn reset(
        &mut self,
        split: Split,
        tiles: impl Iterator<Item = (Tile, Panels)>,
    ) -> Vec<TileOutcomes<'_>> {
        let slots = Class::slots(split.side_cells());
        self.tiles.clear();
        self.tiles.resize(slots, None);
        let mut all: Vec<(Tile, Panels)> = Vec::with_capacity(slots);
        all.extend(tiles);
        let mut rest = self.words.resize(all.iter().map(|(_, panels)| panels.padded_words()).sum());
        let (mut start, mut tiles) = (0, Vec::with_capacity(all.len()));
        for (tile, panels) in all {
            let words = rest.split_off_mut(..panels.padded_words()).expect("room for the tier");
            self.tiles[tile.left.slot()] = Some((start, panels));
            start += panels.padded_words();
            tiles.push(TileOutcomes { tile, panels, words: &mut words[..panels.words()] });
        }
        tiles
    }

    /// Makes room for tiers of this many words, which takes memory only as it is used.
    pub(super) fn reserve(&mut self, words: usize) {
        self.words.reserve(words);
    }

    /// Gives back to the system what takes more memory than tiers of this many words.
    pub(super) fn free_beyond(&mut self, words: usize) {
        self.words.free_beyond(words);
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.words.touched()
    }

    /// A stored tile of the tier.
    pub(super) fn tile(&self, tile: Tile) -> Option<PanelTile<'_>> {
        let (start, panels) = self.tiles[tile.left.slot()]?;
        Some(PanelTile { panels, words: &self.words.as_slice()[start..][..panels.words()] })
    }
}
