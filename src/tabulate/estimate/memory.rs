//! How a run divides the memory that it may take: between the tiles of a centre, and what centres
//! hand on to each other.
//!
//! Tiles and handoffs are compressed if they get too little, which costs time. So does listing
//! sides again that are not cached. What the tiles of a small centre do not need goes to handoffs,
//! which wait meanwhile:
//!
//! ```text
//!     memory │▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒██████    ▒ what is handed on waits
//!            │▒▒▒▒▒▒████▒▒▒▒▒▒▒▒▒▒██████████    █ tiles of the centre that is being solved
//!            │██████████████████████████████
//!            └────────────────────────────── batches
//! ```
//!
//! The cheapest division wins. If the user set no limit, the plan takes the least memory whose best
//! division costs only a little more; below 2 GiB nothing is saved:
//!
//! ```text
//!     time   │ ╲
//!            │  ╲__
//!            │     ╲___●__________________  a tenth more
//!            │            ╲______________●  least time
//!            └──────────────────────────── memory
//! ```
//!
//! Runs that lead to scores follow one another in the same memory, so more of it is worth taking:
//! there a plan may cost only a fiftieth more.

use std::sync::Arc;

use crate::board::TierRange;
use crate::sweep::{
    Allowance, CentreBatch, CentreMemory, Extent, Footprint, Handovers, LARGE_FILES, Listing,
    Placement,
};
use crate::table::Horizon;

use super::table_bytes::before_horizon;
use super::time::nanoseconds_of;

/// Bytes of memory for the place of a tile in its table.
const TILE_BYTES: u64 = 48;

/// Bytes of memory for the blocks of a part of a tile while tables are put together: in pieces that
/// wait to be published if tables grow meanwhile, else in a list of all blocks.
const GROWING_PART_BYTES: u64 = 12;
const PART_BYTES: u64 = 40;

/// The memory that a run may take, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabulate) enum Budget {
    /// As much as saves time.
    AllOf(u64),
    /// The least memory that slows the run by at most one part in `one_in`.
    UsefulOf { bytes: u64, one_in: u64 },
}

impl Budget {
    /// The most bytes.
    pub(in crate::tabulate) fn bytes(self) -> u64 {
        let (Budget::AllOf(bytes) | Budget::UsefulOf { bytes, .. }) = self;
        bytes
    }
}

/// Where what batches hand on to each other may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabulate) enum Handoffs {
    /// In memory, and in files that are packed quickly unless they become large.
    Anywhere,
    /// In memory, and in files that are as small as possible.
    InLittleSpace,
    /// In files that are as small as possible, because other machines read them.
    InFiles,
}

/// How a run divides the memory that it may take.
#[derive(Clone, Debug)]
pub(in crate::tabulate) struct MemoryPlan {
    /// Bytes for solving each batch and for putting tables together.
    solving: Arc<[u64]>,
    /// The part of it for the tiers of one centre.
    pub centre: CentreMemory,
    /// Where handoffs wait.
    pub placement: Arc<Placement>,
    /// Bytes of lists that are cached, rather than made again.
    pub lists: usize,
    /// About how long compressing tiles and handoffs, and listing sides again, takes one thread.
    pub nanoseconds: u64,
}

/// Cache sizes for lists, and the cost of each: thousandths of all other work spent on listing
/// sides again, as measured on 7x6, 6x7, 8x5 and 8x6.
const LISTS: [(usize, u64); 3] = {
    let [most, fewer, fewest] = Listing::CACHES;
    [(most, 0), (fewer, 20), (fewest, 50)]
};

/// How many splits of memory between tiles and handoffs are compared.
const STEPS: u64 = 12;

/// Bytes of memory that nobody needs to save.
const LITTLE: u64 = 2 << 30;

