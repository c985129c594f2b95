//! Tiles as they are, and the memory for all that wait.
//!
//! Memory that is freed and taken is slow, so its pieces are used again.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard};

use crate::files::Disk;

use crate::sweep::bits::{AlignedWords, PanelTile, Panels, Pool};
use crate::sweep::handoff::Zstd;

/// Memory for the tiles of large centres, and files.
#[derive(Default)]
pub(in crate::sweep) struct TilePool {
    /// Bytes that tiles as they are may take, unless a single one takes more.
    most: u64,
    pieces: Mutex<Pieces>,
    pub(super) zstd: Pool<Zstd>,
    /// Bytes of compressed tiles in memory, and the most of them: more go to files, if there may be
    /// any.
    pub(super) packed: AtomicU64,
    pub(super) most_packed: u64,
    pub(super) files: Option<(Disk, PathBuf)>,
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

    /// Memory for a tile that is going to be solved, with arbitrary content, if there is some left
    /// or must be.
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
        [pieces.taken, pieces.free_bytes, self.packed.load(std::sync::atomic::Ordering::Relaxed)]
    }
}

impl Pieces {
    /// A piece of at least this many words.
    fn take(&mut self, len: usize) -> AlignedWords {
        // The smallest that is large enough, unless half of it would lie idle; or the largest that
        // has to grow.
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
    pub(super) pool: &'r TilePool,
    panels: Panels,
    words: AlignedWords,
    /// It is being solved.
    is_at_work: bool,
}

impl<'r> PlainTile<'r> {
    /// The tile is solved. Returns whether it may wait as it is, or should be compressed: if all
    /// that wait leave less than this many bytes for tiles that are being solved.
    pub(super) fn may_wait(&mut self, at_work: u64) -> bool {
        let mut pieces = self.pool.pieces();
        pieces.at_work -= self.words.bytes();
        self.is_at_work = false;
        (pieces.taken - pieces.at_work).saturating_add(at_work) <= self.pool.most
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
