//! Claims: who is at work on what.
//!
//! A claim is a lock that the system holds for as long as the process lives, so that of a
//! process that was killed it is free at once. Nothing wrong comes of work that is done
//! twice all the same: it comes to the same, and is published as a whole. So a file system that has
//! no locks, or shows those of one machine to no other, costs time and nothing else.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::sealed::{OfWorkingFile, WRITE, WorkingFileError};
use crate::table::has_no_locks;

/// The right to do some work, until it is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    _file: File,
}

impl Claim {
    /// Claims some work, unless somebody has, or has ended the run and removed its folder.
    pub fn take(path: &Path) -> Result<Option<Claim>, WorkingFileError> {
        let file = File::options().create(true).truncate(false).write(true).open(path);
        let file = match file {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.of_working_file(path, WRITE)?,
        };
        match file.try_lock() {
            Ok(()) => Ok(Some(Claim { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                Ok(Some(Claim { _file: file }))
            }
            Err(TryLockError::Error(error)) => Err(error).of_working_file(path, "lock"),
        }
    }

    /// Has somebody claimed this?
    pub fn is_taken(path: &Path) -> bool {
        let file = File::open(path);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}
