//! How good a position is, and how long it takes to prove it over the board.

use std::fmt;
use std::ops::Neg;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::board::{Board, Outcome, Tier};
use crate::clock::Instant;
use crate::parse_error::ParseError;

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
/// let (score, tier) = (Score::new(-2).unwrap(), Tier::new(4).unwrap());
/// assert_eq!(score.outcome(), Outcome::Loss);
/// let plies = score.plies(Board::STANDARD, tier).unwrap();
/// assert_eq!(plies.get(), 36);
/// assert_eq!(Score::from_plies(Board::STANDARD, tier, Outcome::Loss, plies), Some(score));
/// assert_eq!((-score).get(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i8);

/// A number of moves, those of both players counted; at most those of a game on the largest board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Plies(u8);

// On the largest board no player has more stones than this.
const _: () = assert!(Score::MOST.get() == (Tier::LAST.get() as i32 + 1) / 2);

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

    /// The same without the check.
    pub(super) fn new_unchecked(score: i32) -> Score {
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
    /// winner hastens it, and the loser delays it. `None` if the board has no such tier, or if the
    /// winner has fewer stones left than the score.
    pub fn plies(self, board: Board, tier: Tier) -> Option<Plies> {
        let empty = empty_cells(board, tier)?;
        let unused = 2 * self.get().abs() - 2;
        let plies = match self.outcome() {
            Outcome::Draw => empty,
            // A win takes an odd number of moves, a loss an even one.
            Outcome::Win => (empty - unused - 1) | 1,
            Outcome::Loss => (empty - unused) & !1,
        };
        u8::try_from(plies).ok().map(Plies)
    }

    /// The score of a position of `tier` that ends with `outcome` after `plies`. `None` if no
    /// position does: the mover wins with an odd number of plies, the other player with an even
    /// one, and a draw fills the board.
    pub fn from_plies(board: Board, tier: Tier, outcome: Outcome, plies: Plies) -> Option<Score> {
        let left = empty_cells(board, tier)? - i32::from(plies.0);
        let is_possible = match outcome {
            Outcome::Win => left >= 0 && !plies.0.is_multiple_of(2),
            Outcome::Draw => left == 0,
            Outcome::Loss => left >= 0 && plies.0.is_multiple_of(2),
        };
        is_possible.then(|| Score::with_cells_left(outcome, left))
    }

    /// The score of a game that ends with `outcome` for the mover and with this many empty cells.
    fn with_cells_left(outcome: Outcome, left: i32) -> Score {
        Score::new_unchecked(match outcome {
            Outcome::Win => left / 2 + 1,
            Outcome::Draw => 0,
            Outcome::Loss => -(left / 2) - 1,
        })
    }

    /// The score of a position that ends with `outcome` after `plies`, both known to be right. The
    /// plies of a draw are ignored.
    pub(crate) fn from_plies_unchecked(
        board: Board,
        tier: Tier,
        outcome: Outcome,
        plies: u8,
    ) -> Score {
        let left = board.cells() - tier.stones() - usize::from(plies);
        Score::with_cells_left(outcome, left as i32)
    }
}

/// The cells that are empty in positions of `tier`, if the board has it.
fn empty_cells(board: Board, tier: Tier) -> Option<i32> {
    board.cells().checked_sub(tier.stones()).map(|empty| empty as i32)
}

