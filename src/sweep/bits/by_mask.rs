//! Moving bits under a mask: *extracting* them moves them together, *depositing* them moves them
//! apart again.
//!
//! ```text
//!     mask         1 0 0 1 1 0 1 0
//!     word         h g f e d c b a      extract: pext
//!     extracted    0 0 0 0 h e d b
//!
//!     word         z y x w v u t s      deposit: pdep
//!     deposited    v 0 0 u t 0 s 0
//! ```
//!
//! Without these instructions, each bit moves by the number of zeros of the mask below it, one
//! binary digit of that number at a time. Which bits move in which of the six steps depends on the
//! mask alone, and the mask is the same for many rows.

use std::ops::Range;

use super::panels::PANEL;

/// Which bits an extraction moves down by 1, 2, 4, …, where they are before each step: those with an
/// odd number of zeros of the mask below them; then those with an odd number of pairs of zeros; and
/// so on (Warren, Hacker's Delight, 7-4). A deposit takes the same steps backwards.
fn steps(mut mask: u64) -> [u64; 6] {
    let mut zeros_below = !mask << 1;
    std::array::from_fn(|step| {
        // The parity of the zeros below each place.
        let parity = (0..6).fold(zeros_below, |parity, log| parity ^ parity << (1 << log));
        let moving = parity & mask;
        mask = mask ^ moving | moving >> (1 << step);
        zeros_below &= !parity;
        moving
    })
}

/// The columns to extract, prepared for any number of rows.
pub(in crate::sweep) struct Extract {
    words: Vec<ExtractWord>,
}

/// The same for one word.
#[derive(Clone, Copy)]
struct ExtractWord {
    mask: u64,
    steps: [u64; 6],
    /// The place of the lowest extracted bit in the new row.
    place: usize,
}

impl Extract {
    /// Extracts the columns whose bits are 1 in this row.
    pub(crate) fn new(mask: &[u64]) -> Extract {
        let words = mask.iter().scan(0, |place, mask| {
            let word = ExtractWord { mask: *mask, steps: steps(*mask), place: *place };
            *place += mask.count_ones() as usize;
            Some(word)
        });
        Extract { words: words.collect() }
    }

    /// Adds the extracted bits of a row to the bits of `to`.
    pub(crate) fn or_into(&self, to: &mut [u64], from: &[u64]) {
        for (word, from) in self.words.iter().zip(from) {
            let bits = word.apply(*from);
            if bits != 0 {
                let (place, shift) = (word.place / 64, word.place % 64);
                to[place] |= bits << shift;
                // What does not fit into that word; in two shifts, as one by 64 would overflow.
                let rest = bits >> 1 >> (63 - shift);
                if rest != 0 {
                    to[place + 1] |= rest;
                }
            }
        }
    }
}

impl ExtractWord {
    fn apply(&self, word: u64) -> u64 {
        self.steps.iter().enumerate().fold(word & self.mask, |word, (step, moving)| {
            let bits = word & moving;
            word ^ bits | bits >> (1 << step)
        })
    }
}

/// Words in which the bits for a panel of a table may be, plus one.
pub(in crate::sweep) const WINDOW: usize = 2 * PANEL / 64 + 1;

/// How a word of a row of a table is made.
///
/// A table has all states of a class in the order of their codes. The free states come first in a
/// tile, in the same order, so their bits are deposited, starting somewhere in a *window* of words:
///
/// ```text
///     states of the class     a   b   c   d   e   f   g
///     free                    1   0   0   1   1   0   1
///     bits in the tile        w   x   y   z
///     bits in the table       w   0   0   x   y   0   z
/// ```
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct DepositWord {
    /// The columns that bits are moved to.
    pub mask: u64,
    /// The place of the first bit in the window.
    first: u32,
    steps: [u64; 6],
}

impl DepositWord {
    /// The word whose bits go to the ones of a mask, and start there in the window.
    pub(crate) fn new(mask: u64, first: usize) -> DepositWord {
        DepositWord { mask, first: first as u32, steps: steps(mask) }
    }

    /// The 64 bits of the window that start with the first bit of this word.
    #[inline(always)]
    pub(crate) fn window(&self, words: &[u64; WINDOW]) -> u64 {
        let (word, shift) = (self.first as usize / 64, self.first % 64);
        // In two shifts, as one by 64 would overflow.
        words[word] >> shift | words[(word + 1).min(WINDOW - 1)] << 1 << (63 - shift)
    }

