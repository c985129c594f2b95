//! Where the tiles of children are: in memory as they were solved, or kept.

use crate::index::Tile;

use super::kept::KeptTile;
use super::panels::{PanelTile, Panels};

/// The solved tiles of the next tier.
pub(super) trait NextTier: Sync {
    /// A stored tile, which has cells.
    fn tile(&self, tile: Tile) -> Child<'_>;
}

/// A solved tile.
#[derive(Clone, Copy)]
pub(super) enum Child<'a> {
    /// In memory.
    Here(PanelTile<'a>),
    /// To be unpacked a block of rows at a time.
    Kept(KeptTile<'a>),
}

impl<'a> Child<'a> {
    /// Its shape.
    pub fn panels(self) -> Panels {
        match self {
            Child::Here(tile) => tile.panels,
            Child::Kept(tile) => tile.panels,
        }
    }

    /// A tile that is in memory for certain.
    pub fn here(self) -> PanelTile<'a> {
        match self {
            Child::Here(tile) => tile,
            Child::Kept(_) => unreachable!("side moves stay beside the centre that is solved"),
        }
    }
}
