//! Removes what runs leave in folders.

use std::io;
use std::path::Path;

use crate::board::{Tier, TierRange};
use crate::disk::{Disk, name_of_temporary};
use crate::reading::names_in;
use crate::sealed::{OfWorkingFile, READ, RunLabel, Sealed, WorkingFileError};
use crate::sweep;
use crate::table::{LOCK, MANIFEST, tier_of_part};

use super::counts;
use super::error::TabulateError;
use super::names::{COUNTS, batch_of_piece, is_of_a_run, kept_folder, run_file, run_folder};
use super::pieces::Pieces;
use super::request::Request;

/// Removes everything that the run cannot use. Reports each piece and file that must be made again,
/// and why.
pub(super) fn keep_what_belongs_to(
    disk: &Disk,
    request: &Request,
    label: RunLabel,
    told: &dyn Fn(&WorkingFileError),
) -> Result<(), TabulateError> {
    let run = run_folder(&request.tables);
    let pieces = Pieces::new(run.clone(), label);
    remove_from(disk, &run, |name| match batch_of_piece(name) {
        Some(batch) => {
            let opened = Sealed::open(pieces.file(batch), pieces.label(batch));
            opened.inspect_err(told).is_err()
        }
        None if name == COUNTS => counts::open(&run, label).inspect_err(told).is_err(),
        None => name_of_temporary(name).is_some(),
    })?;
    remove_unfinished_tables(disk, &request.tables)?;
    let kept = kept_folder(&request.scratch, label.board);
    let tiers = label.tiers;
    let starts = |tier: Tier| tier == tiers.first() || tier == tiers.last().next_unchecked();
    Ok(sweep::clear(disk, &kept, Some(label), starts, told)?)
}

/// Removes the unfinished files that a dead process left for these batches. If a process is still
/// working on one of them, and its claim cannot be seen from here, it must solve that batch again.
pub(super) fn remove_unfinished(
    disk: &Disk,
    request: &Request,
    is_one: &dyn Fn(usize) -> bool,
) -> Result<(), WorkingFileError> {
    remove_from(disk, &run_folder(&request.tables), |name| {
        name_of_temporary(name).and_then(batch_of_piece).is_some_and(is_one)
    })?;
    sweep::clear_unfinished(disk, &kept_folder(&request.scratch, request.board), is_one)
}

/// Removes the files of a finished run, except a tier that another run may start from.
pub(super) fn clear(disk: &Disk, request: &Request) -> Result<(), TabulateError> {
    let (run, kept) = (run_folder(&request.tables), kept_folder(&request.scratch, request.board));
    let missing = request.missing()?;
    let may_be_needed =
        |tier: Tier| tier.0.checked_sub(1).is_some_and(|t| missing.contains(&Tier(t)));
    remove_pieces(disk, &run)?;
    remove_unfinished_tables(disk, &request.tables)?;
    Ok(sweep::clear(disk, &kept, None, may_be_needed, &|_| ())?)
}

/// Removes all files of a run whose tables are not needed any more.
pub(super) fn remove_run(disk: &Disk, tables: &Path, kept: &Path) -> Result<(), WorkingFileError> {
    remove_pieces(disk, &run_folder(tables))?;
    sweep::clear(disk, kept, None, |_| false, &|_| ())
}

/// Removes the files in the folder of a run. Without `run.json`, the first to go, it is over.
fn remove_pieces(disk: &Disk, run: &Path) -> Result<(), WorkingFileError> {
    let path = run_file(run);
    disk.remove(&path).of_working_file(&path, "remove")?;
    remove_from(disk, run, |name| name_of_temporary(name).is_some() || is_of_a_run(name))
}

/// Removes the unfinished tables and manifests that dead processes left in a folder. A process that
/// is still writing one, and whose lock cannot be seen from here, fails.
pub(super) fn remove_unfinished_tables(disk: &Disk, folder: &Path) -> Result<(), WorkingFileError> {
    remove_from(disk, folder, |name| {
        tier_of_part(name).is_some() || name_of_temporary(name) == Some(MANIFEST)
    })
}

/// Removes tables that are no longer needed.
pub(super) fn remove_tables(disk: &Disk, folder: &Path) -> Result<(), WorkingFileError> {
    remove_from(disk, folder, |name| {
        name.starts_with("tier-") && name.ends_with(".s4t") || name == MANIFEST || name == LOCK
    })
}

/// Do all these tiers have tables?
pub(super) fn are_there(request: &Request, tiers: TierRange) -> Result<bool, TabulateError> {
    let missing = request.missing()?;
    Ok(!tiers.into_iter().any(|tier| missing.contains(&tier)))
}

fn remove_from(
    disk: &Disk,
    folder: &Path,
    is_over: impl Fn(&str) -> bool,
) -> Result<(), WorkingFileError> {
    let names = match names_in(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        names => names.of_working_file(folder, READ)?,
    };
    let mut removed = false;
    for name in names {
        if name.to_str().is_some_and(&is_over) {
            let path = folder.join(name);
            disk.remove(&path).of_working_file(&path, "remove")?;
            removed = true;
        }
    }
    if removed { disk.sync_folder(folder).of_working_file(folder, "sync") } else { Ok(()) }
}