    /// Puts the low bits of a word where the ones of the mask are.
    #[inline(always)]
    pub(crate) fn deposit(&self, bits: u64) -> u64 {
        let mut bits = bits;
        for (step, moving) in self.steps.iter().enumerate().rev() {
            bits = bits & !moving & !(moving >> (1 << step)) | bits << (1 << step) & moving;
        }
        bits & self.mask
    }
}

/// Finds how the words of a row of a table are made, for these columns. `free` has the numbers of
/// the free states, in ascending order.
pub(in crate::sweep) fn deposit_words(
    columns: Range<usize>,
    width: usize,
    free: &[u32],
    words: &mut Vec<DepositWord>,
) {
    let window = first_free(free, columns.start) / PANEL * PANEL;
    words.clear();
    words.extend((0..width).map(|word| {
        let start = columns.start + 64 * word;
        let first = first_free(free, start);
        let here = &free[first..first_free(free, (start + 64).min(columns.end))];
        let mask = here.iter().fold(0, |mask, number| mask | 1 << (*number as usize - start));
        DepositWord::new(mask, first - window)
    }));
}

/// The place of the first free state from this number on.
pub(in crate::sweep) fn first_free(free: &[u32], number: usize) -> usize {
    free.partition_point(|free| (*free as usize) < number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin of extracting: bit by bit.
    fn extracted_by_bits(mask: &[u64], from: &[u64]) -> Vec<u64> {
        let bit = |words: &[u64], place: usize| words[place / 64] >> (place % 64) & 1;
        let mut to = vec![0; mask.len()];
        let picked = (0..64 * mask.len()).filter(|place| bit(mask, *place) == 1);
        for (place, column) in picked.enumerate() {
            to[place / 64] |= bit(from, column) << (place % 64);
        }
        to
    }

    /// The slow twin of depositing.
    fn deposited_by_bits(mask: u64, bits: u64) -> u64 {
        let ones = (0..64).filter(|bit| mask >> bit & 1 == 1).enumerate();
        ones.map(|(rank, bit)| (bits >> rank & 1) << bit).sum()
    }

    proptest::proptest! {
        #[test]
        fn steps_and_bits_extract_the_same(
            row in proptest::collection::vec((0u64.., 0u64.., 0u64..), 1..5), dense: bool,
        ) {
            let mask: Vec<u64> =
                row.iter().map(|(a, b, _)| if dense { a | b } else { a & b }).collect();
            let from: Vec<u64> = row.iter().map(|(_, _, word)| *word).collect();
            let mut to = vec![0; mask.len()];
            Extract::new(&mask).or_into(&mut to, &from);
            proptest::prop_assert_eq!(to, extracted_by_bits(&mask, &from));
        }

        #[test]
        fn steps_and_bits_deposit_the_same(a: u64, b: u64, bits: u64, dense: bool) {
            let mask = if dense { a | b } else { a & b };
            let word = DepositWord::new(mask, 0);
            proptest::prop_assert_eq!(word.deposit(bits), deposited_by_bits(mask, bits));
        }

        #[test]
        fn windows_begin_anywhere(
            words in proptest::collection::vec(0u64.., WINDOW), first in 0usize..64 * (WINDOW - 1),
        ) {
            let words = words.try_into().expect("as many words as a window has");
            let window = DepositWord::new(u64::MAX, first).window(&words);
            for bit in 0..64 {
                let at = first + bit;
                let expected = words[at / 64] >> (at % 64) & 1;
                proptest::prop_assert_eq!(window >> bit & 1, expected);
            }
        }
    }

    #[test]
    fn all_columns_and_none_are_extracted() {
        for (mask, picked) in [(u64::MAX, u64::MAX), (0, 0), (1 << 63, 1), (1, 1)] {
            let mut to = [0; 2];
            Extract::new(&[mask, mask]).or_into(&mut to, &[u64::MAX; 2]);
            assert_eq!(to.to_vec(), extracted_by_bits(&[mask; 2], &[u64::MAX; 2]));
            assert_eq!(to[0] & picked, picked);
        }
    }

    #[test]
    fn all_columns_and_none_are_deposited() {
        for mask in [u64::MAX, 0, 1, 1 << 63, u64::MAX << 1] {
            let word = DepositWord::new(mask, 0);
            assert_eq!(word.deposit(u64::MAX), mask);
            assert_eq!(word.deposit(0), 0);
        }
    }
}
