//! Refuses, before any work, requests that cannot succeed.

use std::fs;
use std::io;
use std::path::Path;

use crate::board::{Tier, TierRange};
use crate::disk::temporary;
use crate::memory;
use crate::sealed::{FileFault, WorkingFileError};
use crate::sweep::{self, Extent, Start, StartTier};

use super::error::TabulateError;
use super::estimate::Estimate;
use super::names::kept_folder;
use super::request::Request;

/// How often it is tried to make a folder in one that is removed meanwhile.
const MOST_TRIES: u32 = 1000;

/// A sweep that has not begun must start at the last tier of the board.
pub(super) fn starts_at_the_end(request: &Request, wanted: TierRange) -> Result<(), TabulateError> {
    if wanted.last() == request.last_tier() {
        return Ok(());
    }
    Err(no_start(request, wanted))
}

fn no_start(request: &Request, wanted: TierRange) -> TabulateError {
    TabulateError::NoStart {
        board: request.board,
        tier: Tier(wanted.last().0 + 1),
        first: wanted.first(),
        scratch: request.scratch.clone(),
    }
}

/// Does the file that these tiers start from exist, judging by its name?
pub(super) fn has_start(request: &Request, tiers: TierRange) -> bool {
    let folder = kept_folder(&request.scratch, request.board);
    tiers.last() == request.last_tier() || sweep::is_kept(&folder, tiers.last().next_unchecked())
}

/// The start of a sweep over these tiers.
pub(super) fn start(
    request: &Request,
    extent: &Extent,
    tiers: TierRange,
) -> Result<Start, TabulateError> {
    let end = request.end(extent)?;
    if tiers.last() == request.last_tier() {
        return Ok(Start::AtEnd(end));
    }
    let folder = kept_folder(&request.scratch, request.board);
    match StartTier::open(extent, &folder, end, tiers.last().next_unchecked()) {
        Ok(start) => Ok(Start::Below(start)),
        Err(WorkingFileError { fault: FileFault::Missing, .. }) => Err(no_start(request, tiers)),
        Err(error) => Err(error.into()),
    }
}

/// The tiers without a table; none if all are there.
pub(super) fn missing(
    request: &Request,
    tiers: TierRange,
) -> Result<Option<TierRange>, TabulateError> {
    let missing = request.missing()?;
    let wanted: Vec<Tier> = missing.iter().copied().filter(|tier| tiers.contains(*tier)).collect();
    let Some(first) = wanted.first() else { return Ok(None) };
    let last_tier = request.last_tier();
    // The lowest tier above them that a sweep has kept to start from.
    let folder = kept_folder(&request.scratch, request.board);
    let from = (first.0 + 1..=last_tier.0).map(Tier).find(|tier| {
        sweep::is_kept(&folder, *tier)
            && (tier.0..=last_tier.0).all(|above| !missing.contains(&Tier(above)))
    });
    match from {
        Some(from) => Ok(TierRange::new(*first, Tier(from.0 - 1)).ok()),
        None => {
            let wanted = TierRange::new(*first, tiers.last())?;
            starts_at_the_end(request, wanted)?;
            Ok(Some(wanted))
        }
    }
}

/// Free bytes on the disk of a folder that may not exist yet.
pub(super) fn free_space(folder: &Path) -> Option<u64> {
    // A missing folder will be on the disk of its nearest existing ancestor.
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find_map(|folder| fs4::available_space(folder).ok())
}

/// Refuses folders that do not exist and cannot be created. None is created: the work does that
/// when it begins.
pub(super) fn can_be_made(folders: [&Path; 2]) -> Result<(), TabulateError> {
    folders.into_iter().try_for_each(|folder| {
        let mut tries = 1;
        loop {
            match try_to_make(folder) {
                // Another process has just removed the folder that it would be made in.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MOST_TRIES => {
                    tries += 1;
                }
                Err(error) => {
                    return Err(TabulateError::Folder { folder: folder.to_owned(), error });
                }
                Ok(()) => return Ok(()),
            }
        }
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
    fs::remove_dir(&tried)
}

pub(super) fn refuse_what_does_not_fit(
    request: &Request,
    estimate: &Estimate,
    begun: bool,
) -> Result<(), TabulateError> {
    let memory = request.memory.or_else(|| memory::available().map(|bytes| bytes / 10 * 6));
    if let Some(available) = memory.filter(|available| *available < estimate.memory) {
        return Err(TabulateError::Memory {
            board: request.board,
            needed: estimate.memory,
            available,
        });
    }
    // A stopped run already has files, so free space says little.
    if begun {
        return Ok(());
    }
    // Tables are put together from pieces, so at the end they exist twice. By then the working
    // files are gone. Those of cut-off games are smaller, and made one cut after the other.
    let twice = 2 * estimate.tables + estimate.cut_tables;
    let needs = [(&request.scratch, estimate.scratch), (&request.tables, twice)];
    for (folder, needed) in needs {
        if let Some(available) = free_space(folder).filter(|available| *available < needed) {
            let folder = folder.clone();
            return Err(TabulateError::Disk { folder, needed, available });
        }
    }
    let needed = twice.max(estimate.scratch + estimate.tables + estimate.cut_tables);
    match free_space(&request.scratch) {
        Some(available) if available < needed && free_space(&request.tables) == Some(available) => {
            Err(TabulateError::Disk { folder: request.tables.clone(), needed, available })
        }
        _ => Ok(()),
    }
}
