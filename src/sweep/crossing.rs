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
//! rest of it from the right side. For each such demand a bit row says which right
//! sides of the class meet it. So the right sides that complete a four with a given
//! left side are the union of a few rows. Beside two centre columns only single
//! cells are ever demanded, so pairs have no rows there.

use crate::board::Player;
use crate::index::{Centre, Index, SideState, Split, Tile, line_ends};

use super::matrix::clear_from;

/// Demands for a cell by itself, or for a pair that rises, is flat or falls
/// outward; cells are counted in the innermost column.
const KINDS: usize = 4;

/// The fours of one colour in a tile, with cells on both sides.
pub(super) struct CrossingFours {
    lines: CrossingLines,
    player: Player,
    centre: Centre,
    /// For each demand, the right sides that meet it.
    met: Vec<u64>,
    stride: usize,
}

impl CrossingFours {
    pub fn new(index: &Index, tile: Tile, player: Player) -> CrossingFours {
        let census = index.census();
        let split = census.split();
        let centre = census.centre(tile.centre);
        let lines = CrossingLines::of(split);
        let states = index.rows(census.reversed(tile.centre), tile.right);
        let stride = states.len().div_ceil(64);
        let mut met = vec![0; lines.demands() * stride];
        for (column, state) in states.iter().enumerate() {
            for demand in bits(lines.held(*state, player)) {
                met[demand * stride + column / 64] |= 1 << (column % 64);
            }
        }
        CrossingFours { lines, player, centre, met, stride }
    }

    /// Clears, in a row of the tile, the right sides that complete a four with this left side.
    pub fn clear_from_row(&self, left: SideState, row: &mut [u64]) {
        for demand in bits(self.lines.demanded(self.centre, left, self.player)) {
            clear_from(row, &self.met[demand * self.stride..][..self.stride]);
        }
    }
}

/// The lines with cells on both sides, and the parts of them that sides have.
///
/// A demand is numbered `kind * height + cell`. There are fewer than 64, except
/// on boards of up to three columns, which have no such lines.
#[derive(Clone, Copy)]
pub(super) struct CrossingLines {
    split: Split,
}

impl CrossingLines {
    /// The most columns of a side that lines reach into.
    const COLUMNS: usize = 2;

    pub fn of(split: Split) -> CrossingLines {
        CrossingLines { split }
    }

    /// Columns of a side that lines reach into.
    pub fn columns(self) -> usize {
        self.split.side_width().min(3 - self.split.centre_width())
    }

    /// Number of different demands.
    pub fn demands(self) -> usize {
        if self.split.board().width() < 4 { 0 } else { self.kinds() * self.split.board().height() }
    }

    /// Number of kinds of demands: pairs occur only beside a single centre column.
    fn kinds(self) -> usize {
        if self.split.centre_width() == 1 { KINDS } else { 1 }
    }

    /// The demands by which the other side would complete a four of this player
    /// with a left side and a centre.
    pub fn demanded(self, centre: Centre, left: SideState, player: Player) -> u64 {
        let [a, b] = self.innermost(left, player);
        let far = centre.far().stones_of(player);
        let cells = (1 << self.split.board().height()) - 1;
        let demanded = match centre.near() {
            Some(near) => [line_ends([far, near.stones_of(player), a]), 0, 0, 0],
            None => [line_ends([far, a, b]), far << 1 & a << 2, far & a, far >> 1 & a >> 2],
        };
        self.numbered(demanded.map(|kind| kind & cells))
    }

    /// The demands that a right side meets.
    pub fn held(self, right: SideState, player: Player) -> u64 {
        let [a, b] = self.innermost(right, player);
        self.numbered([a, a & b >> 1, a & b, a & b << 1])
    }

    fn numbered(self, kinds: [u64; KINDS]) -> u64 {
        if self.demands() == 0 {
            return 0;
        }
        let height = self.split.board().height();
        let kinds = (0..).zip(kinds).take(self.kinds());
        kinds.fold(0, |all, (number, kind)| all | kind << (number * height % 64))
    }

    /// The stones in the two innermost columns, the innermost first.
    fn innermost(self, state: SideState, player: Player) -> [u64; CrossingLines::COLUMNS] {
        let mut columns = self.split.side_columns().rev();
        [(); CrossingLines::COLUMNS].map(|()| {
            let column = columns.next();
            column.map_or(0, |column| state.column(self.split, column).stones_of(player))
        })
    }
}

/// The places of the ones in a word.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
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
