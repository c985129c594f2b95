//! Room for the tiles of large centres: as they are, compressed, or in files.
//!
//! ```text
//!     plain         words that are used again, since memory that is freed and taken is slow
//!     compressed    to a seventh on 7x6, piece by piece
//!     in a file     what finds no place in memory even so: no other process needs the file, which
//!                   has a temporary name as long as it exists, and goes with its tile
//! ```

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::files::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};
use crate::files::{Disk, DiskFile};

use crate::sweep::bits::{AlignedWords, PanelTile, Panels, Pool};
use crate::sweep::handoff::{Zstd, file_of_waiting_tiles};

/// Room for the tiles of large centres.
#[derive(Default)]
pub(in crate::sweep) struct TileRoom {
    /// Tiles are compressed while those that are not take more bytes than this.
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
    /// Bytes that are in use, and the most that have been.
    taken: u64,
    peak: u64,
    /// Pieces that are free again, the one that has been for the longest time first; and their
    /// bytes.
    free: VecDeque<AlignedWords>,
    free_bytes: u64,
}

/// Bytes that are compressed at a time.
const PIECE: usize = 1 << 22;

impl TileRoom {
    /// Room in memory alone: for this many bytes of tiles as they are, the others compressed.
    pub(crate) fn new(most: u64) -> TileRoom {
        TileRoom { most, most_packed: u64::MAX, ..TileRoom::default() }
    }

    /// The same with this many bytes of compressed tiles in memory, and the others in files in this
    /// folder.
    pub(crate) fn with_files(self, most_packed: u64, disk: &Disk, folder: PathBuf) -> TileRoom {
        TileRoom { most_packed, files: Some((disk.clone(), folder)), ..self }
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        self.pieces.lock().expect("nothing panics while it is locked")
    }

    /// Frees what is kept for reuse.
    pub(crate) fn clear(&self) {
        let pieces = &mut *self.pieces();
        pieces.peak = pieces.taken;
        pieces.free_down_to_peak();
        self.zstd.clear();
    }

    /// Room for a tile, with arbitrary content.
    pub(crate) fn take(&self, panels: Panels) -> PlainTile<'_> {
        let mut words = self.pieces().take(panels.words());
        words.room(panels.words());
        PlainTile { room: self, panels, words }
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
        // The smallest that is large enough, unless half of it would lie idle.
        let fits = |words: &AlignedWords| (len..=2 * len).contains(&words.capacity());
        let all = self.free.iter().enumerate().filter(|(_, words)| fits(words));
        let best = all.min_by_key(|(_, words)| words.capacity()).map(|(at, _)| at);
        let words = best.and_then(|at| self.free.remove(at));
        self.free_bytes -= words.as_ref().map_or(0, AlignedWords::bytes);
        let words = words.unwrap_or_else(|| AlignedWords::new(len));
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
    room: &'r TileRoom,
    panels: Panels,
    words: AlignedWords,
}

impl<'r> PlainTile<'r> {
    /// Whether it should be compressed, since those that are not take too much memory.
    pub(super) fn is_too_much(&self) -> bool {
        self.room.pieces().taken > self.room.most
    }

    /// The tile compressed, for a centre of this batch.
    pub(super) fn pack(&self, batch: usize) -> Result<PackedTile<'r>, WorkingFileError> {
        self.room.zstd.with(|zstd| PackedTile::new(self, batch, zstd))
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
        self.room.pieces().give_back(std::mem::take(&mut self.words));
    }
}

/// A tile that is compressed, piece by piece.
pub(super) struct PackedTile<'r> {
    room: &'r TileRoom,
    panels: Panels,
    pieces: Vec<Packed>,
    /// With the pieces that found no place in memory; it is removed with the tile.
    file: Option<(PathBuf, DiskFile)>,
}

enum Packed {
    InMemory(Box<[u8]>),
    InFile { start: u64, len: usize, checksum: u32 },
}

impl Drop for PackedTile<'_> {
    fn drop(&mut self) {
        let in_memory = |piece: &Packed| match piece {
            Packed::InMemory(bytes) => bytes.len() as u64,
            Packed::InFile { .. } => 0,
        };
        let bytes: u64 = self.pieces.iter().map(in_memory).sum();
        self.room.packed.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<'r> PackedTile<'r> {
    fn new(
        plain: &PlainTile<'r>,
        batch: usize,
        zstd: &mut Zstd,
    ) -> Result<PackedTile<'r>, WorkingFileError> {
        let mut tile =
            PackedTile { room: plain.room, panels: plain.panels, pieces: Vec::new(), file: None };
        let mut end = 0;
        for piece in bytemuck::cast_slice(plain.words.as_slice()).chunks(PIECE) {
            let bytes = zstd.pack(piece);
            let len = bytes.len();
            let TileRoom { packed, most_packed, files, .. } = tile.room;
            let in_memory = packed.load(Ordering::Relaxed);
            let is_full = in_memory.saturating_add(len as u64) > *most_packed;
            let Some((disk, folder)) = files.as_ref().filter(|_| is_full) else {
                packed.fetch_add(len as u64, Ordering::Relaxed);
                tile.pieces.push(Packed::InMemory(bytes));
                continue;
            };
            if tile.file.is_none() {
                let path = file_of_waiting_tiles(folder, batch);
                let file = disk.create(&path).of_working_file(&path, WRITE)?;
                tile.file = Some((path, file));
            }
            let (path, file) = tile.file.as_ref().expect("it was just made");
            file.write_at(&bytes, end).of_working_file(path, WRITE)?;
            let checksum = crc32fast::hash(&bytes);
            tile.pieces.push(Packed::InFile { start: end, len, checksum });
            end += len as u64;
        }
        Ok(tile)
    }

    /// The tile as it was.
    pub(super) fn unpack(&self) -> Result<PlainTile<'r>, WorkingFileError> {
        let mut plain = self.room.take(self.panels);
        let to = bytemuck::cast_slice_mut(plain.words_mut());
        self.room.zstd.with(|zstd| self.unpack_to(zstd, to))?;
        Ok(plain)
    }

    fn unpack_to(&self, zstd: &mut Zstd, to: &mut [u8]) -> Result<(), WorkingFileError> {
        let mut buffer = Vec::new();
        for (piece, to) in self.pieces.iter().zip(to.chunks_mut(PIECE)) {
            match piece {
                Packed::InMemory(bytes) => zstd.unpack(bytes, to).expect("what was packed"),
                Packed::InFile { start, len, checksum } => {
                    let (path, file) = self.file.as_ref().expect("a file with this piece");
                    buffer.resize(*len, 0);
                    file.read_at(&mut buffer, *start).of_working_file(path, READ)?;
                    let is_sound = crc32fast::hash(&buffer) == *checksum;
                    let unpacked = is_sound.then(|| zstd.unpack(&buffer, to)).flatten();
                    let damaged =
                        || WorkingFileError::damaged(path, "it has other bytes than were written");
                    unpacked.ok_or_else(damaged)?;
                }
            }
        }
        Ok(())
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
