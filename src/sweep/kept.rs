//! What is kept of solved centres: what they hand on to centres with one stone less.
//!
//! A stone dropped in the centre by player `p` leads from a tier with `p` to
//! move to the next one. So of a centre with a top stone of `p` every other tier
//! is looked at from before, and only those are kept. Who will look is known, and
//! so are the lines of his tile; for each block of 512 of them the lines that are here
//! are picked, in his order, and packed. He reads each block once, and unpacks
//! nothing that he does not need:
//!
//! ```text
//!     his rows        ours, in his order
//!     ┌─────────┐
//!     │ 0 … 511 │     block 0     those that we have of his first 512
//!     ├─────────┤
//!     │ … 1023  │     block 1     of his next 512
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
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::index::{Census, CentreId, Tile};
use crate::positioned::{read_exact_at, write_all_at};

use super::MatrixShape;
use super::aligned::AlignedWords;
use super::directory;
use super::panels::{PANEL, PLANES, PanelTile, Panels, block};
use super::places::LOSES;

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

/// What is kept: a tile, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Name {
    pub tile: Tile,
    /// The centre that it is handed on to; none if all of it is kept.
    pub to: Option<CentreId>,
}

/// Kept tiles.
#[derive(Debug)]
pub(super) struct Kept {
    tiles: HashMap<Name, KeptLines>,
    file: Option<(PathBuf, File)>,
    synced: bool,
}

/// The lines of a tile that are kept.
#[derive(Debug)]
pub(super) struct KeptLines {
    pub columns: u32,
    pub blocks: Vec<Block>,
}

/// A block of lines.
#[derive(Debug)]
pub(super) struct Block {
    pub lines: u32,
    pub words: Words,
}

/// The words of a block.
#[derive(Debug)]
pub(super) enum Words {
    Memory(Box<[u64]>),
    File(Packed),
}

/// Words in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed {
    pub start: u64,
    pub len: u32,
    pub checksum: u32,
}

/// Tiles that are being kept. They may come from any thread.
pub(super) struct Keeping {
    tiles: Mutex<HashMap<Name, KeptLines>>,
    file: Option<(PathBuf, File)>,
    /// Where the next block goes in the file.
    end: AtomicU64,
}

