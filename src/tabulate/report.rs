//! Summarizes the tables of a folder.

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::TierRange;
use crate::disk::Disk;
use crate::index::Census;
use crate::solve::TierSolution;
use crate::table::{Inventory, Manifest, ManifestTier, TableSummary, Tables};

use super::error::TabulateError;
use super::request::{Request, Tabulated};

/// Summaries of the finished tables of a folder.
pub(super) fn summaries(
    request: &Request,
    census: &Arc<Census>,
) -> Result<Vec<TableSummary>, TabulateError> {
    let tables = Tables::with(&request.tables, census, request.content());
    let inventory = Inventory::of(&request.tables, request.board)?;
    let summary = |tier| Ok(tables.table(tier)?.summary()?);
    let all: Vec<Result<TableSummary, TabulateError>> =
        inventory.tables.par_iter().map(|table| summary(table.tier)).collect();
    all.into_iter().collect()
}

/// The tables of these tiers, including those that were just solved.
pub(super) fn report(
    disk: &Disk,
    request: &Request,
    census: &Arc<Census>,
    tiers: TierRange,
    solved: Option<TierRange>,
) -> Result<Tabulated, TabulateError> {
    let known = summaries(request, census)?;
    let times = if Inventory::of(&request.tables, request.board)?.manifest {
        Manifest::read(&request.tables)?
    } else {
        // Somebody has removed it. The tables hold everything in it except the times.
        let untimed = |summary| ManifestTier { summary, seconds: 0.0 };
        let tiers = known.iter().copied().map(untimed).collect();
        let manifest = Manifest::new(request.board, 0.0, tiers);
        manifest.write_on(disk, &request.tables)?;
        manifest
    };
    let mut tabulated = Tabulated { tiers: Vec::new(), bytes: 0, found: 0 };
    for tier in tiers {
        let there = known.iter().find(|there| there.tier == tier);
        let TableSummary { bytes, counts, .. } =
            *there.ok_or(TabulateError::Missing { tier, tables: request.tables.clone() })?;
        tabulated.bytes += bytes;
        tabulated.found += usize::from(!solved.is_some_and(|solved| solved.contains(tier)));
        tabulated.tiers.push(TierSolution {
            tier,
            outcomes: counts.live(),
            terminal: counts.terminal,
            seconds: times.tier(tier).map_or(0.0, |there| there.seconds),
        });
    }
    Ok(tabulated)
}
