//! Writing handoffs: tiles are picked, packed and written, in memory or to a file.
//!
//! Small blocks are collected, so that files are written, and can be read again, a megabyte at a
//! time:
//!
//! ```text
//!     small blocks     b0 b1 b2 b3 …         counted from where the buffer starts
//!     the buffer       ────────────► file    a megabyte, or all at the end
//!     large blocks     B ──────────► file    each by itself
//! ```

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard};

use rayon::prelude::*;

use crate::cpu::Cpu;
use crate::files::sealed::{Unsealed, WorkingFileError};
use crate::index::{CentreId, Tile};

use crate::sweep::bits::{
    PANEL, PanelTile, Panels, Pool, blocks_in_frame, is_plain_for_long, is_plain_in_memory,
};
use crate::sweep::kernels::LOSES;
use crate::sweep::work::Schedule;

use super::frames::{self, FrameWriter};
use super::read::{HandoffReader, Store, StoredHandoff};
use super::{Block, Form, Handoff, HandoffId, LineForm, Place, key, place_in_memory, to_bytes};

/// Bytes of a full buffer.
const BUFFER: usize = 1 << 20;

/// Blocks of this many bytes or more are written by themselves.
const LARGE_BLOCK: usize = 1 << 16;

/// Memory to pack lines with, reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct Packer {
    plain: Vec<u8>,
    frames: FrameWriter,
}

/// Writes a handoff. Its tiles may come from any thread.
pub(in crate::sweep) struct HandoffWriter<'k> {
    store: &'k StoreWriter,
    buffers: &'k Pool<Written>,
    id: HandoffId,
    written: Mutex<Written>,
}

/// What has been written of a handoff, in memory that is reused. There are thousands of small ones,
/// and memory that one thread takes and another frees makes both wait.
#[derive(Default)]
pub(in crate::sweep) struct Written {
    handoff: Handoff,
    /// Pieces in memory.
    pieces: Vec<Box<[u8]>>,
    /// Small blocks that are not written yet.
    buffer: Vec<u8>,
    /// The numbers of these blocks.
    buffered: Vec<u32>,
}

