//! How the bits of a matrix lie in words.
//!
//! Row by row, each starting with a word of its own; column `c` is bit `c % 64`
//! of word `c / 64`. The bits after the last column are 0, so that rows can be
//! counted, compared and turned as they are.

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

    /// Number of bits that are 1.
    pub fn ones(self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Adds the bits of one row to another.
pub(super) fn or_into(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
}

/// Clears the bits of one row in another.
pub(super) fn clear_from(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to &= !from);
}
