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
//! Blocks are packed as lines that [repeat](super::repeats), and kept in memory or, with
//! a checksum, in a file ([`Shelf`]). Small ones in memory stay [as they are](super::picked).
//! A file has
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

use crate::index::Census;
use crate::positioned::{read_exact_at, write_all_at};

use super::MatrixShape;
use super::directory::{self, Block, Bytes, KeptLines, Name, Place};
use super::kernels::{Cpu, unpack_lines};
use super::panels::{PANEL, PanelTile, Panels, block};
use super::picked::{is_small, pick, put_panel};
use super::places::LOSES;
use super::repeats::pack;

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
    tiles: HashMap<Name, KeptLines>,
    file: Option<(PathBuf, File)>,
    /// Bytes of the file.
    bytes: u64,
    synced: bool,
}

/// Tiles that are being kept. They may come from any thread.
pub(super) struct Keeping {
    tiles: Mutex<HashMap<Name, KeptLines>>,
    file: Option<(PathBuf, File)>,
    /// Where the next block goes in the file.
    end: AtomicU64,
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
        cpu: Cpu,
        name: Name,
        tile: PanelTile,
        rows: &[u32],
        columns: usize,
        packed: &mut Vec<u8>,
    ) -> Result<(), KeptError> {
        let is_small = self.file.is_none() && is_small(rows.len(), columns);
        let blocks = rows.chunks(PANEL).map(|rows| {
            let rows = rows.iter().copied().filter(|row| *row < LOSES);
            let bytes = if is_small {
                Bytes::Lines(pick(tile, rows.clone(), columns))
            } else {
                pack(cpu, tile, rows.clone(), columns, packed);
                match &self.file {
                    None => Bytes::Memory(packed[..].into()),
                    Some(file) => Bytes::File(self.put(file, packed)?),
                }
            };
            Ok(Block { lines: rows.count() as u32, bytes })
        });
        let blocks = blocks.collect::<Result<_, KeptError>>()?;
        let kept = KeptLines { columns: columns as u32, blocks };
        self.tiles.lock().expect("no thread has panicked").insert(name, kept);
        Ok(())
    }

    fn put(&self, (path, file): &(PathBuf, File), packed: &[u8]) -> Result<Place, KeptError> {
        let start = self.end.fetch_add(packed.len() as u64, Ordering::Relaxed);
        write_all_at(file, packed, start).map_err(|source| io_error(path, source))?;
        Ok(Place { start, len: packed.len() as u32, checksum: crc32fast::hash(packed) })
    }

    /// All tiles are there.
    pub fn finish(self) -> Result<Kept, KeptError> {
        let tiles = self.tiles.into_inner().expect("no thread has panicked");
        let mut bytes = self.end.into_inner();
        if let Some((path, file)) = &self.file {
            let directory = directory::to_bytes(&tiles, bytes);
            write_all_at(file, &directory, bytes).map_err(|source| io_error(path, source))?;
            bytes += directory.len() as u64;
        }
        Ok(Kept { tiles, file: self.file, bytes, synced: false })
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
        Ok(Kept { tiles, file: Some((path.clone(), file)), bytes, synced: true })
    }

    /// What was kept of a tile.
    pub fn tile(&self, name: Name) -> Result<KeptTile<'_>, KeptError> {
        match self.tiles.get(&name) {
            Some(lines) => Ok(KeptTile { kept: self, lines }),
            None => Err(self.damaged("it lacks a tile".to_owned())),
        }
    }

    /// Bytes of its file.
    pub fn bytes(&self) -> u64 {
        self.bytes
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
    /// The panels of so many rows of it.
    pub fn panels(self, rows: usize) -> Panels {
        Panels(MatrixShape { rows, columns: self.lines.columns as usize })
    }

    /// A block of lines, which must be there for these rows.
    pub fn block<'u>(
        self,
        number: usize,
        rows: &'u [u32],
        packed: &'u mut Vec<u8>,
    ) -> Result<KeptBlock<'u>, KeptError>
    where
        'a: 'u,
    {
        let block = self.lines.blocks.get(number);
        let block = block.filter(|block| block.lines as usize == rows.len());
        let block = block.ok_or_else(|| self.kept.damaged("a block is of another size".into()))?;
        let lines = match &block.bytes {
            Bytes::Lines(lines) => Lines::Picked(lines),
            Bytes::Memory(bytes) => Lines::Packed(bytes),
            Bytes::File(place) => Lines::Packed(self.kept.read(*place, packed)?),
        };
        Ok(KeptBlock { kept: self.kept, rows, lines })
    }

    /// Copies all rows and columns of a tile that was kept whole.
    pub fn whole(
        self,
        cpu: Cpu,
        panels: Panels,
        packed: &mut Vec<u8>,
        to: &mut [u64],
    ) -> Result<(), KeptError> {
        let MatrixShape { rows, columns } = panels.0;
        if self.lines.columns as usize != columns {
            return Err(self.kept.damaged("a tile is of another size".to_owned()));
        }
        for number in 0..rows.div_ceil(PANEL) {
            let rows = block(rows, number);
            let places: Vec<u32> = (0..rows.len() as u32).collect();
            let mut from = self.block(number, &places, packed)?;
            for panel in 0..panels.count() {
                let to = &mut to[panels.words_of_rows(panel, rows.clone())];
                from.next_panel(cpu, panels.width(panel), to)?;
            }
        }
        Ok(())
    }
}

/// A block that is being unpacked, panel by panel.
pub(super) struct KeptBlock<'a> {
    kept: &'a Kept,
    /// The rows that its lines belong to.
    rows: &'a [u32],
    lines: Lines<'a>,
}

/// What is left of a block.
enum Lines<'a> {
    Picked(&'a [u64]),
    Packed(&'a [u8]),
}

impl KeptBlock<'_> {
    /// Unpacks the next panel into the rows that have a line.
    pub fn next_panel(&mut self, cpu: Cpu, width: usize, to: &mut [u64]) -> Result<(), KeptError> {
        let done = match &mut self.lines {
            Lines::Picked(lines) => put_panel(lines, width, self.rows, to),
            Lines::Packed(bytes) => unpack_lines(cpu, width, bytes, self.rows, to),
        };
        done.ok_or_else(|| self.kept.damaged("a block is not what was packed".to_owned()))
    }
}

impl Kept {
    /// Reads the bytes of a block, and compares them with their checksum.
    fn read<'b>(&self, place: Place, bytes: &'b mut Vec<u8>) -> Result<&'b [u8], KeptError> {
        let (path, file) = self.file.as_ref().expect("blocks in a file");
        bytes.resize(place.len as usize, 0);
        read_exact_at(file, bytes, place.start).map_err(|source| io_error(path, source))?;
        let (expected, found) = (place.checksum, crc32fast::hash(bytes));
        if found != expected {
            let what = format!("the checksum of a block is {found:08x} instead of {expected:08x}");
            return Err(self.damaged(what));
        }
        Ok(bytes)
    }
}

fn io_error(path: &Path, source: io::Error) -> KeptError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => KeptError::DiskFull { path },
        _ => KeptError::Io { path, source },
    }
}
