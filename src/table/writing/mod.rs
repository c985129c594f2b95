//! Writing a table: an unfinished part that grows, and finally becomes a table.
//!
//! ```text
//!     header │ block index │ blocks, as they come │
//!     └──── room for it from the start ────┘      └ length: the next blocks go here
//! ```
//!
//! Blocks may come in any order, so the caller fixes the order in which they are handed over. A
//! part that was not finished is useless. Each has a [temporary name](crate::files::temporary) of
//! its own, so any number of processes can write the same table at once: all publish the same
//! bytes.
//!
//! Everything is written with `write`, never through a map, so a full disk is an error and not a
//! signal. Before a part becomes a table, its blocks and its index are read back from the file and
//! compared with what was written. Blocks can be checked on their own, so they can be
//! [stored](TierPart::store) before the numbers in the header are known:
//!
//! ```text
//!     append     blocks                      as they are solved
//!     store      synced, read back           when there are no more
//!     complete   index read back, header     when the next tier is complete
//!     publish    synced, renamed             many tables at once
//! ```

mod merge;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::board::Tier;
use crate::files::{Disk, DiskFile};
use crate::plies::TierPlies;

use super::format::{
    BlockNumber, Content, Digest, ENTRY_BYTES, EncodedBlocks, Fault, HEADER_BYTES, Hasher, Header,
    IndexEntry, Layout, OfFile, READ, Stage, TableError, TableSummary, TierCounts, WRITE,
    directory, table_file,
};

pub(crate) use merge::Merger;

/// What could not be done, in errors.
const SYNC: &str = "sync";
const RENAME: &str = "rename";

/// Bytes of an index that are read or written at once.
const CHUNK: usize = 1 << 20;

/// Blocks are written once this many bytes of them wait: all tables of a board grow at the same
/// time.
const WAITING: usize = 1 << 17;

/// A table that is being written. If it is dropped before it is published, its file is removed.
#[derive(Debug)]
pub struct TierPart {
    /// The name of the table.
    path: PathBuf,
    file: DiskFile,
    header: Header,
    /// The directory of a table of scores.
    directory: Vec<u8>,
    length: u64,
    /// The bytes before `length` that are not written yet.
    waiting: Vec<u8>,
    /// The entries of the blocks that are being appended.
    entries: Vec<u8>,
    body_checksum: crc32fast::Hasher,
    /// All blocks so far are on the disk as they were appended.
    is_stored: bool,
    /// The sum of [`entry_check`] over all entries.
    entries_checksum: u64,
}

impl TierPart {
    /// Starts a table, with room for its header and block index.
    pub fn create(folder: &Path, layout: &Layout) -> Result<TierPart, TableError> {
        TierPart::create_on(&Disk::default(), folder, layout)
    }

    /// The same on this disk.
    pub(crate) fn create_on(
        disk: &Disk,
        folder: &Path,
        layout: &Layout,
    ) -> Result<TierPart, TableError> {
        disk.create_folder(folder).of_file(folder, WRITE)?;
        let path = table_file(folder, layout.tier());
        let header = Header::of_part(layout);
        let part = TierPart {
            file: disk.create(&path).of_file(&path, WRITE)?,
            path,
            directory: match layout.content() {
                Content::Outcomes { .. } => Vec::new(),
                Content::Scores => directory::to_bytes(layout),
            },
            length: header.body_start(),
            header,
            waiting: Vec::new(),
            entries: Vec::new(),
            body_checksum: crc32fast::Hasher::new(),
            is_stored: false,
            entries_checksum: 0,
        };
        // The header comes first, so that a part that was cut short says what it belongs to.
        let header = part.header.to_bytes();
        part.write(&header, 0)?;
        // Written zeros take up space on the disk, but a hole in the file does not.
        let zeros = vec![0; CHUNK];
        for Range { start, end } in steps(header.len() as u64..part.length, CHUNK) {
            part.write(&zeros[..(end - start) as usize], start)?;
        }
        Ok(part)
    }

    fn write(&self, bytes: &[u8], at: u64) -> Result<(), TableError> {
        self.file.write_at(bytes, at).of_file(&self.path, WRITE)
    }

