//! Estimates the time, memory and disk of a run before it starts.

mod table_bytes;

use std::time::Duration;

use crate::board::{Tier, TierRange};
use crate::sweep::{CentreMemory, End, Extent, Footprint, Sizes};
use crate::table::{Content, Horizon};

use table_bytes::table_bytes;

/// The approximate cost of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Cells to solve, in all tiers.
    pub cells: u64,
    /// Seconds, on the current number of threads.
    pub seconds: f64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of working files, at their peak.
    pub scratch: u64,
    /// Bytes of the tables that remain.
    pub tables: u64,
    /// Bytes of the tables of cut-off games, which are removed when all scores are found.
    pub cut_tables: u64,
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

/// Nanoseconds that a cell of a table of scores takes one thread, as measured on 7x6.
const MERGED: f64 = 8.0;

/// Nanoseconds that a byte of a table takes to be put together and stored, and those of a run that
/// is not worth mentioning otherwise: as measured on 7x6 and on 5x4.
const STORED: f64 = 3.0;
const LEAST_RUN: f64 = 5e7;

impl Estimate {
    /// Nanoseconds of solving, and of putting the tables together.
    pub(super) fn work(&self) -> [u64; 2] {
        let assembling = LEAST_RUN + self.tables as f64 * STORED;
        let assembling = if self.tables == 0 { 0 } else { assembling as u64 };
        [(self.seconds * 1e9) as u64 + 1, assembling]
    }

    /// The cost of one run after the other.
    pub(super) fn and_then(self, other: Estimate) -> Estimate {
        Estimate {
            cells: self.cells + other.cells,
            seconds: self.seconds + other.seconds,
            memory: self.memory.max(other.memory),
            scratch: self.scratch.max(other.scratch),
            tables: self.tables + other.tables,
            cut_tables: self.cut_tables + other.cut_tables,
        }
    }

    /// The cost of a run whose tables are removed when all runs are done.
    pub(super) fn of_passing_tables(self) -> Estimate {
        Estimate { tables: 0, cut_tables: self.cut_tables + self.tables, ..self }
    }

    /// The cost of making tables of scores of these tiers from those of all cut-off games.
    pub(super) fn of_scores(sizes: &Sizes, tiers: TierRange, horizon: Horizon) -> Estimate {
        let cells: u64 =
            before_horizon(sizes, tiers, horizon).map(|tier| sizes.stored_cells(tier)).sum();
        let threads = rayon::current_num_threads();
        Estimate {
            cells: 0,
            seconds: cells as f64 * MERGED * 1e-9 / threads as f64,
            memory: 0,
            scratch: 0,
            tables: table_bytes(sizes, tiers, horizon, Content::Scores),
            cut_tables: 0,
        }
    }

    /// The cost of these tiers in games with this end, given the bytes of memory that may be used
    /// and the time until solved batches are published.
    pub(super) fn of(
        extent: &Extent,
        tiers: TierRange,
        end: End,
        horizon: Horizon,
        budget: Option<u64>,
        checkpoint: Duration,
    ) -> Estimate {
        let sizes = extent.sizes();
        let cells = tiers.into_iter().map(|tier| sizes.cells(tier)).sum();
        let tiles: u64 = tiers.into_iter().map(|tier| sizes.tiles(tier)).sum();
        let threads = rayon::current_num_threads();
        let seconds = nanoseconds(cells, tiles) as f64 * 1e-9 / threads as f64;
        let plan = MemoryPlan::of(extent, tiers, horizon, budget);
        let MemoryPlan { solving, centre, waiting, .. } = plan;
        let [in_memory, in_files, in_all] = extent.handoffs(tiers, waiting);
        // What waits in memory is published, too, every now and then.
        let is_published = seconds > checkpoint.as_secs_f64();
        let files = if is_published { in_all } else { in_files };
        let footprint = extent.footprint(tiers, threads).with(centre);
        let files = files + footprint.in_files();
        Estimate {
            cells,
            seconds,
            memory: solving + in_memory,
            scratch: with_margin(files) + extent.start_bytes(tiers, tiers.last() < end.last()),
            tables: table_bytes(sizes, tiers, horizon, Content::OUTCOMES),
            cut_tables: 0,
        }
    }
}

/// A margin for what is guessed of working files: of the boards that were measured, none has a
/// seventh more of them.
fn with_margin(bytes: u64) -> u64 {
    bytes + bytes / 7
}

/// How a run divides the memory that it may take.
#[derive(Clone, Copy)]
pub(super) struct MemoryPlan {
    /// Bytes for solving centres and for putting tables together.
    pub solving: u64,
    /// The part of it for the tiers of one centre.
    pub centre: CentreMemory,
    /// Bytes in which handoffs may wait.
    pub waiting: u64,
    /// Bytes of lists that are cached, rather than made again.
    pub lists: usize,
}

impl MemoryPlan {
    /// The best use of a budget: whole tiers of each centre if they fit, else tile by tile, if
    /// possible without compression, else without files.
    pub(super) fn of(
        extent: &Extent,
        tiers: TierRange,
        horizon: Horizon,
        budget: Option<u64>,
    ) -> MemoryPlan {
        let budget = budget.unwrap_or(u64::MAX);
        let mut footprint = extent.footprint(tiers, rayon::current_num_threads());
        let [most, least] = footprint.tile_bytes();
        let all = |footprint| solving(extent, tiers, horizon, footprint);
        if all(footprint.with(CentreMemory::within(least))) > budget {
            footprint.cache_few_lists();
        }
        let lists = footprint.lists();
        let solving = |centre| all(footprint.with(centre));
        let in_full = [CentreMemory::TWO_TIERS, CentreMemory::within(most)];
        let in_full = in_full.map(|centre| (centre, solving(centre)));
        if let Some((centre, solving)) = in_full.into_iter().find(|(_, bytes)| *bytes <= budget) {
            let waiting = if budget == u64::MAX { 0 } else { budget - solving };
            return MemoryPlan { solving, centre, waiting, lists };
        }
        let mut bytes = most;
        let centre = loop {
            let centre = CentreMemory::within(bytes);
            let excess = solving(centre).saturating_sub(budget);
            if excess == 0 || bytes == least {
                break centre;
            }
            bytes = bytes.saturating_sub(excess).max(least);
        };
        MemoryPlan { solving: solving(centre), centre, waiting: 0, lists }
    }
}

/// Bytes of memory for solving centres and for putting tables together. Tables that have the order
/// of the batches grow meanwhile; the others follow when all centres are solved.
fn solving(extent: &Extent, tiers: TierRange, horizon: Horizon, footprint: Footprint) -> u64 {
    let sizes = extent.sizes();
    let tables = || before_horizon(sizes, tiers, horizon);
    let layouts: u64 = tables().map(|tier| sizes.tiles(tier) * TILE_BYTES).sum();
    let solving = footprint.of(extent.census().centres());
    let assembling: u64 = tables().map(|tier| sizes.stored_parts(tier)[0] * PART_BYTES).sum();
    layouts
        + match extent.schedule().is_in_table_order() {
            true => solving + assembling,
            false => solving.max(assembling),
        }
}

/// The tiers whose positions are stored in tables.
fn before_horizon(sizes: &Sizes, tiers: TierRange, horizon: Horizon) -> impl Iterator<Item = Tier> {
    let board = sizes.census().board();
    tiers.into_iter().filter(move |tier| !horizon.reaches(board, *tier))
}
