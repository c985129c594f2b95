//! The transposition table: what a search knows of the positions that it has met.
//!
//! One entry is one atomic word, so threads share a table without locks: an entry is read and
//! written whole or not at all.
//!
//! ```text
//!      63            25 24     20 19    15 14    12 11     6 5      0
//!     +----------------+---------+--------+--------+--------+--------+
//!     | check          | age     | work   | column | upper  | lower  |    on 7x6
//!     +----------------+---------+--------+--------+--------+--------+
//!      the hash without  which     log2     best     bounds on the
//!      its low bits      forget    nodes    move     score of the mover
//! ```
//!
//! The lowest bits of a hash select its bucket, the check holds the others, and hashes are as
//! distinct as positions (see [`zobrist`](super::zobrist)). So an entry that is found belongs to
//! the position that was looked up: there are no errors of type 1. An entry that was never written
//! is 0. A written one never is, because the bounds are counted from 1.
//!
//! A bucket is half a cache line. A new entry replaces the one that cost the least work: most
//! entries live briefly, and the few that stand for millions of nodes stay.
//!
//! Most positions that a search meets have few free cells, and are soon done with. They share the
//! first buckets, where the cache holds them; the others, fewer and more expensive, spread over
//! all.
//!
//! ```text
//!      buckets   0 ........ 2^14 ........ 2^17 ........................ all granted
//!                |- few free -|
//!                |- some free --------------|
//!                |- many free --------------------------------------------------|
//! ```
//!
//! The table grows with what is stored, so a short search never leaves the first buckets. Clearing
//! the table just increments the age.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::score::Bounds;
use crate::board::{Board, Column};
use crate::memory;

/// Entries per bucket.
const WAYS: usize = 4;
/// The initial number of buckets, as a power of two: 32 KiB.
const FIRST_BITS: u32 = 10;
/// The factor by which the table grows, as a power of two.
const GROWTH_BITS: u32 = 3;
/// Positions with fewer free cells than this have few of them,
const FEW: u32 = 18;
/// and share this many buckets, as a power of two: 512 KiB.
const BITS_FOR_FEW: u32 = 14;
/// Positions with fewer free cells than this have some of them,
const SOME: u32 = 24;
/// and share this many buckets, as a power of two: 4 MiB.
const BITS_FOR_SOME: u32 = 17;
/// Bits of the age, if there is room for them.
const AGE_BITS: u32 = 5;

const _: () = assert!(size_of::<AtomicU64>() * WAYS == 32);

/// A transposition table of a fixed number of bytes.
#[derive(Debug)]
pub(super) struct Table {
    /// Zero until used: the system hands out the pages one by one.
    entries: Vec<AtomicU64>,
    /// Where the first bucket begins, on a cache-line boundary.
    start: usize,
    /// The number of buckets, as a power of two.
    granted_bits: u32,
    /// The number of low bits of a hash that are not in the check.
    implied_bits: u32,
    /// The number of bits of a hash that currently select the bucket.
    index_bits: AtomicU32,
    /// The largest number of these bits since all was zero.
    most_bits: u32,
    layout: Layout,
    age: u64,
}

/// The places of the fields of an entry.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Bits of a bound.
    bound: u32,
    /// The bounds are stored relative to this.
    offset: i32,
    column: u32,
    work: u32,
    age: u32,
    check: u32,
}

/// The content of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Bounds on the score of the mover.
    pub(super) bounds: Bounds,
    /// The best move, or the one that refuted the position.
    pub(super) best: Column,
}

impl Table {
    /// A table for hashes of `hash_bits` bits of positions of `board`. It takes at most `bytes`,
    /// but at least what the board needs for its checks to fit: up to 8 MiB on the largest.
    pub(super) fn new(board: Board, hash_bits: u32, bytes: usize) -> Table {
        // Scores lie within half of the cells, and 0 marks an empty entry.
        let offset = board.cells() as i32 / 2 + 2;
        let bound = (2 * offset).ilog2() + 1;
        let column_bits = board.width().next_power_of_two().trailing_zeros();
        let work = 2 * bound + column_bits;
        // The check and one bit of age must fit into a word beside the other fields.
        let least = hash_bits.saturating_sub(63 - work);
        let granted = (bytes / (size_of::<AtomicU64>() * WAYS)).max(1).ilog2();
        let mut granted_bits = granted.clamp(least, hash_bits.max(least));
        // One more bucket, so that the first can begin on a boundary.
        let room = |bits: u32| bytemuck::allocation::try_zeroed_vec((WAYS << bits) + WAYS);
        let entries: Vec<AtomicU64> = loop {
            match memory::optional(|| room(granted_bits)) {
                Ok(entries) => break entries,
                // A search needs memory for more than its table.
                Err(()) if granted_bits > least => {
                    granted_bits = granted_bits.saturating_sub(2).max(least)
                }
                Err(()) => memory::has_run_out(),
            }
        };
        let implied_bits = FIRST_BITS.clamp(least, granted_bits);
        let check = 64 - hash_bits.saturating_sub(implied_bits);
        let age_bits = AGE_BITS.min(check - work);
        let layout =
            Layout { bound, offset, column: 2 * bound, work, age: check - age_bits, check };
        let start = entries.as_ptr().align_offset(size_of::<AtomicU64>() * WAYS);
        let start = if start < WAYS { start } else { 0 };
        Table {
            entries,
            start,
            granted_bits,
            implied_bits,
            index_bits: AtomicU32::new(implied_bits),
            most_bits: implied_bits,
            layout,
            age: 0,
        }
    }

