//! What can be wrong with a working file, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Something is wrong with a working file of a run.
#[derive(Debug, thiserror::Error)]
#[error("working file {}: {fault}{}", .file.display(), .fault.advice())]
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
    #[error("cannot {doing}: {error}")]
    Io {
        /// What was tried: "read".
        doing: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// No room.
    #[error("the disk is full")]
    DiskFull,
    /// It is needed, and not there.
    #[error("it is not there any more")]
    Missing,
    /// Not what was written.
    #[error("it is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// A file of something else.
    #[error("expected {what} {expected}, found {found}")]
    Foreign {
        /// What is different.
        what: &'static str,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}

impl FileFault {
    /// What to do about it.
    fn advice(&self) -> &'static str {
        match self {
            FileFault::Io { .. } => "",
            FileFault::DiskFull => {
                ": free some space and give the same command again, what was finished is kept"
            }
            FileFault::Missing => ": give the same command again, which makes it again",
            FileFault::Damaged { .. } | FileFault::Foreign { .. } => {
                "; remove it and give the same command again, which makes it again"
            }
        }
    }
}

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
                io::ErrorKind::NotFound => FileFault::Missing,
                _ => FileFault::Io { doing, error },
            };
            WorkingFileError::new(file, fault)
        })
    }
}
