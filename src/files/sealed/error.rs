//! What can be wrong with a working file.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::NotAFile;

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
#[non_exhaustive]
pub enum FileFault {
    /// The system refused.
    #[error("cannot {doing}: {error}")]
    Io {
        /// What was attempted: "read".
        doing: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// No space.
    #[error("the disk is full")]
    DiskFull,
    /// Something else than a file.
    #[error("expected a file, found {found}")]
    NotAFile {
        /// What was found: "a folder".
        found: &'static str,
    },
    /// More than a file may hold.
    #[error("it may not grow any further")]
    TooLarge,
    /// A file that is needed does not exist.
    #[error("it no longer exists")]
    Missing,
    /// Not what was written.
    #[error("it is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// A file that belongs to something else.
    #[error("expected {what} {expected}, found {found}")]
    Foreign {
        /// What differs.
        what: &'static str,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}

pub(crate) const READ: &str = "read";
pub(crate) const WRITE: &str = "write";

impl WorkingFileError {
    /// This fault in this file.
    pub(crate) fn new(file: &Path, fault: FileFault) -> WorkingFileError {
        WorkingFileError { file: file.to_owned(), fault }
    }

    /// The file is not what was written.
    pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> WorkingFileError {
        WorkingFileError::new(file, FileFault::Damaged { what: what.into() })
    }
}

/// Adds the name of the working file to an error.
pub(crate) trait OfWorkingFile<T> {
    fn of_working_file(self, file: &Path, doing: &'static str) -> Result<T, WorkingFileError>;
}

impl<T> OfWorkingFile<T> for io::Result<T> {
    fn of_working_file(self, file: &Path, doing: &'static str) -> Result<T, WorkingFileError> {
        self.map_err(|error| {
            if let Some(NotAFile { found }) = NotAFile::said_by(&error) {
                return WorkingFileError::new(file, FileFault::NotAFile { found });
            }
            let fault = match error.kind() {
                io::ErrorKind::FileTooLarge => FileFault::TooLarge,
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FileFault::DiskFull,
                // A file system over a network says of a file that another machine has removed, or
                // replaced, that it is stale.
                io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle => {
                    FileFault::Missing
                }
                _ => FileFault::Io { doing, error },
            };
            WorkingFileError::new(file, fault)
        })
    }
}