/// Memory for packing and unpacking.
#[derive(Default)]
pub(super) struct Packing {
    packed: Vec<u8>,
    words: AlignedWords,
}

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

    /// Keeps so many columns of a tile, and of its rows those whose places are given, in
    /// that order; special values among them stand for no row.
    pub fn keep(
        &self,
        name: Name,
        tile: PanelTile,
        rows: &[u32],
        columns: usize,
        with: &mut Packing,
    ) -> Result<(), KeptError> {
        let blocks = rows.chunks(PANEL).map(|rows| {
            let lines = rows.iter().filter(|row| **row < LOSES).count();
            let panels = Panels(MatrixShape { rows: lines, columns });
            let words = with.words.room(panels.words());
            for panel in 0..panels.count() {
                let rows = rows.iter().filter(|row| **row < LOSES);
                let to = &mut words[panels.words_of(panel)];
                copy_rows(tile, panel, rows, panels.width(panel), to);
            }
            let words = match &self.file {
                None => Words::Memory((&*words).into()),
                Some(file) => self.put(file, bytemuck::cast_slice(words), &mut with.packed)?,
            };
            Ok(Block { lines: lines as u32, words })
        });
        let blocks = blocks.collect::<Result<_, KeptError>>()?;
        let kept = KeptLines { columns: columns as u32, blocks };
        self.tiles.lock().expect("no thread has panicked").insert(name, kept);
        Ok(())
    }

    fn put(
        &self,
        (path, file): &(PathBuf, File),
        bytes: &[u8],
        packed: &mut Vec<u8>,
    ) -> Result<Words, KeptError> {
        if bytes.is_empty() {
            return Ok(Words::File(Packed { start: 0, len: 0, checksum: crc32fast::hash(&[]) }));
        }
        packed.resize(lz4_flex::block::get_maximum_output_size(bytes.len()), 0);
        let len = lz4_flex::block::compress_into(bytes, packed).expect("room for the worst case");
        let packed = &packed[..len];
        let start = self.end.fetch_add(len as u64, Ordering::Relaxed);
        write_all_at(file, packed, start).map_err(|source| io_error(path, source))?;
        let checksum = crc32fast::hash(packed);
        Ok(Words::File(Packed { start, len: len as u32, checksum }))
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

/// Copies rows of a panel, of which the first words may be enough.
fn copy_rows<'a>(
    tile: PanelTile,
    panel: usize,
    rows: impl Iterator<Item = &'a u32>,
    width: usize,
    to: &mut [u64],
) {
    let from_width = tile.panels.width(panel);
    let from = tile.panel(panel);
    for (row, to) in rows.zip(to.chunks_exact_mut(PLANES * width)) {
        let from = &from[*row as usize * PLANES * from_width..][..PLANES * from_width];
        for (from, to) in from.chunks_exact(from_width).zip(to.chunks_exact_mut(width)) {
            to.copy_from_slice(&from[..width]);
        }
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

    /// What was kept of a tile.
    pub fn tile(&self, name: Name) -> Result<KeptTile<'_>, KeptError> {
        match self.tiles.get(&name) {
            Some(lines) => Ok(KeptTile { kept: self, lines }),
            None => Err(self.damaged("it lacks a tile".to_owned())),
        }
    }

    fn damaged(&self, what: String) -> KeptError {
        let (path, _) = self.file.as_ref().expect("what is in memory is whole");
        KeptError::Damaged { path: path.clone(), what }
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
    lines: &'a KeptLines,
}

impl<'a> KeptTile<'a> {
    /// A block of lines, of which so many must be there.
    pub fn block<'u>(
        self,
        number: usize,
        lines: usize,
        with: &'u mut Packing,
    ) -> Result<PanelTile<'u>, KeptError>
    where
        'a: 'u,
    {
        let block = self.lines.blocks.get(number).filter(|block| block.lines as usize == lines);
        let block = block.ok_or_else(|| self.kept.damaged("a block is of another size".into()))?;
        let shape = MatrixShape { rows: lines, columns: self.lines.columns as usize };
        let panels = Panels(shape);
        let words = match &block.words {
            Words::Memory(words) => &words[..],
            Words::File(packed) => {
                let words = with.words.room(panels.words());
                self.kept.unpack(*packed, &mut with.packed, words)?;
                words
            }
        };
        Ok(PanelTile { panels, words })
    }

    /// Copies all rows and columns of a tile that was kept whole.
    pub fn whole(
        self,
        panels: Panels,
        with: &mut Packing,
        to: &mut [u64],
    ) -> Result<(), KeptError> {
        let MatrixShape { rows, columns } = panels.0;
        if self.lines.columns as usize != columns {
            return Err(self.kept.damaged("a tile is of another size".to_owned()));
        }
        for number in 0..rows.div_ceil(PANEL) {
            let rows = block(rows, number);
            let from = self.block(number, rows.len(), with)?;
            for panel in 0..panels.count() {
                to[panels.words_of_rows(panel, rows.clone())].copy_from_slice(from.panel(panel));
            }
        }
        Ok(())
    }
}

impl Kept {
    fn unpack(
        &self,
        block: Packed,
        packed: &mut Vec<u8>,
        words: &mut [u64],
    ) -> Result<(), KeptError> {
        let (path, file) = self.file.as_ref().expect("blocks in a file");
        packed.resize(block.len as usize, 0);
        read_exact_at(file, packed, block.start).map_err(|source| io_error(path, source))?;
        let (expected, found) = (block.checksum, crc32fast::hash(packed));
        if found != expected {
            let what = format!("the checksum of a block is {found:08x} instead of {expected:08x}");
            return Err(self.damaged(what));
        }
        let to: &mut [u8] = bytemuck::cast_slice_mut(words);
        let expected = to.len();
        if expected == 0 && packed.is_empty() {
            return Ok(());
        }
        match lz4_flex::block::decompress_into(packed, to) {
            Ok(found) if found == expected => Ok(()),
            Ok(found) => {
                Err(self.damaged(format!("a block of {found} instead of {expected} bytes")))
            }
            Err(error) => Err(self.damaged(error.to_string())),
        }
    }
}

fn io_error(path: &Path, source: io::Error) -> KeptError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => KeptError::DiskFull { path },
        _ => KeptError::Io { path, source },
    }
}
