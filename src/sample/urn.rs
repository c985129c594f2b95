//! Any live position of a tier, all equally likely.
//!
//! A random number is a random cell. If no game can reach its content, another cell is drawn.

use crate::board::{Position, Tier};
use crate::index::Finder;
use crate::random::SplitMix64;

use super::cells::{Cells, is_live};

/// Tiers of at most this many cells are listed once, because their live positions may be rare.
const FEW_CELLS: u64 = 1 << 14;
/// A draw is given up after this many cells that no game reaches.
const MOST_TRIES: usize = 10_000;

/// Holds the live positions of a tier.
pub(crate) struct Urn<'a> {
    cells: Cells<'a>,
    /// All live positions, if there are few cells.
    live: Option<Vec<Position>>,
}

impl<'a> Urn<'a> {
    pub(crate) fn new(finder: &'a Finder, tier: Tier) -> Urn<'a> {
        let cells = Cells::new(finder, tier);
        let live = (cells.len() <= FEW_CELLS).then(|| {
            let positions = (0..cells.len()).map(|number| cells.position(number));
            positions.filter(is_live).collect()
        });
        Urn { cells, live }
    }

    /// Whether there are at most this many live positions.
    pub(crate) fn holds_at_most(&self, number: usize) -> bool {
        self.live.as_ref().is_some_and(|live| live.len() <= number)
    }

    /// This many positions, or each one once if there are no more.
    pub(crate) fn draw_or_all(&self, number: usize, random: &mut SplitMix64) -> Vec<Position> {
        match &self.live {
            Some(live) if live.len() <= number => live.clone(),
            _ => (0..number).filter_map(|_| self.draw(random)).collect(),
        }
    }

    /// A position; `None` if hardly any cell of the tier is live.
    pub(crate) fn draw(&self, random: &mut SplitMix64) -> Option<Position> {
        match &self.live {
            Some(live) if live.is_empty() => None,
            Some(live) => Some(live[random.below(live.len() as u64) as usize]),
            None => {
                let mut cell = || self.cells.position(random.below(self.cells.len()));
                (0..MOST_TRIES).map(|_| cell()).find(is_live)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::count::enumerate::Enumeration;

    #[test]
    fn small_tiers_are_listed() {
        for board in ["4x4", "5x3", "6x2", "2x5", "1x6", "3x3"] {
            let board = board.parse().unwrap();
            let finder = Finder::new(board).unwrap();
            let mut tiers = Enumeration::start(board);
            loop {
                let urn = Urn::new(&finder, tiers.tier());
                let live = tiers.count().live as usize;
                if let Some(listed) = &urn.live {
                    assert_eq!(listed.len(), live);
                    assert!(urn.holds_at_most(live));
                    assert_eq!(live == 0, urn.holds_at_most(0));
                }
                if !tiers.advance() {
                    break;
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
