//! The tables of a folder that fit together: header, size and index of each are as they were
//! written, and each names the digest of the next. Blocks are not read: [`check`](super::check())
//! does that.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::index::Census;

use super::content::Content;
use super::error::Fault;
use super::inventory::tiers_in;
use super::names::table_file;
use super::tables::Tables;
use super::{Digest, TableError, TableSummary};

/// Summaries of all tables in a folder, fewest stones first.
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
