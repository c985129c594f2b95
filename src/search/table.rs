//! The transposition table: what a search knows of positions that it has met.
//!
//! One entry is one atomic word, so that threads share a table without locks: an
//! entry is read and written whole or not at all.
//!
//! ```text
//!      63            28 27      19 18    14 13      7 6       0
//!     +----------------+----------+--------+---------+---------+
//!     | check          | age      | column | upper   | lower   |    on 7x6
//!     +----------------+----------+--------+---------+---------+
//!      the hash without  which      best     bounds on the score
//!      its low bits      forget     move     of the mover, plus 64
//! ```
//!
//! The lowest bits of a hash say which entry is its own, the check holds the
//! others, and hashes are as distinct as positions (see
//! [`zobrist`](super::zobrist)). So what is found belongs to the position that
//! was looked for: there are no errors of type 1. An entry never written is 0,
//! and no written one is, for a bound plus 64 is not 0.
//!
//! The table grows with what is stored. A short search stays within the first
//! entries, where the cache holds them, and only a long one reaches out into the
//! memory that was granted. To forget everything is to count the age on.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::score::Bounds;
use crate::board::Column;

const BOUND_BITS: u32 = 7;
const BOUND_OFFSET: i32 = 64;
const COLUMN_BITS: u32 = 5;
const PAYLOAD_BITS: u32 = 2 * BOUND_BITS + COLUMN_BITS;
/// A table starts with this many entries, as a power of two: 64 KiB.
const FIRST_BITS: u32 = 13;
/// Each time that it grows, it has this many times the entries, as a power of two.
const GROWTH_BITS: u32 = 3;

const _: () = assert!(size_of::<AtomicU64>() == 8);

/// A transposition table of a fixed number of bytes.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<AtomicU64>,
    /// Low bits of a hash that are not in the check.
    implied_bits: u32,
    /// Bits of a hash that choose the entry today.
    index_bits: AtomicU32,
    /// Where the check begins.
    check_shift: u32,
    age: u64,
}

/// What an entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Where the score of the mover lies.
    pub(super) bounds: Bounds,
    /// The move that was best, or refuted the position.
    pub(super) best: Column,
}

impl Table {
    /// A table for hashes of `hash_bits` bits that takes at most `bytes`, but at
    /// least the 8 MiB that the largest boards need for their checks to fit.
    pub(super) fn new(hash_bits: u32, bytes: usize) -> Table {
        // The check, the payload and one bit of age must fit into a word.
        let least = hash_bits.saturating_sub(63 - PAYLOAD_BITS);
        let granted = (bytes / size_of::<AtomicU64>()).max(1).ilog2();
        let largest = granted.clamp(least, hash_bits.max(least));
        let implied_bits = FIRST_BITS.clamp(least, largest);
        Table {
            // Pages that the system hands out as zeros, and only once they are written to.
            entries: bytemuck::zeroed_vec(1 << largest),
            implied_bits,
            index_bits: AtomicU32::new(implied_bits),
            check_shift: 64 - hash_bits.saturating_sub(implied_bits),
            age: 0,
        }
    }

