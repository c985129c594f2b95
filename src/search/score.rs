//! How good a position is, and how long it takes to prove it over the board.

use std::fmt;
use std::ops::Neg;

use crate::board::{Board, Outcome, Tier, TierRange};

/// The value of a position for the player to move: the number of stones that the winner still has
/// when the game ends, counting the one that wins. It is negative if the winner is the other
/// player, and 0 for a draw.
///
/// Each player of 7x6 has 21 stones. A player who wins with the fourth of them scores 21 − 3 = 18,
/// and one who needs the last scores 1.
///
/// ```
/// use strong4::board::{Board, Outcome, Tier};
/// use strong4::search::Score;
///
/// let score = Score::new(-2).unwrap();
/// assert_eq!(score.outcome(), Outcome::Loss);
/// assert_eq!(score.plies(Board::STANDARD, Tier(4)).0, 36);
/// assert_eq!((-score).get(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i8);

/// A number of moves, those of both players counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Plies(pub u8);

// On the largest board no player has more stones than this.
const _: () = assert!(Score::MOST.get() == (TierRange::LARGEST.0 as i32 + 1) / 2);

impl Score {
    /// Nobody wins.
    pub const DRAW: Score = Score(0);

    /// A win with the last stone.
    pub(crate) const LEAST_WIN: Score = Score(1);

    /// The highest score on any board; its negative is the lowest.
    pub const MOST: Score = Score(32);

    /// The score with this number, if a game on some board can end so.
    pub fn new(score: i32) -> Option<Score> {
        let most = i32::from(Score::MOST.0);
        (-most..=most).contains(&score).then_some(Score(score as i8))
    }

    pub(super) fn of(score: i32) -> Score {
        debug_assert!(score.abs() <= Score::MOST.get());
        Score(score as i8)
    }

    /// The number.
    pub const fn get(self) -> i32 {
        self.0 as i32
    }

    /// Win, draw or loss.
    pub fn outcome(self) -> Outcome {
        match self.0 {
            1.. => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        }
    }

    /// Moves to the end of the game, if both play their best, from a position of this tier: the
    /// winner hastens it, and the loser delays it.
    pub fn plies(self, board: Board, tier: Tier) -> Plies {
        let empty = (board.cells() - tier.stones()) as i32;
        let unused = 2 * i32::from(self.0.abs()) - 2;
        let plies = match self.outcome() {
            Outcome::Draw => empty,
            // A win takes an odd number of moves, a loss an even one.
            Outcome::Win => (empty - unused - 1) | 1,
            Outcome::Loss => (empty - unused) & !1,
        };
        Plies(plies as u8)
    }

    /// The score of a position of `tier` that ends with `outcome` after `plies`.
    pub fn from_plies(board: Board, tier: Tier, outcome: Outcome, plies: Plies) -> Score {
        let empty = (board.cells() - tier.stones()) as i32 - i32::from(plies.0);
        match outcome {
            Outcome::Win => Score::of(empty / 2 + 1),
            Outcome::Draw => Score::DRAW,
            Outcome::Loss => Score::of(-(empty / 2) - 1),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a stopped search knows: the score lies between these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Between {
    /// The score is not lower,
    pub lower: Score,
    /// and not higher.
    pub upper: Score,
}

impl Between {
    /// Win, draw or loss, if the bounds agree on it.
    pub fn outcome(self) -> Option<Outcome> {
        let (lower, upper) = (self.lower.outcome(), self.upper.outcome());
        (lower == upper).then_some(lower)
    }
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.lower, self.upper)
    }
}

/// The same inside the search, where scores are plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// The overlap of both bounds; `None` if they exclude each other.
    pub(super) fn within(self, other: Bounds) -> Option<Bounds> {
        let lower = self.lower.max(other.lower);
        let upper = self.upper.min(other.upper);
        (lower <= upper).then_some(Bounds { lower, upper })
    }
}

impl From<Between> for Bounds {
    fn from(between: Between) -> Bounds {
        Bounds { lower: between.lower.get(), upper: between.upper.get() }
    }
}

impl From<Bounds> for Between {
    fn from(bounds: Bounds) -> Between {
        Between { lower: Score::of(bounds.lower), upper: Score::of(bounds.upper) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_and_scores_are_two_readings_of_one_thing() {
        for board in [Board::STANDARD, Board::new(5, 5).unwrap(), Board::new(3, 3).unwrap()] {
            for stones in 0..=board.cells() {
                let tier = Tier(stones as u8);
                let empty = board.cells() - stones;
                for plies in 0..=empty {
                    let outcome = if plies % 2 == 1 { Outcome::Win } else { Outcome::Loss };
                    let plies = Plies(plies as u8);
                    let score = Score::from_plies(board, tier, outcome, plies);
                    assert_eq!(score.outcome(), outcome);
                    assert_eq!(score.plies(board, tier), plies, "{outcome:?} with {empty} empty");
                }
                assert_eq!(Score::DRAW.plies(board, tier), Plies(empty as u8));
            }
        }
    }

    #[test]
    fn the_empty_board_is_won_in_41_moves() {
        let score = Score::new(1).unwrap();
        assert_eq!(score.plies(Board::STANDARD, Tier(0)), Plies(41));
        assert_eq!((-score).plies(Board::STANDARD, Tier(0)), Plies(42));
        assert_eq!(Score::new(18).unwrap().plies(Board::STANDARD, Tier(4)), Plies(3));
    }
}
