//! Live positions of a tier, drawn at random.

use std::sync::Arc;

use super::{Cells, is_live};
use crate::board::{Board, Moves, Position, Tier, TierRange};
use crate::index::Finder;
use crate::random::SplitMix64;
use crate::too_large::BoardTooLarge;

/// Tiers of at most this many cells are listed once, because their live positions may be rare.
const FEW_CELLS: u64 = 1 << 14;
/// A draw is given up after this many cells that no game reaches.
const MOST_TRIES: usize = 10_000;

/// Draws live positions of a tier, all equally likely: a random number is a random cell. If no game
/// can reach its content, another cell is drawn.
#[derive(Debug)]
pub(crate) struct Urn {
    cells: Cells,
    /// All live positions, if there are few cells.
    pub(super) live: Option<Vec<Position>>,
}

impl Urn {
    pub(crate) fn new(finder: &Arc<Finder>, tier: Tier) -> Urn {
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

/// A sampler tries this many draws, each of which is given up before a caller would lose patience.
const MOST_DRAWS: usize = 100;

/// Draws live positions of some tiers, all of a tier equally likely.
///
/// A draw depends only on the seed, the tier and its number. So any number of threads draws the
/// same positions, and a larger sample begins with the smaller one. A position may be drawn more
/// than once.
///
/// ```
/// use strong4::board::{Board, Tier};
/// use strong4::sample::Sampler;
///
/// let sampler = Sampler::new(Board::new(5, 4)?, "7..9".parse()?, 1)?;
/// let game = sampler.draw(Tier::new(8).unwrap(), 0)?;
/// assert_eq!(game.columns().len(), 8);
/// assert_eq!(sampler.draw(Tier::new(8).unwrap(), 0)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    board: Board,
    first: Tier,
    urns: Vec<Urn>,
    seed: u64,
}

/// Why nothing can be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There are no live positions, all positions are terminal, or the sampler lacks the tier.
    #[error("tier {tier} of {board} has no live position")]
    NoLive {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
    },
    /// The board is too large to be indexed.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// Too few cells of the index hold a live position.
    #[error("live positions of tier {tier} of {board} are too rare to be drawn")]
    Rare {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
    },
}

impl Sampler {
    /// A sampler for tiers that have live positions. The seed selects the positions.
    pub fn new(board: Board, tiers: TierRange, seed: u64) -> Result<Sampler, SampleError> {
        let finder = Arc::new(Finder::new(board)?);
        let urns: Vec<Urn> = tiers.into_iter().map(|tier| Urn::new(&finder, tier)).collect();
        match tiers.into_iter().zip(&urns).find(|(_, urn)| urn.holds_at_most(0)) {
            Some((tier, _)) => Err(SampleError::NoLive { board, tier }),
            None => Ok(Sampler { board, first: tiers.first(), urns, seed }),
        }
    }

    /// The position of this draw, with one of the games that lead to it.
    pub fn draw(&self, tier: Tier, number: u64) -> Result<Moves, SampleError> {
        let board = self.board;
        let urn = tier.stones().checked_sub(self.first.stones()).and_then(|at| self.urns.get(at));
        let urn = urn.ok_or(SampleError::NoLive { board, tier })?;
        let mut random = SplitMix64::of(&[self.seed, u64::from(tier.0), number]);
        let position = (0..MOST_DRAWS).find_map(|_| urn.draw(&mut random));
        let game = position.and_then(|position| position.game().ok());
        game.ok_or(SampleError::Rare { board, tier })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::Position;
    use crate::count::enumerate::Enumeration;

    /// Draws enough positions for each live one to be expected `expected` times. Returns chi-square
    /// divided by its degrees of freedom, and those.
    fn chi_square(board: &str, tier: Tier, expected: u64) -> (f64, f64) {
        let board = board.parse().unwrap();
        let sampler = Sampler::new(board, TierRange::new(tier, tier).unwrap(), 1).unwrap();
        let mut tiers = Enumeration::start(board);
        while tiers.tier() < tier {
            assert!(tiers.advance());
        }
        let mut drawn: HashMap<Position, u64> = tiers.live().map(|live| (live, 0)).collect();
        for number in 0..expected * drawn.len() as u64 {
            let game = sampler.draw(tier, number).unwrap();
            *drawn.get_mut(game.position()).expect("live") += 1;
        }
        let squares = drawn.values().map(|n| n.abs_diff(expected).pow(2)).sum::<u64>();
        let degrees = (drawn.len() - 1) as f64;
        (squares as f64 / expected as f64 / degrees, degrees)
    }

    #[test]
    fn draws_are_distributed_as_all_positions_are() {
        // All tiers of 4x3 are listed first; 5x4 has too many cells for that.
        for (board, tier, expected) in [("4x3", 4, 50), ("4x3", 9, 50), ("5x4", 8, 5)] {
            let (ratio, degrees) = chi_square(board, Tier(tier), expected);
            // Five standard deviations.
            let bound = 5.0 * (2.0 / degrees).sqrt();
            assert!((ratio - 1.0).abs() < bound, "{board}, tier {tier}: {ratio} ± {bound}");
        }
    }

    #[test]
    fn every_tier_of_small_boards_can_be_drawn_from() {
        for board in ["1x1", "1x8", "8x1", "4x4", "5x3", "3x5"] {
            let board: Board = board.parse().unwrap();
            let sampler = Sampler::new(board, TierRange::all(board), 7).unwrap();
            for tier in TierRange::all(board) {
                let game = sampler.draw(tier, 3).unwrap();
                assert_eq!(game.position().tier(), tier);
                assert_eq!(Moves::parse(board, &game.to_string()), Ok(game));
            }
            let tier = board.last_tier().next_unchecked();
            let none = Some(SampleError::NoLive { board, tier });
            assert_eq!(sampler.draw(tier, 3).err(), none);
            let beyond = TierRange::new(tier, tier).unwrap();
            assert_eq!(Sampler::new(board, beyond, 7).err(), none);
        }
    }

    #[test]
    fn other_seeds_and_numbers_draw_other_positions() {
        let draw = |seed, number| {
            let sampler = Sampler::new(Board::STANDARD, "20".parse().unwrap(), seed).unwrap();
            *sampler.draw(Tier(20), number).unwrap().position()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }
}
