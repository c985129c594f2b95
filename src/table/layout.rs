//! Blocks: the units of a tier that are decoded at once.
//!
//! A tile is cut into panels of 512 columns, and a panel into blocks of 256 rows. The blocks of a
//! tile are numbered panel by panel, from top to bottom:
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
//!
//! The blocks of a tier are those of its stored tiles, one tile after the other. So the number of
//! blocks and the place of every cell follow from the board, the tier and the horizon alone.
//!
//! A block is stored row by row. Each row has two planes of the same width: 8 words, or in the last
//! panel of a tile the fewest of 1, 2, 4 or 8 that hold its columns. Column `c` of the panel is bit
//! `c % 64` of word `c / 64`.
//!
//! ```text
//!     row 0: first wins, width words │ first holds, width words │ row 1: …
//! ```
//!
//! A table of scores has a byte per cell instead, and blocks of 64 rows, which take equally many
//! bytes.

use std::ops::Range;

use crate::board::{Board, Tier};
use crate::index::{Cell, Census, Tile};

/// Rows of a block of outcomes that is not the last one of its panel.
pub(crate) const BLOCK_ROWS: usize = 256;

/// The same for a block of scores.
pub const SCORE_ROWS: usize = 64;

/// Columns of a panel that is not the last one of its tile.
pub(crate) const BLOCK_COLUMNS: usize = 512;

/// Bits of an outcome: the first player wins, the first player holds.
pub(crate) const PLANES: usize = 2;

/// Bits of a score.
const SCORE_BITS: usize = 8;

/// What a table holds for its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// The outcome; if a ply is given, of games that are cut off after it.
    Outcomes {
        /// The ply.
        cut: Option<Tier>,
    },
    /// The outcome, and the ply that decides it.
    Scores,
}

impl Content {
    /// Outcomes of games that go on to the full board.
    pub const OUTCOMES: Content = Content::Outcomes { cut: None };

    /// Rows of a block that is not the last one of its panel.
    pub(crate) fn block_rows(self) -> usize {
        match self {
            Content::Outcomes { .. } => BLOCK_ROWS,
            Content::Scores => SCORE_ROWS,
        }
    }

    /// Bits of a cell.
    fn bits(self) -> usize {
        match self {
            Content::Outcomes { .. } => PLANES,
            Content::Scores => SCORE_BITS,
        }
    }
}

/// The place of a block among the blocks of its tier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockNumber(pub u64);

/// Positions with at most this many empty cells are not in the tables, but are searched to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Horizon(pub u8);

impl Horizon {
    /// Are the positions of this tier searched instead of looked up?
    pub fn reaches(self, board: Board, tier: Tier) -> bool {
        board.cells() - tier.stones() <= usize::from(self.0)
    }
}

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

// Blocks of both kinds take equally many bytes.
const _: () = assert!(BLOCK_ROWS * PLANES == SCORE_ROWS * SCORE_BITS);

impl BlockShape {
    /// The largest block, 32 KiB.
    pub const LARGEST: BlockShape =
        BlockShape { rows: BLOCK_ROWS, width: BLOCK_COLUMNS / 64, bits: PLANES };

    /// A block of scores with as many columns.
    pub(super) fn of_scores(self, rows: usize) -> BlockShape {
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
pub(super) struct CellPlace {
    pub number: BlockNumber,
    pub shape: BlockShape,
    /// The row in the block, and the column in the panel.
    pub row: usize,
    pub column: usize,
}

/// The blocks of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileBlocks {
    first: BlockNumber,
    rows: u32,
    columns: u32,
    content: Content,
}

impl TileBlocks {
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
    pub(super) fn covering(self, scores: &Block) -> Block {
        self.block(scores.panel, scores.rows.start / self.content.block_rows())
    }

    fn panels(self) -> usize {
        (self.columns as usize).div_ceil(BLOCK_COLUMNS)
    }

    fn blocks_of_panel(self) -> usize {
        (self.rows as usize).div_ceil(self.content.block_rows())
    }

    /// The block of this panel with this many blocks above it.
    fn block(self, panel: usize, above: usize) -> Block {
        let rows = run(self.rows as usize, self.content.block_rows(), above);
        let columns = run(self.columns as usize, BLOCK_COLUMNS, panel);
        let number = self.first.0 + (panel * self.blocks_of_panel() + above) as u64;
        let (width, bits) = (width(columns.len()), self.content.bits());
        let shape = BlockShape { rows: rows.len(), width, bits };
        Block { number: BlockNumber(number), panel, rows, columns, shape }
    }

    fn place(self, row: usize, column: usize) -> CellPlace {
        let rows = self.content.block_rows();
        let block = self.block(column / BLOCK_COLUMNS, row / rows);
        let (row, column) = (row % rows, column % BLOCK_COLUMNS);
        CellPlace { number: block.number, shape: block.shape, row, column }
    }
}

/// The width in words of one plane of a row of this many columns.
fn width(columns: usize) -> usize {
    columns.div_ceil(64).next_power_of_two()
}

/// The `number`th run of `length` out of `all`.
fn run(all: usize, length: usize, number: usize) -> Range<usize> {
    number * length..((number + 1) * length).min(all)
}

/// The blocks of a tier.
#[derive(Clone, Debug)]
pub struct Layout {
    board: Board,
    tier: Tier,
    horizon: Horizon,
    content: Content,
    blocks: u64,
    /// The stored tiles in order, with their blocks; none within the horizon.
    tiles: Vec<(Tile, TileBlocks)>,
}

impl Layout {
    /// Cuts the stored tiles of a tier into blocks.
    pub fn new(census: &Census, tier: Tier, horizon: Horizon) -> Layout {
        Layout::with(census, tier, horizon, Content::OUTCOMES)
    }

