//! The tiles of a tier, and the numbers of its cells.
//!
//! In a given tier, a centre and a class of left states determine the class of right states. So the
//! tiles of a centre in a tier are numbered by their left classes, and a tier is the tiles of one
//! centre after the other:
//!
//! ```text
//!     centre 0                centre 1
//!     a0     a1        a2     a0   a2
//!     ┌────┬─────────┬───┐ ┌─────┬────┐
//!     │    │         │   │ │     │    │ …      a cell's offset counts from here: |
//!     └────┴─────────┴───┘ └─────┴────┘
//!     |
//! ```

use std::ops::Deref;

use super::{Census, Centre, CentreId, Class, Place, SideState};
use crate::board::{Position, Tier};
use crate::tromp::{column_code, position_of};

/// The positions with a given centre, a left side of one class and a right side of another: a
/// matrix of left states and right states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tile {
    /// The centre, as seen from the left.
    pub centre: CentreId,
    /// The class of the left states, which are rows of the centre.
    pub left: Class,
    /// The class of the right states, which are rows of the reversed centre.
    pub right: Class,
}

/// A cell of a tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The tile.
    pub tile: Tile,
    /// The place of the left state in its class.
    pub row: u32,
    /// The place of the right state in its class.
    pub column: u32,
}

impl Census {
    /// The tile of this tier with these left states, stored or not; `None` if there is none.
    pub fn tile(&self, tier: Tier, centre: CentreId, left: Class) -> Option<Tile> {
        let right = Class::of_board(tier.stones())
            .minus(self.centre_class(centre))
            .and_then(|sides| sides.minus(left))?;
        let tile = Tile { centre, left, right };
        (self.tile_cells(tile) > 0).then_some(tile)
    }

    /// The tier that a tile belongs to.
    pub fn tier(&self, tile: Tile) -> Tier {
        let centre = self.centre_class(tile.centre);
        Tier((centre.stones() + tile.left.stones() + tile.right.stones()) as u8)
    }

    /// The rows of a tile.
    pub fn tile_rows(&self, tile: Tile) -> usize {
        self.class_size(tile.centre, tile.left)
    }

    /// The columns of a tile.
    pub fn tile_columns(&self, tile: Tile) -> usize {
        self.class_size(self.reversed(tile.centre), tile.right)
    }

    /// The cells of a tile.
    pub fn tile_cells(&self, tile: Tile) -> u64 {
        self.tile_rows(tile) as u64 * self.tile_columns(tile) as u64
    }

    /// The tile of the mirror images: the transpose.
    pub fn mirrored(&self, tile: Tile) -> Tile {
        Tile { centre: self.reversed(tile.centre), left: tile.right, right: tile.left }
    }

    /// Whether this tile is stored, and not its transpose.
    pub fn is_stored(&self, tile: Tile) -> bool {
        tile <= self.mirrored(tile)
    }

    /// The stored tiles of a tier with a given centre, in order.
    pub(crate) fn tiles_of(&self, tier: Tier, centre: CentreId) -> impl Iterator<Item = Tile> + '_ {
        let first_of_two = centre <= self.reversed(centre);
        let classes = first_of_two.then(|| self.classes(centre)).into_iter().flatten();
        classes
            .filter_map(move |left| self.tile(tier, centre, left))
            .filter(|tile| self.is_stored(*tile))
    }

    /// Visits the stored tiles of all tiers with a given centre, each with its tier, rows and
    /// columns. There may be hundreds of millions of them on a board.
    pub(crate) fn visit_tiles_of(
        &self,
        centre: CentreId,
        mut visit: impl FnMut(Tier, Tile, [u32; 2]),
    ) {
        let reversed = self.reversed(centre);
        if reversed < centre {
            return;
        }
        let [left_starts, right_starts] = [centre, reversed].map(|centre| self.starts(centre));
        let size = |starts: &[u32], class: Class| starts[class.slot() + 1] - starts[class.slot()];
        for left in Class::all(self.split().side_cells()) {
            let rows = size(left_starts, left);
            if rows == 0 {
                continue;
            }
            let here = self.centre_class(centre).plus(left);
            for stones in 0..=self.split().side_cells() {
                let board = Class::of_board(here.stones() + stones);
                let right = board.minus(here).filter(|right| right.stones() == stones);
                let Some(right) = right else { continue };
                let columns = size(right_starts, right);
                if columns > 0 && (centre < reversed || left <= right) {
                    let tile = Tile { centre, left, right };
                    visit(Tier(board.stones() as u8), tile, [rows, columns]);
                }
            }
        }
    }

    /// The stored tiles of a tier, in order.
    pub fn tiles(&self, tier: Tier) -> impl Iterator<Item = Tile> + '_ {
        self.centres().flat_map(move |centre| self.tiles_of(tier, centre))
    }

    /// The number of stored cells of a tier: one of each two mirror images, and all of the tiles
    /// that are their own mirror image.
    pub fn stored_cells(&self, tier: Tier) -> u64 {
        self.tiles(tier).map(|tile| self.tile_cells(tile)).sum()
    }

    /// The number of cells of a tier, with mirror images counted separately.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.tiles(tier).map(|tile| self.tile_images(tile) * self.tile_cells(tile)).sum()
    }

    /// How many tiles a stored tile stands for: 1 if it is its own transpose, else 2.
    pub fn tile_images(&self, tile: Tile) -> u64 {
        if tile == self.mirrored(tile) { 1 } else { 2 }
    }
}

/// The place of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ranked {
    /// The cell, which is always in a stored tile.
    pub cell: Cell,
    /// Whether the cell holds the mirror image of the position.
    pub mirrored: bool,
}

