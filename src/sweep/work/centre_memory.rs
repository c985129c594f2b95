//! How the tiers of a centre share the memory that they may take.
//!
//! Two tiers of a centre are in memory at a time if they fit. Those of a large centre may not. Then
//! its tiles are solved one by one, and wait for those that read them: as they are, as far as there is
//! room beside the tiles that are being solved; compressed, which takes much of the time; or, if there
//! is no room for that either, in files.
//!
//! ```text
//!     ├─ being solved ─┼─ wait as they are ─┼─ wait compressed ─┤   wait in files
//!     └─────────────── plain ───────────────┴───── packed ──────┘
//! ```

use crate::board::TierRange;
use crate::index::CentreId;

use super::sizes::{LARGE, Sizes, TierSize};

/// How the tiers of each centre are in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CentreMemory {
    /// A centre is solved tile by tile if two tiers of it have this many words or more.
    pub large: usize,
    /// Bytes that the tiles of a centre may take, unless a single one takes more.
    pub bytes: u64,
}

impl CentreMemory {
    /// Two tiers at a time, whatever they take.
    pub(crate) const TWO_TIERS: CentreMemory = CentreMemory { large: usize::MAX, bytes: u64::MAX };

    /// Two tiers at a time if they take at most this many bytes, else tile by tile.
    pub(crate) fn within(bytes: u64) -> CentreMemory {
        let large = usize::try_from(bytes / WORD).unwrap_or(usize::MAX).max(LARGE);
        CentreMemory { large, bytes }
    }

    /// The most bytes of memory that two tiers of this many words take, or that an earlier centre may leave
    /// for them.
    pub(in crate::sweep) fn kept(words: usize) -> u64 {
        words.max(LARGE) as u64 * WORD
    }

    /// The memory of the tiles of a centre, if it is solved tile by tile.
    pub(in crate::sweep) fn tile_by_tile(
        &self,
        sizes: &Sizes,
        centre: CentreId,
        tiers: TierRange,
        threads: usize,
    ) -> Option<TileMemory> {
        let is_large = sizes.two_tiers(centre, tiers) >= self.large;
        is_large.then(|| {
            let tiers: Vec<TierSize> = sizes.with_start(centre, tiers).collect();
            TileMemory::of(&tiers, self.bytes, threads as u64)
        })
    }
}

/// The bytes that the tiles of a large centre take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) struct TileMemory {
    /// Those that are as they are, at most, unless a single one takes more.
    pub plain: u64,
    /// Those that are compressed, at most: in memory, and in files.
    pub packed: u64,
    pub in_files: u64,
    threads: u64,
}

/// Of the ways to divide memory, that many are looked at.
const DIVISIONS: u64 = 64;

impl TileMemory {
    /// The best use of these bytes: as many tiles as they are as leave room for the others, or files
    /// if there is none.
    fn of(tiers: &[TierSize], bytes: u64, threads: u64) -> TileMemory {
        let largest = largest_tile(tiers);
        let most = all_tiles(tiers, threads);
        let with = |plain: u64| {
            let memory = TileMemory { plain, packed: 0, in_files: 0, threads };
            let packed = tiers.iter().map(|tier| memory.packed_of(*tier)).max();
            TileMemory { packed: packed.unwrap_or(0), ..memory }
        };
        if bytes >= most {
            return with(most);
        }
        let plain = (0..=DIVISIONS).rev().map(|part| bytes / DIVISIONS * part);
        let mut in_memory = plain.take_while(|plain| *plain >= largest).map(with);
        in_memory.find(|memory| memory.plain + memory.packed <= bytes).unwrap_or_else(|| {
            let memory = with(largest.max(bytes / 4 * 3));
            let packed = memory.packed.min(bytes.saturating_sub(memory.plain));
            TileMemory { packed, in_files: memory.packed - packed, ..memory }
        })
    }

    /// Bytes that are left for tiles that are being solved, if the largest takes this many: on all
    /// threads or on as many as there is room for.
    pub(crate) fn at_work(&self, largest: u64) -> u64 {
        let at_work = (1..=self.threads).rev().map(|threads| threads.saturating_mul(largest));
        at_work.into_iter().find(|bytes| *bytes <= self.plain).unwrap_or(largest)
    }

    /// Bytes of the tiles of a tier that are compressed, before they are.
    pub(super) fn compressed(&self, tier: TierSize) -> u64 {
        let waiting = self.plain.saturating_sub(self.at_work(tier.largest as u64 * WORD));
        (tier.words as u64 * WORD).saturating_sub(waiting)
    }

    /// The bytes of a tier that wait compressed.
    fn packed_of(&self, tier: TierSize) -> u64 {
        let all = tier.words as u64 * WORD;
        let packed = self.compressed(tier) as f64 / all.max(1) as f64;
        (tier.waiting as f64 * packed) as u64
    }
}

/// The bytes of the largest tile.
pub(super) fn largest_tile(tiers: &[TierSize]) -> u64 {
    tiers.iter().map(|tier| tier.largest as u64 * WORD).max().unwrap_or(0)
}

/// The bytes of all tiles that are needed at a time. A tier takes the place of the one after it. With
/// each tile that is solved, one is read that the next one reads too; and one more at the end.
pub(super) fn all_tiles(tiers: &[TierSize], threads: u64) -> u64 {
    let tier = tiers.iter().map(|tier| tier.words as u64 * WORD).max().unwrap_or(0);
    tier.saturating_add((2 * threads + 1).saturating_mul(largest_tile(tiers)))
}

/// Bytes of a word.
pub(super) const WORD: u64 = size_of::<u64>() as u64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_leaves_less_to_compress_and_all_that_is_given_is_kept_to() {
        let tier = |tiles: usize| TierSize {
            words: tiles << 20,
            largest: 1 << 20,
            waiting: (tiles as u64) << 21,
            ..TierSize::default()
        };
        let tiers = [tier(10), tier(30), tier(20)];
        let tile = 8 << 20;
        let of = |bytes| TileMemory::of(&tiers, bytes, 2);
        assert_eq!(
            of(100 * tile),
            TileMemory { plain: 35 * tile, packed: 0, in_files: 0, threads: 2 }
        );
        let mut before = of(0);
        assert_eq!((before.plain, before.packed), (tile, 0), "one tile has room");
        assert_eq!(before.in_files, 30 << 21);
        for bytes in (0..40).map(|tiles| tiles * tile) {
            let memory = of(bytes);
            assert!(memory.plain + memory.packed <= bytes.max(tile), "{memory:?} of {bytes}");
            let is_enough = bytes >= 9 * tile;
            assert_eq!(memory.in_files == 0, is_enough, "{memory:?} of {bytes}");
            // One tile more may be solved at a time, and leave less room for others.
            let most = if before.in_files == 0 { before.packed + (1 << 21) } else { u64::MAX };
            assert!(memory.packed <= most, "{memory:?} after {before:?}");
            before = memory;
        }
        let memory = of(20 * tile);
        assert_eq!(memory.at_work(tile), 2 * tile);
        assert_eq!(memory.at_work(memory.plain / 2 + 1), memory.plain / 2 + 1, "one at a time");
    }
}
