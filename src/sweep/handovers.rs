//! What the batches of a sweep hand on to each other, as files that this process knows.
//!
//! ```text
//!     begin      a file under a temporary name, for one batch to write and another to read
//!     add        it is written: this process can open it
//!     publish    it has its real name, for good: any process can open it
//!     discard    its reader is done: it is removed, whichever name it has
//! ```

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::disk::Disk;
use crate::index::Census;
use crate::sealed::{OfWorkingFile, RunLabel, Sealed, Unsealed, WorkingFileError};

use super::kept::{Keeping, Kept};
use super::working_files::{Passing, passing_file, passing_files, passing_label};

/// The files that batches hand on.
pub(super) struct Handovers {
    run: RunLabel,
    folder: PathBuf,
    disk: Disk,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Those of this process that are not published.
    unpublished: HashMap<Passing, Arc<Kept>>,
    /// The size of each in bytes.
    bytes: BTreeMap<Passing, u64>,
}

impl Handovers {
    /// Those of a run, in this folder.
    pub fn new(run: RunLabel, folder: &Path) -> Handovers {
        let known = Known { bytes: passing_files(folder).collect(), ..Known::default() };
        let (folder, disk) = (folder.to_owned(), Disk::default());
        Handovers { run, folder, disk, known: Mutex::new(known) }
    }

    /// Writes through this disk.
    pub fn on(self, disk: &Disk) -> Handovers {
        Handovers { disk: disk.clone(), ..self }
    }

    /// The label of the run.
    pub fn run(&self) -> RunLabel {
        self.run
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("nothing panics while it is locked")
    }

    /// The name of a file, once it is published.
    pub fn file(&self, passing: Passing) -> PathBuf {
        passing_file(&self.folder, passing)
    }

    /// Can it be opened, judging by its name?
    pub fn is_there(&self, passing: Passing) -> bool {
        self.known().unpublished.contains_key(&passing) || self.file(passing).exists()
    }

    /// Opens a file.
    pub fn open(&self, passing: Passing, census: &Census) -> Result<Arc<Kept>, WorkingFileError> {
        if let Some(kept) = self.known().unpublished.get(&passing) {
            return Ok(kept.clone());
        }
        let file = Sealed::open(self.file(passing), passing_label(self.run, passing.from))?;
        self.known().bytes.insert(passing, file.bytes());
        Ok(Arc::new(Kept::of(file, census)?))
    }

    /// Begins a file.
    pub fn begin(&self, passing: Passing) -> Result<Keeping, WorkingFileError> {
        let label = passing_label(self.run, passing.from);
        Ok(Keeping::in_file(Unsealed::create(&self.disk, self.file(passing), label)?))
    }

    /// Adds a file that is written, and is to be published or discarded.
    pub fn add(&self, passing: Passing, kept: Kept) {
        let mut known = self.known();
        known.bytes.insert(passing, kept.file().map_or(0, Sealed::bytes));
        known.unpublished.insert(passing, Arc::new(kept));
    }

    /// Publishes a file, unless that has been done.
    pub fn publish(&self, passing: Passing) -> Result<(), WorkingFileError> {
        let kept = self.known().unpublished.get(&passing).cloned();
        if let Some(file) = kept.as_ref().and_then(|kept| kept.file()) {
            file.publish()?;
            // Its reader opens it again: too many may be waiting to keep all open.
            self.known().unpublished.remove(&passing);
        }
        Ok(())
    }

    /// Removes a file that its reader no longer needs.
    pub fn discard(&self, passing: Passing) -> Result<(), WorkingFileError> {
        let kept = {
            let mut known = self.known();
            known.bytes.remove(&passing);
            known.unpublished.remove(&passing)
        };
        match kept.as_ref().and_then(|kept| kept.file()) {
            Some(file) => file.remove(&self.disk),
            None => {
                let path = self.file(passing);
                self.disk.remove(&path).of_working_file(&path, "remove")
            }
        }
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.known().bytes.values().sum()
    }
}
