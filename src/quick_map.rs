//! Hash maps that trade safety against chosen keys for speed: the hash costs one multiplication per
//! word. Only for keys of a few words that come from the program itself.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose hash costs one multiplication per word.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Multiplies each word in, and folds down the product's upper half, where all bits meet.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64).rotate_left(23) ^ (product >> 64) as u64;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
