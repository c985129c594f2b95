//! What is known of a position, its origins, and the memory of it.
//!
//! A table may be whole and still be wrong. It is believed until something else contradicts it: the
//! table of the next tier, the built-in openings, or a search. That is an error, not an answer.

use std::collections::HashMap;
use std::fmt;
use std::ops::BitOr;
use std::path::PathBuf;

use super::Value;
use crate::board::{Column, Outcome, Position, Tier};
use crate::probe;
use crate::search::Score;
use crate::table::TableError;
use crate::tromp::Key;

/// The set of origins of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Origins {
    /// One bit per tier whose table of outcomes is an origin.
    tables: u64,
    /// One bit per tier whose table of scores is.
    scores: u64,
    pub rules: bool,
    pub openings: bool,
    pub search: bool,
    /// They are origins of the values of moves, not directly of the position.
    pub of_moves: bool,
}

impl Origins {
    fn rules() -> Origins {
        Origins { rules: true, ..Origins::default() }
    }

    fn search() -> Origins {
        Origins { search: true, ..Origins::default() }
    }

    fn table(tier: Tier) -> Origins {
        Origins { tables: 1 << tier.0, ..Origins::default() }
    }

    fn scores(tier: Tier) -> Origins {
        Origins { scores: 1 << tier.0, ..Origins::default() }
    }

    /// The origin of a probe's answer from this kind of tables.
    fn of_probe(evidence: probe::Evidence, table: fn(Tier) -> Origins) -> Origins {
        match evidence {
            probe::Evidence::Sight => Origins::rules(),
            probe::Evidence::Table(tier) => table(tier),
            probe::Evidence::Search => Origins::search(),
        }
    }

    /// The tiers of the tables of outcomes.
    pub(super) fn tables(self) -> impl Iterator<Item = Tier> {
        tiers(self.tables)
    }

    /// The tiers of the tables of scores.
    pub(super) fn score_tables(self) -> impl Iterator<Item = Tier> {
        tiers(self.scores)
    }
}

fn tiers(bits: u64) -> impl Iterator<Item = Tier> {
    (0..64).filter(move |tier| bits >> tier & 1 == 1).map(Tier)
}

impl BitOr for Origins {
    type Output = Origins;

    fn bitor(self, other: Origins) -> Origins {
        Origins {
            tables: self.tables | other.tables,
            scores: self.scores | other.scores,
            rules: self.rules | other.rules,
            openings: self.openings | other.openings,
            search: self.search | other.search,
            of_moves: self.of_moves | other.of_moves,
        }
    }
}

/// What is known of a position, and its origins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub value: Value,
    pub origins: Origins,
}

impl Finding {
    pub(super) fn by_rules(value: Value) -> Finding {
        Finding { value, origins: Origins::rules() }
    }

    /// What the rules say about an open position.
    pub(super) fn of_open(position: &Position) -> Finding {
        Finding::by_rules(Value::of_open(position.board(), position.tier()))
    }

    pub(super) fn by_openings(score: Score) -> Finding {
        let origins = Origins { openings: true, ..Origins::default() };
        Finding { value: Value::Exact(score), origins }
    }

    pub(super) fn by_search(found: impl Into<Value>) -> Finding {
        Finding { value: found.into(), origins: Origins::search() }
    }

    pub(super) fn by_outcomes(outcome: Outcome, evidence: probe::Evidence) -> Finding {
        let origins = Origins::of_probe(evidence, Origins::table);
        Finding { value: Value::of_outcome(outcome), origins }
    }

    pub(super) fn by_scores(score: Score, evidence: probe::Evidence) -> Finding {
        let origins = Origins::of_probe(evidence, Origins::scores);
        Finding { value: Value::Exact(score), origins }
    }

    /// The same for the other player.
    pub(super) fn for_other(self) -> Finding {
        Finding { value: self.value.for_other(), ..self }
    }

