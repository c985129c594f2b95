//! Bit matrices: how their bits lie in words, and how rows become columns.
//!
//! Row by row, each starting with a word of its own; column `c` is bit `c % 64` of word `c / 64`.
//! The bits after the last column are 0, so that rows can be counted, compared and transposed as
//! they are.
//!
//! Matrices are transposed 64 by 64 bits at a time. A block of 64 words is transposed by halves:
//! exchange the upper right quarter with the lower left, then do the same inside each quarter, six
//! times in all. Each exchange moves bits of two words under one mask:
//!
//! ```text
//!     A B      A C
//!     C D  ->  B D      then A, B, C and D likewise
//! ```

/// Rows and columns of a bit matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixShape {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl MatrixShape {
    /// Words of one row.
    pub(crate) fn stride(self) -> usize {
        self.columns.div_ceil(64)
    }

    /// Words of all rows.
    pub fn words(self) -> usize {
        self.rows * self.stride()
    }

    /// Rows and columns exchanged.
    pub(crate) fn transposed(self) -> MatrixShape {
        MatrixShape { rows: self.columns, columns: self.rows }
    }
}

/// A bit matrix in borrowed words.
#[derive(Clone, Copy, Debug)]
pub struct BitMatrix<'a> {
    words: &'a [u64],
    shape: MatrixShape,
}

impl<'a> BitMatrix<'a> {
    /// A matrix of this shape in these words. Their number must be that of the shape.
    pub fn new(words: &'a [u64], shape: MatrixShape) -> BitMatrix<'a> {
        assert_eq!(words.len(), shape.words(), "the words of a matrix of {shape:?}");
        BitMatrix { words, shape }
    }

    /// Its rows and columns.
    pub fn shape(self) -> MatrixShape {
        self.shape
    }

    /// The words of one row.
    pub fn row(self, row: usize) -> &'a [u64] {
        let stride = self.shape.stride();
        &self.words[row * stride..][..stride]
    }

    /// One bit.
    pub fn bit(self, row: usize, column: usize) -> bool {
        debug_assert!(column < self.shape.columns);
        self.row(row)[column / 64] >> (column % 64) & 1 == 1
    }
}

/// Adds the bits of one row to another.
pub(in crate::sweep) fn or_into(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
}

/// Clears the bits of one row in another.
pub(in crate::sweep) fn clear_from(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to &= !from);
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

/// Adds the transpose of `from`, a matrix of this shape, to the bits of `to`,
/// a matrix of the transposed shape.
pub(in crate::sweep) fn or_transposed(from: &[u64], shape: MatrixShape, to: &mut [u64]) {
    assert_eq!(from.len(), shape.words(), "the words of a matrix of {shape:?}");
    assert_eq!(to.len(), shape.transposed().words(), "the words of its transpose");
    let (stride, to_stride) = (shape.stride(), shape.transposed().stride());
    let mut block = [0; 64];
    for block_row in 0..to_stride {
        let top = block_row * 64;
        let height = (shape.rows - top).min(64);
        for block_column in 0..stride {
            let left = block_column * 64;
            let width = (shape.columns - left).min(64);
            let words = from[top * stride + block_column..].iter().step_by(stride);
            block[..height].iter_mut().zip(words).for_each(|(row, word)| *row = *word);
            block[height..].fill(0);
            transpose_block(&mut block);
            let words = to[left * to_stride + block_row..].iter_mut().step_by(to_stride);
            words.zip(&block[..width]).for_each(|(word, row)| *word |= row);
        }
    }
}

/// The places of the ones in a word.
pub(in crate::sweep) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// The slow twin: bit by bit.
    fn transposed_by_bits(from: &[u64], shape: MatrixShape) -> Vec<u64> {
        let matrix = BitMatrix::new(from, shape);
        let stride = shape.transposed().stride();
        let mut to = vec![0; shape.transposed().words()];
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                to[column * stride + row / 64] |= u64::from(matrix.bit(row, column)) << (row % 64);
            }
        }
        to
    }

    /// A matrix of pseudorandom bits, 0 after the last column.
    fn matrix(shape: MatrixShape, seed: u64) -> Vec<u64> {
        let mut random = SplitMix64(seed);
        let mut words: Vec<u64> = (0..shape.words()).map(|_| random.word()).collect();
        if !shape.columns.is_multiple_of(64) {
            let last = words.iter_mut().skip(shape.stride() - 1).step_by(shape.stride());
            last.for_each(|word| *word &= u64::MAX >> (64 - shape.columns % 64));
        }
        words
    }

    proptest::proptest! {
        #[test]
        fn blocks_and_bits_give_the_same_transpose(
            rows in 1usize..200, columns in 1usize..200, seed: u64,
        ) {
            let shape = MatrixShape { rows, columns };
            let from = matrix(shape, seed);
            let mut to = vec![0; shape.transposed().words()];
            or_transposed(&from, shape, &mut to);
            proptest::prop_assert_eq!(&to, &transposed_by_bits(&from, shape));

            // And back; bits that were there stay.
            let mut back = matrix(shape, !seed);
            let union: Vec<u64> = back.iter().zip(&from).map(|(a, b)| a | b).collect();
            or_transposed(&to, shape.transposed(), &mut back);
            proptest::prop_assert_eq!(back, union);
        }
    }
}
