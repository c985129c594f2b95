//! What is kept of solved centres: what they hand on to centres with one stone less.
//!
//! A stone dropped in the centre by player `p` leads from a tier with `p` to
//! move to the next one. So of a centre with a top stone of `p` every other tier
//! is looked at from before, and only those are kept. The readers are known, and so
//! are the lines of their tiles. For each block of 512 of a reader's lines, the lines that
//! are here are picked, in its order, and packed. It reads each block once, and unpacks
//! nothing that it does not need:
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
//! checksums, in a [sealed](crate::sealed) file, in the order in which threads came with
//! them. Small ones in memory stay [as they are](super::picked). The directory of a file
//! tells for each tile where its blocks are.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::index::Census;
use crate::sealed::{Sealed, Unsealed, WorkingFileError};

use super::MatrixShape;
use super::directory::{self, Block, Bytes, KeptLines, Name, Place};
use super::kernels::{Cpu, unpack_lines};
use super::panels::{PANEL, PanelTile, Panels, block};
use super::picked::{is_small, pick, put_panel};
use super::places::LOSES;
use super::repeats::pack;

/// Kept tiles.
#[derive(Debug, Default)]
pub(super) struct Kept {
    tiles: HashMap<Name, KeptLines>,
    /// Where their blocks are, if not in memory.
    file: Option<Sealed>,
}

/// Tiles that are being kept. They may come from any thread.
#[derive(Default)]
pub(super) struct Keeping {
    tiles: Mutex<HashMap<Name, KeptLines>>,
    file: Option<Unsealed>,
}

impl Keeping {
    /// Starts to keep tiles in a file.
    pub fn in_file(file: Unsealed) -> Keeping {
        Keeping { tiles: Mutex::default(), file: Some(file) }
    }

    /// Keeps this many columns of a tile, and of its rows those whose places are given, in
    /// that order; special values among them stand for no row.
    pub fn keep(
        &self,
        cpu: Cpu,
        name: Name,
        tile: PanelTile,
        rows: &[u32],
        columns: usize,
        packed: &mut Vec<u8>,
    ) -> Result<(), WorkingFileError> {
        let is_small = self.file.is_none() && is_small(rows.len(), columns);
        let blocks = rows.chunks(PANEL).map(|rows| {
            let rows = rows.iter().copied().filter(|row| *row < LOSES);
            let bytes = if is_small {
                Bytes::Lines(pick(tile, rows.clone(), columns))
            } else {
                pack(cpu, tile, rows.clone(), columns, packed);
                match &self.file {
                    None => Bytes::Memory(packed[..].into()),
                    Some(file) => {
                        let (len, checksum) = (packed.len() as u32, crc32fast::hash(packed));
                        Bytes::File(Place { start: file.put(packed)?, len, checksum })
                    }
                }
            };
            Ok(Block { lines: rows.count() as u32, bytes })
        });
        let blocks = blocks.collect::<Result<_, WorkingFileError>>()?;
        let kept = KeptLines { columns: columns as u32, blocks };
        self.tiles.lock().expect("no thread has panicked").insert(name, kept);
        Ok(())
    }

    /// All tiles are there.
    pub fn finish(self) -> Result<Kept, WorkingFileError> {
        let tiles = self.tiles.into_inner().expect("no thread has panicked");
        let file = self.file.map(|file| file.seal(directory::to_bytes(&tiles))).transpose()?;
        Ok(Kept { tiles, file })
    }
}

impl Kept {
    /// The tiles of a file.
    pub fn of(file: Sealed, census: &Census) -> Result<Kept, WorkingFileError> {
        let tiles = directory::from_bytes(file.directory(), census, file.body_end());
        let tiles = tiles.ok_or_else(|| {
            WorkingFileError::damaged(file.path(), "its directory makes no sense")
        })?;
        Ok(Kept { tiles, file: Some(file) })
    }

    /// Adds tiles in memory to those that are there.
    pub fn add(&mut self, other: Kept) {
        debug_assert!(self.file.is_none() && other.file.is_none());
        self.tiles.extend(other.tiles);
    }

