//! The cells of a tier by number, including those of mirror images.
//!
//! The [index](crate::index) stores one of two tiles that mirror each other. Here both count, so
//! every live position has exactly one number:
//!
//! ```text
//!     0                                                cells of the tier
//!     | tile | its mirror image | tile | image | symmetric tile | … |
//! ```
//!
//! Half of the cells hold nothing that a game can reach. The slow and obvious test of [`validate`]
//! finds those; it knows nothing of how tables are made.

use crate::board::{Player, Position, Tier, has_four, validate};
use crate::index::{Cell, Census, CentreId, Finder, Tile};

/// All cells of a tier. Only their number beside each centre is stored: large boards have millions
/// of tiles per tier.
pub(super) struct Cells<'a> {
    finder: &'a Finder,
    tier: Tier,
    /// The number of cells up to and including each centre, mirror images included.
    ends: Vec<u64>,
}

impl<'a> Cells<'a> {
    pub(super) fn new(finder: &'a Finder, tier: Tier) -> Cells<'a> {
        let census = finder.census();
        let mut cells = 0;
        let ends = census.centres().map(|centre| {
            cells +=
                census.tiles_beside(tier, centre).map(|tile| with_image(census, tile)).sum::<u64>();
            cells
        });
        Cells { finder, tier, ends: ends.collect() }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The content of a cell, live or not.
    pub(super) fn position(&self, number: u64) -> Position {
        let census = self.finder.census();
        let centre = self.ends.partition_point(|end| *end <= number);
        let mut in_tile = number - centre.checked_sub(1).map_or(0, |before| self.ends[before]);
        let tile = census.tiles_beside(self.tier, CentreId::new(centre as u32)).find(|tile| {
            let cells = with_image(census, *tile);
            let is_here = in_tile < cells;
            in_tile -= if is_here { 0 } else { cells };
            is_here
        });
        let tile = tile.expect("a cell of the tier");
        let cells = census.tile_cells(tile);
        let columns = census.tile_columns(tile) as u64;
        let (row, column) = (in_tile % cells / columns, in_tile % cells % columns);
        let cell = Cell { tile, row: row as u32, column: column as u32 };
        let position = self.finder.unrank(cell);
        if in_tile < cells { position } else { position.mirror() }
    }
}

/// The cells of a tile and of its mirror image, if that is another tile.
fn with_image(census: &Census, tile: Tile) -> u64 {
    census.tile_images(tile) * census.tile_cells(tile)
}

/// Whether a game can reach this position, and nobody has four in a row.
pub(super) fn is_live(position: &Position) -> bool {
    has_no_four(position) && validate(position).is_ok()
}

/// Whether nobody has four in a row.
pub(super) fn has_no_four(position: &Position) -> bool {
    let four = |player: Player| has_four(position.board(), position.stones(player));
    !Player::BOTH.into_iter().any(four)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Status;

    /// The slow twin plays all games.
    fn live_tiers(finder: &Finder) -> Vec<HashSet<Position>> {
        let mut tiers = vec![HashSet::from([Position::empty(finder.board())])];
        for _ in 0..finder.board().cells() {
            let children =
                tiers[tiers.len() - 1].iter().flat_map(|p| p.children().collect::<Vec<_>>());
            let live = children.filter_map(|(_, child)| {
                (!matches!(child.status(), Status::Won(_))).then_some(child)
            });
            let live = live.collect();
            tiers.push(live);
        }
        tiers
    }

    #[test]
    fn every_live_position_is_in_one_cell() {
        for board in ["4x4", "5x3", "6x2", "2x5", "1x6", "3x3"] {
            let finder = Finder::new(board.parse().unwrap()).unwrap();
            for (stones, live) in live_tiers(&finder).into_iter().enumerate() {
                let cells = Cells::new(&finder, Tier(stones as u8));
                let mut held = HashSet::new();
                for number in 0..cells.len() {
                    let position = cells.position(number);
                    assert!(held.insert(position), "{position}");
                    assert_eq!(is_live(&position), live.contains(&position), "{position}");
                }
                assert!(live.is_subset(&held), "{board}, tier {stones}");
            }
        }
    }
}