    /// Forgets everything known, by incrementing the age.
    pub(super) fn forget(&mut self) {
        let age_bits = self.layout.check - self.layout.age;
        self.most_bits = self.most_bits.max(*self.index_bits.get_mut());
        self.age = (self.age + 1) % (1 << age_bits);
        if self.age == 0 {
            let written = &mut self.entries[self.start..][..WAYS << self.most_bits];
            written.iter_mut().for_each(|entry| *entry.get_mut() = 0);
            self.most_bits = self.implied_bits;
        }
        *self.index_bits.get_mut() = self.implied_bits;
    }

    /// The number of stores after which the table should be asked to grow, if it can.
    pub(super) fn stores_until_growth(&self) -> u64 {
        let bits = self.index_bits.load(Relaxed);
        if bits < self.granted_bits { (WAYS as u64) << bits } else { u64::MAX }
    }

    /// Takes all the granted memory at once, for several threads.
    pub(super) fn grow_fully(&self) {
        while self.stores_until_growth() != u64::MAX {
            self.grow();
        }
    }

    /// Spreads the entries over a larger part of the memory.
    pub(super) fn grow(&self) {
        let before = self.index_bits.load(Relaxed);
        self.index_bits.store((before + GROWTH_BITS).min(self.granted_bits), Relaxed);
        for bucket in 0..(1u64 << before) {
            let here = self.bucket(bucket, u32::MAX);
            for entry in here.each_ref().map(|entry| entry.load(Relaxed)) {
                if !self.is_of_today(entry) {
                    continue;
                }
                let check = entry.checked_shr(self.layout.check).unwrap_or(0);
                let hash = check << self.implied_bits | bucket & ((1 << self.implied_bits) - 1);
                // An entry does not store its number of free cells; it is wanted here or there.
                let there = self.bucket(hash, u32::MAX);
                let vacant = there.iter().find(|entry| entry.load(Relaxed) == 0);
                if let Some(vacant) = vacant.filter(|_| !std::ptr::eq(here, there)) {
                    vacant.store(entry, Relaxed);
                }
            }
        }
    }

    /// What is known of the position with this hash and this many free cells.
    #[inline(always)]
    pub(super) fn probe(&self, hash: u64, empty: u32) -> Option<Known> {
        let (layout, tag) = (self.layout, self.tag(hash));
        let bucket = self.bucket(hash, empty);
        let found = bucket.iter().map(|entry| entry.load(Relaxed)).fold(0, |found, entry| {
            // An empty place may look like the entry sought, but is 0.
            found.max(if (entry ^ tag) >> layout.age == 0 { entry } else { 0 })
        });
        if found == 0 {
            return None;
        }
        let mask = (1 << layout.bound) - 1;
        let bound = |shift: u32| (found >> shift & mask) as i32 - layout.offset;
        let column = found >> layout.column & ((1 << (layout.work - layout.column)) - 1);
        Some(Known {
            bounds: Bounds { lower: bound(0), upper: bound(layout.bound) },
            best: Column(column as u8),
        })
    }

