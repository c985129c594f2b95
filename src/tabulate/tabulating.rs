//! From a request to its tables: checks which tiers exist, and runs the missing ones.

use std::io;
use std::sync::Arc;

use crate::board::TierRange;
use crate::disk::Disk;
use crate::index::Census;
use crate::sealed::FileFault;
use crate::sweep::{Extent, Sizes};
use crate::table::{Fault, FolderLock, TableError};

use super::admission::{has_start, missing, refuse_what_does_not_fit, start, starts_at_the_end};
use super::entry::Entry;
use super::error::TabulateError;
use super::estimate::Estimate;
use super::ledger::Ledger;
use super::leftovers;
use super::names::{run_file, run_folder};
use super::pieces::Pieces;
use super::report::{report, summaries};
use super::request::{Beginning, Listener, Request, Tabulated};
use super::run::Run;
use super::run_file::RunFile;

/// Solves the tiers of a board and writes a table of each. Resumes a run that was stopped, and
/// joins one that is under way.
pub fn tabulate(request: &Request, listener: &dyn Listener) -> Result<Tabulated, TabulateError> {
    tabulate_on(&Disk::default(), request, None, listener)
}

/// The approximate cost of that from the beginning, without listing any states.
pub fn estimate(request: &Request) -> Result<Estimate, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let census = Arc::new(Census::new(request.board)?);
    request.estimate(&Sizes::rough(&census, request.scope), tiers)
}

/// Tabulates on this disk, with batches of at least this many cells, if that is given.
pub(super) fn tabulate_on(
    disk: &Disk,
    request: &Request,
    batch_cells: Option<u64>,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let census = Arc::new(Census::new(request.board)?);
    let fresh = !request.tables.exists();
    if fresh {
        starts_at_the_end(request, tiers)?;
    } else {
        // A table that is damaged or of another board is reported before the work, not after it.
        summaries(request, &census)?;
        if nothing_remains(disk, request, tiers)? {
            return report(disk, request, &census, tiers, None);
        }
    }
    let extent = Extent::new(&census, request.scope);
    let extent = match batch_cells {
        Some(cells) => extent.with_batches_of(cells),
        None => extent,
    };
    if fresh {
        let estimate = request.estimate(&extent, tiers)?;
        refuse_what_does_not_fit(request, &estimate, false)?;
    }
    let mut entry = Entry::of(disk, request)?;
    let todo = run(disk, request, &extent, tiers, &mut entry, listener);
    if !run_file(&run_folder(&request.tables)).exists() {
        leftovers::remove_folders(request);
    }
    drop(entry);
    report(disk, request, &census, tiers, todo?)
}

/// Runs over the missing tiers, if any, and returns them.
fn run(
    disk: &Disk,
    request: &Request,
    extent: &Extent,
    tiers: TierRange,
    entry: &mut Entry,
    listener: &dyn Listener,
) -> Result<Option<TierRange>, TabulateError> {
    let todo = todo(disk, request, tiers, entry)?;
    if let Some(todo) = todo {
        let estimate = request.estimate(extent, todo)?;
        refuse_what_does_not_fit(request, &estimate, entry.run().is_some())?;
        let start = start(request, extent, todo)?;
        let ours = RunFile::of(extent, todo, start.end());
        entry.begin(disk, request, ours, listener)?;
        let pieces = Pieces::new(run_folder(&request.tables), ours.label);
        let mut ledger = Ledger::new(extent.schedule(), pieces);
        ledger.look(|_| false)?;
        let (done, batches, cut) = (ledger.count(), ours.batches, request.cut);
        listener.begins(&Beginning { part: None, tiers: todo, cut, estimate, done, batches });
        let run = Run::new(disk, request, extent, start, todo, listener, &estimate)?;
        let done = run.solve().and_then(|batches| run.finish(batches));
        match done {
            Err(error) if others_have_ended_it(request, todo, &error)? => {}
            done => done?,
        }
    }
    Ok(todo)
}

/// The tiers that a run is to solve: those of one that was begun, or all that are missing.
pub(super) fn todo(
    disk: &Disk,
    request: &Request,
    tiers: TierRange,
    entry: &mut Entry,
) -> Result<Option<TierRange>, TabulateError> {
    let begun = entry.run().map(|run| run.tiers_of(request, tiers)).transpose()?;
    match begun {
        // The tier that it starts from has been removed: it can never continue.
        Some(begun) if entry.is_alone() && !has_start(request, begun) => {
            entry.forget(disk, request)?;
            missing(request, tiers)
        }
        None => missing(request, tiers),
        begun => Ok(begun),
    }
}

/// Was an error caused by other processes, which have ended the run and removed its files?
pub(super) fn others_have_ended_it(
    request: &Request,
    tiers: TierRange,
    error: &TabulateError,
) -> Result<bool, TabulateError> {
    let is_gone = match error {
        TabulateError::WorkingFile(error) => matches!(error.fault, FileFault::Missing),
        TabulateError::Table(TableError { fault: Fault::Io { error, .. }, .. }) => {
            error.kind() == io::ErrorKind::NotFound
        }
        TabulateError::Table(TableError { fault: Fault::Removed, .. }) => true,
        _ => false,
    };
    let is_over = || !run_file(&run_folder(&request.tables)).exists();
    Ok(is_gone && is_over() && leftovers::are_there(request, tiers)?)
}

/// Do all tables exist, with no process at work? Removes the files of a run that was stopped at
/// its very end.
pub(super) fn nothing_remains(
    disk: &Disk,
    request: &Request,
    tiers: TierRange,
) -> Result<bool, TabulateError> {
    let Ok(_alone) = FolderLock::take_on(disk, &request.tables) else { return Ok(false) };
    let over = leftovers::are_there(request, tiers)?
        && match RunFile::read(&run_folder(&request.tables))? {
            None => true,
            // Only its files remained to be removed.
            Some(run) => {
                run.tiers_of(request, tiers).is_ok() && leftovers::are_listed(request, tiers)
            }
        };
    if over {
        leftovers::clear(disk, request)?;
        leftovers::remove_folders(request);
    }
    Ok(over)
}
