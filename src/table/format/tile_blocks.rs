//! The blocks of a tile.
//!
//! A tile is cut into panels of 512 columns, and a panel into blocks of 256 rows, or of 64 if they
//! hold scores. They are numbered panel by panel, from top to bottom:
//!
//! ```text
//!                  panel 0     panel 1     last
//!     rows 0…255   ┌─────────┐┌─────────┐┌────┐
//!                  │ block 0 ││ block 3 ││ 6  │
//!     256…511      ├─────────┤├─────────┤├────┤
//!                  │ block 1 ││ block 4 ││ 7  │
//!     512…         ├─────────┤├─────────┤├────┤
//!                  │ block 2 ││ block 5 ││ 8  │     the remaining rows
//!                  └─────────┘└─────────┘└────┘
//! ```

use std::ops::Range;

use super::block::{Block, BlockNumber, BlockShape, CellPlace};
use super::content::{BLOCK_COLUMNS, Content};

/// The blocks of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileBlocks {
    first: BlockNumber,
    rows: u32,
    columns: u32,
    content: Content,
}

impl TileBlocks {
    /// The blocks of a tile of this size, of which `first` is the first.
    pub(super) fn new(
        first: BlockNumber,
        [rows, columns]: [u32; 2],
        content: Content,
    ) -> TileBlocks {
        TileBlocks { first, rows, columns, content }
    }

    /// The first block.
    pub fn first(self) -> BlockNumber {
        self.first
    }

    /// Number of blocks.
    pub fn count(self) -> u64 {
        self.panels() as u64 * self.blocks_of_panel() as u64
    }

    /// Rows of the tile.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// Columns of the tile.
    pub fn columns(self) -> u32 {
        self.columns
    }

    /// All blocks, in order.
    pub fn iter(self) -> impl Iterator<Item = Block> {
        let down = self.blocks_of_panel();
        (0..self.panels())
            .flat_map(move |panel| (0..down).map(move |block| self.block(panel, block)))
    }

    /// The block of outcomes that contains the rows and columns of this block of scores.
    pub(in crate::table) fn covering(self, scores: &Block) -> Block {
        self.block(scores.panel, scores.rows.start / self.content.block_rows())
    }

    fn panels(self) -> usize {
        (self.columns as usize).div_ceil(BLOCK_COLUMNS)
    }

    /// How many blocks a panel is cut into.
    pub(super) fn blocks_of_panel(self) -> usize {
        (self.rows as usize).div_ceil(self.content.block_rows())
    }

    /// The block of this panel with this many blocks above it.
    pub(super) fn block(self, panel: usize, above: usize) -> Block {
        let rows = run(self.rows as usize, self.content.block_rows(), above);
        let columns = run(self.columns as usize, BLOCK_COLUMNS, panel);
        let number = self.first.0 + (panel * self.blocks_of_panel() + above) as u64;
        let (width, bits) = (width(columns.len()), self.content.bits());
        let shape = BlockShape { rows: rows.len(), width, bits };
        Block { number: BlockNumber(number), panel, rows, columns, shape }
    }

    /// The place of a cell of the tile.
    pub(super) fn place(self, row: usize, column: usize) -> CellPlace {
        let rows = self.content.block_rows();
        let block = self.block(column / BLOCK_COLUMNS, row / rows);
        let (row, column) = (row % rows, column % BLOCK_COLUMNS);
        CellPlace { number: block.number, shape: block.shape, row, column }
    }
}

/// The width in words of one plane of a row of this many columns.
pub(crate) const fn width(columns: usize) -> usize {
    columns.div_ceil(64).next_power_of_two()
}

/// The `number`th run of `length` out of `all`.
fn run(all: usize, length: usize, number: usize) -> Range<usize> {
    number * length..((number + 1) * length).min(all)
}

#[cfg(test)]
mod tests {
    use super::super::content::PLANES;
    use super::*;

    #[test]
    fn blocks_are_numbered_without_gaps() {
        let blocks = TileBlocks::new(BlockNumber(7), [700, 1100], Content::OUTCOMES);
        let all: Vec<Block> = blocks.iter().collect();
        assert_eq!(blocks.count(), 9);
        assert!(all.iter().map(|block| block.number.0).eq(7..16));
        assert_eq!(all[2].rows, 512..700);
        assert_eq!(all[2].shape, BlockShape { rows: 188, width: 8, bits: PLANES });
        assert_eq!(all[8].shape, BlockShape { rows: 188, width: 2, bits: PLANES });
        assert_eq!((all[8].panel, all[8].number), (2, BlockNumber(15)));
        assert_eq!(BlockShape::LARGEST.bytes(), 32 << 10);
    }

    #[test]
    fn cells_of_a_large_tile_share_no_place() {
        let blocks = TileBlocks::new(BlockNumber(7), [700, 1100], Content::OUTCOMES);
        let all: Vec<Block> = blocks.iter().collect();
        for (row, column) in (0..700).flat_map(|row| (0..1100).map(move |column| (row, column))) {
            let place = blocks.place(row, column);
            let block = &all[place.number.0 as usize - 7];
            assert_eq!(place.shape, block.shape);
            assert_eq!(block.rows.start + place.row, row);
            assert_eq!(block.columns.start + place.column, column);
            assert!(block.rows.contains(&row) && place.column < 64 * place.shape.width);
            let [wins, holds] = [0, 1].map(|plane| place.bit(plane));
            assert_eq!((holds.0 - wins.0, holds.1), (8 * place.shape.width, wins.1));
            assert!(holds.0 < place.shape.bytes());
        }
    }
}