    /// What was kept of a tile.
    pub fn tile(&self, name: Name) -> Result<KeptTile<'_>, WorkingFileError> {
        match self.tiles.get(&name) {
            Some(lines) => Ok(KeptTile { kept: self, lines }),
            None => Err(self.damaged("it lacks a tile".to_owned())),
        }
    }

    /// The file, if there is one.
    pub fn file(&self) -> Option<&Sealed> {
        self.file.as_ref()
    }

    fn damaged(&self, what: String) -> WorkingFileError {
        let file = self.file.as_ref().expect("what is in memory is whole");
        WorkingFileError::damaged(file.path(), what)
    }

    /// Reads the bytes of a block, and compares them with their checksum.
    fn read<'b>(&self, place: Place, bytes: &'b mut Vec<u8>) -> Result<&'b [u8], WorkingFileError> {
        bytes.resize(place.len as usize, 0);
        self.file.as_ref().expect("blocks in a file").read_at(bytes, place.start)?;
        let (expected, found) = (place.checksum, crc32fast::hash(bytes));
        if found != expected {
            let what = format!("the checksum of a block is {found:08x} instead of {expected:08x}");
            return Err(self.damaged(what));
        }
        Ok(bytes)
    }
}

/// A kept tile.
#[derive(Clone, Copy)]
pub(super) struct KeptTile<'a> {
    kept: &'a Kept,
    lines: &'a KeptLines,
}

impl<'a> KeptTile<'a> {
    /// The same, if it has this many columns.
    pub fn with_columns(self, expected: usize) -> Result<KeptTile<'a>, WorkingFileError> {
        match self.lines.columns as usize {
            found if found != expected => {
                let what = format!("a tile of it has {found} columns instead of {expected}");
                Err(self.kept.damaged(what))
            }
            _ => Ok(self),
        }
    }

    /// The panels of this many rows of it.
    pub fn panels(self, rows: usize) -> Panels {
        Panels(MatrixShape { rows, columns: self.lines.columns as usize })
    }

    /// A block of lines, which must be there for these rows.
    pub fn block<'u>(
        self,
        number: usize,
        rows: &'u [u32],
        packed: &'u mut Vec<u8>,
    ) -> Result<KeptBlock<'u>, WorkingFileError>
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
    ) -> Result<(), WorkingFileError> {
        let MatrixShape { rows, columns } = panels.0;
        self.with_columns(columns)?;
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
    pub fn next_panel(
        &mut self,
        cpu: Cpu,
        width: usize,
        to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        let done = match &mut self.lines {
            Lines::Picked(lines) => put_panel(lines, width, self.rows, to),
            Lines::Packed(bytes) => unpack_lines(cpu, width, bytes, self.rows, to),
        };
        done.ok_or_else(|| self.kept.damaged("a block is not what was packed".to_owned()))
    }
}

/// Unpacks all blocks of what a batch hands on, as each form of the kernels does it.
#[cfg(fuzzing)]
pub(crate) fn fuzz_kept(
    file: &std::path::Path,
    census: &Census,
    batch: usize,
) -> Result<(), WorkingFileError> {
    use crate::board::TierRange;
    use crate::sealed::RunLabel;

    let board = census.board();
    let (tiers, end) = (TierRange::all(board), board.last_tier());
    let run = RunLabel { board, tiers, end, every_cell: false };
    let label = super::working_files::passing_label(run, batch);
    let kept = Kept::of(Sealed::open(file.to_owned(), label)?, census)?;
    for (name, lines) in &kept.tiles {
        let tile = kept.tile(*name)?;
        let mut packed = Vec::new();
        for (number, block) in lines.blocks.iter().enumerate() {
            let rows: Vec<u32> = (0..block.lines).collect();
            let panels = tile.panels(rows.len());
            let unpack = |cpu| -> Result<Vec<u64>, WorkingFileError> {
                let mut block = tile.block(number, &rows, &mut packed)?;
                let mut words = vec![0; panels.words()];
                for panel in 0..panels.count() {
                    let to = &mut words[panels.words_of(panel)];
                    block.next_panel(cpu, panels.width(panel), to)?;
                }
                Ok(words)
            };
            let unpacked: Vec<_> = Cpu::all().map(unpack).map(Result::ok).collect();
            assert!(unpacked.iter().all(|words| *words == unpacked[0]), "all kernels agree");
        }
        let panels = Panels(MatrixShape {
            rows: census.tile_rows(name.tile),
            columns: census.tile_columns(name.tile),
        });
        let _ = tile.whole(Cpu::widest(), panels, &mut packed, &mut vec![0; panels.words()]);
    }
    Ok(())
}
