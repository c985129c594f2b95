//! What a run is going to take, told before it starts.

use crate::board::{Tier, TierRange};
use crate::sweep::{End, Sizes};
use crate::table::Horizon;

/// What a run takes, about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Cells of all tiers that are worked on.
    pub cells: u64,
    /// Seconds, on the threads that there are.
    pub seconds: f64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of working files at the worst time.
    pub scratch: u64,
    /// Bytes of tables.
    pub tables: u64,
}

/// Hundredths of a nanosecond that a cell takes one thread, with its share of packing: as measured
/// on 7x6.
const CELL_COST: u64 = 45;

/// The same for a tile, however few cells it has: as measured on 6x6.
const TILE_COST: u64 = 800_000;

/// Nanoseconds that cells and tiles take one thread. Whole numbers are the same on every machine.
pub(super) fn nanoseconds(cells: u64, tiles: u64) -> u64 {
    let cost = |number: u64, of_each: u64| u128::from(number) * u128::from(of_each);
    ((cost(cells, CELL_COST) + cost(tiles, TILE_COST)) / 100) as u64
}

/// Bytes of memory for where a tile lies in its table.
const TILE_BYTES: u64 = 48;

/// Bytes of memory for the blocks of a part of a tile, while tables are put together.
const PART_BYTES: u64 = 40;

/// Bytes of tables for a stored cell before the horizon, as measured on 7x6.
const TABULATED: f64 = 0.25 / 8.0;

/// Nanoseconds that a cell of a table of scores takes one thread, and its bytes, as measured
/// on 7x6.
const MERGED: f64 = 8.0;
const SCORED: f64 = 1.4 / 8.0;

impl Estimate {
    /// What both take, one after the other.
    pub(super) fn and_then(self, other: Estimate) -> Estimate {
        Estimate {
            cells: self.cells + other.cells,
            seconds: self.seconds + other.seconds,
            memory: self.memory.max(other.memory),
            scratch: self.scratch.max(other.scratch),
            tables: self.tables + other.tables,
        }
    }

    /// What the tables of scores of these tiers take, when those of all games are there.
    pub(super) fn of_scores(sizes: &Sizes, tiers: TierRange, horizon: Horizon) -> Estimate {
        let cells = tabulated(sizes, tiers, horizon) as f64;
        let threads = rayon::current_num_threads();
        Estimate {
            cells: 0,
            seconds: cells * MERGED * 1e-9 / threads as f64,
            memory: 0,
            scratch: 0,
            tables: (cells * SCORED) as u64,
        }
    }

    /// What these tiers will take in games with this end.
    pub fn of(sizes: &Sizes, tiers: TierRange, end: End, horizon: Horizon) -> Estimate {
        let cells = tiers.into_iter().map(|tier| sizes.cells(tier)).sum();
        let tiles: u64 = tiers.into_iter().map(|tier| sizes.tiles(tier)).sum();
        let threads = rayon::current_num_threads();
        Estimate {
            cells,
            seconds: nanoseconds(cells, tiles) as f64 * 1e-9 / threads as f64,
            memory: memory(sizes, tiers, horizon),
            scratch: sizes.kept_bytes(tiers, tiers.last() < end.last()),
            tables: (tabulated(sizes, tiers, horizon) as f64 * TABULATED) as u64,
        }
    }
}

/// Cells of these tiers that are stored in tables.
fn tabulated(sizes: &Sizes, tiers: TierRange, horizon: Horizon) -> u64 {
    let tiers = before_horizon(sizes, tiers, horizon);
    tiers.map(|tier| sizes.stored_cells(tier)).sum()
}

/// Bytes of memory while centres are solved, or while tables are put together: at the same time
/// where tables have the order of batches, else afterwards.
fn memory(sizes: &Sizes, tiers: TierRange, horizon: Horizon) -> u64 {
    let tables = || before_horizon(sizes, tiers, horizon);
    let layouts: u64 = tables().map(|tier| sizes.tiles(tier) * TILE_BYTES).sum();
    let solving = sizes.bytes(tiers, rayon::current_num_threads());
    let assembling: u64 = tables().map(|tier| sizes.stored_parts(tier) * PART_BYTES).sum();
    layouts
        + match sizes.schedule().is_in_table_order() {
            true => solving + assembling,
            false => solving.max(assembling),
        }
}

/// Those of these tiers that have positions in tables.
fn before_horizon(sizes: &Sizes, tiers: TierRange, horizon: Horizon) -> impl Iterator<Item = Tier> {
    let board = sizes.census().board();
    tiers.into_iter().filter(move |tier| !horizon.reaches(board, *tier))
}
