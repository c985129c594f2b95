//! What is kept of solved centres: the tiles that centres with one stone less
//! will look at.
//!
//! A stone dropped in the centre by player `p` leads from a tier with `p` to
//! move to the next one. So of a centre with a top stone of `p` every other tier
//! is looked at from before, and only those are kept. Each is looked at once for
//! every top stone, tile by tile, from the first row to the last. So a tile is
//! packed in blocks of 512 rows, and a reader has two of them unpacked at most:
//!
//! ```text
//!     our rows           rows of the child, beside the next centre
//!     ┌─────────┐        ┌─────────┐
//!     │ 0 … 511 │ ─────► │ block 0 │    512 of our rows are no more than 512
//!     ├─────────┤     ┌► ├─────────┤    of the child's, so they touch no more
//!     │ … 1023  │ ────┘  │ block 1 │    than two blocks of it
//! ```
//!
//! Blocks are kept in memory as they are, or packed with a fast codec, with a
//! checksum, in a file ([`Shelf`]):
//!
//! ```text
//!     blocks, in the order in which threads came with them
//!     directory    for each tile its name, and where its blocks are
//!     end          where the directory is, and its checksum
//! ```

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::index::{Census, Tile};
use crate::positioned::{read_exact_at, write_all_at};

use super::MatrixShape;
use super::aligned::AlignedWords;
use super::directory;
use super::panels::{PANEL, PanelTile, Panels, block};

/// Where kept tiles lie until they have been looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shelf {
    /// In memory.
    Memory,
    /// In files in this folder.
    Folder(PathBuf),
}

/// Why a kept tile could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The system says no.
    #[error("working file {}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No room.
    #[error(
        "working file {}: the disk is full: free some space and give the same command again, what \
         was finished is kept",
        .path.display()
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Not what was written.
    #[error(
        "working file {} is damaged: {what}; to start again, remove solving.json and all *.kept \
         beside it, and give the same command",
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// Kept tiles.
#[derive(Debug)]
pub(super) struct Kept {
    tiles: HashMap<Tile, Vec<Block>>,
    file: Option<(PathBuf, File)>,
    synced: bool,
}

/// A block of rows.
#[derive(Debug)]
pub(super) enum Block {
    Memory(Box<[u64]>),
    File(Packed),
}

/// A block in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed {
    pub start: u64,
    pub len: u32,
    pub checksum: u32,
}

/// Tiles that are being kept. They may come from any thread.
pub(super) struct Keeping {
    tiles: Mutex<HashMap<Tile, Vec<Block>>>,
    file: Option<(PathBuf, File)>,
    /// Where the next block goes in the file.
    end: AtomicU64,
}

/// Memory for packing and unpacking.
#[derive(Default)]
pub(super) struct Unpacked {
    packed: Vec<u8>,
    /// The two blocks that were unpacked last, by tile and number.
    blocks: [(Option<(Tile, usize)>, AlignedWords); 2],
    last: usize,
}

/// Rows of a block.
const ROWS: usize = PANEL;

impl Keeping {
    /// Starts to keep tiles, in a file of this name.
    pub fn start(shelf: &Shelf, name: &str) -> Result<Keeping, KeptError> {
        let file = match shelf {
            Shelf::Memory => None,
            Shelf::Folder(folder) => {
                let path = folder.join(name);
                let mut options = OpenOptions::new();
                let file = options.read(true).write(true).create(true).truncate(true).open(&path);
                let file = file.map_err(|source| io_error(&path, source))?;
                Some((path, file))
            }
        };
        Ok(Keeping { tiles: Mutex::default(), file, end: AtomicU64::new(0) })
    }

    /// Keeps a tile.
    pub fn keep(&self, name: Tile, tile: PanelTile, with: &mut Unpacked) -> Result<(), KeptError> {
        let rows = tile.panels.0.rows;
        let blocks = (0..rows.div_ceil(ROWS)).map(|number| {
            let rows = block(rows, number);
            let words = with.blocks[0].1.room(block_panels(tile.panels, number).words());
            with.blocks[0].0 = None;
            let mut start = 0;
            for panel in 0..tile.panels.count() {
                let from = tile.rows(panel, rows.clone());
                words[start..start + from.len()].copy_from_slice(from);
                start += from.len();
            }
            match &self.file {
                None => Ok(Block::Memory((&*words).into())),
                Some(file) => self.put(file, bytemuck::cast_slice(words), &mut with.packed),
            }
        });
        let blocks = blocks.collect::<Result<_, _>>()?;
        self.tiles.lock().expect("no thread has panicked").insert(name, blocks);
        Ok(())
    }

