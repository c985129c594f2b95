//! What solved centres hand on to centres with one stone less, and how it is kept.
//!
//! A stone dropped in the centre by player `p` leads from a tier with `p` to move to the next one.
//! So the centres with one stone less read every other tier of a centre, and only those are kept.
//! The readers are known, and so are the lines of their tiles. For each block of 512 of a reader's
//! lines, those that exist here are picked, in the reader's order, and packed. The reader reads
//! each block once, and unpacks nothing that it does not need:
//!
//! ```text
//!     its rows        ours, in its order
//!     ┌─────────┐
//!     │ 0 … 511 │     block 0     those that we have of its first 512
//!     ├─────────┤
//!     │ … 1023  │     block 1     of its next 512
//! ```
//!
//! Blocks are packed so that lines that [repeat](super::repeats) are stored once, unless they are
//! small and in memory, where they are [plain](super::plain). They lie in [piles](super::pile), one
//! per reader. They are kept in memory or, with checksums, in a [sealed](crate::sealed) file, whose
//! directory says where they are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::index::{Census, Tile};
use crate::sealed::{Sealed, Unsealed, WorkingFileError};

use super::MatrixShape;
use super::directory;
use super::kernels::{Cpu, unpack_lines};
use super::panels::{PANEL, Panels, block};
use super::pile::{Block, KeptLines, Pile, PileName, Place, key, piece_in_memory};
use super::plain;

/// The largest pile that is read all at once, in bytes.
const READ_AT_ONCE: u64 = 1 << 22;

/// Kept piles.
#[derive(Debug, Default)]
pub(super) struct Kept {
    piles: HashMap<PileName, Arc<KeptPile>>,
    /// The file with their blocks, if they are not in memory.
    file: Option<Sealed>,
}

/// A pile, and the part of it that is in memory.
#[derive(Debug)]
struct KeptPile {
    pile: Pile,
    pieces: Vec<Box<[u8]>>,
}

/// Collects piles, from any thread.
#[derive(Default)]
pub(super) struct Keeping {
    piles: Mutex<HashMap<PileName, Arc<KeptPile>>>,
    file: Option<Unsealed>,
}

impl Keeping {
    /// Starts to keep piles in a file.
    pub fn in_file(file: Unsealed) -> Keeping {
        Keeping { piles: Mutex::default(), file: Some(file) }
    }

    /// The file, if there is one.
    pub fn file(&self) -> Option<&Unsealed> {
        self.file.as_ref()
    }

    /// Adds a pile, with its pieces in memory.
    pub fn add(&self, name: PileName, pile: Pile, pieces: Vec<Box<[u8]>>) {
        let kept = Arc::new(KeptPile { pile, pieces });
        self.piles.lock().expect("no thread has panicked").insert(name, kept);
    }

    /// Takes out a pile that is in memory, and opens it.
    pub fn take(&self, name: PileName) -> OpenPile<'static> {
        debug_assert!(self.file.is_none());
        let kept = self.piles.lock().expect("no thread has panicked").remove(&name);
        let kept = kept.expect("what is in memory is whole");
        OpenPile { kept, file: None, loaded: Vec::new(), first: 0 }
    }

    /// Seals the file, if there is one: all piles have been added.
    pub fn finish(self) -> Result<Kept, WorkingFileError> {
        let piles = self.piles.into_inner().expect("no thread has panicked");
        let directory =
            || directory::to_bytes(piles.iter().map(|(name, kept)| (*name, &kept.pile)));
        let file = self.file.map(|file| file.seal(directory())).transpose()?;
        Ok(Kept { piles, file })
    }
}

impl Kept {
    /// The piles of a file.
    pub fn of(file: Sealed, census: &Census) -> Result<Kept, WorkingFileError> {
        let piles = directory::from_bytes(file.directory(), census, file.body_end());
        let piles = piles.ok_or_else(|| {
            WorkingFileError::damaged(file.path(), "its directory makes no sense")
        })?;
        let kept = |pile| Arc::new(KeptPile { pile, pieces: Vec::new() });
        let piles = piles.into_iter().map(|(name, pile)| (name, kept(pile))).collect();
        Ok(Kept { piles, file: Some(file) })
    }

    /// Opens a pile.
    pub fn open(&self, name: PileName) -> Result<OpenPile<'_>, WorkingFileError> {
        let kept = self.piles.get(&name).cloned();
        let file = self.file.as_ref();
        let kept = kept.ok_or_else(|| damaged(file, "it lacks a centre".to_owned()))?;
        let (mut loaded, mut first) = (Vec::new(), 0);
        if let (Some(file), Some(span)) = (file, kept.pile.span())
            && span.end - span.start <= READ_AT_ONCE
        {
            loaded.resize((span.end - span.start) as usize, 0);
            first = span.start;
            file.read_at(&mut loaded, first)?;
        }
        Ok(OpenPile { kept, file, loaded, first })
    }

    /// The file, if there is one.
    pub fn file(&self) -> Option<&Sealed> {
        self.file.as_ref()
    }
}

fn damaged(file: Option<&Sealed>, what: String) -> WorkingFileError {
    WorkingFileError::damaged(file.expect("what is in memory is whole").path(), what)
}

