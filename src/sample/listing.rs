//! All live positions of a tier, one by one.

use std::ops::Range;
use std::sync::Arc;

use super::{Cells, has_no_four};
use crate::board::{Board, Moves, Tier, TierRange};
use crate::index::Finder;
use crate::too_large::BoardTooLarge;
use crate::tromp::Key;

/// The live positions that a list skips.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Leaving {
    /// Those in which either player could make a four with the next stone, so that the next move is
    /// forced.
    pub forced: bool,
    /// The one with the larger key of each two mirror images.
    pub mirror_images: bool,
}

impl Leaving {
    /// The game to the position in a cell, unless there is none or it is left out.
    fn game(self, cells: &Cells, number: u64) -> Option<Moves> {
        let position = cells.position(number);
        let is_image = || Key::of(&position.mirror()) < Key::of(&position);
        let is_asked = if self.forced { position.is_quiet() } else { has_no_four(&position) };
        let is_wanted = is_asked && !(self.mirror_images && is_image());
        if is_wanted { position.game().ok() } else { None }
    }
}

/// The live positions of some tiers, each tier in the order of the index: tile by tile, each
/// followed by its mirror image.
///
/// They are found one by one on demand, so the memory does not grow with their number.
#[derive(Debug)]
pub struct Listing {
    tiers: Vec<Cells>,
    leaving: Leaving,
}

impl Listing {
    /// The listing of some tiers.
    pub fn new(board: Board, tiers: TierRange, leaving: Leaving) -> Result<Listing, BoardTooLarge> {
        let finder = Arc::new(Finder::new(board)?);
        let there = tiers.into_iter().filter(|tier| tier.stones() <= board.cells());
        let tiers = there.map(|tier| Cells::new(&finder, tier)).collect();
        Ok(Listing { tiers, leaving })
    }

    fn tier(&self, tier: Tier) -> Option<&Cells> {
        self.tiers.iter().find(|cells| cells.tier == tier)
    }

    /// The number of cells of a tier that are searched for positions. Many of them hold none.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.tier(tier).map_or(0, Cells::len)
    }

    /// The positions in these cells of a tier, each with one of the games that lead to it. Cells
    /// beyond the tier hold none.
    pub fn within(&self, tier: Tier, cells: Range<u64>) -> impl Iterator<Item = Moves> + '_ {
        let numbers = cells.start..cells.end.min(self.cells(tier));
        let game = |cells| numbers.filter_map(move |number| self.leaving.game(cells, number));
        self.tier(tier).map(game).into_iter().flatten()
    }
}

/// All live positions of these tiers, each with one of the games that lead to it.
///
/// ```
/// use strong4::sample::{Leaving, list};
///
/// let games = list("5x4".parse()?, "0..1".parse()?, Leaving::default())?;
/// let games: Vec<String> = games.map(|game| game.to_string()).collect();
/// assert_eq!(games, ["", "4", "5", "2", "1", "3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn list(
    board: Board,
    tiers: TierRange,
    leaving: Leaving,
) -> Result<impl Iterator<Item = Moves>, BoardTooLarge> {
    let tiers = Listing::new(board, tiers, leaving)?.tiers.into_iter();
    Ok(tiers.flat_map(move |cells| {
        (0..cells.len()).filter_map(move |number| leaving.game(&cells, number))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Player, Position};
    use crate::count::enumerate::Enumeration;

    fn keys(board: Board, tier: Tier, leaving: Leaving) -> Vec<Key> {
        let tiers = TierRange::new(tier, tier).unwrap();
        sorted(list(board, tiers, leaving).unwrap().map(|game| *game.position()))
    }

    fn sorted(positions: impl Iterator<Item = Position>) -> Vec<Key> {
        let mut keys: Vec<Key> = positions.map(|position| Key::of(&position)).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn lists_are_what_enumeration_finds() {
        for board in ["4x3", "5x3", "6x2", "3x4", "1x9", "9x1"] {
            let board: Board = board.parse().unwrap();
            let mut tiers = Enumeration::start(board);
            loop {
                let listed = keys(board, tiers.tier(), Leaving::default());
                assert_eq!(listed, sorted(tiers.live()), "{board}, tier {}", tiers.tier());
                if !tiers.advance() {
                    break;
                }
            }
            let beyond = board.last_tier().next_unchecked();
            assert!(keys(board, beyond, Leaving::default()).is_empty());
        }
    }

    #[test]
    fn what_is_left_out_is_not_listed() {
        let board: Board = "5x4".parse().unwrap();
        let mut tiers = Enumeration::start(board);
        while tiers.advance() && tiers.tier() < Tier(9) {
            for (forced, mirror_images) in [(true, false), (false, true), (true, true)] {
                let listed = keys(board, tiers.tier(), Leaving { forced, mirror_images });
                let wanted = tiers.live().filter(|position| {
                    let threatened = Player::BOTH.map(|player| position.threats(player).count());
                    let image = Key::of(&position.mirror());
                    (!forced || threatened == [0, 0])
                        && (!mirror_images || Key::of(position) <= image)
                });
                assert_eq!(listed, sorted(wanted), "tier {}", tiers.tier());
            }
        }
    }
}
