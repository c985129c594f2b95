//! Claims: locks on work that only one process should do.
//!
//! A claim is a lock that the system releases when the process ends, even if it is killed. Claims
//! only save work: a batch that is solved twice has the same result, and so has a table that is put
//! together twice. Each is written under a name of its own, and published as a whole. So a file
//! system without locks, or one that hides them from other machines, costs nothing but time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::reading::{self, NotAFile, open_with};
use crate::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};
use crate::table::has_no_locks;

/// The right to do some work, until it is dropped.
#[derive(Debug)]
pub(in crate::tabulate) struct Claim {
    _file: File,
    is_a_lock: bool,
}

impl Claim {
    /// Claims some work; `None` if another process has, or has ended the run and removed its
    /// folder.
    pub fn take(path: &Path) -> Result<Option<Claim>, WorkingFileError> {
        let mut options = File::options();
        let file = open_with(options.create(true).truncate(false).write(true), path);
        let file = match file {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.of_working_file(path, WRITE)?,
        };
        match file.try_lock() {
            Ok(()) => Ok(Some(Claim { _file: file, is_a_lock: true })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                Ok(Some(Claim { _file: file, is_a_lock: false }))
            }
            Err(TryLockError::Error(error)) => Err(error).of_working_file(path, "lock"),
        }
    }

    /// Whether other processes can see it: not where files cannot be locked.
    pub fn is_a_lock(&self) -> bool {
        self.is_a_lock
    }

    /// Whether a process has claimed this.
    pub fn is_taken(path: &Path) -> Result<bool, WorkingFileError> {
        match reading::open(path) {
            Ok(file) => Ok(matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))),
            Err(error) if NotAFile::said_by(&error).is_some() => {
                Err(error).of_working_file(path, READ)
            }
            Err(_) => Ok(false),
        }
    }
}
