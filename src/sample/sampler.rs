//! Live positions of a tier, drawn by number.

use crate::board::{Board, Moves, Tier, game_to};
use crate::index::Finder;
use crate::random::SplitMix64;
use std::fmt;

use super::urn::Urn;

/// An urn gives a draw up before a caller would lose patience.
const MOST_DRAWS: usize = 100;

/// Draws live positions of one tier, all equally likely.
///
/// A draw depends only on the seed, the tier and its number. So any number of threads draws the
/// same positions, and a larger sample begins with the smaller one. A position may be drawn more
/// than once.
///
/// ```
/// use strong4::board::{Board, Tier};
/// use strong4::sample::{Finder, Sampler};
///
/// let finder = Finder::new(Board::new(5, 4)?)?;
/// let sampler = Sampler::new(&finder, Tier::new(8).unwrap(), 1)?;
/// let game = sampler.draw(0)?;
/// assert_eq!(game.columns().len(), 8);
/// assert_eq!(sampler.draw(0)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sampler<'a> {
    urn: Urn<'a>,
    board: Board,
    tier: Tier,
    seed: u64,
}

/// Why nothing can be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There are no live positions, or all positions are terminal.
    #[error("tier {tier} of {board} has no live position")]
    NoLive {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
    },
    /// Too few cells of the index hold a live position.
    #[error("live positions of tier {tier} of {board} are too rare to be drawn")]
    Rare {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
    },
}

impl fmt::Debug for Sampler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampler")
            .field("board", &self.board)
            .field("tier", &self.tier)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl<'a> Sampler<'a> {
    /// A sampler for a tier that has a live position. The seed selects the positions.
    pub fn new(finder: &'a Finder, tier: Tier, seed: u64) -> Result<Sampler<'a>, SampleError> {
        let (urn, board) = (Urn::new(finder, tier), finder.board());
        if urn.holds_at_most(0) {
            return Err(SampleError::NoLive { board, tier });
        }
        Ok(Sampler { urn, board, tier, seed })
    }

    /// The position of this draw, with one of the games that lead to it.
    pub fn draw(&self, number: u64) -> Result<Moves, SampleError> {
        let mut random = SplitMix64::of(&[self.seed, u64::from(self.tier.0), number]);
        let position = (0..MOST_DRAWS).find_map(|_| self.urn.draw(&mut random));
        let game = position.and_then(|position| game_to(&position).ok());
        game.ok_or(SampleError::Rare { board: self.board, tier: self.tier })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::Position;
    use crate::count::enumerate::Enumeration;

    /// Draws so many positions that each live one is expected `expected` times. Returns chi-square
    /// divided by its degrees of freedom, and those.
    fn chi_square(board: &str, tier: Tier, expected: u64) -> (f64, f64) {
        let finder = Finder::new(board.parse().unwrap()).unwrap();
        let sampler = Sampler::new(&finder, tier, 1).unwrap();
        let mut tiers = Enumeration::start(finder.board());
        while tiers.tier() < tier {
            assert!(tiers.advance());
        }
        let mut drawn: HashMap<Position, u64> = tiers.live().map(|live| (live, 0)).collect();
        for number in 0..expected * drawn.len() as u64 {
            let game = sampler.draw(number).unwrap();
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
            let finder = Finder::new(board).unwrap();
            for tier in finder.census().tiers() {
                let sampler = Sampler::new(&finder, tier, 7).unwrap();
                let game = sampler.draw(3).unwrap();
                assert_eq!(game.position().tier(), tier);
                assert_eq!(Moves::parse(board, &game.to_string()), Ok(game));
            }
            let tier = board.last_tier().next_unchecked();
            let error = Sampler::new(&finder, tier, 7).err();
            assert_eq!(error, Some(SampleError::NoLive { board, tier }));
        }
    }

    #[test]
    fn other_seeds_and_numbers_draw_other_positions() {
        let finder = Finder::new(Board::STANDARD).unwrap();
        let draw = |seed, number| {
            let sampler = Sampler::new(&finder, Tier(20), seed).unwrap();
            *sampler.draw(number).unwrap().position()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }
}
