//! A wrong value in a table that is not damaged: an outcome, or a number in its header.

use std::fmt;
use std::path::PathBuf;

use super::report::Witness;
use crate::board::{Outcome, Position, Tier};
use crate::table::BlockNumber;
use crate::tromp::Key;

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
        match witness {
            Witness::Sweep => write!(f, "; remove it and solve again"),
            _ => write!(f, "; 'strong4 verify --deep' finds out which table is wrong"),
        }
    }
}