impl MemoryPlan {
    /// The best use of a budget if handoffs may wait there; if it is too small, the least memory
    /// that suffices.
    pub(in crate::tabulate) fn of(
        extent: &Extent,
        tiers: TierRange,
        horizon: Horizon,
        budget: Budget,
        handoffs: Handoffs,
    ) -> MemoryPlan {
        let work = nanoseconds_of(extent.sizes(), tiers);
        let ways = Ways::of(extent, tiers, horizon, work, handoffs);
        match budget {
            Budget::AllOf(bytes) => ways.quickest_within(bytes),
            Budget::UsefulOf { bytes, one_in } => {
                let quickest = ways.quickest_within(bytes);
                let enough = quickest.nanoseconds + (work + quickest.nanoseconds) / one_in;
                let all = ways.all().min(bytes);
                let least = ways.least().min(all).max(LITTLE.min(bytes));
                let some = steps(least, all.max(least)).map(|bytes| ways.quickest_within(bytes));
                some.into_iter().find(|plan| plan.nanoseconds <= enough).unwrap_or(quickest)
            }
        }
    }

    /// The most bytes of memory at a time.
    pub(in crate::tabulate) fn bytes(&self) -> u64 {
        let both = self.solving.iter().zip(&self.placement.memory);
        both.map(|(solving, waiting)| solving.saturating_add(*waiting)).max().unwrap_or(0)
    }
}

/// The ways to solve centres, those that take the least time first.
struct Ways {
    all: Vec<Way>,
    handovers: Handovers,
    handoffs: Handoffs,
}

/// A way to solve centres.
struct Way {
    /// Bytes for solving each batch and for putting tables together, and the most of them.
    solving: Arc<[u64]>,
    most: u64,
    centre: CentreMemory,
    lists: usize,
    /// About how long compressing tiles and listing sides again takes one thread.
    nanoseconds: u64,
}

impl Ways {
    /// The ways of a run whose other work takes one thread about `work` nanoseconds.
    fn of(
        extent: &Extent,
        tiers: TierRange,
        horizon: Horizon,
        work: u64,
        handoffs: Handoffs,
    ) -> Ways {
        let footprint = extent.footprint(tiers, rayon::current_num_threads());
        let [most, least] = footprint.tile_bytes();
        let way = |centre, (lists, parts): (usize, u64)| {
            let footprint = footprint.with_lists(lists).with(centre);
            let nanoseconds = footprint.nanoseconds() + work / 1000 * parts;
            let solving = solving(extent, tiers, horizon, footprint);
            let most = solving.iter().copied().max().unwrap_or(0);
            Way { solving, most, centre, lists, nanoseconds }
        };
        let tile_by_tile = || steps(least, most).map(CentreMemory::within);
        let centres = || [CentreMemory::TWO_TIERS].into_iter().chain(tile_by_tile());
        let ways = LISTS.iter().flat_map(|lists| centres().map(|centre| way(centre, *lists)));
        let mut all: Vec<Way> = ways.collect();
        all.sort_by_key(|way| way.nanoseconds);
        // Where no centre is large, it does not matter how large ones are solved.
        all.dedup_by(|a, b| a.solving == b.solving);
        Ways { all, handovers: extent.handovers(tiers), handoffs }
    }

    /// The best use of this many bytes, or the least that suffices.
    fn quickest_within(&self, bytes: u64) -> MemoryPlan {
        let mut quickest: Option<MemoryPlan> = None;
        for way in self.all.iter().filter(|way| way.most <= bytes) {
            if quickest.as_ref().is_none_or(|quickest| way.nanoseconds < quickest.nanoseconds) {
                let plan = self.plan(way, bytes);
                if quickest.as_ref().is_none_or(|other| plan.nanoseconds < other.nanoseconds) {
                    quickest = Some(plan);
                }
            }
        }
        quickest.unwrap_or_else(|| {
            let least = self.all.iter().min_by_key(|way| way.most).expect("some ways");
            self.plan(least, least.most)
        })
    }