impl Plies {
    /// This many moves, if some game has as many.
    pub const fn new(plies: u8) -> Option<Plies> {
        if plies <= Tier::LAST.get() { Some(Plies(plies)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl TryFrom<i32> for Score {
    type Error = ParseError;

    fn try_from(score: i32) -> Result<Score, ParseError> {
        Score::new(score).ok_or_else(|| no_score(score))
    }
}

impl FromStr for Score {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Score, ParseError> {
        text.parse().ok().and_then(Score::new).ok_or_else(|| no_score(text))
    }
}

fn no_score(found: impl ToString) -> ParseError {
    let expected = format!("a whole number from {} to {}", -Score::MOST, Score::MOST);
    ParseError::new(found, "a score", expected)
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
    pub(crate) lower: Score,
    pub(crate) upper: Score,
}

impl Between {
    /// At least `lower` and at most `upper`; `None` if these cross.
    pub fn new(lower: Score, upper: Score) -> Option<Between> {
        (lower <= upper).then_some(Between { lower, upper })
    }

    /// The lower bound: the score is this or higher.
    pub fn lower(self) -> Score {
        self.lower
    }

    /// The upper bound: the score is this or lower.
    pub fn upper(self) -> Score {
        self.upper
    }

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
        Between {
            lower: Score::new_unchecked(bounds.lower),
            upper: Score::new_unchecked(bounds.upper),
        }
    }
}

/// What a search may spend. By default there is no limit.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limit<'a> {
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops the search once it is set.
    pub stop: Option<&'a AtomicBool>,
}

/// The clock and the flag are checked once per this many nodes.
const PATIENCE: u64 = 1 << 12;

impl Limit<'_> {
    /// The same, but no later than `time` from now.
    pub(crate) fn within(self, time: Duration) -> Self {
        let end = Instant::now() + time;
        Limit { deadline: Some(self.deadline.map_or(end, |deadline| deadline.min(end))), ..self }
    }

    /// Whether the deadline has passed or the search was stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The number of nodes at which to check again, after `nodes` have been visited; `None` if the
    /// search must stop.
    pub(super) fn next_look(&self, nodes: u64) -> Option<u64> {
        let most = self.nodes.unwrap_or(u64::MAX);
        (nodes < most && !self.is_over()).then(|| most.min(nodes + PATIENCE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_and_scores_are_two_readings_of_one_thing() {
        for (width, height) in [(7, 6), (5, 5), (3, 3), (8, 7), (1, 63), (32, 1)] {
            let board = Board::new(width, height).unwrap();
            for (tier, plies) in (0..=63).flat_map(|tier| (0..=63).map(move |plies| (tier, plies)))
            {
                let (is_there, is_odd) = (tier + plies <= board.cells(), plies % 2 == 1);
                let (tier, plies) = (Tier(tier as u8), Plies(plies as u8));
                for (outcome, is_possible) in [
                    (Outcome::Win, is_there && is_odd),
                    (Outcome::Draw, tier.stones() + usize::from(plies.0) == board.cells()),
                    (Outcome::Loss, is_there && !is_odd),
                ] {
                    let score = Score::from_plies(board, tier, outcome, plies);
                    assert_eq!(score.is_some(), is_possible, "{outcome} {plies}, tier {tier}");
                    let Some(score) = score else { continue };
                    assert_eq!(Score::new(score.get()), Some(score));
                    assert_eq!((score.outcome(), score.plies(board, tier)), (outcome, Some(plies)));
                    let unchecked = Score::from_plies_unchecked(board, tier, outcome, plies.0);
                    assert_eq!(unchecked, score);
                }
            }
            // What no game has is none: these once were 233 plies and a score of -79.
            for (tier, score) in (0..=63).flat_map(|tier| (-32..=32).map(move |n| (tier, n))) {
                let (tier, score) = (Tier(tier), Score::new(score).unwrap());
                let back = |plies| Score::from_plies(board, tier, score.outcome(), plies);
                assert!(score.plies(board, tier).is_none_or(|plies| back(plies) == Some(score)));
            }
        }
        assert_eq!(Plies::new(200), None);
    }

    #[test]
    fn scores_are_read_as_they_are_printed() {
        for score in (-32..=32).map(|score| Score::new(score).unwrap()) {
            assert_eq!(score.to_string().parse(), Ok(score));
            assert_eq!(Score::try_from(score.get()), Ok(score));
        }
        assert_eq!(
            "33".parse::<Score>().unwrap_err().to_string(),
            "'33' is not a score: expected a whole number from -32 to 32"
        );
        assert!(["", "one", "-33", "1.0"].iter().all(|text| text.parse::<Score>().is_err()));
        assert!(Score::try_from(i32::MIN).is_err());
    }
}