impl Census {
    /// The cell of a position or of its mirror image, the same for both.
    ///
    /// Every position without a four in a row has one. `None` if there is a four in a column, or in
    /// the centre with one of the sides, or if the stones cannot have been dropped alternately. The
    /// position must be on this board. `rows` returns the rows of a centre in a class.
    pub(super) fn rank<R: Deref<Target = [SideState]>>(
        &self,
        position: &Position,
        rows: impl Fn(CentreId, Class) -> R,
    ) -> Option<Ranked> {
        assert_eq!(position.board(), self.board(), "a position of another board");
        let split = self.split();
        let code = |place| column_code(position, split.column(place));
        let near = (split.centre_width() == 2).then(|| code(Place::Near));
        let centre = self.find_centre(Centre::new(near, code(Place::Far)))?;
        let left = split.side_columns().map(|column| code(Place::Left(column)));
        let right = split.side_columns().map(|column| code(Place::Right(column)));
        let left = SideState::from_columns(split, left);
        let right = SideState::from_columns(split, right);
        let tile = Tile { centre, left: left.class(split), right: right.class(split) };
        let all = self.centre_class(centre).plus(tile.left).plus(tile.right);
        if all != Class::of_board(all.stones()) {
            return None;
        }
        let column = rows(self.reversed(centre), tile.right).binary_search(&right).ok()? as u32;
        let row = rows(centre, tile.left).binary_search(&left).ok()? as u32;
        let cell = Cell { tile, row, column };
        if self.is_canonical(cell) {
            return Some(Ranked { cell, mirrored: false });
        }
        let cell = Cell { tile: self.mirrored(tile), row: column, column: row };
        Some(Ranked { cell, mirrored: true })
    }

    /// The position in a cell.
    pub(super) fn unrank<R: Deref<Target = [SideState]>>(
        &self,
        Cell { tile, row, column }: Cell,
        rows: impl Fn(CentreId, Class) -> R,
    ) -> Position {
        let left = rows(tile.centre, tile.left)[row as usize];
        let right = rows(self.reversed(tile.centre), tile.right)[column as usize];
        let (board, split, centre) = (self.board(), self.split(), self.centre(tile.centre));
        let code = |column| match split.place(column) {
            Place::Left(column) => left.column(split, column),
            Place::Right(column) => right.column(split, column),
            Place::Far => centre.far(),
            Place::Near => centre.near().expect("the board has two centre columns"),
        };
        position_of(board, board.columns().map(code))
    }

    /// Whether this is the cell that its position is ranked to. That holds for every cell of a
    /// stored tile, except those below the diagonal of a tile that is its own transpose, which
    /// repeat those above.
    pub fn is_canonical(&self, cell: Cell) -> bool {
        let Cell { tile, row, column } = cell;
        let mirrored = self.mirrored(tile);
        (tile, row) <= (mirrored, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn census(width: u64, height: u64) -> Census {
        Census::new(Board::new(width, height).unwrap()).unwrap()
    }

    fn all_cells(census: &Census) -> u64 {
        census.tiers().map(|tier| census.cells(tier)).sum()
    }

    #[test]
    fn boards_and_tiers_have_the_sizes_of_the_design() {
        let rounded = |cells: u64| format!("{:.4e}", cells as f64);
        for (height, cells) in [(4, "2.0687e9"), (5, "1.1255e11"), (6, "5.0681e12")] {
            assert_eq!(rounded(all_cells(&census(7, height))), cells);
        }
        let census = census(7, 6);
        assert_eq!(census.cells(Tier(4)), 1260);
        assert_eq!(census.cells(Tier(8)).next_multiple_of(100), 201_800);
        for (tier, cells) in [(28, "2.6435e11"), (32, "5.3558e11"), (36, "3.7351e11")] {
            assert_eq!(rounded(census.cells(Tier(tier))), cells);
        }
        assert_eq!(format!("{:.3e}", census.cells(Tier(20)) as f64), "6.383e9");
        assert_eq!(format!("{:.3e}", census.cells(Tier(42)) as f64), "3.937e9");
    }

    #[test]
    fn of_a_tile_and_its_transpose_one_is_stored() {
        for (width, height) in [(7, 3), (6, 3), (5, 4), (4, 4), (3, 4), (2, 5), (1, 6)] {
            let census = census(width, height);
            for tier in census.tiers() {
                let mut cells = 0;
                for centre in census.centres() {
                    let tiles = census.classes(centre);
                    for tile in tiles.filter_map(|left| census.tile(tier, centre, left)) {
                        let mirrored = census.mirrored(tile);
                        assert_eq!(census.tier(tile), tier);
                        assert_eq!(census.tile_rows(mirrored), census.tile_columns(tile));
                        let images = [tile, mirrored].map(|tile| census.is_stored(tile));
                        assert_eq!(images[0] & images[1], tile == mirrored);
                        assert!(images[0] | images[1]);
                        cells += census.tile_cells(tile);
                    }
                }
                assert_eq!(cells, census.cells(tier));
                assert!(census.tiles(tier).is_sorted());
            }
            let mut all = Vec::new();
            for centre in census.centres() {
                census.visit_tiles_of(centre, |tier, tile, [rows, columns]| {
                    assert_eq!(rows as usize, census.tile_rows(tile));
                    assert_eq!(columns as usize, census.tile_columns(tile));
                    all.push((tier, tile));
                });
            }
            all.sort();
            let of_tier = |tier| census.tiles(tier).map(move |tile| (tier, tile));
            assert!(census.tiers().flat_map(of_tier).eq(all));
        }
    }
}
