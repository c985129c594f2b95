//! Compressed tiles, in memory or in a file.
//!
//! A few blocks of 512 rows of a panel are compressed at a time, on 7x6 to a sixth, so that they can
//! be read alone. What finds no place in memory goes to a file that no other process needs: it has
//! a temporary name as long as it exists, and goes with its tile.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use crate::files::DiskFile;
use crate::files::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};

use crate::sweep::bits::{AlignedWords, PANEL, PanelTile, Panels, block, blocks_in_frame};
use crate::sweep::handoff::{Zstd, file_of_waiting_tiles};

use super::plain::{PlainTile, TilePool};

/// A tile that is compressed: each panel, a few blocks of 512 rows at a time.
pub(in crate::sweep) struct PackedTile<'r> {
    pool: &'r TilePool,
    pub panels: Panels,
    packed: Vec<PackedPanel>,
    /// With the panels that found no place in memory; it is removed with the tile.
    file: Option<(PathBuf, DiskFile)>,
}

/// A solved tile, to be read.
#[derive(Clone, Copy)]
pub(in crate::sweep) enum StoredTile<'a> {
    Plain(PanelTile<'a>),
    Packed(&'a PackedTile<'a>),
}

impl StoredTile<'_> {
    pub(crate) fn panels(self) -> Panels {
        match self {
            StoredTile::Plain(tile) => tile.panels,
            StoredTile::Packed(tile) => tile.panels,
        }
    }
}

struct PackedPanel {
    pieces: Vec<Piece>,
    place: Place,
}

/// A few blocks of a panel.
struct Piece {
    /// Where it ends among the bytes of its panel.
    end: u32,
    checksum: u32,
}

enum Place {
    InMemory(Box<[u8]>),
    /// From this byte of the file on.
    InFile(u64),
}

/// Memory to read compressed tiles, reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct Unpacking {
    zstd: Zstd,
    packed: Vec<u8>,
    words: AlignedWords,
    /// The number of the rows that are unpacked.
    open: Option<usize>,
}

impl Unpacking {
    /// Another tile is going to be read.
    pub(crate) fn start(&mut self) {
        self.open = None;
    }
}

