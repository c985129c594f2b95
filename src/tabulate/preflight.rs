//! Refuses requests that cannot succeed, before any work is done.

use std::fs;
use std::io;
use std::path::Path;

use crate::board::TierRange;
use crate::files::sealed::{FileFault, WorkingFileError};
use crate::files::{temporary, try_again};
use crate::sweep::{Start, StartTier};

use super::error::TabulateError;
use super::estimate::Estimate;
use super::free_space::FreeSpace;
use super::job::Job;

/// The error of a sweep over tiers whose start does not exist.
pub(super) fn no_start(job: &Job, tiers: TierRange) -> TabulateError {
    TabulateError::NoStart {
        board: job.request.board,
        tier: tiers.last().next_unchecked(),
        first: tiers.first(),
        scratch: job.request.scratch.clone(),
    }
}

/// The start of a sweep over these tiers.
pub(super) fn start(job: &Job, tiers: TierRange) -> Result<Start, TabulateError> {
    let end = job.end()?;
    if tiers.last() == job.request.last_tier() {
        return Ok(Start::AtEnd(end));
    }
    match StartTier::open(job.extent(), &job.kept, end, tiers.last().next_unchecked()) {
        Ok(start) => Ok(Start::Below(start)),
        Err(WorkingFileError { fault: FileFault::Missing, .. }) => Err(no_start(job, tiers)),
        Err(error) => Err(error.into()),
    }
}

/// Refuses folders that do not exist and cannot be created. None is created: the work does that
/// when it begins.
pub(super) fn refuse_impossible_folders(job: &Job) -> Result<(), TabulateError> {
    [&job.request.tables, &job.request.scratch].into_iter().try_for_each(|folder| {
        // Another process may just have removed the parent folder.
        try_again(io::ErrorKind::NotFound, || try_to_make(folder))
            .map_err(|error| TabulateError::Folder { folder: folder.to_owned(), error })
    })
}

/// Tests whether a folder could be created in its place, under a name of its own, so that other
/// processes doing the same do not collide with it.
fn try_to_make(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
        // A folder that exists needs no test; anything else by that name is an error.
        Ok(_) => return fs::create_dir_all(folder),
    }
    let there = std::path::absolute(folder)?;
    let there = there.ancestors().find(|folder| folder.exists()).unwrap_or(&there);
    let name = Path::new(".strong4");
    let tried = temporary(&there.join(name));
    fs::create_dir(&tried)?;
    // Network file systems may refuse the first attempt and allow the second.
    fs::remove_dir(&tried).or_else(|_| fs::remove_dir(&tried))
}

/// Refuses work that needs more memory than may be used, or more disk space than is free.
pub(super) fn refuse_what_does_not_fit(
    job: &Job,
    estimate: &Estimate,
    begun: bool,
) -> Result<(), TabulateError> {
    let request = job.request;
    let available = job.budget.bytes();
    if available < estimate.memory {
        return Err(TabulateError::Memory {
            board: request.board,
            needed: estimate.memory,
            available,
        });
    }
    // A stopped run already has files, so free space says little.
    if begun { Ok(()) } else { FreeSpace::of(job.disk, request).refuse_less(request, estimate) }
}
