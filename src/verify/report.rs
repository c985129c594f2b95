//! The result of sampling a tier.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::board::{Outcome, Position, Status, Tier};
use crate::probe::{Evidence, TableProbe};
use crate::search::Score;
use crate::table::{BlockNumber, Fault, Table, TableError};
use crate::tromp::Key;

/// The number of differences, faults and wrong values reported per tier; the rest are only counted.
pub(super) const MOST_TOLD: usize = 20;

/// What contradicts the tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Witness {
    /// The tables themselves, for the mirror image.
    Mirror,
    /// The tables themselves, for each move.
    Moves,
    /// The search.
    Search,
    /// The proof-number search.
    Proofs,
    /// A sweep of the whole board.
    Sweep,
}

/// A statement about a position, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Who wins.
    Outcome(Outcome),
    /// Who wins, and how soon.
    Score(Score),
}

/// A position about which the tables and a witness disagree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The position.
    pub position: Position,
    /// What the tables say.
    pub told: Verdict,
    /// What that rests on: a table, or what replaced it.
    pub evidence: Evidence,
    /// What the witness says.
    pub other: Verdict,
    /// The witness.
    pub witness: Witness,
}

/// What the tables say about a position.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub position: Position,
    pub verdict: Verdict,
    pub evidence: Evidence,
}

impl Told {
    /// Whether it came from a stored cell.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self.evidence, Evidence::Table(_))
    }
}

/// Everything that was wrong, up to a limit of each kind.
#[derive(Default, Debug)]
pub struct Findings {
    /// Values that differ.
    pub differences: Vec<Difference>,
    /// The number of further differences.
    pub more_differences: u64,
    /// Tables that could not be read, or contradict themselves.
    pub faults: Vec<TableError>,
    /// The number of further faults.
    pub more_faults: u64,
}

/// The result of searching the samples of a tier.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Proved {
    /// Positions whose value the search found in time.
    pub answered: usize,
    /// Positions for which there was not enough time.
    pub given_up: usize,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// The result of sampling a tier.
#[derive(Debug)]
pub struct TierReport {
    /// The tier.
    pub tier: Tier,
    /// Positions drawn from the whole tier.
    pub samples: usize,
    /// Whether these are all its live positions.
    pub complete: bool,
    /// Positions drawn with stones in few columns.
    pub few_columns: usize,
    /// Those of both kinds whose value came from a stored cell.
    pub stored: usize,
    /// Those of both kinds whose value no table had: one is missing or damaged.
    pub unknown: usize,
    /// The result of the search.
    pub search: Proved,
    /// The result of the proof-number search.
    pub proofs: Proved,
    /// Positions whose score came from a stored cell.
    pub scored: usize,
    /// The result of searching for these scores.
    pub scores: Proved,
    /// Positions compared with their moves.
    pub consistent: u64,
    /// Those of them whose value came from a stored cell.
    pub consistent_stored: u64,
    /// Positions that could not be compared, because a table is missing or damaged.
    pub consistent_unknown: u64,
    /// Everything that was wrong.
    pub findings: Findings,
    /// Time taken.
    pub time: Duration,
}

impl Findings {
    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty() && self.faults.is_empty()
    }

    /// The number of differences.
    pub fn differences(&self) -> u64 {
        self.differences.len() as u64 + self.more_differences
    }

    /// The number of faults.
    pub fn faults(&self) -> u64 {
        self.faults.len() as u64 + self.more_faults
    }

    /// The outcome of a position by the tables; `None` if one is missing or damaged. Their faults
    /// are noted, except missing tables.
    pub(super) fn look_up(
        &mut self,
        probe: &mut TableProbe,
        position: &Position,
    ) -> Option<(Outcome, Evidence)> {
        match probe.outcome(position) {
            Ok(found) => return Some(found),
            Err(TableError { fault: Fault::Missing { .. }, .. }) => {}
            Err(fault) => self.fault(fault),
        }
        None
    }

    /// Compares what the tables say with what a witness does.
    pub(super) fn compare(&mut self, told: Told, other: Verdict, witness: Witness) {
        let Told { position, verdict: told, evidence } = told;
        if other != told {
            self.difference(Difference { position, told, evidence, other, witness });
        }
    }

    fn difference(&mut self, difference: Difference) {
        if self.differences.len() < MOST_TOLD {
            self.differences.push(difference);
        } else {
            self.more_differences += 1;
        }
    }

    /// A damaged block is met again and again, but reported once.
    pub(super) fn fault(&mut self, fault: TableError) {
        if self.faults.iter().any(|told| told.to_string() == fault.to_string()) {
            return;
        }
        if self.faults.len() < MOST_TOLD {
            self.faults.push(fault);
        } else {
            self.more_faults += 1;
        }
    }

    pub(super) fn add(&mut self, other: Findings) {
        other.differences.into_iter().for_each(|difference| self.difference(difference));
        other.faults.into_iter().for_each(|fault| self.fault(fault));
        self.more_differences += other.more_differences;
        self.more_faults += other.more_faults;
    }
}

