//! The files that sweeps keep in a folder: their names, and when they are removed.
//!
//! ```text
//!     007-012.kept         what batch 7 hands on to batch 12
//!     start-09-007.kept    what batch 7 keeps of tier 9, for another sweep to start from
//! ```
//!
//! A file with a [temporary name](crate::disk::temporary) is being written, or was when a run
//! ended.

use std::fs;
use std::path::{Path, PathBuf};

use crate::board::Tier;
use crate::disk::{Disk, name_of_temporary};
use crate::reading::names_in;
use crate::sealed::{Kind, Label, OfWorkingFile, READ, RunLabel, Sealed, WorkingFileError};

/// The file that a batch hands on to another.
pub(super) fn passing_file(folder: &Path, passing: Passing) -> PathBuf {
    let Passing { from, to } = passing;
    folder.join(format!("{from:03}-{to:03}.kept"))
}

/// The same, given the numbers of both batches.
pub(crate) fn handed_on_file(folder: &Path, from: usize, to: usize) -> PathBuf {
    passing_file(folder, Passing { from, to })
}

/// The file with what a batch keeps of the tier that another sweep starts from.
pub(super) fn start_file(folder: &Path, tier: Tier, batch: usize) -> PathBuf {
    folder.join(format!("start-{:02}-{batch:03}.kept", tier.0))
}

/// Has an earlier sweep kept this tier in a folder, judging by the name of its first file?
pub(crate) fn is_kept(folder: &Path, tier: Tier) -> bool {
    start_file(folder, tier, 0).exists()
}

/// A batch and another one that it hands something on to, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Passing {
    pub from: usize,
    pub to: usize,
}

/// The label of the files that a batch of this run hands on.
pub(super) fn passing_label(run: RunLabel, batch: usize) -> Label {
    Label { kind: Kind::Passing, run, tier: None, batch }
}

/// The files that batches have handed on and that still exist, with their sizes in bytes.
pub(super) fn passing_files(folder: &Path) -> impl Iterator<Item = (Passing, u64)> {
    let names = names_in(folder).unwrap_or_default();
    names.into_iter().filter_map(|name| match working_file(name.to_str()?)? {
        WorkingFile::Passing(passing) => {
            Some((passing, fs::metadata(folder.join(name)).ok()?.len()))
        }
        _ => None,
    })
}

/// A file in a folder of working files.
enum WorkingFile {
    Passing(Passing),
    Start(Tier),
    Unfinished { batch: usize },
}

fn working_file(name: &str) -> Option<WorkingFile> {
    let (name, unfinished) = match name_of_temporary(name) {
        Some(name) => (name, true),
        None => (name, false),
    };
    let name = name.strip_suffix(".kept")?;
    let is_start = name.starts_with("start-");
    let (first, batch) = name.strip_prefix("start-").unwrap_or(name).split_once('-')?;
    let batch = batch.parse().ok()?;
    let (file, batch) = match is_start {
        true => (WorkingFile::Start(Tier(first.parse().ok()?)), batch),
        false => {
            let from = first.parse().ok()?;
            (WorkingFile::Passing(Passing { from, to: batch }), from)
        }
    };
    Some(if unfinished { WorkingFile::Unfinished { batch } } else { file })
}

/// Removes the files of earlier runs in a folder, except tiers that another run may start from,
/// and what batches of a run that goes on have handed on. If such a file is unsound it is removed,
/// too, and `told` hears why.
pub(crate) fn clear(
    disk: &Disk,
    folder: &Path,
    goes_on: Option<RunLabel>,
    is_start: impl Fn(Tier) -> bool,
    told: &dyn Fn(&WorkingFileError),
) -> Result<(), WorkingFileError> {
    remove(disk, folder, |path, file| match file {
        WorkingFile::Passing(passing) => !goes_on.is_some_and(|run| {
            let opened = Sealed::open(path.to_owned(), passing_label(run, passing.from));
            opened.inspect_err(told).is_ok()
        }),
        WorkingFile::Start(tier) => !is_start(tier),
        WorkingFile::Unfinished { .. } => true,
    })
}

/// Removes the unfinished files of some batches, whose writers are gone.
pub(crate) fn clear_unfinished(
    disk: &Disk,
    folder: &Path,
    is_one: &dyn Fn(usize) -> bool,
) -> Result<(), WorkingFileError> {
    remove(disk, folder, |_, file| match file {
        WorkingFile::Unfinished { batch } => is_one(batch),
        WorkingFile::Passing(_) | WorkingFile::Start(_) => false,
    })
}

fn remove(
    disk: &Disk,
    folder: &Path,
    is_over: impl Fn(&Path, WorkingFile) -> bool,
) -> Result<(), WorkingFileError> {
    let names = match names_in(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        names => names.of_working_file(folder, READ)?,
    };
    let mut removed = false;
    for name in names {
        let Some(file) = name.to_str().and_then(working_file) else { continue };
        let path = folder.join(name);
        if is_over(&path, file) {
            disk.remove(&path).of_working_file(&path, "remove")?;
            removed = true;
        }
    }
    if removed { disk.sync_folder(folder).of_working_file(folder, "sync") } else { Ok(()) }
}
