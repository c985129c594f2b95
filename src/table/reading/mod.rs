//! Reading tables: single cells, through a cache of blocks, or whole blocks.
//!
//! Bytes come from memory or a file. They are copied out, never lent: what is on a disk can change
//! at any time. Files are read, not mapped. A file that is cut off while it is open is then an
//! error, where a mapped one would end the program with a signal.

mod block_reader;
mod cache;
mod table;

use std::fs::File;
use std::io;

use crate::files;

pub use block_reader::{BlockReader, DecodedBlock};
pub(super) use table::read_header;
pub use table::{Table, table_header, tier_plies};

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
        files::read_exact_at(self, buffer, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn all_sources_read_alike() {
        let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        for source in [&bytes as &dyn ReadAt, &file] {
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

    /// The hardest case: no check before a read can notice.
    #[test]
    fn a_file_that_is_cut_off_while_it_is_read_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![1; 1 << 20]).unwrap();
        let (cut, mut buffer) = (file.try_clone().unwrap(), vec![0; 1 << 20]);
        let cutting = thread::spawn(move || {
            for _ in 0..500 {
                cut.set_len(100).unwrap();
                cut.set_len(1 << 20).unwrap();
                thread::sleep(Duration::from_micros(20));
            }
        });
        while !cutting.is_finished() {
            match file.read_at(0, &mut buffer) {
                Ok(()) => {}
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof),
            }
        }
    }
}
