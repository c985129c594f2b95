//! The files that sweeps leave in a folder: their names, and what becomes of them.
//!
//! ```text
//!     007-012.kept         what batch 7 hands on to batch 12
//!     start-09-007.kept    what batch 7 leaves of tier 9, for another sweep to start from
//! ```
//!
//! Under a [temporary name](crate::disk::temporary) a file is being written, or was when a run
//! ended.

use std::fs;
use std::path::{Path, PathBuf};

use crate::board::Tier;
use crate::disk::{Disk, name_of_temporary};
use crate::sealed::{Kind, Label, OfWorkingFile, READ, RunLabel, Sealed, WorkingFileError};

/// The file of what a batch hands on to another.
pub(super) fn passing_file(folder: &Path, passing: Passing) -> PathBuf {
    let Passing { from, to } = passing;
    folder.join(format!("{from:03}-{to:03}.kept"))
}

/// The same for who is to read it.
pub(crate) fn handed_on_file(folder: &Path, from: usize, to: usize) -> PathBuf {
    passing_file(folder, Passing { from, to })
}

/// The file of what a batch leaves of the tier that another sweep starts from.
pub(super) fn start_file(folder: &Path, tier: Tier, batch: usize) -> PathBuf {
    folder.join(format!("start-{:02}-{batch:03}.kept", tier.0))
}

/// Has an earlier sweep left this tier in a folder, as far as the name of its first file
/// tells?
pub(crate) fn is_left(folder: &Path, tier: Tier) -> bool {
    start_file(folder, tier, 0).exists()
}

/// What a batch hands on to another: both by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Passing {
    pub from: usize,
    pub to: usize,
}

/// What the file of a run says that a batch hands on.
pub(super) fn passing_label(run: RunLabel, batch: usize) -> Label {
    Label { kind: Kind::Passing, run, tier: None, batch }
}

/// What batches have handed on, as far as files exist, with the sizes of these in bytes.
pub(super) fn passing_files(folder: &Path) -> impl Iterator<Item = (Passing, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let name = entry.file_name();
        match working_file(name.to_str()?)? {
            WorkingFile::Passing(passing) => Some((passing, entry.metadata().ok()?.len())),
            _ => None,
        }
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

/// Removes what runs have left in a folder, but for tiers that another one may start from,
/// and what batches of a run that goes on have handed on. It is told what is wrong with the
/// rest of that.
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

/// Removes what processes that are gone were writing of some batches.
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
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.of_working_file(folder, READ)?,
    };
    let mut removed = false;
    for entry in entries {
        let entry = entry.of_working_file(folder, READ)?;
        let name = entry.file_name();
        let Some(file) = name.to_str().and_then(working_file) else { continue };
        if is_over(&entry.path(), file) {
            let path = entry.path();
            disk.remove(&path).of_working_file(&path, "remove")?;
            removed = true;
        }
    }
    if removed { disk.sync_folder(folder).of_working_file(folder, "sync") } else { Ok(()) }
}
