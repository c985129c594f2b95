//! How rows of bits become columns, 64 by 64 bits at a time.
//!
//! A block of 64 words is transposed by halves: exchange the upper right quarter with the lower left,
//! then do the same inside each quarter, six times in all. Each exchange moves bits of two words under
//! one mask:
//!
//! ```text
//!     A B      A C
//!     C D  ->  B D      then A, B, C and D likewise
//! ```

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
    use super::*;
    use crate::random::SplitMix64;

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
