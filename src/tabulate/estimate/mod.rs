//! Estimates the time, memory and disk of a run before it starts.

mod memory;
mod table_bytes;
mod time;

use std::time::Duration;

use crate::board::TierRange;
use crate::sweep::{End, Extent, Placement, Sizes};
use crate::table::{Content, Horizon};

pub(super) use memory::{Budget, Handoffs, MemoryPlan};
pub(super) use time::nanoseconds;

use table_bytes::{before_horizon, table_bytes};
use time::nanoseconds_of;

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

/// Nanoseconds that a cell of a table of scores takes one thread, as measured on 7x6.
const MERGED: f64 = 8.0;

/// Nanoseconds for assembling and storing a byte of a table, and those that even the smallest run
/// takes: as measured on 7x6 and on 5x4.
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

    /// The cost of these tiers in games with this end, given how memory is divided and the time
    /// until solved batches are published.
    pub(super) fn of(
        extent: &Extent,
        tiers: TierRange,
        end: End,
        horizon: Horizon,
        memory: &MemoryPlan,
        checkpoint: Duration,
    ) -> Estimate {
        let sizes = extent.sizes();
        let cells = tiers.into_iter().map(|tier| sizes.cells(tier)).sum();
        let threads = rayon::current_num_threads();
        let nanoseconds = nanoseconds_of(sizes, tiers) + memory.nanoseconds;
        let seconds = nanoseconds as f64 * 1e-9 / threads as f64;
        let Placement { files: in_files, all: in_all, .. } = *memory.placement;
        // What waits in memory is also published now and then.
        let is_published = seconds > checkpoint.as_secs_f64();
        let files = if is_published { in_all } else { in_files };
        let footprint = extent.footprint(tiers, threads).with(memory.centre);
        let files = files + footprint.in_files();
        Estimate {
            cells,
            seconds,
            memory: memory.bytes(),
            scratch: with_margin(files) + extent.start_bytes(tiers, tiers.last() < end.last()),
            tables: table_bytes(sizes, tiers, horizon, Content::OUTCOMES),
            cut_tables: 0,
        }
    }
}

/// Adds a margin for working files: on the boards that were measured, they never took a seventh
/// more than expected.
fn with_margin(bytes: u64) -> u64 {
    bytes + bytes / 7
}
