//! Any live position of a tier, each as likely as the others.
//!
//! The [index](crate::index) numbers the cells of a tier, so a random number is a
//! random cell. Half of the cells hold nothing that a game can reach; those are
//! drawn again, by the slow and obvious test of [`validate`], which knows nothing of
//! how the tables were made.
//!
//! ```text
//!     0                                                cells of the tier
//!     | tile | its mirror image | tile | image | symmetric tile | … |
//! ```

use crate::board::{Player, Position, Tier, has_four, validate};
use crate::index::{Cell, Finder, Tile};
use crate::random::SplitMix64;

/// Tiers of so many cells are looked through once and for all: what is drawn from
/// them may be rare.
const FEW_CELLS: u64 = 1 << 14;
/// A draw is given up after so many cells that no game reaches.
const MOST_TRIES: usize = 10_000;

/// Holds the live positions of a tier.
pub(super) struct Urn<'a> {
    finder: &'a Finder,
    tiles: Vec<Tile>,
    /// The cells before the end of each tile, those of its mirror image included.
    ends: Vec<u64>,
    /// All live positions, where they are few.
    live: Option<Vec<Position>>,
}

impl<'a> Urn<'a> {
    pub(super) fn new(finder: &'a Finder, tier: Tier) -> Urn<'a> {
        let census = finder.census();
        let tiles: Vec<Tile> = census.tiles(tier).collect();
        let mut cells = 0;
        let ends = tiles.iter().map(|tile| {
            cells += census.tile_images(*tile) * census.tile_cells(*tile);
            cells
        });
        let mut urn = Urn { finder, ends: ends.collect(), tiles, live: None };
        if urn.cells() <= FEW_CELLS {
            let positions = (0..urn.cells()).map(|number| urn.position(number));
            urn.live = Some(positions.filter(is_live).collect());
        }
        urn
    }

    /// Are there no more live positions than this?
    pub(super) fn holds_at_most(&self, number: usize) -> bool {
        self.live.as_ref().is_some_and(|live| live.len() <= number)
    }

    /// So many positions, or each one once if there are no more.
    pub(super) fn draw_or_all(&self, number: usize, random: &mut SplitMix64) -> Vec<Position> {
        match &self.live {
            Some(live) if live.len() <= number => live.clone(),
            _ => (0..number).filter_map(|_| self.draw(random)).collect(),
        }
    }

    /// A position; `None` if hardly any cell of the tier is live.
    pub(super) fn draw(&self, random: &mut SplitMix64) -> Option<Position> {
        match &self.live {
            Some(live) if live.is_empty() => None,
            Some(live) => Some(live[random.below(live.len() as u64) as usize]),
            None => {
                (0..MOST_TRIES).map(|_| self.position(random.below(self.cells()))).find(is_live)
            }
        }
    }

    fn cells(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    fn position(&self, number: u64) -> Position {
        let census = self.finder.census();
        let at = self.ends.partition_point(|end| *end <= number);
        let tile = self.tiles[at];
        let in_tile = number - at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let cells = census.tile_cells(tile);
        let columns = census.tile_columns(tile) as u64;
        let (row, column) = (in_tile % cells / columns, in_tile % cells % columns);
        let cell = Cell { tile, row: row as u32, column: column as u32 };
        let position = self.finder.unrank(cell);
        if in_tile < cells { position } else { position.mirror() }
    }
}

/// Can a game reach it, and go on or end in a draw there?
fn is_live(position: &Position) -> bool {
    let four = |player: Player| has_four(position.board(), position.stones(player));
    !Player::BOTH.into_iter().any(four) && validate(position).is_ok()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::board::Status;

    /// The slow twin: all games are played.
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
    fn an_urn_holds_every_live_position_once() {
        for board in ["4x4", "5x3", "6x2", "2x5", "1x6", "3x3"] {
            let finder = Finder::new(board.parse().unwrap()).unwrap();
            for (stones, live) in live_tiers(&finder).into_iter().enumerate() {
                let urn = Urn::new(&finder, Tier(stones as u8));
                let mut drawn = HashSet::new();
                for number in 0..urn.cells() {
                    let position = urn.position(number);
                    assert!(drawn.insert(position), "{position}");
                    assert_eq!(is_live(&position), live.contains(&position), "{position}");
                }
                assert!(live.is_subset(&drawn), "{board}, tier {stones}");
                if let Some(listed) = &urn.live {
                    assert_eq!(listed.len(), live.len());
                    assert!(urn.holds_at_most(live.len()));
                    assert_eq!(live.is_empty(), urn.holds_at_most(0));
                }
            }
        }
    }

    #[test]
    fn each_position_is_as_likely_as_the_others() {
        let finder = Finder::new("5x3".parse().unwrap()).unwrap();
        let mut urn = Urn::new(&finder, Tier(4));
        let live = urn.live.take().unwrap().len();
        let mut random = SplitMix64(1);
        let mut drawn: HashMap<Position, u32> = HashMap::new();
        for _ in 0..400 * live {
            *drawn.entry(urn.draw(&mut random).unwrap()).or_default() += 1;
        }
        assert_eq!(drawn.len(), live);
        // Five standard deviations of 20.
        assert!(drawn.values().all(|count| count.abs_diff(400) < 100), "{drawn:?}");
    }
}