    /// The same for a table with this content.
    pub fn with(census: &Census, tier: Tier, horizon: Horizon, content: Content) -> Layout {
        let board = census.board();
        let mut layout = Layout { board, tier, horizon, content, blocks: 0, tiles: Vec::new() };
        if !horizon.reaches(board, tier) {
            layout.tiles.extend(census.tiles(tier).map(|tile| {
                let first = BlockNumber(layout.blocks);
                let (rows, columns) = (census.tile_rows(tile), census.tile_columns(tile));
                let (rows, columns) = (rows as u32, columns as u32);
                let blocks = TileBlocks { first, rows, columns, content };
                layout.blocks += blocks.count();
                (tile, blocks)
            }));
        }
        layout
    }

    /// The layout of a table of scores with these tiles; `None` if they are not in order, or their
    /// first blocks differ from these.
    pub(super) fn of_tiles(
        board: Board,
        tier: Tier,
        horizon: Horizon,
        tiles: impl Iterator<Item = (Tile, BlockNumber, [u32; 2])>,
    ) -> Option<Layout> {
        let content = Content::Scores;
        let mut layout = Layout { board, tier, horizon, content, blocks: 0, tiles: Vec::new() };
        for (tile, first, [rows, columns]) in tiles {
            let blocks = TileBlocks { first, rows, columns, content };
            let in_order = layout.tiles.last().is_none_or(|(before, _)| *before < tile);
            if !in_order || first.0 != layout.blocks || rows == 0 || columns == 0 {
                return None;
            }
            layout.blocks = layout.blocks.checked_add(blocks.count())?;
            layout.tiles.push((tile, blocks));
        }
        Some(layout)
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// How near the end of the game positions are searched instead of looked up.
    pub fn horizon(&self) -> Horizon {
        self.horizon
    }

    /// What a table with this layout holds.
    pub fn content(&self) -> Content {
        self.content
    }

    /// Number of blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The stored tiles of the tier in order, with their blocks.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = (Tile, TileBlocks)> + '_ {
        self.tiles.iter().copied()
    }

    /// The blocks of a tile, if it is a stored tile of the tier.
    pub fn tile(&self, tile: Tile) -> Option<TileBlocks> {
        let at = self.tiles.binary_search_by_key(&tile, |(tile, _)| *tile).ok()?;
        Some(self.tiles[at].1)
    }

    /// The size of a block, if there is one with this number.
    pub fn shape(&self, number: BlockNumber) -> Option<BlockShape> {
        Some(self.block(number)?.1.shape)
    }

    /// A block and its tile, if there is one with this number.
    pub fn block(&self, number: BlockNumber) -> Option<(Tile, Block)> {
        let after = self.tiles.partition_point(|(_, blocks)| blocks.first <= number);
        let (tile, blocks) = self.tiles[..after].last()?;
        let (at, down) = (number.0 - blocks.first.0, blocks.blocks_of_panel() as u64);
        (at < blocks.count())
            .then(|| (*tile, blocks.block((at / down) as usize, (at % down) as usize)))
    }

    /// Where a cell is stored, if it is in the tier.
    pub(super) fn place(&self, cell: Cell) -> Option<CellPlace> {
        let blocks = self.tile(cell.tile)?;
        let inside = cell.row < blocks.rows && cell.column < blocks.columns;
        inside.then(|| blocks.place(cell.row as usize, cell.column as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    #[test]
    fn blocks_are_numbered_without_gaps() {
        let blocks = TileBlocks {
            first: BlockNumber(7),
            rows: 700,
            columns: 1100,
            content: Content::OUTCOMES,
        };
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
        let blocks = TileBlocks {
            first: BlockNumber(7),
            rows: 700,
            columns: 1100,
            content: Content::OUTCOMES,
        };
        let all: Vec<Block> = blocks.iter().collect();
        for (row, column) in (0..700).flat_map(|row| (0..1100).map(move |column| (row, column))) {
            let place = blocks.place(row, column);
            let block = &all[place.number.0 as usize - 7];
            assert_eq!(place.shape, block.shape);
            assert_eq!(block.rows.start + place.row, row);
            assert_eq!(block.columns.start + place.column, column);
            assert!(block.rows.contains(&row) && place.column < 64 * place.shape.width);
        }
    }

    #[test]
    fn every_stored_cell_has_a_place_of_its_own() {
        for board in ["5x3", "4x4", "9x2", "1x6", "2x5"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            for tier in census.tiers() {
                let layout = Layout::new(census, tier, Horizon::default());
                let full = tier == index.board().last_tier();
                assert_eq!(layout.blocks() == 0, full || census.stored_cells(tier) == 0);
                let mut places = std::collections::HashSet::new();
                for (tile, blocks) in layout.tiles() {
                    assert_eq!(layout.tile(tile), Some(blocks));
                    for (row, column) in (0..blocks.rows)
                        .flat_map(|row| (0..blocks.columns).map(move |column| (row, column)))
                    {
                        let place = layout.place(Cell { tile, row, column }).unwrap();
                        assert!(place.row < place.shape.rows);
                        assert!(place.column < 64 * place.shape.width);
                        assert_eq!(layout.shape(place.number), Some(place.shape));
                        assert!(places.insert((place.number, place.row, place.column)));
                    }
                    let outside = Cell { tile, row: 0, column: blocks.columns };
                    assert_eq!(layout.place(outside), None);
                }
                assert_eq!(layout.shape(BlockNumber(layout.blocks())), None);
            }
        }
    }
}
