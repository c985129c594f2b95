//! The outcomes of one tier beside one centre: both planes of its stored tiles.

use crate::board::Tier;
use crate::index::{Census, CentreId, Class, Tile};

use super::aligned::AlignedWords;
use super::panels::{PanelTile, Panels};
use super::plane::shape;

/// Memory for a tier beside a centre, to be used for one after the other.
#[derive(Default)]
pub(super) struct Beside {
    words: AlignedWords,
    /// The first word of each stored tile, by left class.
    starts: Vec<usize>,
    tier: Option<Tier>,
}

/// A stored tile and its words.
pub(super) struct TileOutcomes<'a> {
    pub tile: Tile,
    pub panels: Panels,
    pub words: &'a mut [u64],
}

impl Beside {
    /// Words that the stored tiles take up.
    pub fn words(census: &Census, tier: Tier, centre: CentreId) -> usize {
        census.tiles_beside(tier, centre).map(|tile| Panels(shape(census, tile)).room()).sum()
    }

    /// Makes room for the tiles, in the same memory, and returns them with what
    /// is left there, the largest first.
    pub fn reset(
        &mut self,
        census: &Census,
        tier: Tier,
        centre: CentreId,
    ) -> Vec<TileOutcomes<'_>> {
        let slots = Class::slots(census.split().side_cells());
        self.tier = Some(tier);
        self.starts.clear();
        self.starts.resize(slots, usize::MAX);
        let mut rest = self.words.room(Self::words(census, tier, centre));
        let (mut start, mut tiles) = (0, Vec::new());
        for tile in census.tiles_beside(tier, centre) {
            let panels = Panels(shape(census, tile));
            let words = rest.split_off_mut(..panels.room()).expect("room for the tier");
            self.starts[tile.left.slot()] = start;
            start += panels.room();
            tiles.push(TileOutcomes { tile, panels, words: &mut words[..panels.words()] });
        }
        tiles.sort_by_key(|tile| std::cmp::Reverse(tile.words.len()));
        tiles
    }

    /// A stored tile.
    pub fn tile(&self, census: &Census, tile: Tile) -> PanelTile<'_> {
        debug_assert!(census.is_stored(tile) && Some(census.tier(tile)) == self.tier);
        let panels = Panels(shape(census, tile));
        let start = self.starts[tile.left.slot()];
        PanelTile { panels, words: &self.words.as_slice()[start..][..panels.words()] }
    }
}
