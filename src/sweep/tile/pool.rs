//! Memory for the tiles of large centres: as they are, compressed, or in files.
//!
//! ```text
//!     plain         words that are used again, since memory that is freed and taken is slow
//!     compressed    to a sixth on 7x6: a few blocks of 512 rows of a panel at a time, so that they
//!                   can be read alone
//!     in a file     what finds no place in memory even so: no other process needs the file, which
//!                   has a temporary name as long as it exists, and goes with its tile
//! ```

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::files::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};
use crate::files::{Disk, DiskFile};

use crate::sweep::bits::{AlignedWords, PANEL, PanelTile, Panels, Pool, block, blocks_in_frame};
use crate::sweep::handoff::{Zstd, file_of_waiting_tiles};

/// Memory for the tiles of large centres, and files.
#[derive(Default)]
pub(in crate::sweep) struct TilePool {
    /// Bytes that tiles as they are may take, unless a single one takes more.
    most: u64,
    pieces: Mutex<Pieces>,
    zstd: Pool<Zstd>,
    /// Bytes of compressed tiles in memory, and the most of them: more go to files, if there may be
    /// any.
    packed: AtomicU64,
    most_packed: u64,
    files: Option<(Disk, PathBuf)>,
}

/// Pieces of memory.
#[derive(Default)]
struct Pieces {
    /// Bytes that are in use, those of tiles that are being solved among them, and the most that
    /// have been.
    taken: u64,
    at_work: u64,
    peak: u64,
    /// Pieces that are free again, the one that has been for the longest time first; and their
    /// bytes.
    free: VecDeque<AlignedWords>,
    free_bytes: u64,
}

impl TilePool {
    /// Memory alone: for this many bytes of tiles as they are, the others compressed.
    pub(crate) fn new(most: u64) -> TilePool {
        TilePool { most, most_packed: u64::MAX, ..TilePool::default() }
    }

    /// The same with this many bytes of compressed tiles in memory, and the others in files in this
    /// folder.
    pub(crate) fn with_files(self, most_packed: u64, disk: &Disk, folder: PathBuf) -> TilePool {
        TilePool { most_packed, files: Some((disk.clone(), folder)), ..self }
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        self.pieces.lock().expect("nothing panics while it is locked")
    }

    /// Memory for a tile that is going to be solved, with arbitrary content, if there is some left or
    /// must be.
    pub(crate) fn take(&self, panels: Panels, must: bool) -> Option<PlainTile<'_>> {
        let mut pieces = self.pieces();
        let fits = pieces.taken.saturating_add(panels.bytes() as u64) <= self.most;
        (fits || must).then(|| {
            let mut words = pieces.take(panels.words());
            pieces.at_work += words.bytes();
            words.resize(panels.words());
            PlainTile { pool: self, panels, words, is_at_work: true }
        })
    }

    /// Bytes of tiles as they are, of free memory, and of compressed tiles in memory.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> [u64; 3] {
        let pieces = self.pieces();
        [pieces.taken, pieces.free_bytes, self.packed.load(Ordering::Relaxed)]
    }
}

impl Pieces {
    /// A piece of at least this many words.
    fn take(&mut self, len: usize) -> AlignedWords {
        // The smallest that is large enough, unless half of it would lie idle; or the largest that has
        // to grow.
        let all = self.free.iter().map(AlignedWords::capacity).enumerate();
        let enough = all.clone().filter(|(_, words)| (len..=2 * len).contains(words));
        let best = enough.min_by_key(|(_, words)| *words);
        let best = best.or_else(|| all.filter(|(_, words)| *words < len).max_by_key(|(_, n)| *n));
        let words = best.and_then(|(at, _)| self.free.remove(at));
        let mut words = words.unwrap_or_default();
        self.free_bytes -= words.bytes();
        words.grow(len);
        self.taken += words.bytes();
        self.peak = self.peak.max(self.taken);
        self.free_down_to_peak();
        words
    }

    fn give_back(&mut self, words: AlignedWords) {
        self.taken -= words.bytes();
        if words.bytes() > 0 {
            self.free_bytes += words.bytes();
            self.free.push_back(words);
        }
        self.free_down_to_peak();
    }

    /// Frees what is more than was ever in use at a time.
    fn free_down_to_peak(&mut self) {
        while self.taken + self.free_bytes > self.peak {
            let words = self.free.pop_front().expect("there are bytes that are free");
            self.free_bytes -= words.bytes();
        }
    }
}

/// A tile in memory, as it is.
pub(in crate::sweep) struct PlainTile<'r> {
    pool: &'r TilePool,
    panels: Panels,
    words: AlignedWords,
    /// It is being solved.
    is_at_work: bool,
}

impl<'r> PlainTile<'r> {
    /// The tile is solved. Returns whether it may wait as it is, or should be compressed: if all that
    /// wait leave less than this many bytes for tiles that are being solved.
    pub(super) fn may_wait(&mut self, at_work: u64) -> bool {
        let mut pieces = self.pool.pieces();
        pieces.at_work -= self.words.bytes();
        self.is_at_work = false;
        (pieces.taken - pieces.at_work).saturating_add(at_work) <= self.pool.most
    }

    /// The tile compressed, for a centre of this batch.
    pub(super) fn pack(&self, batch: usize) -> Result<PackedTile<'r>, WorkingFileError> {
        self.pool.zstd.with(|zstd| PackedTile::new(self, batch, zstd))
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.words.as_mut_slice()
    }

    pub(crate) fn tile(&self) -> PanelTile<'_> {
        PanelTile { panels: self.panels, words: self.words.as_slice() }
    }
}

impl Drop for PlainTile<'_> {
    fn drop(&mut self) {
        let mut pieces = self.pool.pieces();
        if self.is_at_work {
            pieces.at_work -= self.words.bytes();
        }
        pieces.give_back(std::mem::take(&mut self.words));
    }
}

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
    pub(super) fn panels(self) -> Panels {
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
    pub(super) fn start(&mut self) {
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
    fn new(
        plain: &PlainTile<'r>,
        batch: usize,
        zstd: &mut Zstd,
    ) -> Result<PackedTile<'r>, WorkingFileError> {
        let (pool, panels) = (plain.pool, plain.panels);
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
    pub(super) fn block<'u>(
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
    pub(super) fn panel<'u>(
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

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_more_memory_is_kept_than_was_in_use(lens in proptest::collection::vec(0usize..5000, 0..60)) {
            let mut pieces = Pieces::default();
            let mut taken = VecDeque::new();
            for len in lens {
                if len % 3 == 0 && let Some(words) = taken.pop_front() {
                    pieces.give_back(words);
                }
                let words = pieces.take(len);
                proptest::prop_assert!((len..=2 * len).contains(&words.capacity()) || len == 0 || words.bytes() <= 4096);
                taken.push_back(words);
                let in_use: u64 = taken.iter().map(AlignedWords::bytes).sum();
                let free: u64 = pieces.free.iter().map(AlignedWords::bytes).sum();
                proptest::prop_assert_eq!((pieces.taken, pieces.free_bytes), (in_use, free));
                proptest::prop_assert!(in_use + free <= pieces.peak);
            }
        }
    }
}
