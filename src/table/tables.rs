//! A folder of tables, each opened when it is first asked for.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::board::{Outcome, Tier};
use crate::index::{Cell, Census};

use super::names::table_file;
use super::read::Table;
use super::{Inventory, TableError};

/// The tables of a board.
pub struct Tables<'a> {
    folder: PathBuf,
    census: &'a Census,
    cut: Option<Tier>,
    tables: Vec<OnceLock<Table>>,
}

impl<'a> Tables<'a> {
    /// The tables in a folder; none of them is read yet.
    pub fn open(folder: &Path, census: &'a Census) -> Tables<'a> {
        Tables::with_cut(folder, census, None)
    }

    /// The same of games that are cut off after this ply, if one is given.
    pub(crate) fn with_cut(folder: &Path, census: &'a Census, cut: Option<Tier>) -> Tables<'a> {
        let tables = census.tiers().map(|_| OnceLock::new()).collect();
        Tables { folder: folder.to_owned(), census, cut, tables }
    }

    /// The tiers that have no table in the folder.
    pub fn missing(&self) -> Result<Vec<Tier>, TableError> {
        Ok(Inventory::of(&self.folder, self.census.board())?.missing())
    }

    /// The table of a tier, which the board has.
    pub fn table(&self, tier: Tier) -> Result<&Table, TableError> {
        let slot = &self.tables[tier.stones()];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        let table = Table::open_cut(&self.folder, self.census, tier, self.cut)?;
        // Another thread may have been faster; then this one is not needed.
        Ok(slot.get_or_init(|| table))
    }

    /// The file of the table of a tier, whether it is there or not.
    pub fn file(&self, tier: Tier) -> PathBuf {
        table_file(&self.folder, tier)
    }

    /// The outcome in a stored cell, for the mover; see [`Table::outcome`].
    pub fn outcome(&self, cell: Cell) -> Result<Outcome, TableError> {
        self.table(self.census.tier(cell.tile))?.outcome(cell)
    }
}
