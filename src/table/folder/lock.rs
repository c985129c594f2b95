//! Locks on folders: a single process may write there, or all that work on the same run.
//!
//! The lock is on a file named `lock`. The system holds it as long as the process lives, and
//! releases it however the process ends. The file itself stays, and means nothing.
//!
//! Some file systems that machines share have no locks, and some show those of one machine to no
//! other. So locks only save work: they keep a process from removing what another one is writing
//! and would have to write again. The content of files never depends on a lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use crate::disk::Disk;
use crate::reading::{self, NotAFile, open_with};

use super::super::error::{Fault, OfFile, READ, TableError, WRITE};

/// The file that is locked.
pub(crate) const LOCK: &str = "lock";

/// How often to lock a file that has gone before it was locked. Each process removes it once.
const TRIES: usize = 100;

/// The right to write in a folder, until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
    is_a_lock: bool,
}

impl FolderLock {
    /// Locks a folder, and creates it if it does not exist.
    pub fn take(folder: &Path) -> Result<FolderLock, TableError> {
        fs::create_dir_all(folder).of_file(folder, WRITE)?;
        FolderLock::take_there(folder)
    }

    /// The same, but a folder that is created is synced to this disk, and so survives a power
    /// failure.
    pub(crate) fn take_on(disk: &Disk, folder: &Path) -> Result<FolderLock, TableError> {
        disk.create_folder(folder).of_file(folder, WRITE)?;
        FolderLock::take_there(folder)
    }

    /// Locks a folder that exists. One that another process is removing counts as in use.
    pub(crate) fn take_there(folder: &Path) -> Result<FolderLock, TableError> {
        FolderLock::lock(folder, File::try_lock)?
            .ok_or_else(|| TableError::new(folder, Fault::InUse))
    }

    /// Shares the lock of a folder; `None` if a process holds it alone, or has removed the folder.
    pub(crate) fn join(folder: &Path) -> Result<Option<FolderLock>, TableError> {
        FolderLock::lock(folder, File::try_lock_shared)
    }

    /// Locks the file of a folder; `None` if others hold the lock, or are removing the folder.
    fn lock(
        folder: &Path,
        try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Option<FolderLock>, TableError> {
        let path = folder.join(LOCK);
        for _ in 0..TRIES {
            let Some(file) = open(folder, &path)? else { return Ok(None) };
            let is_a_lock = match try_lock(&file) {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) if has_no_locks(&error) => false,
                Err(TryLockError::Error(error)) => {
                    return Err(TableError::io(&path, "lock", error));
                }
            };
            // The process that held it may have removed the file, and the next one locks a new one.
            if is_still_at(&file, &path).of_file(&path, READ)? {
                return Ok(Some(FolderLock { file, is_a_lock }));
            }
        }
        Err(TableError::io(&path, "lock", io::ErrorKind::NotFound.into()))
    }

    /// Whether others can see it: not where files cannot be locked.
    pub(crate) fn is_a_lock(&self) -> bool {
        self.is_a_lock
    }

    /// Allows others to join from now on.
    pub(crate) fn share(&self, folder: &Path) -> Result<(), TableError> {
        match self.file.lock_shared() {
            Err(error) if has_no_locks(&error) => Ok(()),
            shared => shared.of_file(&folder.join(LOCK), "lock"),
        }
    }

    /// Whether the folder is locked.
    pub fn is_taken(folder: &Path) -> Result<bool, TableError> {
        let path = folder.join(LOCK);
        let file = open_with(&mut options(), &path).or_else(|_| reading::open(&path));
        match file {
            Ok(file) => Ok(matches!(file.try_lock(), Err(TryLockError::WouldBlock))),
            Err(error) if NotAFile::said_by(&error).is_some() => Err(error).of_file(&path, READ),
            Err(_) => Ok(false),
        }
    }
}

/// Whether an error says that a file system has no locks.
pub(crate) fn has_no_locks(error: &io::Error) -> bool {
    // What Linux says if the other machine has none to give.
    const NO_LOCKS: i32 = 37;
    error.kind() == io::ErrorKind::Unsupported
        || cfg!(target_os = "linux") && error.raw_os_error() == Some(NO_LOCKS)
}

/// Whether an open file still has this name.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(named) => Ok(identity(file.metadata()?) == identity(named)),
        Err(error) if is_gone(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an error says that a file has been removed or, on another machine, replaced.
#[cfg(unix)]
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle)
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Opens the lock of a folder; `None` if the folder does not exist.
fn open(folder: &Path, path: &Path) -> Result<Option<File>, TableError> {
    match open_with(options().create(true).truncate(false), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if NotAFile::said_by(&error).is_some() => Err(error).of_file(path, WRITE),
        file => file.of_file(folder, WRITE).map(Some),
    }
}

/// NFS locks bytes of files: shared only if a file is open for reading, exclusively only if it is
/// open for writing.
fn options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn file_systems_without_locks_are_known_by_what_they_say() {
        // ENOLCK, ENOSYS and EOPNOTSUPP; EIO is an error like any other.
        let says = [37, 38, 95, 5].map(|code| has_no_locks(&io::Error::from_raw_os_error(code)));
        assert_eq!(says, [true, true, true, false]);
    }

    /// As NFS wants it.
    #[test]
    fn what_is_locked_can_be_read_and_written() {
        use std::io::{Read, Write};

        let folder = tempfile::tempdir().unwrap();
        let alone = FolderLock::take(folder.path()).unwrap();
        alone.share(folder.path()).unwrap();
        let joined = FolderLock::join(folder.path()).unwrap().expect("it is shared");
        for FolderLock { mut file, .. } in [alone, joined] {
            assert_eq!(file.read(&mut [0]).unwrap(), 0);
            assert_eq!(file.write(&[0]).unwrap(), 1);
            file.set_len(0).unwrap();
        }
    }

    /// A lock on a file that has been removed keeps nobody out.
    #[cfg(unix)]
    #[test]
    fn a_lock_counts_only_while_its_file_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        let file = open(folder.path(), &path).unwrap().unwrap();
        assert!(is_still_at(&file, &path).unwrap());
        fs::remove_file(&path).unwrap();
        assert!(!is_still_at(&file, &path).unwrap());
        let other = FolderLock::take(folder.path()).unwrap();
        assert!(other.is_a_lock() && !is_still_at(&file, &path).unwrap());
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
}
