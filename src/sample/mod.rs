//! Positions to work with: some live positions of a tier, drawn at random, or all of them.
//!
//! A position is *live* if a game can reach it and nobody has four in a row. Each comes as a game,
//! [`Moves`](crate::board::Moves), that leads to it: one of many, found backwards from the
//! position.
//!
//! Every live position has a number, that of its cell. The index stores one of two tiles that
//! mirror each other. Here both count:
//!
//! ```text
//!     0                                                cells of the tier
//!     | tile | its mirror image | tile | image | symmetric tile | … |
//! ```
//!
//! Half of the cells hold nothing that a game can reach. [`Position::validate`], slow and obvious,
//! finds those; it knows nothing of how tables are made.

mod listing;
mod sampler;

use std::fmt;
use std::sync::Arc;

use crate::board::{Position, Status, Tier};
use crate::index::{Cell, Census, CentreId, Finder, Tile};

pub use listing::{Leaving, Listing, list};
pub(crate) use sampler::Urn;
pub use sampler::{SampleError, Sampler};

/// All cells of a tier. Only their number beside each centre is stored: large boards have millions
/// of tiles per tier.
struct Cells {
    finder: Arc<Finder>,
    tier: Tier,
    /// The number of cells up to and including each centre, mirror images included.
    ends: Vec<u64>,
}

impl Cells {
    fn new(finder: &Arc<Finder>, tier: Tier) -> Cells {
        let census = finder.census();
        let mut cells = 0;
        let ends = census.centres().map(|centre| {
            cells +=
                census.tiles_of(tier, centre).map(|tile| with_image(census, tile)).sum::<u64>();
            cells
        });
        Cells { finder: finder.clone(), tier, ends: ends.collect() }
    }

    /// How many there are.
    fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The content of a cell, live or not.
    fn position(&self, number: u64) -> Position {
        let census = self.finder.census();
        let centre = self.ends.partition_point(|end| *end <= number);
        let mut in_tile = number - centre.checked_sub(1).map_or(0, |before| self.ends[before]);
        let tile = census.tiles_of(self.tier, CentreId::new(centre as u32)).find(|tile| {
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

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cells of tier {}", self.len(), self.tier)
    }
}

/// The cells of a tile and of its mirror image, if that is another tile.
fn with_image(census: &Census, tile: Tile) -> u64 {
    census.tile_images(tile) * census.tile_cells(tile)
}

/// Whether a game can reach this position, and nobody has four in a row.
fn is_live(position: &Position) -> bool {
    has_no_four(position) && position.validate().is_ok()
}

/// Whether nobody has four in a row.
fn has_no_four(position: &Position) -> bool {
    !matches!(position.status(), Status::Won(_))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::count::enumerate::Enumeration;

    #[test]
    fn every_live_position_is_in_one_cell() {
        for board in ["4x4", "5x3", "6x2", "2x5", "1x6", "3x3", "1x20", "7x2", "8x1", "12x1"] {
            let board = board.parse().unwrap();
            let finder = Arc::new(Finder::new(board).unwrap());
            let mut tiers = Enumeration::start(board);
            loop {
                let (tier, live) = (tiers.tier(), HashSet::<Position>::from_iter(tiers.live()));
                let cells = Cells::new(&finder, tier);
                assert_eq!(cells.len(), finder.census().cells(tier));
                let mut held = HashSet::new();
                for number in 0..cells.len() {
                    let position = cells.position(number);
                    assert!(held.insert(position), "{position}");
                    assert_eq!(is_live(&position), live.contains(&position), "{position}");
                }
                assert!(live.is_subset(&held), "{board}, tier {tier}");
                let listed = Urn::new(&finder, tier).live;
                assert!(listed.is_none_or(|listed| listed.len() == live.len()));
                if !tiers.advance() {
                    break;
                }
            }
        }
    }
}