    /// Bytes granted.
    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<AtomicU64>()
    }

    /// Everything known becomes unknown, at the price of counting on.
    pub(super) fn forget(&mut self) {
        let age_bits = self.check_shift.min(63) - PAYLOAD_BITS;
        self.age = (self.age + 1) % (1 << age_bits);
        if self.age == 0 {
            self.entries.iter_mut().for_each(|entry| *entry.get_mut() = 0);
        }
        *self.index_bits.get_mut() = self.implied_bits;
    }

    /// How many stores from now on the table should be asked to grow, if it can.
    pub(super) fn stores_until_growth(&self) -> u64 {
        let bits = self.index_bits.load(Relaxed);
        if 1 << bits < self.entries.len() { 1 << bits } else { u64::MAX }
    }

    /// Takes all the memory granted at once, as several threads will need it.
    pub(super) fn grow_fully(&self) {
        while self.stores_until_growth() != u64::MAX {
            self.grow();
        }
    }

    /// Spreads the entries over a larger part of the memory.
    pub(super) fn grow(&self) {
        let before = self.index_bits.load(Relaxed);
        let bits = (before + GROWTH_BITS).min(self.entries.len().ilog2());
        self.index_bits.store(bits, Relaxed);
        for slot in 0..(1u64 << before) {
            let entry = self.entries[slot as usize].load(Relaxed);
            if self.is_of_today(entry) {
                let check = entry.checked_shr(self.check_shift).unwrap_or(0);
                let hash = check << self.implied_bits | slot & ((1 << self.implied_bits) - 1);
                // The slot that it moves to is its own, or beyond those of before.
                self.entries[slot as usize].store(0, Relaxed);
                self.entries[self.slot(hash)].store(entry, Relaxed);
            }
        }
    }

    /// What is known of the position with this hash.
    #[inline(always)]
    pub(super) fn probe(&self, hash: u64) -> Option<Known> {
        let entry = self.entries[self.slot(hash)].load(Relaxed);
        let of_this_hash = entry >> PAYLOAD_BITS == self.tag(hash) >> PAYLOAD_BITS;
        (of_this_hash && entry & Self::MASK != 0).then(|| {
            let bound = |shift: u32| (entry >> shift & Self::MASK) as i32 - BOUND_OFFSET;
            Known {
                bounds: Bounds { lower: bound(0), upper: bound(BOUND_BITS) },
                best: Column((entry >> (2 * BOUND_BITS) & ((1 << COLUMN_BITS) - 1)) as u8),
            }
        })
    }

    /// Notes what is known, in place of whatever stood there.
    #[inline(always)]
    pub(super) fn store(&self, hash: u64, known: Known) {
        let bound = |bound: i32| (bound + BOUND_OFFSET) as u64;
        let entry = self.tag(hash)
            | (known.best.index() as u64) << (2 * BOUND_BITS)
            | bound(known.bounds.upper) << BOUND_BITS
            | bound(known.bounds.lower);
        self.entries[self.slot(hash)].store(entry, Relaxed);
    }

    const MASK: u64 = (1 << BOUND_BITS) - 1;

    #[inline(always)]
    fn slot(&self, hash: u64) -> usize {
        // The length is a power of two: the mask tells the compiler so.
        let index = hash & ((1 << self.index_bits.load(Relaxed)) - 1);
        index as usize & (self.entries.len() - 1)
    }

    /// Check and age.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u64 {
        let check = (hash >> self.implied_bits).checked_shl(self.check_shift).unwrap_or(0);
        check | self.age << PAYLOAD_BITS
    }

    fn is_of_today(&self, entry: u64) -> bool {
        let age_mask = u64::MAX.checked_shl(self.check_shift).map_or(!0, |check| !check);
        entry & Self::MASK != 0 && (entry & age_mask) >> PAYLOAD_BITS == self.age
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::search::zobrist::SplitMix64;

    fn known(number: u64) -> Known {
        let lower = (number % 65) as i32 - 32;
        let bounds = Bounds { lower, upper: lower + (number >> 8) as u8 as i32 % (33 - lower) };
        Known { bounds, best: Column((number >> 20) as u8 % 32) }
    }

    #[test]
    fn what_is_found_is_what_was_stored_last() {
        for (hash_bits, bytes) in
            [(2, 1 << 10), (12, 1 << 10), (30, 1 << 16), (49, 1 << 20), (64, 0)]
        {
            let mut table = Table::new(hash_bits, bytes);
            let mut random = SplitMix64(7);
            let mut noted = HashMap::new();
            for round in 0..4 {
                for step in 0..40_000 {
                    // Few hashes, close to each other in their low bits.
                    let hash = (random.next() % 50).wrapping_mul(0x9e37_79b9_0000_0401)
                        & u64::MAX >> (64 - hash_bits);
                    if let Some(found) = table.probe(hash) {
                        assert_eq!(Some(&found), noted.get(&hash), "{hash_bits} bits");
                    }
                    let known = known(random.next() >> 8);
                    table.store(hash, known);
                    noted.insert(hash, known);
                    assert_eq!(table.probe(hash), Some(known));
                    if round % 2 == 0 && step == 20_000 {
                        table.grow();
                        assert_eq!(table.probe(hash), Some(known));
                    }
                }
                table.forget();
                noted.clear();
            }
        }
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let mut table = Table::new(49, 1 << 16);
        for _ in 0..2000 {
            assert_eq!(table.probe(0), None);
            assert_eq!(table.probe(1 << 48), None);
            table.store(0, known(5));
            table.forget();
        }
    }
}
