//! Sealed files: pieces of a run that name the run they belong to, and prove that they are whole.
//!
//! ```text
//!     label        64 bytes: its board, tiers and batch, and the program that made it
//!     body         whatever the owner puts there, with checksums of its own
//!     directory    what is where in the body
//!     seal         32 bytes: where the directory is, and its checksum
//! ```
//!
//! All numbers are little-endian. The label, at 0:
//!
//! ```text
//!     at  0   8  "s4sealed"
//!         8   4  version, 3
//!      12   1  kind: 1 what a batch passes on, 2 a tier to start from, 3 a piece of tables,
//!             4 counts
//!        13   2  width and height of the board
//!        15   2  first and last tier of the run
//!        17   1  the ply at which its games end
//!        18   1  1 if it sweeps every cell, else 0; and 2 or 4 if it is of one plane alone: of
//!               the wins of the first player, or of what that player does not lose
//!      19   1  its tier, 255 if it is of all
//!      20   4  the number of the batch
//!      24  32  the program that made it, padded with zeros
//!        56   4  zeros
//!        60   4  CRC-32 of the 60 bytes before
//! ```
//!
//! The seal, at the end:
//!
//! ```text
//!     at  0   8  "s4 seal\n"
//!         8   8  where the directory starts
//!        16   8  length of the directory
//!        24   4  CRC-32 of the directory
//!        28   4  CRC-32 of the label and of the 28 bytes before
//! ```
//!
//! A file gets its real name only once it is sealed and synced, so an unsound one was damaged
//! later. A file under a temporary name means nothing.

mod error;
mod label;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::files::{self, Disk, DiskFile, if_there, long, read_exact_at};

pub use error::{FileFault, WorkingFileError};
pub(crate) use error::{OfWorkingFile, READ, WRITE};
use label::LABEL_BYTES;
pub(crate) use label::{Kind, Label, RunLabel};

const SEAL_MAGIC: [u8; 8] = *b"s4 seal\n";

/// Bytes of a seal.
const SEAL_BYTES: usize = 32;

/// A sealed file: one that was opened, or one that this process has written.
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

/// Removes the files in a folder, if it exists, whose paths and names say that they are over.
pub(crate) fn remove_files(
    disk: &Disk,
    folder: &Path,
    is_over: impl Fn(&Path, &str) -> bool,
) -> Result<(), WorkingFileError> {
    let names = if_there(files::names_in(folder)).of_working_file(folder, "list")?;
    let mut removed = false;
    for name in names.unwrap_or_default() {
        let path = folder.join(&name);
        if name.to_str().is_some_and(|name| is_over(&path, name)) {
            disk.remove(&path).of_working_file(&path, "remove")?;
            removed = true;
        }
    }
    if removed { disk.sync_folder(folder).of_working_file(folder, "sync") } else { Ok(()) }
}

/// The checksum of a label and of all but the last four bytes of a seal.
fn seal_checksum(label: &[u8; LABEL_BYTES], seal: &[u8; SEAL_BYTES]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(label);
    checksum.update(&seal[..SEAL_BYTES - 4]);
    checksum.finalize()
}

impl Sealed {
    /// Opens a file that should have this label. Its label, directory and length are checked; the
    /// body is for the owner to check.
    pub(crate) fn open(path: PathBuf, expected: Label) -> Result<Sealed, WorkingFileError> {
        let damaged = |what: &str| WorkingFileError::damaged(&path, what);
        let file = files::open(&path).of_working_file(&path, READ)?;
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
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that the owner wrote.
    pub(crate) fn directory(&self) -> &[u8] {
        &self.directory
    }

    /// Where the body ends.
    pub(crate) fn body_end(&self) -> u64 {
        self.body_end
    }

    /// The size of the file in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads bytes of the body.
    pub(crate) fn read_at(&self, bytes: &mut [u8], at: u64) -> Result<(), WorkingFileError> {
        let read = match &self.content {
            Content::Written(file) => file.read_at(bytes, at),
            Content::Found(file) => read_exact_at(file, bytes, at),
        };
        read.of_working_file(&self.path, READ)
    }

    /// Syncs the file and gives it its real name, unless it has that already.
    pub(crate) fn publish(&self) -> Result<(), WorkingFileError> {
        match &self.content {
            Content::Written(file) => file.publish().of_working_file(&self.path, WRITE),
            Content::Found(_) => Ok(()),
        }
    }

    /// A hint that nothing of it will be read soon, if this process has written it.
    pub(crate) fn leave_memory(&self) {
        if let Content::Written(file) = &self.content {
            file.leave_memory();
        }
    }

    /// Removes the file, under whichever name it has.
    pub(crate) fn remove(&self, disk: &Disk) -> Result<(), WorkingFileError> {
        let removed = match &self.content {
            Content::Written(file) => file.remove(),
            Content::Found(_) => disk.remove(&self.path),
        };
        removed.of_working_file(&self.path, "remove")
    }
}

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
    pub(crate) fn create(
        disk: &Disk,
        path: PathBuf,
        label: Label,
    ) -> Result<Unsealed, WorkingFileError> {
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
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<u64, WorkingFileError> {
        let start = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.write(bytes, start)?;
        Ok(start)
    }

    /// Ends the file. It can be read, but does not have its real name yet.
    pub(crate) fn seal(self, directory: Vec<u8>) -> Result<Sealed, WorkingFileError> {
        let Unsealed { label, end, .. } = &self;
        let start = end.load(Ordering::Relaxed);
        let mut seal = [0; SEAL_BYTES];
        seal[..8].copy_from_slice(&SEAL_MAGIC);
        seal[8..16].copy_from_slice(&start.to_le_bytes());
        seal[16..24].copy_from_slice(&(directory.len() as u64).to_le_bytes());
        seal[24..28].copy_from_slice(&crc32fast::hash(&directory).to_le_bytes());
        let checksum = seal_checksum(label, &seal);
        seal[28..].copy_from_slice(&checksum.to_le_bytes());
        let bytes = [&directory[..], &seal].concat();
        self.write(&bytes, start)?;
        let bytes = start + bytes.len() as u64;
        let content = Content::Written(self.file);
        Ok(Sealed { path: self.path, content, directory, body_end: start, bytes })
    }
}
