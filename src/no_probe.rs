//! What takes the place of `probe` without the feature `tables`: the same names, but there is no
//! value of any of these types. So code about tables stays as it is, and is left out of the
//! program.

use crate::board::{Outcome, Position, Tier};
use crate::search::Score;
use crate::table::TableError;

/// A probe of tables, of which there are none.
pub enum TableProbe {}

/// Tables, of which there are none.
pub enum Tables {}

/// What an outcome rests on.
pub enum Evidence {
    /// It was seen at once, or after forced moves.
    Sight,
    /// The table of a tier.
    Table(Tier),
    /// A search to the end.
    Search,
}

impl TableProbe {
    pub fn tables(&self) -> &Tables {
        match *self {}
    }

    pub fn outcome(&mut self, _: &Position) -> Result<(Outcome, Evidence), TableError> {
        match *self {}
    }

    pub fn score(&mut self, _: &Position) -> Result<Option<(Score, Evidence)>, TableError> {
        match *self {}
    }
}

impl Tables {
    pub fn scores(&self) -> Option<&Tables> {
        match *self {}
    }

    pub fn file(&self, _: Tier) -> std::path::PathBuf {
        match *self {}
    }
}
