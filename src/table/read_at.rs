//! Where the bytes of a table come from: memory, a file, or a mapped file.
//!
//! Bytes are copied out, never lent. What is on a disk can change at any time, and Rust must not
//! see a reference to bytes that do.
//!
//! **A mapped file that is cut off** raises a signal in any process that touches the missing pages.
//! So the length of the file is checked before every read, and a file that has become too short is
//! an error. That leaves the moment between checking and reading, about a microsecond. If even that
//! window is unacceptable, read through a [`File`], which is a little slower and fails with an
//! error instead of a signal. `verify` does.

use std::fs::File;
use std::io;

use memmap2::{MmapOptions, MmapRaw};

use crate::positioned;

/// Bytes that can be read at any offset.
pub trait ReadAt: Send + Sync {
    /// The current number of bytes.
    fn length(&self) -> io::Result<u64>;

    /// Copies bytes from `offset` on; it is an error if there are not enough.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for &[u8] {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).ok().and_then(|offset| self.get(offset..));
        let bytes = from.and_then(|bytes| bytes.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        self.as_slice().length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl ReadAt for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        positioned::read_exact_at(self, buffer, offset)
    }
}

/// A file mapped into memory, for reading.
pub struct MappedFile {
    file: File,
    map: MmapRaw,
}

impl MappedFile {
    /// Maps a file that is not empty.
    pub fn new(file: File) -> io::Result<MappedFile> {
        let map = MmapOptions::new().map_raw_read_only(&file)?;
        Ok(MappedFile { file, map })
    }
}

impl ReadAt for MappedFile {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        if end > self.file.length()? || end > self.map.len() as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: `offset + buffer.len()` is at most the length of the map, and so of what `as_ptr`
        // points to. The buffer is ours alone and cannot overlap it. Bytes that another process
        // changes meanwhile are read through a pointer, and whatever comes out is only data, which
        // its reader checks. Pages beyond the end of the file would raise a signal. The check above
        // rules that out except for the moment described at the top of this file.
        unsafe {
            let from = self.map.as_ptr().add(offset as usize);
            std::ptr::copy_nonoverlapping(from, buffer.as_mut_ptr(), buffer.len());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn all_sources_read_alike() {
        let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let mapped = MappedFile::new(file.try_clone().unwrap()).unwrap();
        for source in [&bytes as &dyn ReadAt, &file, &mapped] {
            assert_eq!(source.length().unwrap(), 10_000);
            for (offset, length) in [(0, 0), (0, 10_000), (17, 4096), (9_999, 1), (10_000, 0)] {
                let mut buffer = vec![0; length];
                source.read_at(offset, &mut buffer).unwrap();
                assert_eq!(buffer, bytes[offset as usize..][..length]);
            }
            for (offset, length) in [(0, 10_001), (10_000, 1), (1 << 40, 1), (u64::MAX, 2)] {
                assert!(source.read_at(offset, &mut vec![0; length]).is_err());
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_off_while_mapped_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[1; 20_000]).unwrap();
        let mapped = MappedFile::new(file.try_clone().unwrap()).unwrap();
        file.set_len(100).unwrap();
        assert_eq!(
            mapped.read_at(9_000, &mut [0; 10]).unwrap_err().kind(),
            io::ErrorKind::UnexpectedEof
        );
        mapped.read_at(90, &mut [0; 10]).unwrap();
    }
}