impl Drop for PackedTile<'_> {
    fn drop(&mut self) {
        let in_memory = |panel: &PackedPanel| match &panel.place {
            Place::InMemory(bytes) => bytes.len() as u64,
            Place::InFile(_) => 0,
        };
        let bytes: u64 = self.packed.iter().map(in_memory).sum();
        self.pool.packed.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<'r> PackedTile<'r> {
    /// A plain tile compressed, for a centre of this batch.
    pub(super) fn new(
        plain: &PlainTile<'r>,
        batch: usize,
    ) -> Result<PackedTile<'r>, WorkingFileError> {
        plain.pool.zstd.with(|zstd| PackedTile::pack(plain, batch, zstd))
    }

    fn pack(
        plain: &PlainTile<'r>,
        batch: usize,
        zstd: &mut Zstd,
    ) -> Result<PackedTile<'r>, WorkingFileError> {
        let (pool, panels) = (plain.pool, plain.tile().panels);
        let mut tile = PackedTile { pool, panels, packed: Vec::new(), file: None };
        let (mut bytes, mut end) = (Vec::new(), 0);
        for panel in 0..panels.count() {
            bytes.clear();
            let pieces = (0..tile.pieces()).map(|number| {
                let start = bytes.len();
                let rows = plain.tile().rows(panel, tile.rows_of(number));
                zstd.pack(bytemuck::cast_slice(rows), &mut bytes);
                let end = u32::try_from(bytes.len()).expect("a panel of less than four gigabytes");
                let in_file = pool.files.is_some();
                let checksum = if in_file { crc32fast::hash(&bytes[start..]) } else { 0 };
                Piece { end, checksum }
            });
            let pieces = pieces.collect();
            let len = bytes.len() as u64;
            let in_memory = pool.packed.load(Ordering::Relaxed);
            let is_full = in_memory.saturating_add(len) > pool.most_packed;
            let place = match pool.files.as_ref().filter(|_| is_full) {
                None => {
                    pool.packed.fetch_add(len, Ordering::Relaxed);
                    Place::InMemory(bytes.as_slice().into())
                }
                Some((disk, folder)) => {
                    if tile.file.is_none() {
                        let path = file_of_waiting_tiles(folder, batch);
                        let file = disk.create(&path).of_working_file(&path, WRITE)?;
                        tile.file = Some((path, file));
                    }
                    let (path, file) = tile.file.as_ref().expect("it was just made");
                    file.write_at(&bytes, end).of_working_file(path, WRITE)?;
                    end += len;
                    Place::InFile(end - len)
                }
            };
            tile.packed.push(PackedPanel { pieces, place });
        }
        Ok(tile)
    }

    /// The rows of a piece.
    fn rows_of(&self, number: usize) -> Range<usize> {
        let rows = PANEL * blocks_in_frame(self.panels);
        number * rows..((number + 1) * rows).min(self.panels.shape.rows)
    }

    /// The number of pieces of a panel.
    fn pieces(&self) -> usize {
        self.panels.shape.rows.div_ceil(PANEL * blocks_in_frame(self.panels))
    }

    /// Unpacks some pieces of a panel, given by their numbers.
    fn unpack(
        &self,
        panel: usize,
        numbers: Range<usize>,
        (zstd, packed): (&mut Zstd, &mut Vec<u8>),
        mut to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        let PackedPanel { pieces, place } = &self.packed[panel];
        let start = |number: usize| number.checked_sub(1).map_or(0, |n| pieces[n].end as usize);
        let bytes = start(numbers.start)..start(numbers.end);
        let mut from = match place {
            Place::InMemory(all) => &all[bytes],
            Place::InFile(place) => {
                let (path, file) = self.file.as_ref().expect("a file with this panel");
                packed.resize(packed.len().max(bytes.len()), 0);
                let packed = &mut packed[..bytes.len()];
                file.read_at(packed, place + bytes.start as u64).of_working_file(path, READ)?;
                packed
            }
        };
        for number in numbers {
            let piece = from.split_off(..start(number + 1) - start(number)).expect("its bytes");
            let words = self.rows_of(number).len() * self.panels.row(panel);
            let to = to.split_off_mut(..words).expect("room for it");
            let in_file = self.file.as_ref().filter(|_| matches!(place, Place::InFile(_)));
            let is_sound = in_file.is_none() || crc32fast::hash(piece) == pieces[number].checksum;
            let unpacked = is_sound.then(|| zstd.unpack(piece, bytemuck::cast_slice_mut(to)));
            if unpacked.flatten().is_none() {
                let (path, _) = in_file.expect("what is in memory is what was packed");
                let what = "it has other bytes than were written";
                return Err(WorkingFileError::damaged(path, what));
            }
        }
        Ok(())
    }

    /// A block, as some rows of a tile with all columns. Successive blocks are unpacked together.
    pub(crate) fn block<'u>(
        &self,
        number: usize,
        unpacking: &'u mut Unpacking,
    ) -> Result<(PanelTile<'u>, Range<usize>), WorkingFileError> {
        let piece = number / blocks_in_frame(self.panels);
        let rows = self.rows_of(piece);
        let panels = self.panels.with_rows(rows.len());
        let Unpacking { zstd, packed, words, open } = unpacking;
        if *open != Some(piece) {
            *open = None;
            let words = words.resize(panels.words());
            for panel in 0..panels.count() {
                let to = &mut words[panels.words_of(panel)];
                self.unpack(panel, piece..piece + 1, (zstd, packed), to)?;
            }
            *open = Some(piece);
        }
        let block = block(self.panels.shape.rows, number);
        let block = block.start - rows.start..block.end - rows.start;
        Ok((PanelTile { panels, words: words.as_slice() }, block))
    }

    /// All rows of a panel.
    pub(crate) fn panel<'u>(
        &self,
        panel: usize,
        unpacking: &'u mut Unpacking,
    ) -> Result<&'u [u64], WorkingFileError> {
        let Unpacking { zstd, packed, words, .. } = unpacking;
        let to = words.resize(self.panels.words_of(panel).len());
        self.unpack(panel, 0..self.pieces(), (zstd, packed), to)?;
        Ok(to)
    }
}