impl<'k> HandoffWriter<'k> {
    /// Begins a handoff in one of these buffers.
    pub(crate) fn new(
        store: &'k StoreWriter,
        buffers: &'k Pool<Written>,
        id: HandoffId,
    ) -> HandoffWriter<'k> {
        HandoffWriter { store, buffers, id, written: Mutex::new(buffers.take()) }
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().expect("no thread has panicked")
    }

    /// Adds the first columns of the rows of a tile at these places, in this order; special
    /// values among the places stand for no row. Threads share the work on a large tile.
    pub(crate) fn add(
        &self,
        cpu: Cpu,
        tile: Tile,
        outcomes: PanelTile,
        rows: &[u32],
        columns: usize,
        (packers, is_shared): (&Pool<Box<Packer>>, bool),
    ) -> Result<(), WorkingFileError> {
        let lines = outcomes.panels.part(rows.len(), columns);
        let form = self.store.form(lines);
        let at_a_time = PANEL * if form == Form::Plain { 1 } else { blocks_in_frame(lines) };
        let stored = LineForm { columns: columns as u32, planes: lines.planes as u8, form };
        if rows.len() <= PANEL {
            return packers.with(|packer| {
                let (bytes, block) = self.pack(cpu, outcomes, rows, columns, form, packer);
                if bytes.len() < LARGE_BLOCK {
                    return self.collect(key(tile), stored, bytes, block);
                }
                let block = self.write(bytes, block)?;
                self.written().handoff.add(key(tile), stored, &[block]);
                Ok(())
            });
        }
        let write = |rows: &[u32], packer: &mut Packer| {
            let (bytes, first) = self.pack(cpu, outcomes, rows, columns, form, packer);
            self.write(bytes, first)
        };
        let together: Vec<Block> = if is_shared {
            let write = |rows| packers.with(|packer| write(rows, packer));
            rows.par_chunks(at_a_time).map(write).collect::<Result<_, _>>()
        } else {
            packers.with(|packer| rows.chunks(at_a_time).map(|rows| write(rows, packer)).collect())
        }?;
        let mut blocks = Vec::with_capacity(rows.len().div_ceil(PANEL));
        for (rows, first) in rows.chunks(at_a_time).zip(together) {
            let lines = |rows: &[u32]| rows.iter().filter(|row| **row < LOSES).count() as u32;
            let mut of_rows = rows.chunks(PANEL).map(lines);
            blocks.push(Block { lines: of_rows.next().expect("a chunk has rows"), ..first });
            blocks.extend(of_rows.map(|lines| Block { lines, place: Place::NONE }));
        }
        self.written().handoff.add(key(tile), stored, &blocks);
        Ok(())
    }

    /// The bytes of a block or of a frame, whose place is not known yet.
    fn pack<'b>(
        &self,
        cpu: Cpu,
        outcomes: PanelTile,
        rows: &[u32],
        columns: usize,
        form: Form,
        Packer { plain, frames }: &'b mut Packer,
    ) -> (&'b [u8], Block) {
        let picked = rows.iter().copied().filter(|row| *row < LOSES);
        let lines = picked.clone().count();
        let bytes = match form {
            _ if lines == 0 => &[],
            Form::Plain => frames::copy(outcomes, picked, columns, plain),
            Form::Packed => frames.write(cpu, outcomes, (rows, lines), columns, false),
            Form::Compressed => frames.write(cpu, outcomes, (rows, lines), columns, true),
        };
        let checksum = if self.store.file().is_some() { crc32fast::hash(bytes) } else { 0 };
        let place = Place { start: 0, len: bytes.len() as u32, checksum };
        (bytes, Block { lines: lines as u32, place })
    }

    fn write(&self, bytes: &[u8], block: Block) -> Result<Block, WorkingFileError> {
        let start = match self.store.file() {
            Some(file) => file.put(bytes)?,
            None => put(&mut self.written().pieces, bytes),
        };
        Ok(Block { place: Place { start, ..block.place }, ..block })
    }

    fn collect(
        &self,
        key: u32,
        stored: LineForm,
        bytes: &[u8],
        block: Block,
    ) -> Result<(), WorkingFileError> {
        let mut written = self.written();
        let place = Place { start: written.buffer.len() as u64, ..block.place };
        written.buffer.extend_from_slice(bytes);
        let number = written.handoff.count() as u32;
        written.buffered.push(number);
        written.handoff.add(key, stored, &[Block { place, ..block }]);
        if written.buffer.len() < BUFFER { Ok(()) } else { written.flush(self.store) }
    }

    /// Adds the handoff to its store: all its tiles are there.
    pub(crate) fn finish(self) -> Result<(), WorkingFileError> {
        let mut written = self.written.into_inner().expect("no thread has panicked");
        written.flush(self.store)?;
        self.store.add(self.id, written.handoff.take(), mem::take(&mut written.pieces));
        self.buffers.give_back(written);
        Ok(())
    }
}

impl Written {
    /// Writes the buffer.
    fn flush(&mut self, store: &StoreWriter) -> Result<(), WorkingFileError> {
        if !self.buffer.is_empty() {
            let start = match store.file() {
                Some(file) => file.put(&self.buffer)?,
                None => put(&mut self.pieces, &self.buffer),
            };
            self.handoff.move_blocks(&self.buffered, start);
        }
        self.buffered.clear();
        self.buffer.clear();
        Ok(())
    }
}

/// Adds a piece in memory, and returns its place.
fn put(pieces: &mut Vec<Box<[u8]>>, bytes: &[u8]) -> u64 {
    pieces.push(bytes.into());
    place_in_memory(pieces.len() - 1)
}

/// Collects handoffs, from any thread: what will be a [`Store`].
#[derive(Default)]
pub(in crate::sweep) struct StoreWriter {
    handoffs: Mutex<HashMap<HandoffId, Arc<StoredHandoff>>>,
    is_tight: bool,
    file: Option<Unsealed>,
}

impl StoreWriter {
    /// Keeps handoffs in memory, packed quickly or tightly.
    pub(crate) fn in_memory(is_tight: bool) -> StoreWriter {
        StoreWriter { is_tight, ..StoreWriter::default() }
    }

