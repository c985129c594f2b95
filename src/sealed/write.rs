//! A file that is being written, until it is sealed and published.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::disk::{Disk, DiskFile};

use super::error::{OfWorkingFile, WRITE, WorkingFileError};
use super::label::{LABEL_BYTES, Label};
use super::read::{SEAL_BYTES, SEAL_MAGIC, Sealed};

/// A file without a seal, under a temporary name.
#[derive(Debug)]
pub(crate) struct Unsealed {
    label: [u8; LABEL_BYTES],
    path: PathBuf,
    file: DiskFile,
    /// Where the next bytes go.
    end: AtomicU64,
}

impl Unsealed {
    /// Starts a file that will have this name.
    pub fn create(disk: &Disk, path: PathBuf, label: Label) -> Result<Unsealed, WorkingFileError> {
        let label = label.to_bytes();
        let file = disk.create(&path).of_working_file(&path, WRITE)?;
        let end = AtomicU64::new(label.len() as u64);
        let unsealed = Unsealed { label, path, file, end };
        unsealed.write(&unsealed.label, 0)?;
        Ok(unsealed)
    }

    fn write(&self, bytes: &[u8], at: u64) -> Result<(), WorkingFileError> {
        self.file.write_at(bytes, at).of_working_file(&self.path, WRITE)
    }

    /// Appends bytes to the body, and returns where they start; from any thread.
    pub fn put(&self, bytes: &[u8]) -> Result<u64, WorkingFileError> {
        let start = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.write(bytes, start)?;
        Ok(start)
    }

    /// Ends the file. It can be read, but does not have its real name yet.
    pub fn seal(self, directory: Vec<u8>) -> Result<Sealed, WorkingFileError> {
        let Unsealed { label, end, .. } = &self;
        let start = end.load(Ordering::Relaxed);
        let mut seal = [0; SEAL_BYTES];
        seal[..8].copy_from_slice(&SEAL_MAGIC);
        seal[8..16].copy_from_slice(&start.to_le_bytes());
        seal[16..24].copy_from_slice(&(directory.len() as u64).to_le_bytes());
        seal[24..28].copy_from_slice(&crc32fast::hash(&directory).to_le_bytes());
        let checksum = super::read::seal_checksum(label, &seal);
        seal[28..].copy_from_slice(&checksum.to_le_bytes());
        let bytes = [&directory[..], &seal].concat();
        self.write(&bytes, start)?;
        let bytes = start + bytes.len() as u64;
        Ok(Sealed::unpublished(self.path, self.file, directory, start, bytes))
    }
}
