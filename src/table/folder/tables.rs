//! A folder of tables, each opened on first use, and the tables of scores inside it.
//!
//! [`sound_tables`] opens all of them and checks that they fit together.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::board::{Outcome, Tier};
use crate::index::{Cell, Census};

use super::super::format::{
    Content, Digest, Fault, TableError, TableSummary, score_folder, table_file,
};
use super::super::reading::Table;
use super::inventory::tiers_in;

/// The tables of a board.
pub struct Tables {
    folder: PathBuf,
    census: Arc<Census>,
    content: Content,
    tables: Vec<OnceLock<Table>>,
    scores: Option<Box<Tables>>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("folder", &self.folder)
            .field("content", &self.content)
            .finish_non_exhaustive()
    }
}

impl Tables {
    /// The tables in a folder, with the scores if there are any; none of them is opened yet.
    pub fn open(folder: &Path, census: &Arc<Census>) -> Tables {
        let scores = score_folder(folder);
        let there = scores.is_dir();
        let scores = there.then(|| Box::new(Tables::with(&scores, census, Content::Scores)));
        Tables { scores, ..Tables::with(folder, census, Content::OUTCOMES) }
    }

    /// The same for tables with this content.
    pub fn with(folder: &Path, census: &Arc<Census>, content: Content) -> Tables {
        let tables = census.tiers().map(|_| OnceLock::new()).collect();
        Tables { folder: folder.to_owned(), census: census.clone(), content, tables, scores: None }
    }

    /// The tables of scores, if there are any.
    pub fn scores(&self) -> Option<&Tables> {
        self.scores.as_deref()
    }

    /// The table of a tier, which the board has.
    pub fn table(&self, tier: Tier) -> Result<&Table, TableError> {
        let slot = &self.tables[tier.stones()];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        let table = Table::open_with(&self.folder, &self.census, tier, self.content)?;
        // If another thread was faster, this one is not needed.
        Ok(slot.get_or_init(|| table))
    }

    /// The file of the table of a tier, whether it exists or not.
    pub fn file(&self, tier: Tier) -> PathBuf {
        table_file(&self.folder, tier)
    }

    /// The outcome in a stored cell, for the mover; see [`Table::outcome`].
    pub fn outcome(&self, cell: Cell) -> Result<Outcome, TableError> {
        self.table(self.census.tier(cell.tile))?.outcome(cell)
    }
}

/// Summaries of all tables in a folder, fewest stones first. The header, size and index of each
/// must be as they were written, and each must name the digest of the next. Blocks are not read:
/// [`check`](super::check()) does that.
pub(crate) fn sound_tables(
    folder: &Path,
    census: &Arc<Census>,
    content: Content,
) -> Result<Vec<TableSummary>, TableError> {
    let tables = Tables::with(folder, census, content);
    let there = tiers_in(folder, census.board())?;
    let read = |tier| -> Result<(TableSummary, Option<Digest>), TableError> {
        let table = tables.table(tier)?;
        let (index, header) = (table.index()?, table.header());
        let (expected, found) = (header.index_checksum, crc32fast::hash(&index));
        if found != expected {
            return Err(TableError::new(table.path(), Fault::Index { tier, expected, found }));
        }
        Ok((table.summary_with(&index)?, header.next))
    };
    let found: Vec<_> = there.par_iter().map(|tier| read(*tier)).collect();
    let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
    for pair in found.windows(2) {
        let [(summary, named), (next, _)] = pair else { unreachable!("windows of two") };
        let (tier, digest) = (summary.tier, Some(next.digest));
        if next.tier == tier.next_unchecked() && *named != digest {
            let fault = Fault::Chain { tier, expected: *named, found: digest };
            return Err(TableError::new(&table_file(folder, tier), fault));
        }
    }
    Ok(found.into_iter().map(|(summary, _)| summary).collect())
}
