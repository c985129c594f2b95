//! What batches hand on to each other, in memory or in files; and the names of these files.
//!
//! ```text
//!     007-012.kept         what batch 7 hands on to batch 12
//!     start-09-007.kept    what batch 7 keeps of tier 9, for another sweep to start from
//! ```
//!
//! A file with a [temporary name](crate::files::temporary) is being written, or was when a run
//! ended. What a batch of a large centre keeps for itself has no other name: `007-007.kept.….new`.
//!
//! What one batch hands on to another has four steps in its life. It [waits](Waits) in memory or in
//! a file, as was decided beforehand:
//!
//! ```text
//!                in a file                            in memory
//!     create     under a temporary name               for one batch to write and another to read
//!     add        it is written: this process can open it
//!     publish    it gets its real name, for good:     a copy is written and published
//!                any process can open it
//!     discard    its reader is done: it is removed
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

use crate::sweep::work::Placement;

use super::read::Store;
use super::write::StoreWriter;

/// The file that a batch hands on to another.
pub(crate) fn handoff_file(folder: &Path, from: usize, to: usize) -> PathBuf {
    folder.join(format!("{from:03}-{to:03}.kept"))
}

/// The file with tiles of a centre of a batch that wait for others of the same centre.
pub(in crate::sweep) fn file_of_waiting_tiles(folder: &Path, batch: usize) -> PathBuf {
    handoff_file(folder, batch, batch)
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

/// What batches hand on to each other.
pub(in crate::sweep) struct Handoffs {
    run: RunLabel,
    folder: PathBuf,
    disk: Disk,
    placement: Arc<Placement>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// What is not published, and what is in memory.
    kept: HashMap<BatchPair, Kept>,
    /// The size of each file in bytes.
    bytes: BTreeMap<BatchPair, u64>,
    /// Bytes in memory.
    memory: u64,
}

/// What one batch has handed on to another.
struct Kept {
    /// `None` if it was in memory and has been read.
    store: Option<Arc<Store>>,
    /// Whether it is in memory.
    in_memory: bool,
    /// Whether there is a published copy of it.
    is_saved: bool,
}

impl Handoffs {
    /// Those of a run, with files in this folder.
    pub(crate) fn new(run: RunLabel, folder: &Path, placement: Arc<Placement>) -> Handoffs {
        let known = Known { bytes: handoff_files(folder).collect(), ..Known::default() };
        let (folder, disk) = (folder.to_owned(), Disk::default());
        Handoffs { run, folder, disk, placement, known: Mutex::new(known) }
    }

    /// Writes through this disk.
    pub(crate) fn on(self, disk: &Disk) -> Handoffs {
        Handoffs { disk: disk.clone(), ..self }
    }

    /// The label of the run.
    pub(crate) fn run(&self) -> RunLabel {
        self.run
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("nothing panics while it is locked")
    }

    /// The name of a file, once it is published.
    pub(crate) fn file(&self, pair: BatchPair) -> PathBuf {
        handoff_file(&self.folder, pair.from, pair.to)
    }

    /// Whether it can be opened; files are judged by their names.
    pub(crate) fn is_there(&self, pair: BatchPair) -> bool {
        self.known().store(pair).is_some() || self.file(pair).exists()
    }

    /// Opens what a batch has handed on to another.
    pub(crate) fn open(
        &self,
        pair: BatchPair,
        census: &Census,
    ) -> Result<Arc<Store>, WorkingFileError> {
        if let Some(store) = self.known().store(pair) {
            return Ok(store);
        }
        let file = Sealed::open(self.file(pair), handoff_label(self.run, pair.from))?;
        self.known().bytes.insert(pair, file.bytes());
        Ok(Arc::new(Store::of(file, census)?))
    }

    /// Begins what a batch hands on to another, where it is to wait.
    pub(crate) fn create(&self, pair: BatchPair) -> Result<StoreWriter, WorkingFileError> {
        // Where several processes share a run, or one resumes it, more may wait than was planned.
        let is_full = self.known().memory > self.placement.allowance(pair.from);
        let waits = self.placement.of(pair.from, pair.to);
        Ok(match is_full || waits.is_in_file() {
            true => StoreWriter::in_file(self.create_file(pair)?, is_full || waits.is_tight()),
            false => StoreWriter::in_memory(waits.is_tight()),
        })
    }

    fn create_file(&self, pair: BatchPair) -> Result<Unsealed, WorkingFileError> {
        Unsealed::create(&self.disk, self.file(pair), handoff_label(self.run, pair.from))
    }

    /// Adds what is written, and is to be published or discarded.
    pub(crate) fn add(&self, pair: BatchPair, store: Store) {
        let mut known = self.known();
        let in_memory = store.file().is_none();
        match store.file() {
            Some(file) => _ = known.bytes.insert(pair, file.bytes()),
            None => known.memory += store.bytes_in_memory(),
        }
        let kept = Kept { store: Some(Arc::new(store)), in_memory, is_saved: false };
        known.kept.insert(pair, kept);
    }

    /// What is not published of what a batch has handed on to another.
    pub(crate) fn unpublished(&self, pair: BatchPair) -> Option<Arc<Store>> {
        self.known().kept.get(&pair).filter(|kept| !kept.is_saved)?.store.clone()
    }

    /// Publishes what was not.
    pub(crate) fn publish(&self, pair: BatchPair, store: &Store) -> Result<(), WorkingFileError> {
        if let Some(file) = store.file() {
            file.publish()?;
            // Its reader opens it again: too many may be waiting to keep all open.
            self.known().kept.remove(&pair);
            return Ok(());
        }
        let file = store.save(self.create_file(pair)?)?;
        file.publish()?;
        // It is read from memory, unless the process is stopped.
        file.leave_memory();
        let mut known = self.known();
        known.bytes.insert(pair, file.bytes());
        if let Some(kept) = known.kept.get_mut(&pair) {
            kept.is_saved = true;
        }
        Ok(())
    }

    /// Frees the memory of what was handed on to a batch, which has read it.
    pub(crate) fn free(&self, pair: BatchPair) {
        let mut known = self.known();
        let read = known.kept.get_mut(&pair).filter(|kept| kept.in_memory);
        if let Some(store) = read.and_then(|kept| kept.store.take()) {
            known.memory -= store.bytes_in_memory();
        }
    }

    /// Removes what its reader no longer needs.
    pub(crate) fn discard(&self, pair: BatchPair) -> Result<(), WorkingFileError> {
        self.free(pair);
        let kept = {
            let mut known = self.known();
            known.bytes.remove(&pair);
            known.kept.remove(&pair)
        };
        match kept {
            Some(Kept { in_memory: true, is_saved: false, .. }) => Ok(()),
            Some(Kept { store: Some(store), .. }) if store.file().is_some() => {
                store.file().map_or(Ok(()), |file| file.remove(&self.disk))
            }
            _ => {
                let path = self.file(pair);
                self.disk.remove(&path).of_working_file(&path, "remove")
            }
        }
    }

    /// Bytes in memory, and of all files.
    pub(crate) fn bytes(&self) -> [u64; 2] {
        let known = self.known();
        [known.memory, known.bytes.values().sum()]
    }

    /// How many files are open because they are not published.
    pub(crate) fn open_files(&self) -> usize {
        self.known().kept.values().filter(|kept| !kept.in_memory).count()
    }

    /// Where it all waits.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }
}

impl Known {
    fn store(&self, pair: BatchPair) -> Option<Arc<Store>> {
        self.kept.get(&pair)?.store.clone()
    }
}
