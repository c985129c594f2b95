//! The finished tables of a folder, and the manifest that lists them.

use std::path::Path;

use crate::board::{Board, Tier, TierRange};
use crate::files::Disk;
use crate::solve::TierSolution;
use crate::table::{Manifest, ManifestTier, TableError, TableSummary};

use super::super::error::TabulateError;
use super::super::job::Job;
use super::super::listener::Listener;
use super::super::request::{Request, Tabulated};

/// Whether the manifest of a folder lists these tables.
pub(in crate::tabulate) fn are_listed(
    folder: &Path,
    board: Board,
    tables: &[TableSummary],
) -> bool {
    Manifest::read(folder).is_ok_and(|manifest| manifest.lists(board, tables))
}

/// Publishes a manifest of these tables. Times unknown to `seconds` come from the earlier manifest;
/// `all` turns its total time into the new one.
pub(in crate::tabulate) fn list(
    disk: &Disk,
    folder: &Path,
    board: Board,
    tables: &[TableSummary],
    seconds: impl Fn(Tier) -> Option<f64>,
    all: impl FnOnce(f64) -> f64,
) -> Result<Manifest, TableError> {
    // If the earlier one cannot be read, this one takes its place.
    let earlier = Manifest::read(folder).ok();
    let before = |tier| Some(earlier.as_ref()?.tier(tier)?.seconds);
    let timed = tables.iter().map(|table| {
        let seconds = seconds(table.tier).or_else(|| before(table.tier)).unwrap_or(0.0);
        ManifestTier { summary: *table, seconds }
    });
    let all = all(earlier.as_ref().map_or(0.0, |manifest| manifest.seconds));
    let manifest = Manifest::new(board, all, timed.collect());
    manifest.write_on(disk, folder)?;
    Ok(manifest)
}

/// The manifest of a folder, rewritten if it does not list these tables.
pub(in crate::tabulate) fn listed(
    disk: &Disk,
    folder: &Path,
    board: Board,
    tables: &[TableSummary],
    listener: &dyn Listener,
) -> Result<Manifest, TableError> {
    match Manifest::read(folder) {
        Ok(manifest) if manifest.lists(board, tables) => Ok(manifest),
        _ => {
            listener.lists_again(folder);
            list(disk, folder, board, tables, |_| None, |before| before)
        }
    }
}

/// The tables of the requested tiers, including those that were just solved. A manifest that does
/// not list them is made again.
pub(in crate::tabulate) fn report(
    job: &Job,
    known: &[TableSummary],
    solved: Option<TierRange>,
) -> Result<Tabulated, TabulateError> {
    let Job { disk, tiers, listener, .. } = *job;
    let Request { board, ref tables, .. } = *job.request;
    let table = |tier: Tier| {
        let found = known.iter().find(|there| there.tier == tier);
        found.ok_or_else(|| TabulateError::Missing { tier, tables: tables.clone() })
    };
    tiers.into_iter().try_for_each(|tier| table(tier).map(|_| ()))?;
    let times = listed(disk, tables, board, known, listener)?;
    let mut tabulated = Tabulated { tiers: Vec::new(), bytes: 0, found: 0 };
    for tier in tiers {
        let TableSummary { bytes, counts, .. } = *table(tier)?;
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
