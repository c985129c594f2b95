//! A range of tiers, written `0..12`, or `5` for a single one.
//!
//! Ranges always include both ends: `0..42` is all 43 tiers of 7x6.
//!
//! ```
//! use strong4::board::{Board, Tier, TierRange};
//!
//! let range: TierRange = "3..5".parse().unwrap();
//! assert!(range.into_iter().map(Tier::stones).eq(3..=5));
//! assert_eq!(TierRange::all(Board::STANDARD).to_string(), "0..42");
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Board, Tier};

/// The tiers from `first` to `last`, both included; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TierRange {
    first: Tier,
    last: Tier,
}

/// Why a range of tiers was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TierRangeError {
    /// Neither `A..B` nor a number.
    #[error(
        "'{found}' is not a range of tiers: expected FIRST..LAST, such as 0..12, or a single tier"
    )]
    Syntax {
        /// The text that was given.
        found: String,
    },
    /// The higher tier first.
    #[error(
        "the range {first}..{last} is empty: expected the lower tier first, as in {last}..{first}"
    )]
    Reversed {
        /// The tier given first.
        first: Tier,
        /// The tier given last.
        last: Tier,
    },
    /// More stones than any board has cells.
    #[error("'{found}' goes too far: no board has a tier beyond {}", Tier::LAST)]
    NoSuchTier {
        /// The text that was given.
        found: String,
    },
    /// More stones than this board has cells.
    #[error("the range {range} goes too far: the last tier of {board} is {}", .board.last_tier())]
    BeyondBoard {
        /// The range asked for.
        range: TierRange,
        /// The board, which ends before that.
        board: Board,
    },
}

impl TierRange {
    /// The tiers from `first` to `last`, both included.
    pub fn new(first: Tier, last: Tier) -> Result<TierRange, TierRangeError> {
        if first > last {
            return Err(TierRangeError::Reversed { first, last });
        }
        Ok(TierRange { first, last })
    }

    /// All tiers of a board, from empty to full.
    pub fn all(board: Board) -> TierRange {
        TierRange { first: Tier(0), last: board.last_tier() }
    }

    /// The range itself, if `board` has all its tiers.
    pub fn within(self, board: Board) -> Result<TierRange, TierRangeError> {
        if self.last > board.last_tier() {
            return Err(TierRangeError::BeyondBoard { range: self, board });
        }
        Ok(self)
    }

    /// The tier with the fewest stones.
    pub fn first(self) -> Tier {
        self.first
    }

    /// The tier with the most stones.
    pub fn last(self) -> Tier {
        self.last
    }

    /// Whether the range includes `tier`.
    pub fn contains(self, tier: Tier) -> bool {
        (self.first..=self.last).contains(&tier)
    }

    /// The tiers, fewest stones first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Tier> + ExactSizeIterator {
        self.into_iter()
    }
}

impl IntoIterator for TierRange {
    type Item = Tier;
    type IntoIter = std::iter::Map<std::ops::RangeInclusive<u8>, fn(u8) -> Tier>;

    fn into_iter(self) -> Self::IntoIter {
        (self.first.0..=self.last.0).map(Tier)
    }
}

impl fmt::Display for TierRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            return self.first.fmt(f);
        }
        write!(f, "{}..{}", self.first, self.last)
    }
}

impl FromStr for TierRange {
    type Err = TierRangeError;

    fn from_str(text: &str) -> Result<TierRange, TierRangeError> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let tier = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(TierRangeError::Syntax { found: text.to_owned() });
            }
            // A number that does not parse is too large, too.
            let stones = digits.parse().ok().and_then(Tier::new);
            stones.ok_or_else(|| TierRangeError::NoSuchTier { found: text.to_owned() })
        };
        TierRange::new(tier(first)?, tier(last)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<TierRange, TierRangeError> {
        text.parse()
    }

    #[test]
    fn both_ends_belong_to_the_range_and_a_number_is_a_range_of_one_tier() {
        let all = parsed("0..42").unwrap();
        assert_eq!(all, TierRange::all(Board::STANDARD));
        assert_eq!(all.iter().len(), 43);
        assert!(all.contains(Tier(0)) && all.contains(Tier(42)) && !all.contains(Tier(43)));
        let five = TierRange::new(Tier(5), Tier(5)).unwrap();
        assert_eq!((parsed("5"), parsed("5..5")), (Ok(five), Ok(five)));
        assert_eq!(five.to_string(), "5");
    }

    #[test]
    fn text_that_is_no_range_is_named_in_the_error() {
        for text in
            ["", "..", "3..", "..3", "a", "1..b", "-1..3", "1..=3", "1...3", "1-3", "1 ..3", "+1"]
        {
            assert_eq!(parsed(text), Err(TierRangeError::Syntax { found: text.to_owned() }));
        }
        for text in ["64", "0..300", "0..99999999999999999999"] {
            assert_eq!(parsed(text), Err(TierRangeError::NoSuchTier { found: text.to_owned() }));
        }
        assert_eq!(
            parsed("9..3").unwrap_err().to_string(),
            "the range 9..3 is empty: expected the lower tier first, as in 3..9"
        );
    }

    #[test]
    fn a_range_beyond_the_board_names_its_last_tier() {
        let range = parsed("40..50").unwrap();
        assert_eq!(
            range.within(Board::STANDARD).unwrap_err().to_string(),
            "the range 40..50 goes too far: the last tier of 7x6 is 42"
        );
        assert_eq!(range.within(Board::new(1, 63).unwrap()), Ok(range));
    }
}
