//! How a pile grows: tiles are picked, packed and put down, in memory or in a file.
//!
//! Small blocks are collected, so that files are written, and can be read again, a megabyte at a
//! time:
//!
//! ```text
//!     collected     b0 b1 b2 b3 …              counted from where this starts
//!     put down      ─────────────► file        a megabyte, or all at the end
//!     large ones    B ───────────► file        each by itself
//! ```

use std::sync::{Mutex, MutexGuard};

use crate::index::Tile;
use crate::sealed::WorkingFileError;

use super::kept::Keeping;
use super::kernels::Cpu;
use super::panels::{PANEL, PanelTile};
use super::pile::{Block, Pile, PileName, Place, key, place_in_memory};
use super::places::LOSES;
use super::plain;
use super::pool::Pool;
use super::repeats::pack;

/// Bytes to collect before they are put down.
const COLLECTED: usize = 1 << 20;

/// Larger blocks are put down by themselves.
const LARGE_BLOCK: usize = 1 << 16;

/// A pile that is growing. Its tiles may come from any thread.
pub(super) struct Piling<'k> {
    keeping: &'k Keeping,
    buffers: &'k Pool<Vec<u8>>,
    name: PileName,
    growing: Mutex<Growing>,
}

#[derive(Default)]
struct Growing {
    pile: Pile,
    /// Pieces in memory.
    pieces: Vec<Box<[u8]>>,
    collected: Vec<u8>,
    /// The numbers of the collected blocks.
    waiting: Vec<u32>,
}

impl<'k> Piling<'k> {
    /// Starts a pile, which collects blocks in one of these buffers.
    pub fn new(keeping: &'k Keeping, buffers: &'k Pool<Vec<u8>>, name: PileName) -> Piling<'k> {
        let growing = Growing { collected: buffers.take(), ..Growing::default() };
        Piling { keeping, buffers, name, growing: Mutex::new(growing) }
    }

    fn growing(&self) -> MutexGuard<'_, Growing> {
        self.growing.lock().expect("no thread has panicked")
    }

    /// Keeps the first columns of the rows of a tile at these places, in this order; special
    /// values among the places stand for no row.
    pub fn keep(
        &self,
        cpu: Cpu,
        tile: Tile,
        outcomes: PanelTile,
        rows: &[u32],
        columns: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<(), WorkingFileError> {
        if rows.len() <= PANEL {
            let (bytes, block) = self.block(cpu, outcomes, rows, columns, buffer);
            if bytes.len() < LARGE_BLOCK {
                return self.collect(key(tile), columns as u32, bytes, block);
            }
            let block = self.put_down(bytes, block)?;
            self.growing().pile.add(key(tile), columns as u32, &[block]);
            return Ok(());
        }
        let blocks = rows.chunks(PANEL).map(|rows| {
            let (bytes, block) = self.block(cpu, outcomes, rows, columns, buffer);
            self.put_down(bytes, block)
        });
        let blocks = blocks.collect::<Result<Vec<Block>, WorkingFileError>>()?;
        self.growing().pile.add(key(tile), columns as u32, &blocks);
        Ok(())
    }

    /// The bytes of a block, whose place is not known yet.
    fn block<'b>(
        &self,
        cpu: Cpu,
        outcomes: PanelTile,
        rows: &[u32],
        columns: usize,
        buffer: &'b mut Vec<u8>,
    ) -> (&'b [u8], Block) {
        let rows = rows.iter().copied().filter(|row| *row < LOSES);
        let lines = rows.clone().count();
        let in_file = self.keeping.file().is_some();
        let bytes = if !in_file && plain::serves(lines, columns) {
            plain::copy(outcomes, rows, columns, buffer)
        } else {
            pack(cpu, outcomes, rows, columns, buffer)
        };
        let checksum = if in_file { crc32fast::hash(bytes) } else { 0 };
        let place = Place { start: 0, len: bytes.len() as u32, checksum };
        (bytes, Block { lines: lines as u32, place })
    }

    fn put_down(&self, bytes: &[u8], block: Block) -> Result<Block, WorkingFileError> {
        let start = match self.keeping.file() {
            Some(file) => file.put(bytes)?,
            None => put(&mut self.growing().pieces, bytes),
        };
        Ok(Block { place: Place { start, ..block.place }, ..block })
    }

    fn collect(
        &self,
        key: u32,
        columns: u32,
        bytes: &[u8],
        block: Block,
    ) -> Result<(), WorkingFileError> {
        let mut growing = self.growing();
        let place = Place { start: growing.collected.len() as u64, ..block.place };
        growing.collected.extend_from_slice(bytes);
        let number = growing.pile.count() as u32;
        growing.waiting.push(number);
        growing.pile.add(key, columns, &[Block { place, ..block }]);
        if growing.collected.len() < COLLECTED { Ok(()) } else { growing.empty(self.keeping) }
    }

    /// Adds the pile to those that are kept: all its tiles are there.
    pub fn finish(self) -> Result<(), WorkingFileError> {
        let mut growing = self.growing.into_inner().expect("no thread has panicked");
        growing.empty(self.keeping)?;
        growing.pile.sort();
        self.buffers.give_back(growing.collected);
        self.keeping.add(self.name, growing.pile, growing.pieces);
        Ok(())
    }
}

impl Growing {
    /// Puts down what was collected.
    fn empty(&mut self, keeping: &Keeping) -> Result<(), WorkingFileError> {
        if !self.collected.is_empty() {
            let start = match keeping.file() {
                Some(file) => file.put(&self.collected)?,
                None => put(&mut self.pieces, &self.collected),
            };
            self.pile.put_down(&self.waiting, start);
        }
        self.waiting.clear();
        self.collected.clear();
        Ok(())
    }
}

/// Adds a piece in memory, and returns its place.
fn put(pieces: &mut Vec<Box<[u8]>>, bytes: &[u8]) -> u64 {
    pieces.push(bytes.into());
    place_in_memory(pieces.len() - 1)
}
