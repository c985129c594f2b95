//! Solving a board for good: tables of all its tiers, on disk.
//!
//! The sweep goes batch by batch of centres ([`FolderSweep`]). Each batch publishes what it
//! came to as files of its own, which are there whole or not at all:
//!
//! ```text
//!     run/007.piece            its blocks of the tables of all tiers, and its counts
//!     scratch/7x6/007.kept     what it hands on to later batches, until they are done
//! ```
//!
//! A batch is done when its piece is there and sound. So there is nothing to be edited in
//! place, and nothing to be put right after a stop: whoever gives the same command looks
//! what is there, and does the rest. Several processes may do so at once; a *claim* on a
//! batch keeps them from doing the same.
//!
//! The `ledger` knows what is done and what can be done next, a `worker` solves one batch
//! after the other, and a `recorder` writes the `piece`. The `publisher` publishes it while
//! the next batch is being solved. When all pieces are there, the `assembly` puts the tables
//! together, in the order of the batches, from the last tier down, each with the digest of
//! the one after it.
//!
//! A sweep that ends above the empty board leaves its first tier among the working files,
//! and the next one starts from there.

mod admission;
mod assembly;
mod claim;
#[cfg(test)]
mod crash_tests;
mod entry;
mod error;
mod estimate;
mod ledger;
mod leftovers;
mod names;
mod piece;
mod publisher;
mod recorder;
mod run;
mod run_file;
mod status;
mod worker;

use std::path::PathBuf;

use crate::board::{Board, TierRange};
use crate::disk::Disk;
use crate::index::{Census, Index};
use crate::progress::Progress;
use crate::sealed::WorkingFileError;
use crate::solve::TierSolution;
use crate::sweep::{Cpu, Extent, Scope};
use crate::table::{FolderLock, Horizon, Inventory, Manifest, ManifestTier, TableSummary, Tables};

use admission::{has_start, missing, refuse_what_does_not_fit, start, starts_at_the_end};
use entry::Entry;
pub use error::TabulateError;
pub use estimate::Estimate;
use names::run_folder;
#[cfg(fuzzing)]
pub(crate) use piece::fuzz_piece;
use run::Run;
use run_file::RunFile;
#[cfg(fuzzing)]
pub(crate) use run_file::fuzz_run_file;
pub use status::{RunStatus, run_status};

/// Empty cells that a look-up searches to the end, so that tables need not hold
/// them: microseconds.
pub const HORIZON: Horizon = Horizon(14);

/// What is to be solved, and where it is to be put.
#[derive(Clone, Debug)]
pub struct Request {
    /// The board.
    pub board: Board,
    /// The tiers.
    pub tiers: TierRange,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// The folder of the working files.
    pub scratch: PathBuf,
    /// Bytes that may be resident.
    pub memory: Option<u64>,
    /// The form of the kernels.
    pub cpu: Cpu,
    /// Which cells are worked on; the tables are the same.
    pub scope: Scope,
}

/// Tables that are there now.
#[derive(Clone, PartialEq, Debug)]
pub struct Tabulated {
    /// The tiers, fewest stones first.
    pub tiers: Vec<TierSolution>,
    /// Bytes of all their tables.
    pub bytes: u64,
    /// Tiers that were there already.
    pub found: usize,
}

/// Somebody who is told what is going to happen and how it goes.
pub trait Listener: Progress {
    /// Work begins: over these tiers, from this batch on.
    fn begins(&self, tiers: TierRange, estimate: &Estimate, batch: usize, batches: usize);

    /// The pieces that are there have so many bytes.
    fn wrote(&self, bytes: u64);

    /// A file of an earlier run can not be used: what it held is done again.
    fn does_again(&self, error: &WorkingFileError);
}

impl Listener for () {
    fn begins(&self, _tiers: TierRange, _estimate: &Estimate, _batch: usize, _batches: usize) {}

    fn wrote(&self, _bytes: u64) {}

    fn does_again(&self, _error: &WorkingFileError) {}
}

/// Solves the tiers of a board and writes a table of each, or goes on where an
/// earlier run was stopped, or helps others that are at it.
pub fn tabulate(request: &Request, listener: &dyn Listener) -> Result<Tabulated, TabulateError> {
    tabulate_on(&Disk::default(), request, None, listener)
}

/// The same on this disk, with batches of so many cells at least if that is given.
fn tabulate_on(
    disk: &Disk,
    request: &Request,
    batch_cells: Option<u64>,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let census = Census::new(request.board)?;
    let fresh = !request.tables.exists();
    if fresh {
        starts_at_the_end(request, tiers)?;
    } else {
        // A table that is damaged, or of another board, is told before the work, not after it.
        summaries(request, &census)?;
        if nothing_is_left(disk, request, tiers)? {
            return report(disk, request, &census, tiers, None);
        }
    }
    let index = Index::new(request.board)?;
    let extent = Extent::new(&index, request.scope);
    let extent = match batch_cells {
        Some(cells) => extent.with_batches_of(cells),
        None => extent,
    };
    if fresh {
        // What is refused leaves no folders behind.
        refuse_what_does_not_fit(request, &Estimate::of(&extent, tiers, HORIZON), false)?;
    }
    let mut entry = Entry::of(request)?;
    let begun = entry.run().map(|run| run.tiers_of(request, tiers)).transpose()?;
    let todo = match begun {
        // What it was to start from has been removed: it can never go on.
        Some(begun) if entry.is_alone() && !has_start(request, begun) => {
            entry.forget(disk, request)?;
            missing(request, tiers)?
        }
        None => missing(request, tiers)?,
        begun => begun,
    };
    if let Some(todo) = todo {
        let estimate = Estimate::of(&extent, todo, HORIZON);
        refuse_what_does_not_fit(request, &estimate, entry.run().is_some())?;
        let start = start(request, &extent, todo)?;
        entry.begin(disk, request, RunFile::of(&extent, todo), listener)?;
        let run = Run::new(disk, request, &extent, start, todo, listener, &estimate)?;
        run.finish(run.solve()?)?;
    }
    report(disk, request, &census, tiers, todo)
}

/// Are all tables there, and nobody at work? What a run that was stopped at its very end has
/// left is removed.
fn nothing_is_left(
    disk: &Disk,
    request: &Request,
    tiers: TierRange,
) -> Result<bool, TabulateError> {
    let Ok(_alone) = FolderLock::take(&request.tables) else { return Ok(false) };
    let begun = RunFile::read(&run_folder(&request.tables))?.is_some();
    let over = leftovers::are_there(request, tiers)?;
    if over && !begun {
        leftovers::clear(disk, request)?;
    }
    Ok(over && !begun)
}

/// What the finished tables of a folder are.
fn summaries(request: &Request, census: &Census) -> Result<Vec<TableSummary>, TabulateError> {
    let tables = Tables::open(&request.tables, census);
    let inventory = Inventory::of(&request.tables, request.board)?;
    inventory.tables.iter().map(|table| Ok(tables.table(table.tier)?.summary()?)).collect()
}

fn report(
    disk: &Disk,
    request: &Request,
    census: &Census,
    tiers: TierRange,
    solved: Option<TierRange>,
) -> Result<Tabulated, TabulateError> {
    let known = summaries(request, census)?;
    let times = if Inventory::of(&request.tables, request.board)?.manifest {
        Manifest::read(&request.tables)?
    } else {
        // Somebody has removed it. The tables tell all that it told, but for the times.
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