    fn read(&self, bytes: &mut [u8], at: u64) -> Result<(), TableError> {
        self.file.read_at(bytes, at).of_file(&self.path, READ)
    }

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.header.tier
    }

    /// The size so far, which is where the next blocks go.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes blocks with successive numbers, from `first` on.
    pub fn append(&mut self, first: BlockNumber, blocks: &EncodedBlocks) -> Result<(), TableError> {
        let end = first.0.saturating_add(blocks.count() as u64);
        if end > self.header.blocks {
            let what = format!("block {end} came, of {} that there should be", self.header.blocks);
            return Err(self.incomplete(what));
        }
        self.entries.clear();
        let mut offset = self.length;
        for (number, block) in (first.0..).map(BlockNumber).zip(blocks.blocks()) {
            let entry = IndexEntry::new(number, offset, *block).to_bytes();
            self.entries_checksum = self.entries_checksum.wrapping_add(entry_check(number, &entry));
            self.entries.extend(entry);
            offset += u64::from(block.length);
        }
        self.write(&self.entries, self.header.entry_start(first))?;
        self.body_checksum.update(blocks.bytes());
        if blocks.bytes().len() >= WAITING {
            self.flush()?;
            self.write(blocks.bytes(), self.length)?;
        } else {
            self.waiting.extend_from_slice(blocks.bytes());
        }
        self.length = offset;
        self.is_stored = false;
        if self.waiting.len() >= WAITING { self.flush() } else { Ok(()) }
    }

    /// Writes the waiting blocks.
    pub fn flush(&mut self) -> Result<(), TableError> {
        self.write(&self.waiting, self.length - self.waiting.len() as u64)?;
        self.waiting.clear();
        Ok(())
    }

    /// A hint that the blocks so far can go to the disk, so that [storing](Self::store) them will
    /// be quick.
    pub(crate) fn begin_to_store(&self) {
        self.file.begin_sync();
    }

    /// Brings all blocks to the disk, reads them back, and compares them with what was appended.
    pub(crate) fn store(&mut self) -> Result<(), TableError> {
        if self.is_stored {
            return Ok(());
        }
        self.flush()?;
        self.sync()?;
        if !self.body_is_as_written()? {
            return Err(self.not_as_written());
        }
        self.is_stored = true;
        Ok(())
    }

    fn sync(&self) -> Result<(), TableError> {
        self.file.sync().of_file(&self.path, SYNC)
    }

    /// Makes it a table of outcomes, and publishes that. `next` is the digest of the table of the
    /// next tier, if there is one.
    pub fn finish(
        self,
        counts: TierCounts,
        next: Option<Digest>,
    ) -> Result<TableSummary, TableError> {
        self.complete(counts, next)?.publish_alone()
    }

    /// The same for a table of scores of a tier with this many terminal positions.
    pub fn finish_scores(
        self,
        plies: &TierPlies,
        terminal: u64,
        next: Option<Digest>,
    ) -> Result<TableSummary, TableError> {
        let empty = self.header.board.cells() - self.header.tier.stones();
        let numbers = (0..=empty).flat_map(|end| plies.positions(end).to_le_bytes());
        let prelude: Vec<u8> = numbers.chain(self.directory.iter().copied()).collect();
        let counts = TierCounts::new(plies.outcomes(), terminal);
        self.complete_with(&prelude, counts, next)?.publish_alone()
    }

    /// Makes it a table of outcomes, which is to be [published](publish): checks that every block
    /// has come, and writes the header.
    pub(crate) fn complete(
        self,
        counts: TierCounts,
        next: Option<Digest>,
    ) -> Result<CompleteTable, TableError> {
        self.complete_with(&[], counts, next)
    }

    fn complete_with(
        mut self,
        prelude: &[u8],
        counts: TierCounts,
        next: Option<Digest>,
    ) -> Result<CompleteTable, TableError> {
        self.store()?;
        if prelude.len() as u64 != self.header.index_start() - HEADER_BYTES as u64 {
            return Err(self.incomplete("its content is not what it should be".to_owned()));
        }
        self.write(prelude, HEADER_BYTES as u64)?;
        let mut read = vec![0; prelude.len()];
        self.read(&mut read, HEADER_BYTES as u64)?;
        let mut checksum = crc32fast::Hasher::new();
        let (mut stored, mut entries) = (0, 0u64);
        self.for_all_entries(|part, numbers, bytes| {
            checksum.update(bytes);
            stored += part.check_entries(numbers.clone(), bytes)?;
            for (number, entry) in numbers.map(BlockNumber).zip(bytes.chunks_exact(ENTRY_BYTES)) {
                entries = entries.wrapping_add(entry_check(number, entry));
            }
            Ok(())
        })?;
        let body = self.length - self.header.body_start();
        if stored != body {
            let what = format!("its blocks have {stored} bytes, but {body} were written");
            return Err(self.incomplete(what));
        }
        if read != prelude || entries != self.entries_checksum {
            return Err(self.not_as_written());
        }
        self.header.stage = Stage::Table;
        self.header.length = self.length;
        self.header.counts = counts;
        self.header.prelude_checksum = match self.header.content {
            Content::Outcomes { .. } => 0,
            Content::Scores => crc32fast::hash(prelude),
        };
        self.header.index_checksum = checksum.finalize();
        self.header.next = next;
        let header = self.header.to_bytes();
        let mut hasher = Hasher::new();
        hasher.add(&header);
        hasher.add(prelude);
        self.for_all_entries(|_, _, bytes| {
            hasher.add(bytes);
            Ok(())
        })?;
        self.write(&header, 0)?;
        let (tier, bytes, digest) = (self.header.tier, self.length, hasher.digest());
        Ok(CompleteTable { summary: TableSummary { tier, bytes, digest, counts }, part: self })
    }

    /// Reads all blocks from the file.
    fn body_is_as_written(&self) -> Result<bool, TableError> {
        let mut buffer = vec![0; CHUNK];
        let mut checksum = crc32fast::Hasher::new();
        for Range { start, end } in steps(self.header.body_start()..self.length, CHUNK) {
            let bytes = &mut buffer[..(end - start) as usize];
            self.read(bytes, start)?;
            checksum.update(bytes);
        }
        Ok(checksum.finalize() == self.body_checksum.clone().finalize())
    }

    /// Reads the index in chunks of entries.
    fn for_all_entries(
        &self,
        mut each: impl FnMut(&TierPart, Range<u64>, &[u8]) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut buffer = vec![0; CHUNK];
        for numbers in steps(0..self.header.blocks, CHUNK / ENTRY_BYTES) {
            let bytes = &mut buffer[..(numbers.end - numbers.start) as usize * ENTRY_BYTES];
            self.read(bytes, self.header.entry_start(BlockNumber(numbers.start)))?;
            each(self, numbers, bytes)?;
        }
        Ok(())
    }

    /// The number of bytes of the blocks with these entries, if all of them have been written.
    fn check_entries(&self, numbers: Range<u64>, bytes: &[u8]) -> Result<u64, TableError> {
        let body = self.header.body_start()..=self.length;
        let mut stored = 0;
        for (number, entry) in numbers.map(BlockNumber).zip(bytes.chunks_exact(ENTRY_BYTES)) {
            let entry = IndexEntry::from_bytes(entry.try_into().expect("16 bytes"));
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
        TableError::new(&self.path, Fault::Incomplete { tier: self.header.tier, what })
    }

    fn not_as_written(&self) -> TableError {
        TableError::new(&self.path, Fault::NotAsWritten)
    }

    /// Gives the file its name, which lasts when the folder has been synced.
    fn give_name(&self) -> Result<(), TableError> {
        match self.file.give_name() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(TableError::new(&self.path, Fault::Removed))
            }
            named => named.of_file(&self.path, RENAME),
        }
    }
}