    /// Writes handoffs to a file, packed quickly or tightly.
    pub(crate) fn in_file(file: Unsealed, is_tight: bool) -> StoreWriter {
        StoreWriter { is_tight, file: Some(file), ..StoreWriter::default() }
    }

    /// How it stores these lines.
    fn form(&self, lines: Panels) -> Form {
        match self.is_tight {
            true if is_plain_for_long(lines) => Form::Plain,
            true => Form::Compressed,
            false if is_plain_in_memory(lines) => Form::Plain,
            false => Form::Packed,
        }
    }

    /// The file, if there is one.
    pub(crate) fn file(&self) -> Option<&Unsealed> {
        self.file.as_ref()
    }

    /// Adds a handoff, with its pieces in memory.
    pub(crate) fn add(&self, id: HandoffId, handoff: Handoff, pieces: Vec<Box<[u8]>>) {
        let stored = Arc::new(StoredHandoff { handoff, pieces });
        self.handoffs.lock().expect("no thread has panicked").insert(id, stored);
    }

    /// Takes out a handoff that is in memory, and opens it.
    pub(crate) fn take(&self, id: HandoffId) -> HandoffReader<'static> {
        debug_assert!(self.file.is_none());
        let stored = self.handoffs.lock().expect("no thread has panicked").remove(&id);
        let stored = stored.expect("what is in memory is whole");
        HandoffReader::in_memory(id, stored)
    }

    /// Seals the file, if there is one: all handoffs have been added.
    pub(crate) fn finish(self) -> Result<Store, WorkingFileError> {
        let handoffs = self.handoffs.into_inner().expect("no thread has panicked");
        let directory = || to_bytes(handoffs.iter().map(|(id, stored)| (*id, &stored.handoff)));
        let file = self.file.map(|file| file.seal(directory())).transpose()?;
        Ok(Store { handoffs, file })
    }
}

/// Where the tiles of a batch go: to centres of the same batch, of later ones, or of another sweep.
pub(in crate::sweep) struct Destinations<'a> {
    schedule: &'a Schedule,
    batch: usize,
    /// Tiles that later centres of this batch read.
    within: StoreWriter,
    /// Tiles that later batches of this sweep read, by batch.
    later: BTreeMap<usize, StoreWriter>,
    /// Tiles that another sweep will start from.
    next_sweep: Option<StoreWriter>,
}

impl<'a> Destinations<'a> {
    pub(crate) fn new(
        schedule: &'a Schedule,
        batch: usize,
        later: BTreeMap<usize, StoreWriter>,
        next_sweep: Option<StoreWriter>,
    ) -> Destinations<'a> {
        Destinations { schedule, batch, within: StoreWriter::default(), later, next_sweep }
    }

    /// The batch that they come from.
    pub(crate) fn batch(&self) -> usize {
        self.batch
    }

    /// Whether this centre is solved in the same batch.
    fn is_within(&self, centre: CentreId) -> bool {
        self.schedule.batch_of(centre) == self.batch
    }

    /// The destination of tiles for this centre in this sweep.
    pub(crate) fn of_centre(&self, to: CentreId) -> &StoreWriter {
        if self.is_within(to) {
            return &self.within;
        }
        let batch = self.schedule.batch_of(to);
        self.later.get(&batch).expect("a batch that needs this one")
    }

    /// The destination of tiles that another sweep starts from, if there is one.
    pub(crate) fn of_next_sweep(&self) -> Option<&StoreWriter> {
        self.next_sweep.as_ref()
    }

    /// Opens a handoff of an earlier centre, if it is in this batch. A handoff has one reader, so
    /// it can be opened only once.
    pub(crate) fn take(&self, id: HandoffId) -> Option<HandoffReader<'static>> {
        self.is_within(id.from).then(|| self.within.take(id))
    }

    /// Completes the batch: returns what later batches read, and what another sweep starts from.
    pub(crate) fn finish(
        self,
    ) -> Result<(BTreeMap<usize, Store>, Option<Store>), WorkingFileError> {
        let later = self.later.into_iter().map(|(to, store)| Ok((to, store.finish()?)));
        let later = later.collect::<Result<_, WorkingFileError>>()?;
        Ok((later, self.next_sweep.map(StoreWriter::finish).transpose()?))
    }
}
