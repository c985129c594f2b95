//! The files that sweeps keep in a folder: their names, and when they are removed.
//!
//! ```text
//!     007-012.store         what batch 7 hands on to batch 12
//!     start-09-007.store    what batch 7 keeps of tier 9, for another sweep to start from
//! ```
//!
//! A file with a [temporary name](crate::files::temporary) is being written, or was when a run
//! ended.
//!
//! What one batch hands on to another is a file with four steps in its life:
//!
//! ```text
//!     create     a file under a temporary name, for one batch to write and another to read
//!     add        it is written: this process can open it
//!     publish    it has its real name, for good: any process can open it
//!     discard    its reader is done: it is removed, whichever name it has
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Tier;
use crate::files::sealed::{
    Kind, Label, OfWorkingFile, RunLabel, Sealed, Unsealed, WorkingFileError, remove_files,
};
use crate::files::{Disk, name_of_temporary, names_in};
use crate::index::Census;

use super::read::Store;
use super::write::StoreWriter;

/// The file that a batch hands on to another.
pub(in crate::sweep) fn handoff_file(folder: &Path, pair: BatchPair) -> PathBuf {
    let BatchPair { from, to } = pair;
    folder.join(format!("{from:03}-{to:03}.kept"))
}

/// The same, given the numbers of both batches.
pub(crate) fn handed_on_file(folder: &Path, from: usize, to: usize) -> PathBuf {
    handoff_file(folder, BatchPair { from, to })
}

/// The file with what a batch keeps of the tier that another sweep starts from.
pub(in crate::sweep) fn start_file(folder: &Path, tier: Tier, batch: usize) -> PathBuf {
    folder.join(format!("start-{:02}-{batch:03}.kept", tier.0))
}

/// Whether an earlier sweep has kept this tier in a folder, judging by the name of its first file.
pub(crate) fn is_kept(folder: &Path, tier: Tier) -> bool {
    start_file(folder, tier, 0).exists()
}

/// A batch and another one that it hands something on to, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::sweep) struct BatchPair {
    pub from: usize,
    pub to: usize,
}

/// The label of the files that a batch of this run hands on.
pub(crate) fn handoff_label(run: RunLabel, batch: usize) -> Label {
    Label { kind: Kind::Passing, run, tier: None, batch }
}

/// The files that batches have handed on and that still exist, with their sizes in bytes.
pub(super) fn handoff_files(folder: &Path) -> impl Iterator<Item = (BatchPair, u64)> {
    let names = names_in(folder).unwrap_or_default();
    names.into_iter().filter_map(|name| match working_file(name.to_str()?)? {
        WorkingFile::Handoff(pair) => Some((pair, fs::metadata(folder.join(name)).ok()?.len())),
        _ => None,
    })
}

/// A file in a folder of working files.
enum WorkingFile {
    Handoff(BatchPair),
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
            (WorkingFile::Handoff(BatchPair { from, to: batch }), from)
        }
    };
    Some(if unfinished { WorkingFile::Unfinished { batch } } else { file })
}

/// Removes the files of earlier runs in a folder, except tiers that another run may start from, and
/// files that batches have handed on which are not useless.
pub(crate) fn clear(
    disk: &Disk,
    folder: &Path,
    is_useless: impl Fn(usize, PathBuf) -> bool,
    is_start: impl Fn(Tier) -> bool,
) -> Result<(), WorkingFileError> {
    remove_files(disk, folder, |path, name| match working_file(name) {
        Some(WorkingFile::Handoff(pair)) => is_useless(pair.from, path.to_owned()),
        Some(WorkingFile::Start(tier)) => !is_start(tier),
        Some(WorkingFile::Unfinished { .. }) => true,
        None => false,
    })
}

/// Removes the unfinished files of some batches, whose writers are gone.
pub(crate) fn clear_unfinished(
    disk: &Disk,
    folder: &Path,
    is_one: &dyn Fn(usize) -> bool,
) -> Result<(), WorkingFileError> {
    remove_files(disk, folder, |_, name| match working_file(name) {
        Some(WorkingFile::Unfinished { batch }) => is_one(batch),
        _ => false,
    })
}

/// The files that batches hand on.
pub(in crate::sweep) struct HandoffFiles {
    run: RunLabel,
    folder: PathBuf,
    disk: Disk,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Those of this process that are not published.
    unpublished: HashMap<BatchPair, Arc<Store>>,
    /// The size of each in bytes.
    bytes: BTreeMap<BatchPair, u64>,
}

impl HandoffFiles {
    /// Those of a run, in this folder.
    pub fn new(run: RunLabel, folder: &Path) -> HandoffFiles {
        let known = Known { bytes: handoff_files(folder).collect(), ..Known::default() };
        let (folder, disk) = (folder.to_owned(), Disk::default());
        HandoffFiles { run, folder, disk, known: Mutex::new(known) }
    }

    /// Writes through this disk.
    pub fn on(self, disk: &Disk) -> HandoffFiles {
        HandoffFiles { disk: disk.clone(), ..self }
    }

    /// The label of the run.
    pub fn run(&self) -> RunLabel {
        self.run
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("nothing panics while it is locked")
    }

    /// The name of a file, once it is published.
    pub fn file(&self, pair: BatchPair) -> PathBuf {
        handoff_file(&self.folder, pair)
    }

    /// Whether it can be opened, judging by its name.
    pub fn is_there(&self, pair: BatchPair) -> bool {
        self.known().unpublished.contains_key(&pair) || self.file(pair).exists()
    }

    /// Opens a file.
    pub fn open(&self, pair: BatchPair, census: &Census) -> Result<Arc<Store>, WorkingFileError> {
        if let Some(store) = self.known().unpublished.get(&pair) {
            return Ok(store.clone());
        }
        let file = Sealed::open(self.file(pair), handoff_label(self.run, pair.from))?;
        self.known().bytes.insert(pair, file.bytes());
        Ok(Arc::new(Store::of(file, census)?))
    }

    /// Creates a file.
    pub fn create(&self, pair: BatchPair) -> Result<StoreWriter, WorkingFileError> {
        let label = handoff_label(self.run, pair.from);
        Ok(StoreWriter::in_file(Unsealed::create(&self.disk, self.file(pair), label)?))
    }

    /// Adds a file that is written, and is to be published or discarded.
    pub fn add(&self, pair: BatchPair, store: Store) {
        let mut known = self.known();
        known.bytes.insert(pair, store.file().map_or(0, Sealed::bytes));
        known.unpublished.insert(pair, Arc::new(store));
    }

    /// Publishes a file, unless that has been done.
    pub fn publish(&self, pair: BatchPair) -> Result<(), WorkingFileError> {
        let store = self.known().unpublished.get(&pair).cloned();
        if let Some(file) = store.as_ref().and_then(|store| store.file()) {
            file.publish()?;
            // Its reader opens it again: too many may be waiting to keep all open.
            self.known().unpublished.remove(&pair);
        }
        Ok(())
    }

    /// Removes a file that its reader no longer needs.
    pub fn discard(&self, pair: BatchPair) -> Result<(), WorkingFileError> {
        let store = {
            let mut known = self.known();
            known.bytes.remove(&pair);
            known.unpublished.remove(&pair)
        };
        match store.as_ref().and_then(|store| store.file()) {
            Some(file) => file.remove(&self.disk),
            None => {
                let path = self.file(pair);
                self.disk.remove(&path).of_working_file(&path, "remove")
            }
        }
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.known().bytes.values().sum()
    }
}