/// A table that needs only to be published. If it is dropped before, its file is removed.
#[derive(Debug)]
pub(crate) struct CompleteTable {
    part: TierPart,
    pub summary: TableSummary,
}

impl CompleteTable {
    fn publish_alone(self) -> Result<TableSummary, TableError> {
        let summary = self.summary;
        publish(vec![self]).map(|()| summary)
    }
}

/// Publishes tables of one folder: brings what is still missing to the disk, of all tables at once,
/// and gives them their names in this order.
pub(crate) fn publish(tables: Vec<CompleteTable>) -> Result<(), TableError> {
    tables.par_iter().try_for_each(|table| table.part.sync())?;
    tables.iter().try_for_each(|table| table.part.give_name())?;
    let Some(CompleteTable { part, .. }) = tables.last() else { return Ok(()) };
    part.file.sync_folder().of_file(part.path.parent().unwrap_or(Path::new(".")), SYNC)
}

/// A range in steps of this length, of which the last may be shorter.
fn steps(all: Range<u64>, step: usize) -> impl Iterator<Item = Range<u64>> {
    let end = all.end;
    all.step_by(step).map(move |start| start..(start + step as u64).min(end))
}

/// What an entry, with its place in the index, adds to the checksum of all entries.
fn entry_check(number: BlockNumber, entry: &[u8]) -> u64 {
    let mut checksum = crc32fast::Hasher::new_with_initial(number.0 as u32);
    checksum.update(entry);
    u64::from(checksum.finalize())
}
