//! Moving columns apart: from where they stand in a tile to where they stand in a
//! table, which has room for all states of a class.
//!
//! The free states of a class come first in a tile, in the order of their codes; a
//! table has all states in that order. So bits keep their order and are moved up,
//! each by the number of states before it that are not free:
//!
//! ```text
//!     states of the class     a   b   c   d   e   f   g
//!     free                    1   0   0   1   1   0   1
//!     bits in the tile        w   x   y   z
//!     bits in the table       w   0   0   x   y   0   z
//! ```

use std::ops::Range;

use super::aligned::AlignedWords;
use super::panels::PANEL;

/// Words in which the bits for a panel of a table may be, plus one.
pub(super) const WINDOW: usize = 2 * PANEL / 64 + 1;

/// How the bits of a word of a table are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpreadWord {
    /// The columns that bits are moved to.
    pub mask: u64,
    /// The place of the first bit in the window.
    first: u32,
    /// For each step, which bits have moved there.
    moved: [u64; 6],
}

impl SpreadWord {
    /// The word whose bits go to the ones of a mask, and start there in the window.
    pub fn new(mask: u64, first: usize) -> SpreadWord {
        // The bit of rank r goes up by the number of zeros below the r-th one: by 32 first,
        // then by 16, and so on. The steps are found backwards, from where all bits end: those
        // with an odd number of zeros below them came up by one in the last step. Then half of
        // the zeros count.
        let (mut moved, mut at, mut zeros) = ([0; 6], mask, !mask << 1);
        for (step, moved) in moved.iter_mut().enumerate() {
            // Bit b: is the number of ones of `zeros` up to b odd?
            let odd = (0..6).fold(zeros, |odd, step| odd ^ odd << (1 << step));
            *moved = odd & at;
            at = at ^ *moved | *moved >> (1 << step);
            zeros &= !odd;
        }
        SpreadWord { mask, first: first as u32, moved }
    }

    /// The 64 bits of the window that start with the first bit of this word.
    #[inline(always)]
    pub fn window(&self, words: &[u64; WINDOW]) -> u64 {
        let (word, shift) = (self.first as usize / 64, self.first % 64);
        // In two shifts, as one by 64 would overflow.
        words[word] >> shift | words[(word + 1).min(WINDOW - 1)] << 1 << (63 - shift)
    }

    /// Puts the low bits of a word where the ones of the mask are.
    #[inline(always)]
    pub fn deposit(&self, bits: u64) -> u64 {
        let mut bits = bits;
        for (step, moved) in self.moved.iter().enumerate().rev() {
            bits = bits & !moved & !(moved >> (1 << step)) | bits << (1 << step) & moved;
        }
        bits & self.mask
    }
}

/// Finds how the words of a row of a table are made, for these columns. `free` has the numbers of
/// the free states, in ascending order.
pub(super) fn spread_words(
    columns: Range<usize>,
    width: usize,
    free: &[u32],
    words: &mut Vec<SpreadWord>,
) {
    let window = first_free(free, columns.start) / PANEL * PANEL;
    words.clear();
    words.extend((0..width).map(|word| {
        let start = columns.start + 64 * word;
        let first = first_free(free, start);
        let here = &free[first..first_free(free, (start + 64).min(columns.end))];
        let mask = here.iter().fold(0, |mask, number| mask | 1 << (*number as usize - start));
        SpreadWord::new(mask, first - window)
    }));
}

/// The place of the first free state from this number on.
pub(super) fn first_free(free: &[u32], number: usize) -> usize {
    free.partition_point(|free| (*free as usize) < number)
}

/// Memory to show the quiet cells of a tile.
#[derive(Default)]
pub(super) struct Shown {
    /// Quiet cells of some rows, of two panels.
    pub quiet: [AlignedWords; 2],
    pub words: Vec<SpreadWord>,
    pub rows: AlignedWords,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: bit by bit.
    fn deposited_by_bits(mask: u64, bits: u64) -> u64 {
        let ones = (0..64).filter(|bit| mask >> bit & 1 == 1).enumerate();
        ones.map(|(rank, bit)| (bits >> rank & 1) << bit).sum()
    }

    proptest::proptest! {
        #[test]
        fn steps_and_bits_deposit_the_same(a: u64, b: u64, bits: u64, dense: bool) {
            let mask = if dense { a | b } else { a & b };
            let word = SpreadWord::new(mask, 0);
            proptest::prop_assert_eq!(word.deposit(bits), deposited_by_bits(mask, bits));
        }

        #[test]
        fn windows_begin_anywhere(
            words in proptest::collection::vec(0u64.., WINDOW), first in 0usize..64 * (WINDOW - 1),
        ) {
            let words = words.try_into().expect("as many words as a window has");
            let window = SpreadWord::new(u64::MAX, first).window(&words);
            for bit in 0..64 {
                let at = first + bit;
                let expected = words[at / 64] >> (at % 64) & 1;
                proptest::prop_assert_eq!(window >> bit & 1, expected);
            }
        }
    }

    #[test]
    fn all_columns_and_none() {
        for mask in [u64::MAX, 0, 1, 1 << 63, u64::MAX << 1] {
            let word = SpreadWord::new(mask, 0);
            assert_eq!(word.deposit(u64::MAX), mask);
            assert_eq!(word.deposit(0), 0);
        }
    }
}
