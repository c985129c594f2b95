//! Removes files that runs leave in folders.

use std::path::Path;

use crate::board::Tier;
use crate::files::sealed::{
    FileFault, OfWorkingFile, RunLabel, Sealed, WorkingFileError, remove_files,
};
use crate::files::{Disk, name_of_temporary};
use crate::sweep;
use crate::table::{LOCK, MANIFEST, tier_of_part};

use super::super::assembly::counts;
use super::super::error::TabulateError;
use super::super::job::Job;
use super::super::names::{COUNTS, batch_of_piece, is_of_a_run, run_file};
use super::super::pieces::Pieces;

/// Removes everything that the run cannot use. Reports each piece and file that must be made again,
/// and why. Files that merely cannot be read now are kept, since they may be usable later.
pub(super) fn keep_what_belongs_to(job: &Job, label: RunLabel) -> Result<(), TabulateError> {
    let is_useless = |opened: Result<Sealed, WorkingFileError>| match opened {
        Ok(_) => false,
        Err(error) if matches!(error.fault, FileFault::Io { .. } | FileFault::Missing) => false,
        Err(error) => {
            job.listener.does_again(&error);
            true
        }
    };
    let pieces = Pieces { folder: job.run.clone(), run: label };
    remove_files(job.disk, &job.run, |_, name| match batch_of_piece(name) {
        Some(batch) => is_useless(Sealed::open(pieces.file(batch), pieces.label(batch))),
        None if name == COUNTS => is_useless(counts::open(&job.run, label)),
        None => name_of_temporary(name).is_some(),
    })?;
    remove_unfinished_tables(job.disk, &job.request.tables)?;
    let tiers = label.tiers;
    let starts = |tier: Tier| tier == tiers.first() || tier == tiers.last().next_unchecked();
    let is_useless = |from, path| is_useless(Sealed::open(path, sweep::handoff_label(label, from)));
    Ok(sweep::clear(job.disk, &job.kept, is_useless, starts)?)
}

/// Removes the unfinished files that a dead process left for these batches. If a process is still
/// working on one of them, and its claim cannot be seen from here, it must solve that batch again.
pub(in crate::tabulate) fn remove_unfinished(
    job: &Job,
    is_one: &dyn Fn(usize) -> bool,
) -> Result<(), WorkingFileError> {
    remove_files(job.disk, &job.run, |_, name| {
        name_of_temporary(name).and_then(batch_of_piece).is_some_and(is_one)
    })?;
    sweep::clear_unfinished(job.disk, &job.kept, is_one)
}

/// Removes the files of a finished run, except a tier that another run may start from.
pub(in crate::tabulate) fn clear(job: &Job) -> Result<(), TabulateError> {
    let missing = job.missing()?;
    let may_be_needed =
        |tier: Tier| tier.0.checked_sub(1).is_some_and(|t| missing.contains(&Tier(t)));
    remove_pieces(job.disk, &job.run)?;
    remove_unfinished_tables(job.disk, &job.request.tables)?;
    Ok(sweep::clear(job.disk, &job.kept, |_, _| true, may_be_needed)?)
}

/// Removes all files of a run whose tables are not needed any more.
pub(super) fn remove_run(disk: &Disk, run: &Path, kept: &Path) -> Result<(), WorkingFileError> {
    remove_pieces(disk, run)?;
    sweep::clear(disk, kept, |_, _| true, |_| false)
}

/// Removes the files in the folder of a run. Without `run.json`, the first to go, it is over.
fn remove_pieces(disk: &Disk, run: &Path) -> Result<(), WorkingFileError> {
    let path = run_file(run);
    disk.remove(&path).of_working_file(&path, "remove")?;
    remove_files(disk, run, |_, name| name_of_temporary(name).is_some() || is_of_a_run(name))
}

/// Removes the unfinished tables and manifests that dead processes left in a folder. A process that
/// is still writing one, and whose lock cannot be seen from here, fails.
pub(in crate::tabulate) fn remove_unfinished_tables(
    disk: &Disk,
    folder: &Path,
) -> Result<(), WorkingFileError> {
    remove_files(disk, folder, |_, name| {
        tier_of_part(name).is_some() || name_of_temporary(name) == Some(MANIFEST)
    })
}

/// Removes tables that are no longer needed.
pub(in crate::tabulate) fn remove_tables(
    disk: &Disk,
    folder: &Path,
) -> Result<(), WorkingFileError> {
    remove_files(disk, folder, |_, name| {
        name.starts_with("tier-") && name.ends_with(".s4t") || name == MANIFEST || name == LOCK
    })
}
