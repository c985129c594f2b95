//! How bits change places: apart under a mask, and from rows to columns.
//!
//! *Deposited*, they move apart, to the ones of a mask:
//!
//! ```text
//!     mask         1 0 0 1 1 0 1 0
//!     word         z y x w v u t s      the instruction pdep
//!     deposited    v 0 0 u t 0 s 0
//! ```
//!
//! Without that instruction, each bit moves by the number of zeros of the mask below its place, one
//! binary digit of that number at a time. Which bits move in which of the six steps depends on the
//! mask alone, and the mask is the same for many rows.
//!
//! A block of 64 x 64 bits is *transposed* by halves: exchange the upper right quarter with the
//! lower left, then do the same inside each quarter, six times in all. Each exchange moves bits of
//! two words under one mask:
//!
//! ```text
//!     A B      A C
//!     C D  ->  B D      then A, B, C and D likewise
//! ```

use std::ops::Range;

use super::panels::PANEL;

/// If bits moved from the ones of a mask together: which of them move down by 1, 2, 4, …, where
/// they are before each step. Those with an odd number of zeros of the mask below them; then those
/// with an odd number of pairs of zeros; and so on (Warren, Hacker's Delight, 7-4). A deposit takes
/// the same steps backwards.
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

/// Transposes a block in place: bit `c` of word `r` is exchanged with bit `r` of word `c`.
///
/// Words that are exchanged should be some words apart, so that several pairs
/// fit into registers side by side. For the last two steps they are moved
/// apart: row `8 i + k` goes to word `8 k + i`, and back.
#[inline(always)]
pub(in crate::sweep) fn transpose_block(block: &mut [u64; 64]) {
    exchange::<32>(block, 32);
    exchange::<16>(block, 16);
    exchange::<8>(block, 8);
    exchange::<4>(block, 4);
    let mut apart = [0; 64];
    for (word, row) in apart.iter_mut().enumerate() {
        *row = block[word % 8 * 8 + word / 8];
    }
    exchange::<16>(&mut apart, 2);
    exchange::<8>(&mut apart, 1);
    for (word, row) in block.iter_mut().enumerate() {
        *row = apart[word % 8 * 8 + word / 8];
    }
}

/// Exchanges the upper right with the lower left quarter of squares of `2 * half`
/// bits, whose upper and lower half are `APART` words apart.
#[inline(always)]
fn exchange<const APART: usize>(block: &mut [u64; 64], half: u32) {
    // The left half of the columns of every square.
    let left = u64::MAX / ((1 << half) + 1);
    for square in block.chunks_exact_mut(2 * APART) {
        let (upper, lower) = square.split_at_mut(APART);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let exchanged = (*upper >> half ^ *lower) & left;
            *upper ^= exchanged << half;
            *lower ^= exchanged;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::random::SplitMix64;

    use super::*;

    /// The slow twin of depositing.
    fn deposited_by_bits(mask: u64, bits: u64) -> u64 {
        let ones = (0..64).filter(|bit| mask >> bit & 1 == 1).enumerate();
        ones.map(|(rank, bit)| (bits >> rank & 1) << bit).sum()
    }

    proptest::proptest! {
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
    fn all_columns_and_none_are_deposited() {
        for mask in [u64::MAX, 0, 1, 1 << 63, u64::MAX << 1] {
            let word = DepositWord::new(mask, 0);
            assert_eq!(word.deposit(u64::MAX), mask);
            assert_eq!(word.deposit(0), 0);
        }
    }

    proptest::proptest! {
        #[test]
        fn each_bit_changes_its_row_for_its_column(seed: u64) {
            let mut random = SplitMix64(seed);
            let block: [u64; 64] = std::array::from_fn(|_| random.word());
            let mut transposed = block;
            transpose_block(&mut transposed);
            for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
                proptest::prop_assert_eq!(transposed[column] >> row & 1, block[row] >> column & 1);
            }
        }
    }
}