impl Difference {
    /// What the tables' verdict rests on, in words.
    pub fn evidence_in_words(&self) -> String {
        match self.evidence {
            Evidence::Table(tier) => match self.told {
                Verdict::Outcome(_) => format!("the table of tier {tier}"),
                Verdict::Score(_) => format!("the table of scores of tier {tier}"),
            },
            Evidence::Sight => "what is seen at once".to_owned(),
            Evidence::Search => "the search within the last moves".to_owned(),
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Witness::Mirror => "the same lookup for the mirror image",
            Witness::Moves => "the best of its moves",
            Witness::Search => "the search",
            Witness::Proofs => "the proof-number search",
            Witness::Sweep => "a new sweep",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Outcome(outcome) => outcome.fmt(f),
            Verdict::Score(score) => write!(f, "score {score}"),
        }
    }
}

/// `tier 3, key 4529: the table of tier 3 says loss, the search win`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { position, told, other, witness, .. } = self;
        let (tier, key, evidence) = (position.tier(), Key::of(position), self.evidence_in_words());
        write!(f, "tier {tier}, key {key}: {evidence} says {told}, {witness} {other}")
    }
}

/// A wrong value of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongValue {
    /// The file of the table.
    pub file: PathBuf,
    /// Its tier.
    pub tier: Tier,
    /// What it says.
    pub what: Statement,
    /// The witness that contradicts it.
    pub witness: Witness,
}

impl WrongValue {
    pub(super) fn of(table: &Table, what: Statement, witness: Witness) -> WrongValue {
        WrongValue { file: table.path().to_owned(), tier: table.header().tier, what, witness }
    }
}

/// Whether the cell of a position counts: for all others, the bits of a table mean nothing.
pub(super) fn is_looked_up(position: &Position) -> bool {
    position.status() == Status::Open && position.is_quiet() && position.validate().is_ok()
}

/// A value of a table, and what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// The value of a quiet position.
    Value {
        /// The block.
        block: BlockNumber,
        /// The row in the block.
        row: usize,
        /// The column in the block.
        column: usize,
        /// The position of the cell, or its mirror image.
        position: Position,
        /// What the table says; `None` if it says both won and lost.
        found: Option<Outcome>,
        /// What the witness says.
        expected: Outcome,
    },
    /// A number of the header.
    Count {
        /// What is counted.
        what: &'static str,
        /// What the header says.
        found: u64,
        /// What it should say.
        expected: u64,
    },
}

impl Statement {
    /// Where in the table it stands.
    pub(super) fn place(&self) -> Option<(BlockNumber, usize, usize)> {
        match self {
            Statement::Value { block, row, column, .. } => Some((*block, *row, *column)),
            Statement::Count { .. } => None,
        }
    }
}

impl std::error::Error for WrongValue {}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongValue { file, tier, what, witness } = self;
        write!(f, "{}: ", file.display())?;
        match what {
            Statement::Value { block, row, column, position, found, expected } => {
                let key = Key::of(position);
                let found = found.map_or("nothing".to_owned(), |found| found.to_string());
                write!(f, "block {} of tier {tier} says {found} in row {row}, ", block.0)?;
                write!(f, "column {column}, {witness} {expected} (key {key})")?;
            }
            Statement::Count { what, found, expected } => {
                write!(f, "tier {tier} has {found} positions {what}, {witness} {expected}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn findings_are_told_up_to_a_number_and_all_counted() {
        let position = Position::empty(Board::STANDARD);
        let difference = Difference {
            position,
            told: Verdict::Outcome(Outcome::Draw),
            evidence: Evidence::Table(Tier(0)),
            other: Verdict::Outcome(Outcome::Win),
            witness: Witness::Search,
        };
        let mut findings = Findings::default();
        assert!(findings.is_empty());
        for _ in 0..3 {
            let mut more = Findings::default();
            (0..15).for_each(|_| more.difference(difference));
            findings.add(more);
        }
        assert_eq!((findings.differences.len(), findings.differences()), (20, 45));
        for name in ["a", "b", "a"] {
            findings.fault(TableError { file: name.into(), fault: Fault::NoFolder });
        }
        assert_eq!(findings.faults(), 2);
        assert_eq!(
            difference.to_string(),
            format!(
                "tier 0, key {}: the table of tier 0 says draw, the search win",
                Key::of(&position)
            )
        );
    }
}
