//! Two sources that contradict each other: an error, not an answer.
//!
//! A table may be whole and still be wrong. It is believed until something else contradicts it: the
//! table of the next tier, the built-in openings, or a search.

use std::fmt;
use std::path::PathBuf;

use super::Value;
use crate::board::{Position, Tier};
use crate::table::TableError;
use crate::tromp::Key;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Two sources contradict each other.
    #[error(transparent)]
    Contradiction(#[from] Box<Contradiction>),
}

/// Two claims about a position, of which at least one must be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The position.
    pub position: Position,
    /// A claim about it, for the player to move.
    pub one: Claim,
    /// A second claim, which excludes the first.
    pub other: Claim,
}

/// A claim about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What the position is worth.
    pub value: Value,
    /// Whether the claim follows from claims about its moves.
    pub of_moves: bool,
    /// The sources that the claim rests on.
    pub origins: Vec<Origin>,
}

/// A source of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// The rules of the game.
    Rules,
    /// The built-in openings.
    Openings,
    /// A table of outcomes.
    Table {
        /// Its tier.
        tier: Tier,
        /// Its file.
        file: PathBuf,
    },
    /// A table of scores.
    ScoreTable {
        /// Its tier.
        tier: Tier,
        /// Its file.
        file: PathBuf,
    },
    /// A search that reads no tables.
    Search,
}

impl std::error::Error for Contradiction {}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { position, one, other } = self;
        let key = Key::of(position);
        write!(f, "sources contradict each other: the position with key {key} is {one}, and ")?;
        write!(f, "{other}")
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim { value, of_moves, origins } = self;
        let moves = if *of_moves { "its moves in " } else { "" };
        write!(f, "{value} by {moves}")?;
        for (at, origin) in origins.iter().enumerate() {
            let before = match at {
                0 => "",
                _ if at + 1 == origins.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}{origin}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Rules => write!(f, "the rules"),
            Origin::Openings => write!(f, "the built-in openings"),
            Origin::Table { tier, file } => {
                write!(f, "the table of tier {tier} ({})", file.display())
            }
            Origin::ScoreTable { tier, file } => {
                write!(f, "the table of scores of tier {tier} ({})", file.display())
            }
            Origin::Search => write!(f, "a search"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_outcomes_and_of_scores_are_distinguished() {
        let (tier, file) = (Tier(3), PathBuf::from("tier-03.s4t"));
        let outcomes = Origin::Table { tier, file: file.clone() };
        assert_eq!(outcomes.to_string(), "the table of tier 3 (tier-03.s4t)");
        let scores = Origin::ScoreTable { tier, file };
        assert_eq!(scores.to_string(), "the table of scores of tier 3 (tier-03.s4t)");
    }
}
