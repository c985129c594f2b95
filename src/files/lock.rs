//! Locks on files: work that only one process should do.
//!
//! The system holds a lock as long as the process lives, and releases it however the process ends.
//! The file itself stays, and means nothing.
//!
//! Some file systems that machines share have no locks, and some show those of one machine to no
//! other. So locks only save work: the content of files never depends on one.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use super::reading::{NotAFile, open, open_with};

/// A lock on a file, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    is_seen: bool,
}

impl Lock {
    /// Locks a file for this process alone, and makes it if it does not exist; `None` if others
    /// hold its lock, or the folder does not exist.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Lock>> {
        Lock::with(path, File::try_lock)
    }

    /// The same, but shares the lock with other processes.
    pub(crate) fn join(path: &Path) -> io::Result<Option<Lock>> {
        Lock::with(path, File::try_lock_shared)
    }

    fn with(
        path: &Path,
        try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> io::Result<Option<Lock>> {
        let mut tries = 0;
        let file = loop {
            match open_with(options().create(true).truncate(false), path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if !has_folder(path) {
                        return Ok(None);
                    }
                    // The folder may just have been made again. Otherwise nobody holds a lock, and
                    // whoever waited for one would wait for ever.
                    tries += 1;
                    if tries == MOST_TRIES {
                        let reason = format!("the folder takes no new file: {error}");
                        return Err(io::Error::other(reason));
                    }
                }
                file => break file?,
            }
        };
        match try_lock(&file) {
            Ok(()) => Ok(Some(Lock { file, is_seen: true })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                Ok(Some(Lock { file, is_seen: false }))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Lets others join from now on.
    pub(crate) fn share(&self) -> io::Result<()> {
        match self.file.lock_shared() {
            Err(error) if has_no_locks(&error) => Ok(()),
            // Windows adds the lock to the one that is there, and gives up one after the other.
            Ok(()) if cfg!(windows) => self.file.unlock(),
            shared => shared,
        }
    }

    /// Whether others can see it: not where files cannot be locked.
    pub(crate) fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// The locked file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

/// How often a file is made before its folder is believed to refuse it.
const MOST_TRIES: usize = 3;

/// Whether the folder of a file exists.
fn has_folder(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.exists())
}

/// Whether a lock on a file, taken in this way, would have to wait.
pub(crate) fn is_locked(
    path: &Path,
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
) -> io::Result<bool> {
    match open_with(&mut options(), path).or_else(|_| open(path)) {
        Ok(file) => Ok(matches!(try_lock(&file), Err(TryLockError::WouldBlock))),
        Err(error) if NotAFile::said_by(&error).is_some() => Err(error),
        Err(_) => Ok(false),
    }
}

/// Whether an error says that a file system has no locks.
fn has_no_locks(error: &io::Error) -> bool {
    // What Linux says if the other machine has none to give.
    const NO_LOCKS: i32 = 37;
    error.kind() == io::ErrorKind::Unsupported
        || cfg!(target_os = "linux") && error.raw_os_error() == Some(NO_LOCKS)
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
        let path = folder.path().join("lock");
        let alone = Lock::take(&path).unwrap().expect("nobody else is there");
        assert!(
            Lock::join(&path).unwrap().is_none()
                && is_locked(&path, File::try_lock_shared).unwrap()
        );
        alone.share().unwrap();
        let joined = Lock::join(&path).unwrap().expect("it is shared");
        assert!(is_locked(&path, File::try_lock).unwrap());
        for Lock { mut file, .. } in [alone, joined] {
            assert_eq!(file.read(&mut [0]).unwrap(), 0);
            assert_eq!(file.write(&[0]).unwrap(), 1);
            file.set_len(0).unwrap();
        }
        assert!(!is_locked(&path, File::try_lock).unwrap());
    }
}
