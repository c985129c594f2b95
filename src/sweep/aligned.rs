//! Words that start at a cache line, so that rows of eight never straddle one.

use super::panels::LINE;

/// Memory for words, to be used again and again.
#[derive(Default)]
pub(super) struct AlignedWords {
    words: Vec<u64>,
    start: usize,
    len: usize,
}

impl AlignedWords {
    /// So many words, all 0.
    pub fn new(len: usize) -> AlignedWords {
        let words = vec![0; len + LINE];
        let start = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        AlignedWords { words, start, len }
    }

    /// So many words, whatever is in them; grows as need be.
    pub fn room(&mut self, len: usize) -> &mut [u64] {
        if self.start + len > self.words.len() {
            *self = AlignedWords::new(len.next_power_of_two());
        }
        self.len = len;
        self.as_mut_slice()
    }

    /// The words that there was room for last.
    pub fn as_slice(&self) -> &[u64] {
        &self.words[self.start..][..self.len]
    }

    /// The same, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.words[self.start..][..self.len]
    }
}
