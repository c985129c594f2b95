//! A block: the unit of a tier that is decoded at once.
//!
//! It is stored row by row. Each row has two planes of the same width: 8 words, or in the last
//! panel of a tile the fewest of 1, 2, 4 or 8 that hold its columns.
//!
//! ```text
//!     row 0: first wins, width words │ first holds, width words │ row 1: …
//! ```
//!
//! Column `c` of a panel is bit `c % 64` of word `c / 64` of a plane, which is bit `c % 8` of byte
//! `c / 8`, since words are little-endian. A block of scores has a byte per cell instead, and fewer
//! rows: column `c` is byte `c` of its row.

use std::ops::Range;

use super::content::{BLOCK_COLUMNS, BLOCK_ROWS, PLANES, SCORE_BITS};

/// The place of a block among the blocks of its tier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockNumber(pub u64);

/// The size and shape of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockShape {
    /// Number of rows, 1 to 256.
    pub rows: usize,
    /// Words of one plane of a row: 1, 2, 4 or 8.
    pub width: usize,
    /// Bits of a cell.
    pub bits: usize,
}

impl BlockShape {
    /// The largest block, 32 KiB.
    pub const LARGEST: BlockShape =
        BlockShape { rows: BLOCK_ROWS, width: BLOCK_COLUMNS / 64, bits: PLANES };

    /// A block of scores with as many columns.
    pub(in crate::table) fn of_scores(self, rows: usize) -> BlockShape {
        BlockShape { rows, bits: SCORE_BITS, ..self }
    }

    /// Words of a row.
    pub const fn row_words(self) -> usize {
        self.bits * self.width
    }

    /// Words of the block.
    pub const fn words(self) -> usize {
        self.rows * self.row_words()
    }

    /// Bytes of the block.
    pub const fn bytes(self) -> usize {
        self.words() * size_of::<u64>()
    }
}

/// A block of a tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its number in the tier.
    pub number: BlockNumber,
    /// The panel that it is cut from.
    pub panel: usize,
    /// Its rows, counted in the tile.
    pub rows: Range<usize>,
    /// Its columns, counted in the tile.
    pub columns: Range<usize>,
    /// Its size.
    pub shape: BlockShape,
}

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
