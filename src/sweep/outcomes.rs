//! The outcomes of one tier: both planes of every stored tile.

use crate::board::{Outcome, Player, Tier};
use crate::index::{Cell, Census, Class, Tile};

use super::aligned::AlignedWords;
pub(super) use super::beside::TileOutcomes;
use super::next_tier::{Child, NextTier};
use super::panels::{PanelTile, Panels};
use super::plane::shape;

/// The outcomes of the stored cells of a tier.
pub struct Outcomes<'a> {
    census: &'a Census,
    tier: Tier,
    words: AlignedWords,
    /// The first word of each stored tile, by centre and left class.
    starts: Vec<usize>,
}

impl<'a> Outcomes<'a> {
    /// Room for a tier of so many words; none is there yet.
    pub(super) fn with_room(census: &'a Census, words: usize) -> Outcomes<'a> {
        let words = AlignedWords::new(words);
        Outcomes { census, tier: census.board().last_tier(), words, starts: Vec::new() }
    }

    /// Words that the stored tiles of a tier take up.
    pub(super) fn words(census: &Census, tier: Tier) -> usize {
        census.tiles(tier).map(|tile| Panels(shape(census, tile)).room()).sum()
    }

    /// Makes room for the tiles of a tier, in the same memory, and returns them
    /// with what is left there, the largest first.
    pub(super) fn reset(&mut self, tier: Tier) -> Vec<TileOutcomes<'_>> {
        let census = self.census;
        let slots = Class::slots(census.split().side_cells());
        self.tier = tier;
        self.starts.clear();
        self.starts.resize(census.centres().len() * slots, usize::MAX);
        let (mut start, mut rest) = (0, self.words.as_mut_slice());
        let mut tiles = Vec::new();
        for tile in census.tiles(tier) {
            let panels = Panels(shape(census, tile));
            let words = rest.split_off_mut(..panels.room()).expect("room for the tier");
            let words = &mut words[..panels.words()];
            self.starts[tile.centre.index() * slots + tile.left.slot()] = start;
            start += panels.room();
            tiles.push(TileOutcomes { tile, panels, words });
        }
        tiles.sort_by_key(|tile| std::cmp::Reverse(tile.words.len()));
        tiles
    }

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// A stored tile of the tier.
    pub(super) fn tile(&self, tile: Tile) -> PanelTile<'_> {
        debug_assert!(self.census.is_stored(tile) && self.census.tier(tile) == self.tier);
        let slots = Class::slots(self.census.split().side_cells());
        let start = self.starts[tile.centre.index() * slots + tile.left.slot()];
        let panels = Panels(shape(self.census, tile));
        PanelTile { panels, words: &self.words.as_slice()[start..][..panels.words()] }
    }

    /// The outcome in a stored cell of the tier, for the mover. Cells that no
    /// game reaches have one too, without a meaning; a cell with a four of the
    /// last mover is a loss.
    pub fn outcome(&self, cell: Cell) -> Outcome {
        let tile = self.tile(cell.tile);
        let first = match tile.bits(cell.row as usize, cell.column as usize) {
            [true, _] => Outcome::Win,
            [false, true] => Outcome::Draw,
            [false, false] => Outcome::Loss,
        };
        if self.tier.mover() == Player::First { first } else { first.for_other() }
    }
}

impl NextTier for Outcomes<'_> {
    fn tile(&self, tile: Tile) -> Child<'_> {
        Child::Here(Outcomes::tile(self, tile))
    }
}