    /// Stores what is known and how many nodes it took, in place of the entry that took the least.
    #[inline(always)]
    pub(super) fn store(&self, hash: u64, known: Known, nodes: u64, empty: u32) {
        let (layout, tag) = (self.layout, self.tag(hash));
        let bucket = self.bucket(hash, empty);
        let mut place = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let entry = slot.load(Relaxed);
            if layout.is_of(entry, tag) {
                place = slot;
                break;
            }
            let worth = if self.is_of_today(entry) { 1 + layout.work(entry) } else { 0 };
            if worth < least {
                (least, place) = (worth, slot);
            }
        }
        let bound = |bound: i32| (bound + layout.offset) as u64;
        let most_work = (1 << (layout.age - layout.work)) - 1;
        let entry = tag
            | u64::from((nodes | 1).ilog2()).min(most_work) << layout.work
            | (known.best.index() as u64) << layout.column
            | bound(known.bounds.upper) << layout.bound
            | bound(known.bounds.lower);
        place.store(entry, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, hash: u64, empty: u32) -> &[AtomicU64; WAYS] {
        let most = match empty {
            ..FEW => BITS_FOR_FEW,
            FEW..SOME => BITS_FOR_SOME,
            SOME.. => u32::MAX,
        };
        let bits = self.index_bits.load(Relaxed).min(most.max(self.implied_bits));
        let index = hash & ((1 << bits) - 1);
        let bucket = &self.entries[self.start + index as usize * WAYS..][..WAYS];
        bucket.try_into().expect("so many")
    }

    /// Check and age.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u64 {
        let check = (hash >> self.implied_bits).checked_shl(self.layout.check).unwrap_or(0);
        check | self.age << self.layout.age
    }

    #[inline(always)]
    fn is_of_today(&self, entry: u64) -> bool {
        let age_bits = self.layout.check - self.layout.age;
        entry != 0 && entry >> self.layout.age & ((1 << age_bits) - 1) == self.age
    }
}

impl Layout {
    /// Whether this is the entry with that check and age.
    #[inline(always)]
    fn is_of(&self, entry: u64, tag: u64) -> bool {
        (entry ^ tag) >> self.age == 0 && entry != 0
    }

    #[inline(always)]
    fn work(&self, entry: u64) -> u64 {
        entry >> self.work & ((1 << (self.age - self.work)) - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::SplitMix64;

    fn known(board: Board, number: u64) -> Known {
        let most = board.cells() as i32 / 2 + 1;
        let below = |end: i32, number: u64| (number % 0x1_0000) as i32 % end;
        let lower = below(2 * most + 1, number) - most;
        let upper = lower + below(most - lower + 1, number >> 16);
        let best = Column((number >> 32) as u8 % board.width() as u8);
        Known { bounds: Bounds { lower, upper }, best }
    }

    fn boards() -> impl Iterator<Item = (Board, u32, usize)> {
        [(1, 1, 0), (1, 1, 1 << 10), (3, 3, 1 << 10), (5, 5, 1 << 16), (7, 6, 1 << 20)]
            .into_iter()
            .chain([(8, 7, 0), (32, 1, 0), (1, 63, 0), (16, 3, 1 << 24)])
            .map(|(width, height, bytes)| {
                let board = Board::new(width, height).expect("a board");
                (board, (width * (height + 1)) as u32, bytes)
            })
    }

    #[test]
    fn what_is_found_is_what_was_stored_last() {
        for (board, hash_bits, bytes) in boards() {
            let mut table = Table::new(board, hash_bits, bytes);
            let mut random = SplitMix64(7);
            let mut noted = HashMap::new();
            for round in 0..70 {
                let steps = if round < 4 { 40_000 } else { 100 };
                for step in 0..steps {
                    // Few hashes, close to each other in their low bits.
                    let hash = (random.word() % 50).wrapping_mul(0x9e37_79b9_0000_0401)
                        & u64::MAX >> (64 - hash_bits);
                    let empty = (hash % 31) as u32;
                    if let Some(found) = table.probe(hash, empty) {
                        assert_eq!(Some(&found), noted.get(&hash), "{board}");
                    }
                    let known = known(board, random.word() >> 8);
                    table.store(hash, known, random.word() >> (random.word() % 64), empty);
                    noted.insert(hash, known);
                    assert_eq!(table.probe(hash, empty), Some(known), "{board}");
                    if round % 2 == 0 && step == 20_000 {
                        table.grow();
                        assert_eq!(table.probe(hash, empty), Some(known), "{board}");
                    }
                }
                table.forget();
                noted.clear();
            }
        }
    }

    #[test]
    fn what_took_much_work_stays() {
        let board = Board::STANDARD;
        let table = Table::new(board, 49, 1 << 16);
        let dear = known(board, 12345);
        table.store(7, dear, 1 << 20, 30);
        for number in 1..1000 {
            let cheap = known(board, number);
            table.store(7 | number << 20, cheap, number, 30);
            assert_eq!(table.probe(7 | number << 20, 30), Some(cheap));
        }
        assert_eq!(table.probe(7, 30), Some(dear));
    }
}
