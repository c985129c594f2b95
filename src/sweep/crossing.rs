//! Fours across the centre, for all right sides of a tile at once.
//!
//! A line with cells on both sides covers one or two columns of the right side:
//!
//! ```text
//!     one centre column       two
//!     b a | M | a b           a | M N | a
//!     * * | * | *             * | * * | *      "alone": needs the cell in a
//!       * | * | * *                            rising, flat, falling: a pair in a and b
//! ```
//!
//! A left side and a centre whose part of the line is of one colour demand the
//! rest of it from the right side. For each such demand there is a row of bits
//! that says which right sides of the class meet it. So the right sides that
//! complete a four with a given left side are the union of a few rows.

use crate::board::Player;
use crate::index::{Centre, Index, SideState, Split, Tile, line_ends};

use super::matrix::clear_from;

/// Demands of a cell by itself, or of a pair that rises, is flat or falls
/// outward; cells are counted in the innermost column.
const KINDS: usize = 4;

/// The fours of one colour in a tile, with cells on both sides.
pub(super) struct CrossingFours {
    split: Split,
    player: Player,
    centre: Centre,
    /// For each kind and each cell of the innermost column, the right sides that have it.
    met: Vec<u64>,
    stride: usize,
}

impl CrossingFours {
    pub fn new(index: &Index, tile: Tile, player: Player) -> CrossingFours {
        let census = index.census();
        let split = census.split();
        let centre = census.centre(tile.centre);
        let states = index.rows(census.reversed(tile.centre), tile.right);
        let (height, stride) = (split.board().height(), states.len().div_ceil(64));
        let met = vec![0; KINDS * height * stride];
        let mut fours = CrossingFours { split, player, centre, met, stride };
        for (column, state) in states.iter().enumerate() {
            for (kind, cells) in fours.held(*state).into_iter().enumerate() {
                for cell in bits(cells) {
                    let word = (kind * height + cell) * stride + column / 64;
                    fours.met[word] |= 1 << (column % 64);
                }
            }
        }
        fours
    }

    /// Takes the right sides that complete a four with this left side out of a row of the tile.
    pub fn clear_from_row(&self, left: SideState, row: &mut [u64]) {
        let height = self.split.board().height();
        for (kind, cells) in self.demanded(left).into_iter().enumerate() {
            for cell in bits(cells) {
                clear_from(row, &self.met[(kind * height + cell) * self.stride..][..self.stride]);
            }
        }
    }

    /// What a left side and the centre need to complete a four, by kind.
    fn demanded(&self, left: SideState) -> [u64; KINDS] {
        let [a, b] = self.innermost(left);
        let far = self.centre.far().stones_of(self.player);
        let cells = (1 << self.split.board().height()) - 1;
        let Some(near) = self.centre.near() else {
            let alone = line_ends([far, a, b]);
            return [alone, far << 1 & a << 2, far & a, far >> 1 & a >> 2].map(|d| d & cells);
        };
        [line_ends([far, near.stones_of(self.player), a]) & cells, 0, 0, 0]
    }

    /// What a right side has, by kind.
    fn held(&self, right: SideState) -> [u64; KINDS] {
        let [a, b] = self.innermost(right);
        [a, a & b >> 1, a & b, a & b << 1]
    }

    /// The stones in the two innermost columns, the innermost first.
    fn innermost(&self, state: SideState) -> [u64; 2] {
        let mut columns = self.split.side_columns().rev();
        [(); 2].map(|()| {
            let column = columns.next();
            column.map_or(0, |column| state.column(self.split, column).stones_of(self.player))
        })
    }
}

/// The places of the bits that are 1.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Cell;

    #[test]
    fn rows_of_demands_find_the_fours_of_each_cell() {
        for board in ["5x4", "4x4", "6x3", "7x2", "3x4", "2x3", "1x4", "7x1"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            for tile in census.tiers().flat_map(|tier| census.tiles(tier)) {
                for player in Player::BOTH {
                    let fours = CrossingFours::new(&index, tile, player);
                    for (row, left) in index.rows(tile.centre, tile.left).iter().enumerate() {
                        let columns = census.tile_columns(tile);
                        let mut clean = vec![u64::MAX; columns.div_ceil(64)];
                        fours.clear_from_row(*left, &mut clean);
                        for column in 0..columns {
                            let cell = Cell { tile, row: row as u32, column: column as u32 };
                            let found = clean[column / 64] >> (column % 64) & 1 == 0;
                            assert_eq!(found, index.has_crossing_four_of(cell, player));
                        }
                    }
                }
            }
        }
    }
}
