//! The tight tier hash, compared with plain play through its public interface.

mod forward;
mod whole_boards;

use std::collections::HashSet;

use strong4::board::{Board, Position, Tier};
use strong4::inside::enumerate::Enumeration;
use strong4::inside::index::{Cell, Index};

/// The live positions of each tier: reached by play, and no four on the board.
fn live_tiers(board: Board) -> Vec<HashSet<Position>> {
    let mut enumeration = Enumeration::start(board);
    let mut tiers = vec![enumeration.live().collect()];
    while enumeration.advance() {
        tiers.push(enumeration.live().collect());
    }
    tiers
}

/// Boards that are walked whole: all kinds of centres and sides, including empty sides.
fn small_boards() -> impl Iterator<Item = Board> {
    let sizes = "1x1 1x2 1x7 1x20 1x63 2x1 2x2 2x5 2x8 3x1 3x3 3x5 4x1 4x4 5x1 5x3 6x1 6x2 \
                 7x1 7x2 8x1 9x1 12x1";
    sizes.split_whitespace().map(|size| size.parse().expect("a board"))
}

/// All stored cells of a tier, in order.
pub fn cells(index: &Index, tier: Tier) -> impl Iterator<Item = Cell> + '_ {
    let census = index.census();
    census.tiles(tier).flat_map(move |tile| {
        let (rows, columns) = (census.tile_rows(tile) as u32, census.tile_columns(tile) as u32);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Cell { tile, row, column }))
    })
}
