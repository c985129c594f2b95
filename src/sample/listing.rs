//! All live positions of a tier, one by one.

use std::fmt;
use std::ops::Range;

use crate::board::{Moves, Position, Tier, TierRange, game_to, is_quiet};
use crate::index::Finder;
use crate::tromp::Key;

use super::cells::{Cells, has_no_four};

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
    fn takes(self, position: &Position) -> bool {
        let is_image = || Key::of(&position.mirror()) < Key::of(position);
        !(self.forced && !is_quiet(position) || self.mirror_images && is_image())
    }
}

/// The live positions of a tier, in the order of the index: tile by tile, each
/// followed by its mirror image.
///
/// They are found one by one on demand, so the memory does not grow with their number.
pub struct Listing<'a> {
    cells: Cells<'a>,
    leaving: Leaving,
}

impl fmt::Debug for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listing")
            .field("cells", &self.cells())
            .field("leaving", &self.leaving)
            .finish_non_exhaustive()
    }
}

impl<'a> Listing<'a> {
    /// The listing of a tier.
    pub fn new(finder: &'a Finder, tier: Tier, leaving: Leaving) -> Listing<'a> {
        Listing { cells: Cells::new(finder, tier), leaving }
    }

    /// The number of cells that are searched for positions. Many of them hold none.
    pub fn cells(&self) -> u64 {
        self.cells.len()
    }

    /// The positions in these cells, each with one of the games that lead to it. Cells beyond the
    /// tier hold none.
    pub fn within(&self, cells: Range<u64>) -> impl Iterator<Item = Moves> + '_ {
        let cells = cells.start..cells.end.min(self.cells());
        let positions = cells.map(|number| self.cells.position(number));
        let wanted = positions.filter(|p| has_no_four(p) && self.leaving.takes(p));
        wanted.filter_map(|position| game_to(&position).ok())
    }
}

/// All live positions of these tiers, each with one of the games that lead to it.
///
/// ```
/// use strong4::sample::{Finder, Leaving, list};
///
/// let finder = Finder::new("5x4".parse()?)?;
/// let games: Vec<String> =
///     list(&finder, "0..1".parse()?, Leaving::default()).map(|game| game.to_string()).collect();
/// assert_eq!(games, ["", "4", "5", "2", "1", "3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn list<'a>(
    finder: &'a Finder,
    tiers: TierRange,
    leaving: Leaving,
) -> impl Iterator<Item = Moves> + 'a {
    tiers.into_iter().flat_map(move |tier| {
        let listing = Listing::new(finder, tier, leaving);
        (0..listing.cells())
            .flat_map(move |cell| listing.within(cell..cell + 1).collect::<Vec<_>>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Player, threats};
    use crate::count::enumerate::Enumeration;

    fn keys(finder: &Finder, tier: Tier, leaving: Leaving) -> Vec<Key> {
        let tiers = TierRange::new(tier, tier).unwrap();
        sorted(list(finder, tiers, leaving).map(|game| *game.position()))
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
            let finder = Finder::new(board).unwrap();
            let mut tiers = Enumeration::start(board);
            loop {
                let listed = keys(&finder, tiers.tier(), Leaving::default());
                assert_eq!(listed, sorted(tiers.live()), "{board}, tier {}", tiers.tier());
                if !tiers.advance() {
                    break;
                }
            }
            let beyond =
                Listing::new(&finder, board.last_tier().next_unchecked(), Leaving::default());
            assert_eq!(beyond.within(0..9).count(), 0);
        }
    }

    #[test]
    fn what_is_left_out_is_not_listed() {
        let board: Board = "5x4".parse().unwrap();
        let finder = Finder::new(board).unwrap();
        let mut tiers = Enumeration::start(board);
        while tiers.advance() && tiers.tier() < Tier(9) {
            for (forced, mirror_images) in [(true, false), (false, true), (true, true)] {
                let listed = keys(&finder, tiers.tier(), Leaving { forced, mirror_images });
                let wanted = tiers.live().filter(|position| {
                    let threatened = Player::BOTH.map(|player| threats(position, player).count());
                    let image = Key::of(&position.mirror());
                    (!forced || threatened == [0, 0])
                        && (!mirror_images || Key::of(position) <= image)
                });
                assert_eq!(listed, sorted(wanted), "tier {}", tiers.tier());
            }
        }
    }
}
