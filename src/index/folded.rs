//! Maps with a quick hash, for few keys of a few words each, which nobody chooses.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with such keys.
pub(super) type FoldedMap<K, V> = HashMap<K, V, BuildHasherDefault<Folded>>;

/// Hashes words by multiplying and folding. Demands are few, and nobody chooses them to collide; a
/// better hash would take longer than everything else.
#[derive(Default)]
pub(super) struct Folded(u64);

impl Hasher for Folded {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(size_of::<u64>()) {
            let word = word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.write_u64(word);
        }
    }

    #[inline]
    fn write_usize(&mut self, length: usize) {
        self.0 ^= length as u64;
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