    /// A position is worth what the best of these moves is worth to the player who makes it; `None`
    /// if there are no moves.
    pub(super) fn of_best(moves: impl Iterator<Item = Finding>) -> Option<Finding> {
        let best = moves.reduce(|best, other| {
            let lower = best.value.lower().max(other.value.lower());
            let upper = best.value.upper().max(other.value.upper());
            let value = Value::new(lower, upper).expect("both were in order");
            Finding { value, origins: best.origins | other.origins }
        })?;
        Some(best.of_moves())
    }

    /// The same finding, marked as derived from moves.
    pub(super) fn of_moves(self) -> Finding {
        Finding { origins: Origins { of_moves: true, ..self.origins }, ..self }
    }

    /// What is known if both are true, with the origins that contribute to it; `None` if they
    /// contradict each other.
    pub(super) fn and(self, other: Finding) -> Option<Finding> {
        let value = self.value.and(other.value)?;
        let origins = match value {
            value if value == self.value => self.origins,
            value if value == other.value => other.origins,
            _ => self.origins | other.origins,
        };
        Some(Finding { value, origins })
    }
}

/// The most positions to remember: a few hundred megabytes.
const MOST_REMEMBERED: usize = 1 << 22;

/// Positions, each with what was found out about it.
#[derive(Default)]
pub(super) struct Guide(HashMap<Key, Remembered>);

/// What was found out about a position.
#[derive(Clone, Copy)]
pub(super) struct Remembered {
    pub known: Finding,
    /// The move that settled the last question.
    pub best: Option<Column>,
}

impl Guide {
    pub(super) fn get(&self, key: Key) -> Option<Remembered> {
        self.0.get(&key).copied()
    }

    /// Remembers a position. When there would be too many, the others are forgotten.
    pub(super) fn remember(&mut self, key: Key, found: Remembered) {
        if self.0.len() >= MOST_REMEMBERED {
            self.0.clear();
        }
        self.0.insert(key, found);
    }
}

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

    fn finding(lower: i32, upper: i32, origins: Origins) -> Finding {
        let score = |score| Score::new(score).unwrap();
        Finding { value: Value::new(score(lower), score(upper)).unwrap(), origins }
    }

    #[test]
    fn those_who_add_nothing_are_not_named() {
        let (rules, search) = (Origins::rules(), Origins::search());
        let table = Origins::table(Tier(4));
        let both = |a: Finding, b: Finding| a.and(b).unwrap().origins;
        assert_eq!(both(finding(-8, 8, rules), finding(1, 32, table)), rules | table);
        assert_eq!(both(finding(-8, 8, rules), finding(2, 3, table)), table);
        assert_eq!(both(finding(2, 3, table), finding(-8, 8, search)), table);
        assert_eq!(finding(1, 8, table).and(finding(-8, 0, search)), None);
        assert!((table | Origins::table(Tier(63))).tables().eq([Tier(4), Tier(63)]));
    }

    #[test]
    fn the_best_move_is_what_a_position_is_worth() {
        let moves = [finding(-8, -1, Origins::table(Tier(5))), finding(0, 3, Origins::search())];
        let best = Finding::of_best(moves.into_iter()).unwrap();
        assert_eq!(best.value, moves[1].value);
        assert!(best.origins.of_moves && best.origins.search);
        assert_eq!(Finding::of_best([].into_iter()), None);
    }

    #[test]
    fn tables_of_outcomes_and_of_scores_are_distinguished() {
        let (tier, file) = (Tier(3), PathBuf::from("tier-03.s4t"));
        let outcomes = Origin::Table { tier, file: file.clone() };
        assert_eq!(outcomes.to_string(), "the table of tier 3 (tier-03.s4t)");
        let scores = Origin::ScoreTable { tier, file };
        assert_eq!(scores.to_string(), "the table of scores of tier 3 (tier-03.s4t)");
    }
}