    /// The plan to solve centres in this way, with what is left of these bytes for handoffs.
    fn plan(&self, way: &Way, bytes: u64) -> MemoryPlan {
        let allowance = way.solving.iter().map(|solving| bytes - solving);
        let (allowance, large_files) = match self.handoffs {
            Handoffs::Anywhere => (Allowance::ByBatch(allowance.collect()), LARGE_FILES),
            Handoffs::InLittleSpace => (Allowance::ByBatch(allowance.collect()), 0),
            Handoffs::InFiles => (Allowance::Always(0), 0),
        };
        let placement = Arc::new(self.handovers.placement(&allowance, large_files));
        let nanoseconds = way.nanoseconds + placement.nanoseconds;
        let Way { ref solving, centre, lists, .. } = *way;
        MemoryPlan { solving: solving.clone(), centre, placement, lists, nanoseconds }
    }

    /// The bytes with which nothing is compressed.
    fn all(&self) -> u64 {
        self.plan(&self.all[0], u64::MAX).bytes()
    }

    /// The fewest bytes that suffice.
    fn least(&self) -> u64 {
        self.all.iter().map(|way| way.most).min().unwrap_or(0)
    }
}

/// Sizes from `least` to `most`, spaced quadratically.
fn steps(least: u64, most: u64) -> impl Iterator<Item = u64> {
    let of_all = (most - least) / STEPS.pow(2);
    (0..STEPS).map(move |step| least + of_all * step.pow(2)).chain([most])
}

/// By batch, bytes of memory for solving its centres and for putting tables together. Tables in the
/// order of the batches grow meanwhile; others follow when all centres are solved.
fn solving(
    extent: &Extent,
    tiers: TierRange,
    horizon: Horizon,
    footprint: Footprint,
) -> Arc<[u64]> {
    let sizes = extent.sizes();
    let tables = || before_horizon(sizes, tiers, horizon);
    let layouts: u64 = tables().map(|tier| sizes.tiles(tier) * TILE_BYTES).sum();
    let parts: u64 = tables().map(|tier| sizes.stored_parts(tier)[0]).sum();
    let schedule = extent.schedule();
    let of_batch = |batch: &CentreBatch| {
        let solving = footprint.of(batch.centres.iter().copied());
        layouts
            + match schedule.is_in_table_order() {
                true => solving + parts * GROWING_PART_BYTES,
                false => solving.max(parts * PART_BYTES),
            }
    };
    schedule.batches().iter().map(of_batch).collect()
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
            let (horizon, anywhere) = (Horizon::OF_OUTCOMES, Handoffs::Anywhere);
            let of = |budget| MemoryPlan::of(&extent, tiers, horizon, budget, anywhere);
            let least = of(Budget::AllOf(0));
            let least_bytes = least.solving.iter().copied().max().unwrap();
            assert_eq!(least.bytes(), least_bytes, "nothing waits beside the largest");
            let mut before = u64::MAX;
            for quarters in [4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 80] {
                let bytes = least_bytes / 4 * quarters;
                let plan = of(Budget::AllOf(bytes));
                assert!(plan.bytes() <= bytes, "{board}: {plan:?} of {bytes}");
                assert!(plan.nanoseconds <= before, "{board}: {} after {before}", plan.nanoseconds);
                before = plan.nanoseconds;
            }
            let all = of(Budget::AllOf(1 << 40));
            assert_eq!(all.nanoseconds, 0, "nothing is compressed");
            let mut before = 0;
            for (one_in, most) in [(10, 3 << 30), (50, 7 << 30)] {
                let useful_of = |bytes| of(Budget::UsefulOf { bytes, one_in });
                let useful = useful_of(1 << 40);
                assert!(useful.nanoseconds <= nanoseconds_of(extent.sizes(), tiers) / one_in);
                assert!((before..most).contains(&useful.bytes()), "{board}: {useful:?}");
                assert!(useful_of(least_bytes).bytes() <= least_bytes);
                before = useful.bytes();
            }
        }
    }
}
