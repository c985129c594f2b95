//! Writing a table: an unfinished part that grows, can be taken up again where
//! it was last synced, and becomes a table in the end.
//!
//! ```text
//!     header │ block index │ blocks, as they come │
//!     └──── room for it from the start ────┘      └ length: what comes next goes here
//! ```
//!
//! Blocks may come in any order, so the order in which they are handed over is
//! for the caller to fix. All that must be remembered to go on is the
//! [length](TierPart::length): what lies behind it is cut off, and entries of the
//! index that point there are written again with the blocks that are.
//!
//! Everything is written with `write`, never through a map, so that a full disk
//! is an error and not a signal. A write that fails leaves the part as it was.

use std::fs::{self, File, OpenOptions};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::board::Tier;

use super::Digest;
use super::codec::EncodedBlocks;
use super::counts::TierCounts;
use super::digest::Hasher;
use super::durable;
use super::entry::{ENTRY_BYTES, Entry};
use super::error::{Fault, OfFile, READ, TableError, WRITE};
use super::header::{Header, Stage, body_start};
use super::layout::{BlockNumber, Layout};
use super::names::{part_file, table_file};
use super::read::read_header;
use super::source::ReadAt;
use crate::positioned::write_all_at;

/// Bytes that are read or written at once where all of an index is.
const CHUNK: usize = 1 << 20;

/// A table that is being written.
#[derive(Debug)]
pub struct TierPart {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    tier: Tier,
    blocks: u64,
    header: Header,
    length: u64,
    /// The entries of the blocks that are being appended.
    entries: Vec<u8>,
}

/// What is known of a table when it is finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSummary {
    /// The tier.
    pub tier: Tier,
    /// Bytes of the file.
    pub bytes: u64,
    /// The digest, which the table of the tier before is to name.
    pub digest: Digest,
    /// How the positions of the tier end.
    pub counts: TierCounts,
}

