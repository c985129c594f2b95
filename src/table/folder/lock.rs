//! Locks on folders: a single process may write there, or all that work on the same run.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::files::{Disk, Lock, NotAFile, is_locked};

use super::super::format::{Fault, OfFile, READ, TableError, WRITE};

/// The file that is locked.
pub(crate) const LOCK: &str = "lock";

/// The number of attempts if the file is removed before it is locked. Each process removes it once.
const TRIES: usize = 100;

/// The right to write in a folder, until it is dropped.
#[derive(Debug)]
pub struct FolderLock(Lock);

impl FolderLock {
    /// Locks a folder, and creates it if it does not exist.
    pub fn take(folder: &Path) -> Result<FolderLock, TableError> {
        FolderLock::take_on(&Disk::default(), folder)
    }

    /// The same on this disk: a folder that is created survives a power failure.
    pub(crate) fn take_on(disk: &Disk, folder: &Path) -> Result<FolderLock, TableError> {
        disk.create_folder(folder).of_file(folder, WRITE)?;
        FolderLock::take_there(folder)
    }

    /// Locks a folder that exists. One that another process is removing counts as in use.
    pub(crate) fn take_there(folder: &Path) -> Result<FolderLock, TableError> {
        FolderLock::with(folder, Lock::take)?.ok_or_else(|| TableError::new(folder, Fault::InUse))
    }

    /// Shares the lock of a folder; `None` if a process holds it alone, or has removed the folder.
    pub(crate) fn join(folder: &Path) -> Result<Option<FolderLock>, TableError> {
        FolderLock::with(folder, Lock::join)
    }

    /// Locks the file of a folder; `None` if others hold the lock, or are removing the folder.
    fn with(
        folder: &Path,
        lock: impl Fn(&Path) -> io::Result<Option<Lock>>,
    ) -> Result<Option<FolderLock>, TableError> {
        let path = folder.join(LOCK);
        for _ in 0..TRIES {
            let lock = match lock(&path) {
                Err(error) if NotAFile::said_by(&error).is_some() => {
                    return Err(error).of_file(&path, WRITE);
                }
                lock => lock.of_file(folder, WRITE)?,
            };
            let Some(lock) = lock else {
                // The lock is free if its file is gone and the folder still exists.
                if folder.is_dir() && !path.exists() {
                    continue;
                }
                return Ok(None);
            };
            // If its last holder removed the file, the next process would lock a new one.
            if is_still_at(lock.file(), &path).of_file(&path, READ)? {
                return Ok(Some(FolderLock(lock)));
            }
        }
        Err(TableError::io(&path, "lock", io::ErrorKind::NotFound.into()))
    }

    /// Whether others can see it: not where files cannot be locked.
    pub(crate) fn is_seen(&self) -> bool {
        self.0.is_seen()
    }

    /// Lets others join from now on.
    pub(crate) fn share(&self, folder: &Path) -> Result<(), TableError> {
        self.0.share().of_file(&folder.join(LOCK), "lock")
    }

    /// Whether the folder is locked.
    pub fn is_taken(folder: &Path) -> Result<bool, TableError> {
        let path = folder.join(LOCK);
        is_locked(&path, File::try_lock).of_file(&path, READ)
    }
}

/// Whether an open file still has this name.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(named) => Ok(identity(file.metadata()?) == identity(named)),
        // It has been removed or, on another machine, replaced.
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle => Ok(false),
            _ => Err(error),
        },
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock on a file that has been removed keeps nobody out.
    #[cfg(unix)]
    #[test]
    fn a_lock_counts_only_while_its_file_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        let lock = Lock::take(&path).unwrap().unwrap();
        assert!(is_still_at(lock.file(), &path).unwrap());
        fs::remove_file(&path).unwrap();
        assert!(!is_still_at(lock.file(), &path).unwrap());
        let other = FolderLock::take(folder.path()).unwrap();
        assert!(other.is_seen() && !is_still_at(lock.file(), &path).unwrap());
    }

    #[test]
    fn a_folder_has_one_owner_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new/tables");
        assert!(!FolderLock::is_taken(&folder).unwrap());
        let lock = FolderLock::take(&folder).unwrap();
        assert!(FolderLock::is_taken(&folder).unwrap());
        let error = FolderLock::take(&folder).unwrap_err();
        assert!(matches!(error.fault, Fault::InUse) && error.file == folder, "{error}");
        drop(lock);
        assert!(!FolderLock::is_taken(&folder).unwrap());
        FolderLock::take(&folder).unwrap();
    }

    /// No other process is waited for there, since none can have the lock.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_was_removed_and_is_open_cannot_be_locked() {
        use std::os::fd::AsRawFd;

        let folder = tempfile::tempdir().unwrap();
        let open = File::open(folder.path()).unwrap();
        fs::remove_dir(folder.path()).unwrap();
        let path = format!("/proc/self/fd/{}", open.as_raw_fd());
        assert!(Path::new(&path).is_dir());
        let error = FolderLock::take(Path::new(&path)).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("cannot write: the folder takes no new file: "), "{error}");
    }
}
