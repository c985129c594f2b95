//! How long solving takes one thread, by the cells and tiles alone.

use crate::board::TierRange;
use crate::sweep::Sizes;

/// Hundredths of a nanosecond that a cell takes one thread, including its share of quick packing.
/// On 7x6, 22 were measured with AVX-512 and 32 with AVX2.
const CELL_COST: u64 = 30;

/// The same for a tile, however few cells it has: as measured on 6x6.
const TILE_COST: u64 = 800_000;

/// Nanoseconds that cells and tiles take one thread. Whole numbers are the same on every machine.
pub(in crate::tabulate) fn nanoseconds(cells: u64, tiles: u64) -> u64 {
    let cost = |number: u64, of_each: u64| u128::from(number) * u128::from(of_each);
    ((cost(cells, CELL_COST) + cost(tiles, TILE_COST)) / 100) as u64
}

/// Nanoseconds that these tiers take one thread, if nothing is compressed.
pub(super) fn nanoseconds_of(sizes: &Sizes, tiers: TierRange) -> u64 {
    let cells = tiers.into_iter().map(|tier| sizes.cells(tier)).sum();
    nanoseconds(cells, tiers.into_iter().map(|tier| sizes.tiles(tier)).sum())
}
