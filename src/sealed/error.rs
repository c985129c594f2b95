//! What can be wrong with a working file, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Something is wrong with a working file of a run.
#[derive(Debug, thiserror::Error)]
#[error("working file {}: {fault}", .file.display())]
pub struct WorkingFileError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: FileFault,
}

/// What is wrong with a working file.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The system says no.
    #[error("can not {doing}: {error}")]
    Io {
        /// What was tried: "read".
        doing: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// No room.
    #[error(
        "the disk is full: free some space and give the same command again, what was finished is \
         kept"
    )]
    DiskFull,
    /// It is needed, and not there.
    #[error("it is not there any more: give the same command again, which makes it again")]
    Missing,
    /// Not what was written.
    #[error("it is damaged: {what}; {AGAIN}")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// A file of something else.
    #[error("expected {what} {expected}, found {found}; {AGAIN}")]
    Foreign {
        /// What is different.
        what: &'static str,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}

const AGAIN: &str = "remove it and give the same command again, which makes it again";

pub(crate) const READ: &str = "read";
pub(crate) const WRITE: &str = "write";

impl WorkingFileError {
    /// This is wrong with this file.
    pub(crate) fn new(file: &Path, fault: FileFault) -> WorkingFileError {
        WorkingFileError { file: file.to_owned(), fault }
    }

    /// It is not what was written.
    pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> WorkingFileError {
        WorkingFileError::new(file, FileFault::Damaged { what: what.into() })
    }
}

/// Names a working file in what went wrong with it.
pub(crate) trait OfWorkingFile<T> {
    fn of_working_file(self, file: &Path, doing: &'static str) -> Result<T, WorkingFileError>;
}

impl<T> OfWorkingFile<T> for io::Result<T> {
    fn of_working_file(self, file: &Path, doing: &'static str) -> Result<T, WorkingFileError> {
        self.map_err(|error| {
            let fault = match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FileFault::DiskFull,
                io::ErrorKind::NotFound if doing == READ => FileFault::Missing,
                _ => FileFault::Io { doing, error },
            };
            WorkingFileError::new(file, fault)
        })
    }
}
