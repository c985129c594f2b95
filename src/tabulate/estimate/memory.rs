//! How a run divides the memory that it may take: between the tiles of a centre, and what centres hand
//! on to each other.
//!
//! Either is compressed if it gets too little, and both cost time. So does listing sides again that are
//! not cached. Of all ways to divide the memory the one is taken that costs least; or, if nobody has said
//! how much it may be, the one that takes least among those that cost little more, unless that is little
//! anyway:
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

use super::table_bytes::before_horizon;
use super::time::nanoseconds_of;

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
    /// About how long compressing tiles and handoffs, and listing sides again, takes one thread.
    pub nanoseconds: u64,
}

/// If few lists are cached, listing them again and again takes this part of the time of all the rest:
/// a guess.
const LISTING: u64 = 10;

/// That many ways are looked at to give memory to tiles, and to handoffs.
const STEPS: u64 = 8;

/// Bytes of memory that nobody needs to save.
const LITTLE: u64 = 2 << 30;

impl MemoryPlan {
    /// The best use of a budget, of which handoffs may take at most these bytes, if that is limited; the
    /// least memory that will do if it is too small.
    pub(in crate::tabulate) fn of(
        extent: &Extent,
        tiers: TierRange,
        horizon: Horizon,
        budget: Budget,
        most_waiting: Option<u64>,
    ) -> MemoryPlan {
        let work = nanoseconds_of(extent.sizes(), tiers);
        let footprint = extent.footprint(tiers, rayon::current_num_threads());
        let [most, least] = footprint.tile_bytes();
        let lists = [(footprint.with_few_lists(), work / LISTING), (footprint, 0)];
        let with_tiles = |(centre, (footprint, listing)): (CentreMemory, &(Footprint, u64))| {
            let footprint = footprint.with(centre);
            let (nanoseconds, lists) = (footprint.nanoseconds() + listing, footprint.lists());
            let solving = solving(extent, tiers, horizon, footprint);
            MemoryPlan { solving, centre, waiting: 0, lists, nanoseconds }
        };
        let centres =
            || steps(least, most).map(CentreMemory::within).chain([CentreMemory::TWO_TIERS]);
        let ways = lists.iter().flat_map(|lists| centres().map(move |centre| (centre, lists)));
        let tiles: Vec<_> = ways.map(with_tiles).collect();
        let handovers = extent.handovers(tiers);
        let waiting = |bytes| (bytes, handovers.placement(bytes).nanoseconds);
        let all = handovers.placement(most_waiting.unwrap_or(u64::MAX)).memory;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::Census;
    use crate::sweep::Scope;

    #[test]
    fn more_memory_costs_no_more_time_and_what_is_useful_is_little() {
        for board in ["6x6", "7x6"] {
            let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
            let (extent, tiers) =
                (Extent::new(&census, Scope::InDoubt), TierRange::all(census.board()));
            let of = |budget| MemoryPlan::of(&extent, tiers, Horizon::OF_OUTCOMES, budget, None);
            let least = of(Budget::AllOf(0));
            assert_eq!(least.waiting, 0);
            let mut before = u64::MAX;
            for quarters in [4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 80] {
                let bytes = least.solving / 4 * quarters;
                let plan = of(Budget::AllOf(bytes));
                assert!(plan.bytes() <= bytes, "{board}: {plan:?} of {bytes}");
                assert!(plan.nanoseconds <= before, "{board}: {plan:?} after {before}");
                before = plan.nanoseconds;
            }
            let [all, useful] = [Budget::AllOf, Budget::UsefulOf].map(|budget| of(budget(1 << 40)));
            assert_eq!(all.nanoseconds, 0, "nothing is compressed");
            assert!(useful.nanoseconds <= nanoseconds_of(extent.sizes(), tiers) / 10);
            assert!(useful.bytes() < 8 << 30, "{board}: {useful:?}");
            let little = of(Budget::UsefulOf(least.solving));
            assert!(little.bytes() <= least.solving);
        }
    }
}
