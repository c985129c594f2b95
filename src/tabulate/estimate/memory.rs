//! How a run divides the memory that it may take: between the tiles of a centre, and what centres hand
//! on to each other.
//!
//! Either is compressed if it gets too little, and both cost time. Of all ways to divide the memory
//! the one is taken that costs least; or, if nobody has said how much it may be, the one that takes
//! least among those that cost little more, unless that is little anyway:
//!
//! ```text
//!     time   │ ╲
//!            │  ╲__
//!            │     ╲___●__________________  a tenth more
//!            │            ╲______________●  least time
//!            └──────────────────────────── memory
//! ```

use crate::board::TierRange;
use crate::sweep::{CentreMemory, Extent, Footprint};
use crate::table::Horizon;

use super::{before_horizon, nanoseconds_of};

/// Bytes of memory for where a tile lies in its table.
const TILE_BYTES: u64 = 48;

/// Bytes of memory for the blocks of a part of a tile, while tables are put together.
const PART_BYTES: u64 = 40;

/// The memory that a run may take, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabulate) enum Budget {
    /// As much as saves time.
    AllOf(u64),
    /// As much as is worth it.
    UsefulOf(u64),
}

impl Budget {
    /// The most bytes.
    pub(in crate::tabulate) fn bytes(self) -> u64 {
        let (Budget::AllOf(bytes) | Budget::UsefulOf(bytes)) = self;
        bytes
    }
}

/// How a run divides the memory that it may take.
#[derive(Clone, Copy, Debug)]
pub(in crate::tabulate) struct MemoryPlan {
    /// Bytes for solving centres and for putting tables together.
    pub solving: u64,
    /// The part of it for the tiers of one centre.
    pub centre: CentreMemory,
    /// Bytes in which handoffs may wait.
    pub waiting: u64,
    /// Bytes of lists that are cached, rather than made again.
    pub lists: usize,
    /// About how long compressing tiles and handoffs takes one thread.
    pub nanoseconds: u64,
}

/// That many ways are looked at to give memory to tiles, and to handoffs.
const STEPS: u64 = 8;

/// Bytes of memory that nobody needs to save.
const LITTLE: u64 = 2 << 30;

impl MemoryPlan {
    /// The best use of a budget, of which handoffs may take this many bytes; the least memory that will
    /// do if it is too small.
    pub(in crate::tabulate) fn of(
        extent: &Extent,
        tiers: TierRange,
        horizon: Horizon,
        budget: Budget,
        most_waiting: u64,
    ) -> MemoryPlan {
        let mut footprint = extent.footprint(tiers, rayon::current_num_threads());
        let [most, least] = footprint.tile_bytes();
        let solving = |footprint| solving(extent, tiers, horizon, footprint);
        if solving(footprint.with(CentreMemory::within(least))) > budget.bytes() {
            footprint.cache_few_lists();
        }
        let with_tiles = |centre| {
            let footprint = footprint.with(centre);
            let (nanoseconds, lists) = (footprint.nanoseconds(), footprint.lists());
            MemoryPlan { solving: solving(footprint), centre, waiting: 0, lists, nanoseconds }
        };
        let tiles = steps(least, most).map(CentreMemory::within);
        let tiles: Vec<_> = tiles.chain([CentreMemory::TWO_TIERS]).map(with_tiles).collect();
        let waiting = |bytes| (bytes, extent.placement(tiers, bytes).nanoseconds);
        let all = extent.placement(tiers, most_waiting).memory;
        let waiting: Vec<_> = steps(0, all).map(waiting).collect();
        let plans = tiles.iter().flat_map(|tiles| {
            waiting.iter().map(|(waiting, nanoseconds)| MemoryPlan {
                waiting: *waiting,
                nanoseconds: tiles.nanoseconds + nanoseconds,
                ..*tiles
            })
        });
        let plans: Vec<_> = plans.filter(|plan| plan.bytes() <= budget.bytes()).collect();
        let quickest_of = |bytes| {
            // Of those that take the same time, that with room for whole tiers.
            let plans = plans.iter().rev().filter(|plan| plan.bytes() <= bytes);
            plans.min_by_key(|plan| plan.nanoseconds)
        };
        let Some(quickest) = quickest_of(budget.bytes()) else { return tiles[0] };
        match budget {
            Budget::AllOf(bytes) => MemoryPlan { waiting: bytes - quickest.solving, ..*quickest },
            Budget::UsefulOf(bytes) => {
                let work = nanoseconds_of(extent.sizes(), tiers);
                let enough = quickest.nanoseconds + (work + quickest.nanoseconds) / 10;
                let enough = plans.iter().filter(|plan| plan.nanoseconds <= enough);
                let least = enough.map(MemoryPlan::bytes).min().unwrap_or(bytes);
                *quickest_of(least.max(LITTLE.min(bytes))).unwrap_or(quickest)
            }
        }
    }

    /// Bytes of memory.
    fn bytes(&self) -> u64 {
        self.solving.saturating_add(self.waiting)
    }
}

/// Some numbers of bytes, few of which are large.
fn steps(least: u64, most: u64) -> impl Iterator<Item = u64> {
    let of_all = (most - least) / STEPS.pow(2);
    (0..STEPS).map(move |step| least + of_all * step.pow(2)).chain([most])
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
