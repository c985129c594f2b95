//! Where a cell is inside its block.
//!
//! Column `c` of a panel is bit `c % 64` of word `c / 64` of a plane, which is bit `c % 8` of byte
//! `c / 8`, since words are little-endian. In a block of scores it is byte `c` of the row.

use super::block::{BlockNumber, BlockShape};

/// Where a cell of a tier is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellPlace {
    /// The block.
    pub number: BlockNumber,
    /// The size of the block.
    pub shape: BlockShape,
    /// The row in the block.
    pub row: usize,
    /// The column in the block.
    pub column: usize,
}

impl CellPlace {
    /// In a block of outcomes, the byte with the bit of the cell in a plane, 0 for *first wins*
    /// and 1 for *first holds*, and the number of the bit in that byte.
    pub fn bit(self, plane: usize) -> (usize, usize) {
        let before = self.row * self.shape.row_words() + plane * self.shape.width;
        (before * size_of::<u64>() + self.column / 8, self.column % 8)
    }

    /// In a block of scores, the byte of the cell.
    pub fn byte(self) -> usize {
        self.row * self.shape.row_words() * size_of::<u64>() + self.column
    }
}