impl TierPart {
    /// Starts a table, with room for its header and block index; a part that was
    /// there before is lost.
    pub fn create(folder: &Path, layout: &Layout) -> Result<TierPart, TableError> {
        fs::create_dir_all(folder).of_file(folder, WRITE)?;
        let path = part_file(folder, layout.tier());
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path);
        let part = TierPart::of(folder, path.clone(), file.of_file(&path, WRITE)?, layout);
        // The header comes first, so that a part that was cut short tells whose it is.
        let header = part.header.to_bytes();
        write_all_at(&part.file, &header, 0).of_file(&path, WRITE)?;
        // Zeros that are written take up their room on the disk, and those of a
        // hole in the file do not.
        let zeros = vec![0; CHUNK];
        let mut written = header.len() as u64;
        while written < part.length {
            let zeros = &zeros[..(part.length - written).min(CHUNK as u64) as usize];
            write_all_at(&part.file, zeros, written).of_file(&path, WRITE)?;
            written += zeros.len() as u64;
        }
        durable::sync_folder(folder).of_file(folder, "sync")?;
        Ok(part)
    }

    /// Goes on with a part that was synced when it had this length. Anything that
    /// was written later is cut off.
    pub fn reopen(folder: &Path, layout: &Layout, length: u64) -> Result<TierPart, TableError> {
        let path = part_file(folder, layout.tier());
        let file = OpenOptions::new().read(true).write(true).open(&path).of_file(&path, READ)?;
        let mut part = TierPart::of(folder, path.clone(), file, layout);
        // A part whose finish was cut short may have the header of a table already.
        let header = read_header(&path, &part.file)?;
        header.check(layout).map_err(|fault| TableError::new(&path, fault))?;
        let found = part.file.length().of_file(&path, READ)?;
        if length < part.length || length > found {
            let expected = length.max(part.length);
            return Err(TableError::new(&path, Fault::Length { expected, found }));
        }
        part.file.set_len(length).of_file(&path, WRITE)?;
        part.length = length;
        Ok(part)
    }

    fn of(folder: &Path, path: PathBuf, file: File, layout: &Layout) -> TierPart {
        TierPart {
            folder: folder.to_owned(),
            path,
            file,
            tier: layout.tier(),
            blocks: layout.blocks(),
            header: Header::of_part(layout),
            length: body_start(layout.blocks()),
            entries: Vec::new(),
        }
    }

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Bytes so far, and where the next blocks go.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes blocks with successive numbers, from `first` on.
    pub fn append(&mut self, first: BlockNumber, blocks: &EncodedBlocks) -> Result<(), TableError> {
        let end = first.0 + blocks.count() as u64;
        assert!(end <= self.blocks, "blocks up to {end}, of {} that there are", self.blocks);
        self.entries.clear();
        let mut offset = self.length;
        for (number, block) in (first.0..).map(BlockNumber).zip(blocks.blocks()) {
            self.entries.extend(Entry::new(number, offset, *block).to_bytes());
            offset += u64::from(block.length);
        }
        let index = body_start(first.0);
        write_all_at(&self.file, blocks.bytes(), self.length)
            .and_then(|()| write_all_at(&self.file, &self.entries, index))
            .of_file(&self.path, WRITE)?;
        self.length = offset;
        Ok(())
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&self) -> Result<(), TableError> {
        self.file.sync_data().of_file(&self.path, "sync")
    }

    /// Makes it a table: checks that every block has come, writes the header,
    /// and gives it its name. `next` is the digest of the table of the next tier,
    /// if there is one.
    pub fn finish(
        mut self,
        counts: TierCounts,
        next: Option<Digest>,
    ) -> Result<TableSummary, TableError> {
        let mut checksum = crc32fast::Hasher::new();
        let mut stored = 0;
        self.for_all_entries(|part, numbers, bytes| {
            checksum.update(bytes);
            stored += part.check_entries(numbers, bytes)?;
            Ok(())
        })?;
        let body = self.length - body_start(self.blocks);
        if stored != body {
            let what = format!("its blocks have {stored} bytes, and {body} were written");
            return Err(self.incomplete(what));
        }
        self.header.stage = Stage::Table;
        self.header.length = self.length;
        self.header.counts = counts;
        self.header.index_checksum = checksum.finalize();
        self.header.next = next;
        let header = self.header.to_bytes();
        let mut hasher = Hasher::new();
        hasher.add(&header);
        self.for_all_entries(|_, _, bytes| {
            hasher.add(bytes);
            Ok(())
        })?;
        self.file.set_len(self.length).of_file(&self.path, WRITE)?;
        write_all_at(&self.file, &header, 0).of_file(&self.path, WRITE)?;
        self.file.sync_all().of_file(&self.path, "sync")?;
        durable::rename(&self.path, &table_file(&self.folder, self.tier))?;
        Ok(TableSummary { tier: self.tier, bytes: self.length, digest: hasher.digest(), counts })
    }

    /// Reads the index, some entries at a time.
    fn for_all_entries(
        &self,
        mut each: impl FnMut(&TierPart, Range<u64>, &[u8]) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut buffer = vec![0; CHUNK];
        let step = (CHUNK / ENTRY_BYTES) as u64;
        for start in (0..self.blocks).step_by(step as usize) {
            let numbers = start..(start + step).min(self.blocks);
            let bytes = &mut buffer[..(numbers.end - numbers.start) as usize * ENTRY_BYTES];
            self.file.read_at(body_start(start), bytes).of_file(&self.path, READ)?;
            each(self, numbers, bytes)?;
        }
        Ok(())
    }

    /// Bytes of the blocks with these entries, if all of them have been written.
    fn check_entries(&self, numbers: Range<u64>, bytes: &[u8]) -> Result<u64, TableError> {
        let body = body_start(self.blocks)..=self.length;
        let mut stored = 0;
        for (number, entry) in numbers.map(BlockNumber).zip(bytes.chunks_exact(ENTRY_BYTES)) {
            let entry = Entry::from_bytes(entry.try_into().expect("16 bytes"));
            let length = u64::from(entry.length);
            let written = match length {
                0 => entry.agrees(number, &[]),
                _ => body.contains(&entry.offset) && length <= self.length - entry.offset,
            };
            if !written {
                return Err(self.incomplete(format!("block {} was never written", number.0)));
            }
            stored += length;
        }
        Ok(stored)
    }

    fn incomplete(&self, what: String) -> TableError {
        TableError::new(&self.path, Fault::Incomplete { tier: self.tier, what })
    }
}
