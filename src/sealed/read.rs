//! A sealed file, opened for reading.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::disk::{Disk, DiskFile};
use crate::little_endian::long;
use crate::positioned::read_exact_at;
use crate::reading;

use super::error::{OfWorkingFile, READ, WRITE, WorkingFileError};
use super::label::{LABEL_BYTES, Label};

pub(super) const SEAL_MAGIC: [u8; 8] = *b"s4 seal\n";

/// Bytes of a seal.
pub(super) const SEAL_BYTES: usize = 32;

/// A sealed file.
#[derive(Debug)]
pub(crate) struct Sealed {
    path: PathBuf,
    content: Content,
    directory: Vec<u8>,
    body_end: u64,
    bytes: u64,
}

#[derive(Debug)]
enum Content {
    /// Written by this process, and perhaps still under a temporary name.
    Written(DiskFile),
    Found(File),
}

/// The checksum of a label and of all but the last four bytes of a seal.
pub(super) fn seal_checksum(label: &[u8; LABEL_BYTES], seal: &[u8; SEAL_BYTES]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(label);
    checksum.update(&seal[..SEAL_BYTES - 4]);
    checksum.finalize()
}

impl Sealed {
    pub(super) fn unpublished(
        path: PathBuf,
        file: DiskFile,
        directory: Vec<u8>,
        body_end: u64,
        bytes: u64,
    ) -> Sealed {
        Sealed { path, content: Content::Written(file), directory, body_end, bytes }
    }

    /// Opens a file that should have this label. Its label, directory and length are checked; the
    /// body is for the owner to check.
    pub fn open(path: PathBuf, expected: Label) -> Result<Sealed, WorkingFileError> {
        let damaged = |what: &str| WorkingFileError::damaged(&path, what);
        let file = reading::open(&path).of_working_file(&path, READ)?;
        let bytes = file.metadata().of_working_file(&path, READ)?.len();
        if bytes < (LABEL_BYTES + SEAL_BYTES) as u64 {
            return Err(damaged("it is too short"));
        }
        let mut label = [0; LABEL_BYTES];
        read_exact_at(&file, &mut label, 0).of_working_file(&path, READ)?;
        expected.check(&path, &label)?;
        let mut seal = [0; SEAL_BYTES];
        let seal_start = bytes - SEAL_BYTES as u64;
        read_exact_at(&file, &mut seal, seal_start).of_working_file(&path, READ)?;
        let checksum = seal_checksum(&label, &seal).to_le_bytes();
        if seal[..8] != SEAL_MAGIC || seal[28..] != checksum {
            return Err(damaged("it has no seal"));
        }
        let (start, length) = (long(&seal, 8), long(&seal, 16));
        if start < LABEL_BYTES as u64 || start.checked_add(length) != Some(seal_start) {
            return Err(damaged("its directory is not before its seal"));
        }
        let mut directory = vec![0; length as usize];
        read_exact_at(&file, &mut directory, start).of_working_file(&path, READ)?;
        if seal[24..28] != crc32fast::hash(&directory).to_le_bytes() {
            return Err(damaged("the checksum of its directory is wrong"));
        }
        Ok(Sealed { path, content: Content::Found(file), directory, body_end: start, bytes })
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that the owner wrote.
    pub fn directory(&self) -> &[u8] {
        &self.directory
    }

    /// Where the body ends.
    pub fn body_end(&self) -> u64 {
        self.body_end
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads bytes of the body.
    pub fn read_at(&self, bytes: &mut [u8], at: u64) -> Result<(), WorkingFileError> {
        let read = match &self.content {
            Content::Written(file) => file.read_at(bytes, at),
            Content::Found(file) => read_exact_at(file, bytes, at),
        };
        read.of_working_file(&self.path, READ)
    }

    /// Syncs the file and gives it its real name, unless it has that already.
    pub fn publish(&self) -> Result<(), WorkingFileError> {
        match &self.content {
            Content::Written(file) => file.publish().of_working_file(&self.path, WRITE),
            Content::Found(_) => Ok(()),
        }
    }

    /// Removes the file, under whichever name it has.
    pub fn remove(&self, disk: &Disk) -> Result<(), WorkingFileError> {
        let removed = match &self.content {
            Content::Written(file) => file.remove(),
            Content::Found(_) => disk.remove(&self.path),
        };
        removed.of_working_file(&self.path, "remove")
    }
}
