//! The blocks of a tier: those of its stored tiles, one tile after the other.
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
//!
//! So the number of blocks and the place of every cell follow from the board, the tier, the horizon
//! and the content alone.

use std::ops::Range;

use crate::board::{Board, Tier, TierRange};
use crate::index::{Cell, Census, Tile};

use super::block::{Block, BlockNumber, BlockShape, CellPlace};
use super::content::{BLOCK_COLUMNS, Content};

/// Positions with at most this many empty cells are not in the tables, but are searched to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Horizon(pub u8);

impl Horizon {
    /// The horizon of the outcomes that `strong4 solve` writes: a search of this many cells takes
    /// microseconds.
    pub const OF_OUTCOMES: Horizon = Horizon(14);

    /// That of scores, and of games that are cut off: a fraction of a millisecond.
    pub const OF_SCORES: Horizon = Horizon(20);

    /// Everything lies within it: tables hold counts alone.
    pub const OF_ALL: Horizon = Horizon(u8::MAX);

    /// Whether the positions of this tier are searched instead of looked up.
    pub fn reaches(self, board: Board, tier: Tier) -> bool {
        board.cells().saturating_sub(tier.stones()) <= usize::from(self.0)
    }
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
                let size = [census.tile_rows(tile), census.tile_columns(tile)];
                let size = size.map(|length| length as u32);
                let blocks = TileBlocks::new(first, size, content);
                layout.blocks += blocks.count();
                (tile, blocks)
            }));
            layout.tiles.shrink_to_fit();
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
        for (tile, first, size) in tiles {
            let blocks = TileBlocks::new(first, size, content);
            let in_order = layout.tiles.last().is_none_or(|(before, _)| *before < tile);
            if !in_order || first.0 != layout.blocks || size.contains(&0) {
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

    /// The same for tiles that are likely to follow each other: `next` is the place of the next
    /// one.
    pub(crate) fn tile_at(&self, next: &mut usize, tile: Tile) -> Option<TileBlocks> {
        let is_before = |at: usize| self.tiles.get(at).is_some_and(|(there, _)| *there < tile);
        if is_before(*next) || !next.checked_sub(1).is_none_or(is_before) {
            *next = self.tiles.partition_point(|(there, _)| *there < tile);
        }
        let (_, blocks) = self.tiles.get(*next).filter(|(there, _)| *there == tile)?;
        *next += 1;
        Some(*blocks)
    }

    /// The size of a block, if there is one with this number.
    pub fn shape(&self, number: BlockNumber) -> Option<BlockShape> {
        Some(self.block(number)?.1.shape)
    }

    /// A block and its tile, if there is one with this number.
    pub fn block(&self, number: BlockNumber) -> Option<(Tile, Block)> {
        let after = self.tiles.partition_point(|(_, blocks)| blocks.first() <= number);
        let (tile, blocks) = self.tiles[..after].last()?;
        let (at, down) = (number.0 - blocks.first().0, blocks.blocks_of_panel() as u64);
        (at < blocks.count())
            .then(|| (*tile, blocks.block((at / down) as usize, (at % down) as usize)))
    }

    /// Where a cell is stored, if it is in the tier, and the tier is not within the horizon.
    pub fn place(&self, cell: Cell) -> Option<CellPlace> {
        let blocks = self.tile(cell.tile)?;
        let inside = cell.row < blocks.rows() && cell.column < blocks.columns();
        inside.then(|| blocks.place(cell.row as usize, cell.column as usize))
    }
}

/// The layouts of successive tiers.
pub(crate) struct Layouts {
    tiers: TierRange,
    layouts: Vec<Layout>,
}

impl Layouts {
    /// The layouts of tables of these tiers.
    pub(crate) fn new(
        census: &Census,
        tiers: TierRange,
        horizon: Horizon,
        content: Content,
    ) -> Layouts {
        let layout = |tier| Layout::with(census, tier, horizon, content);
        Layouts { tiers, layouts: tiers.into_iter().map(layout).collect() }
    }

    /// The layout of one of the tiers.
    pub(crate) fn of(&self, tier: Tier) -> &Layout {
        &self.layouts[self.number(tier)]
    }

    /// The place of a tier among them.
    pub(crate) fn number(&self, tier: Tier) -> usize {
        tier.stones() - self.tiers.first().stones()
    }

    /// The number of tiers.
    pub(crate) fn count(&self) -> usize {
        self.layouts.len()
    }
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
    /// The blocks of a tile of this size, of which `first` is the first.
    fn new(first: BlockNumber, [rows, columns]: [u32; 2], content: Content) -> TileBlocks {
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

    /// The place of a cell of the tile.
    fn place(self, row: usize, column: usize) -> CellPlace {
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
    use crate::index::Index;

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
                    for (row, column) in (0..blocks.rows())
                        .flat_map(|row| (0..blocks.columns()).map(move |column| (row, column)))
                    {
                        let place = layout.place(Cell { tile, row, column }).unwrap();
                        assert!(place.row < place.shape.rows);
                        assert!(place.column < 64 * place.shape.width);
                        assert_eq!(layout.shape(place.number), Some(place.shape));
                        assert!(places.insert((place.number, place.row, place.column)));
                    }
                    let outside = Cell { tile, row: 0, column: blocks.columns() };
                    assert_eq!(layout.place(outside), None);
                }
                assert_eq!(layout.shape(BlockNumber(layout.blocks())), None);
            }
        }
    }

    #[test]
    fn tiles_are_found_from_any_place() {
        for board in ["5x3", "4x4", "9x2"] {
            let census = Census::new(board.parse().unwrap()).unwrap();
            for tier in census.tiers() {
                let layout = Layout::new(&census, tier, Horizon::default());
                // Some of the tiles have no blocks.
                let all: Vec<Tile> = census.tiles(tier).collect();
                for start in 0..layout.tiles().len() + 2 {
                    let mut next = start;
                    for tile in all.iter().chain(&all[..all.len().min(start)]) {
                        assert_eq!(layout.tile_at(&mut next, *tile), layout.tile(*tile));
                    }
                }
            }
        }
    }

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
