//! What a run is going to take, told before it starts.

use crate::board::TierRange;
use crate::index::Census;
use crate::sweep::CentreSweep;
use crate::table::Horizon;

/// What a run takes, about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Stored cells of all tiers.
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

/// Nanoseconds that a stored cell takes one thread, with its share of packing:
/// as measured on 7x6.
const NANOSECONDS: f64 = 0.6;

/// Bytes of memory that each thread takes at most to solve a tile and to pack it.
const THREAD_BYTES: u64 = 1 << 27;

/// Bytes of working files for a cell that is kept, as measured on 7x6.
const PACKED: f64 = 0.5 / 8.0;

/// Bytes of tables for a stored cell before the horizon, as measured on 7x6.
const TABULATED: f64 = 0.25 / 8.0;

impl Estimate {
    /// What these tiers will take.
    pub fn of(census: &Census, tiers: TierRange, horizon: Horizon) -> Estimate {
        let cells_of = |tier| census.stored_cells(tier);
        let cells = tiers.into_iter().map(cells_of).sum();
        let tabulated = tiers.into_iter().filter(|tier| !horizon.reaches(census.board(), *tier));
        let tabulated: u64 = tabulated.map(cells_of).sum();
        let threads = rayon::current_num_threads();
        Estimate {
            cells,
            seconds: cells as f64 * NANOSECONDS * 1e-9 / threads as f64,
            memory: CentreSweep::bytes(census, tiers) + threads as u64 * THREAD_BYTES,
            scratch: (CentreSweep::kept_cells(census, tiers) as f64 * PACKED) as u64,
            tables: (tabulated as f64 * TABULATED) as u64,
        }
    }
}