    fn put(
        &self,
        (path, file): &(PathBuf, File),
        bytes: &[u8],
        packed: &mut Vec<u8>,
    ) -> Result<Block, KeptError> {
        packed.resize(lz4_flex::block::get_maximum_output_size(bytes.len()), 0);
        let len = lz4_flex::block::compress_into(bytes, packed).expect("room for the worst case");
        let packed = &packed[..len];
        let start = self.end.fetch_add(len as u64, Ordering::Relaxed);
        write_all_at(file, packed, start).map_err(|source| io_error(path, source))?;
        Ok(Block::File(Packed { start, len: len as u32, checksum: crc32fast::hash(packed) }))
    }

    /// All tiles are there.
    pub fn finish(self) -> Result<Kept, KeptError> {
        let tiles = self.tiles.into_inner().expect("no thread has panicked");
        if let Some((path, file)) = &self.file {
            let end = self.end.into_inner();
            let directory = directory::to_bytes(&tiles, end);
            write_all_at(file, &directory, end).map_err(|source| io_error(path, source))?;
        }
        Ok(Kept { tiles, file: self.file, synced: false })
    }
}

impl Kept {
    /// What is in a file stays there, whatever happens.
    pub fn sync(&mut self) -> Result<(), KeptError> {
        if let Some((path, file)) = self.file.as_ref().filter(|_| !self.synced) {
            file.sync_data().map_err(|source| io_error(path, source))?;
        }
        self.synced = true;
        Ok(())
    }

    /// Tiles that were kept in a file of this name by an earlier run.
    pub fn open(folder: &Path, name: &str, census: &Census) -> Result<Kept, KeptError> {
        let path = folder.join(name);
        let failed = |source| io_error(&path, source);
        let damaged = |what: &str| KeptError::Damaged { path: path.clone(), what: what.to_owned() };
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("it is not there any more"));
            }
            file => file.map_err(failed)?,
        };
        let bytes = file.metadata().map_err(failed)?.len();
        let mut end = [0; directory::END];
        let end_start = bytes.checked_sub(directory::END as u64);
        let end_start = end_start.ok_or_else(|| damaged("it is too short"))?;
        read_exact_at(&file, &mut end, end_start).map_err(failed)?;
        let (start, checksum) =
            directory::end(end).ok_or_else(|| damaged("it has no directory"))?;
        let len = end_start.checked_sub(start).ok_or_else(|| damaged("it is too short"))?;
        let mut directory = vec![0; len as usize];
        read_exact_at(&file, &mut directory, start).map_err(failed)?;
        if crc32fast::hash(&directory) != checksum {
            return Err(damaged("the checksum of its directory is another one"));
        }
        let tiles = directory::from_bytes(&directory, census, start);
        let tiles = tiles.ok_or_else(|| damaged("its directory is of another board"))?;
        Ok(Kept { tiles, file: Some((path.clone(), file)), synced: true })
    }

    /// A tile of this shape.
    pub fn tile(&self, tile: Tile, shape: MatrixShape) -> KeptTile<'_> {
        let blocks = self.tiles.get(&tile).expect("a tile that is kept");
        KeptTile { kept: self, tile, panels: Panels(shape), blocks }
    }

    /// Gives the room back: nobody will look again.
    pub fn discard(self) -> Result<(), KeptError> {
        match self.file {
            None => Ok(()),
            Some((path, file)) => {
                drop(file);
                std::fs::remove_file(&path).map_err(|source| io_error(&path, source))
            }
        }
    }
}

/// A kept tile.
#[derive(Clone, Copy)]
pub(super) struct KeptTile<'a> {
    kept: &'a Kept,
    tile: Tile,
    pub panels: Panels,
    blocks: &'a [Block],
}

/// Rows that lie in the same block of a kept tile.
pub(super) struct Part<'a> {
    /// Which of the rows that were asked for.
    pub rows: Range<usize>,
    /// The first row of the block.
    pub first: u32,
    /// The rows of the block.
    pub block: PanelTile<'a>,
}

impl<'a> Part<'a> {
    /// All rows of a tile that is in memory.
    pub fn whole(tile: PanelTile<'a>, rows: usize) -> Part<'a> {
        Part { rows: 0..rows, first: 0, block: tile }
    }
}

impl<'a> KeptTile<'a> {
    /// Unpacks all of it.
    pub fn whole(self, unpacked: &mut Unpacked, to: &mut [u64]) -> Result<(), KeptError> {
        for number in 0..self.blocks.len() {
            let slot = unpacked.unpack(self, number)?;
            let from = self.block(number, slot, unpacked);
            for panel in 0..self.panels.count() {
                let rows = block(self.panels.0.rows, number);
                to[self.panels.words_of_rows(panel, rows)].copy_from_slice(from.panel(panel));
            }
        }
        Ok(())
    }

