//! How games end if both play their best: one outcome, and how many of each.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use crate::parse_error::ParseError;

/// The outcome of a position for one player.
///
/// ```
/// use strong4::board::Outcome;
///
/// assert_eq!(Outcome::Win.for_other(), Outcome::Loss);
/// assert!(Outcome::Draw > Outcome::Loss);
/// assert_eq!(Outcome::Draw.name(), "draw");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The other player wins.
    Loss,
    /// Nobody gets four in a row.
    Draw,
    /// The player wins.
    Win,
}

impl Outcome {
    /// The same for the other player.
    pub fn for_other(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The name that programs read: `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        ["loss", "draw", "win"][self as usize]
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Outcome {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Outcome, ParseError> {
        let mut all = [Outcome::Loss, Outcome::Draw, Outcome::Win].into_iter();
        all.find(|outcome| outcome.name() == text)
            .ok_or_else(|| ParseError::new(text, "an outcome", "win, draw or loss"))
    }
}

/// How many positions have each outcome for one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutcomeCounts {
    /// The player wins.
    pub won: u64,
    /// Nobody wins.
    pub drawn: u64,
    /// The other player wins.
    pub lost: u64,
}

impl OutcomeCounts {
    /// The sum of all three.
    pub fn total(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The same for the other player.
    pub fn for_other(self) -> OutcomeCounts {
        OutcomeCounts { won: self.lost, drawn: self.drawn, lost: self.won }
    }
}

impl Sum for OutcomeCounts {
    fn sum<I: Iterator<Item = OutcomeCounts>>(all: I) -> OutcomeCounts {
        all.fold(OutcomeCounts::default(), |sum, one| OutcomeCounts {
            won: sum.won + one.won,
            drawn: sum.drawn + one.drawn,
            lost: sum.lost + one.lost,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_as_they_are_printed() {
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        assert_eq!(
            "Win".parse::<Outcome>().unwrap_err().to_string(),
            "'Win' is not an outcome: expected win, draw or loss"
        );
    }
}