/// A pile that is being read.
pub(super) struct OpenPile<'a> {
    kept: Arc<KeptPile>,
    file: Option<&'a Sealed>,
    /// The bytes of all blocks, from `first` on, if they were read at once.
    loaded: Vec<u8>,
    first: u64,
}

impl OpenPile<'_> {
    /// A tile of the pile.
    pub fn tile(&self, tile: Tile) -> Result<KeptTile<'_>, WorkingFileError> {
        match self.kept.pile.tile(key(tile)) {
            Some((lines, blocks)) => Ok(KeptTile { pile: self, lines, blocks }),
            None => Err(self.damaged("it lacks a tile".to_owned())),
        }
    }

    fn damaged(&self, what: String) -> WorkingFileError {
        damaged(self.file, what)
    }

    /// The bytes of a block, checked against their checksum.
    fn bytes<'b>(
        &'b self,
        place: Place,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], WorkingFileError> {
        let len = place.len as usize;
        let Some(file) = self.file else {
            let (piece, start) = piece_in_memory(place.start);
            // If no block has lines, there may be no piece.
            let piece = self.kept.pieces.get(piece).map_or(&[][..], |piece| &piece[start..]);
            return Ok(&piece[..len]);
        };
        let bytes = if self.loaded.is_empty() {
            buffer.resize(buffer.len().max(len), 0);
            file.read_at(&mut buffer[..len], place.start)?;
            &buffer[..len]
        } else {
            &self.loaded[(place.start - self.first) as usize..][..len]
        };
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
    pile: &'a OpenPile<'a>,
    lines: KeptLines,
    blocks: &'a [Block],
}

impl<'a> KeptTile<'a> {
    /// Returns the tile if it has this many columns, else an error.
    pub fn with_columns(self, expected: usize) -> Result<KeptTile<'a>, WorkingFileError> {
        match self.lines.columns as usize {
            found if found != expected => {
                let what = format!("a tile of it has {found} columns instead of {expected}");
                Err(self.pile.damaged(what))
            }
            _ => Ok(self),
        }
    }

    /// The panels of this many of its rows.
    pub fn panels(self, rows: usize) -> Panels {
        Panels(MatrixShape { rows, columns: self.lines.columns as usize })
    }

    /// A block, which must have one line for each of these rows.
    pub fn block<'u>(
        self,
        number: usize,
        rows: &'u [u32],
        packed: &'u mut Vec<u8>,
    ) -> Result<KeptBlock<'u>, WorkingFileError>
    where
        'a: 'u,
    {
        let block = self.blocks.get(number);
        let block = block.filter(|block| block.lines as usize == rows.len());
        let block = block.ok_or_else(|| self.pile.damaged("a block is of another size".into()))?;
        let file = self.pile.file;
        let is_plain = file.is_none() && plain::serves(rows.len(), self.lines.columns as usize);
        Ok(KeptBlock { file, is_plain, rows, bytes: self.pile.bytes(block.place, packed)? })
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
    file: Option<&'a Sealed>,
    is_plain: bool,
    /// The rows that its lines belong to.
    rows: &'a [u32],
    /// The bytes not unpacked yet.
    bytes: &'a [u8],
}

impl KeptBlock<'_> {
    /// Unpacks the next panel into the rows that have a line.
    pub fn next_panel(
        &mut self,
        cpu: Cpu,
        width: usize,
        to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        if self.is_plain {
            plain::put_back(width, &mut self.bytes, self.rows, to);
            return Ok(());
        }
        let done = unpack_lines(cpu, width, &mut self.bytes, self.rows, to);
        done.ok_or_else(|| damaged(self.file, "a block is not what was packed".to_owned()))
    }
}

/// Unpacks all blocks that a batch hands on, with each form of the kernels.
#[cfg(fuzzing)]
pub(crate) fn fuzz_kept(
    file: &std::path::Path,
    census: &Census,
    batch: usize,
) -> Result<(), WorkingFileError> {
    use crate::board::TierRange;
    use crate::index::Class;
    use crate::sealed::RunLabel;

    let board = census.board();
    let (tiers, end) = (TierRange::all(board), board.last_tier());
    let run = RunLabel { board, tiers, end, every_cell: false };
    let label = super::working_files::passing_label(run, batch);
    let kept = Kept::of(Sealed::open(file.to_owned(), label)?, census)?;
    for name in kept.piles.keys() {
        let pile = kept.open(*name)?;
        for (lines, blocks) in pile.kept.pile.tiles() {
            let tile = KeptTile { pile: &pile, lines, blocks };
            let mut packed = Vec::new();
            for (number, block) in blocks.iter().enumerate() {
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
            let [ls, lf, rs, rf] = lines.key.to_le_bytes().map(usize::from);
            let (left, right) = (Class::new(ls, lf), Class::new(rs, rf));
            let (left, right) = (left.expect("a class"), right.expect("a class"));
            let tile_of = Tile { centre: name.from, left, right };
            let panels = Panels(MatrixShape {
                rows: census.tile_rows(tile_of),
                columns: census.tile_columns(tile_of),
            });
            let _ = tile.whole(Cpu::widest(), panels, &mut packed, &mut vec![0; panels.words()]);
        }
    }
    Ok(())
}