    fn block<'u>(self, number: usize, slot: usize, unpacked: &'u Unpacked) -> PanelTile<'u>
    where
        'a: 'u,
    {
        let words = match &self.blocks[number] {
            Block::Memory(words) => &words[..],
            Block::File(_) => unpacked.blocks[slot].1.as_slice(),
        };
        PanelTile { panels: block_panels(self.panels, number), words }
    }

    /// Unpacks the blocks of these rows, which ascend and span no more than
    /// [`ROWS`] of the tile; rows beyond the last one are in any of them.
    pub fn rows<'u>(
        self,
        places: &[u32],
        unpacked: &'u mut Unpacked,
    ) -> Result<Vec<Part<'u>>, KeptError>
    where
        'a: 'u,
    {
        let all = self.panels.0.rows as u32;
        let mut inside = places.iter().filter(|place| **place < all);
        let (Some(first), last) = (inside.next(), inside.next_back()) else { return Ok(vec![]) };
        let numbers = [*first, *last.unwrap_or(first)].map(|place| place as usize / ROWS);
        debug_assert!(numbers[1] - numbers[0] <= 1, "rows of two blocks at most");
        let second = (numbers[1] * ROWS) as u32;
        let cut = places.iter().position(|place| *place >= second && *place < all);
        let cut = if numbers[0] == numbers[1] { places.len() } else { cut.expect("the last row") };
        let slots = [unpacked.unpack(self, numbers[0])?, unpacked.unpack(self, numbers[1])?];
        let part = |number: usize, slot: usize, rows| Part {
            rows,
            first: (number * ROWS) as u32,
            block: self.block(number, slot, unpacked),
        };
        let mut parts = vec![part(numbers[0], slots[0], 0..cut)];
        if cut < places.len() {
            parts.push(part(numbers[1], slots[1], cut..places.len()));
        }
        Ok(parts)
    }

    fn unpack_into(
        self,
        block: Packed,
        packed: &mut Vec<u8>,
        words: &mut [u64],
    ) -> Result<(), KeptError> {
        let (path, file) = self.kept.file.as_ref().expect("blocks in a file");
        packed.resize(block.len as usize, 0);
        read_exact_at(file, packed, block.start).map_err(|source| io_error(path, source))?;
        let damaged = |what: String| KeptError::Damaged { path: path.clone(), what };
        let (expected, found) = (block.checksum, crc32fast::hash(packed));
        if found != expected {
            let what = format!("the checksum of a block is {found:08x} instead of {expected:08x}");
            return Err(damaged(what));
        }
        let to: &mut [u8] = bytemuck::cast_slice_mut(words);
        let expected = to.len();
        match lz4_flex::block::decompress_into(packed, to) {
            Ok(found) if found == expected => Ok(()),
            Ok(found) => Err(damaged(format!("a block of {found} instead of {expected} bytes"))),
            Err(error) => Err(damaged(error.to_string())),
        }
    }
}

impl Unpacked {
    /// Unpacks a block, if it is not there; which of the two it is.
    fn unpack(&mut self, tile: KeptTile, number: usize) -> Result<usize, KeptError> {
        let Block::File(block) = tile.blocks[number] else { return Ok(0) };
        let name = Some((tile.tile, number));
        if let Some(slot) = self.blocks.iter().position(|block| block.0 == name) {
            self.last = slot;
            return Ok(slot);
        }
        let slot = 1 - self.last;
        let Unpacked { packed, blocks, .. } = self;
        let (unpacked, words) = &mut blocks[slot];
        *unpacked = None;
        let words = words.room(block_panels(tile.panels, number).words());
        tile.unpack_into(block, packed, words)?;
        *unpacked = name;
        self.last = slot;
        Ok(slot)
    }
}

/// The panels of a block of rows by itself.
fn block_panels(panels: Panels, number: usize) -> Panels {
    let MatrixShape { rows, columns } = panels.0;
    Panels(MatrixShape { rows: block(rows, number).len(), columns })
}

fn io_error(path: &Path, source: io::Error) -> KeptError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => KeptError::DiskFull { path },
        _ => KeptError::Io { path, source },
    }
}
