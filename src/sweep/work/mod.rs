//! How much work there is, in which order it is done, and what it takes.
//!
//! ```text
//!     sizes            the cells of each tier of each centre
//!     sequence         the order of centres in which little waits
//!     schedule         batches of centres, and which need which
//!     placement        what waits in memory, and what in files
//!     centre_memory    how the tiers of a centre share memory
//!     footprint        the memory and the files that it takes
//!     tasks            work that is done side by side
//!     report           what has been done: positions counted, and time spent
//! ```

mod centre_memory;
mod footprint;
mod placement;
mod report;
mod schedule;
mod sequence;
mod sizes;
mod tasks;

pub(crate) use placement::{Allowance, Handovers, LARGE_FILES, Placement, Waits};
pub(super) use report::Clock;
pub use report::{TierWork, Work, WorkTimes};
pub use schedule::{CentreBatch, Schedule};
pub(super) use schedule::{next_centres, previous_centres};
pub(crate) use sizes::PART_ROWS;
pub use sizes::Sizes;
pub(super) use tasks::{run_in_order, run_tasks};

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::board::{Tier, TierRange};
use crate::index::{Census, CentreId};
use crate::order::{OrderError, Orders, Widths};

use crate::sweep::bits::Planes;
use crate::sweep::states::{Listing, OrderTypes, Scope};

pub(crate) use centre_memory::CentreMemory;
pub(super) use centre_memory::TileMemory;
pub(crate) use footprint::Footprint;
use footprint::HandoffBytes;

/// The part of a board that a sweep works on: its sides, listed when they are needed, its sizes and
/// its batches. Successive sweeps may share one.
pub struct Extent {
    listing: Listing,
    /// Once a sweep has asked for them.
    order_types: OnceLock<OrderTypes>,
    sizes: Sizes,
    schedule: Schedule,
}

impl Extent {
    /// Made from a look at some states of each kind.
    pub fn new(census: &Arc<Census>, scope: Scope) -> Extent {
        Extent::of_planes(census, scope, Planes::Both)
    }

    /// The same for a sweep that works on these planes.
    pub fn of_planes(census: &Arc<Census>, scope: Scope, planes: Planes) -> Extent {
        let sizes = Sizes::new(census, scope, planes);
        let schedule = Schedule::of(&sizes);
        let (listing, order_types) = (Listing::new(census, scope), OnceLock::new());
        Extent { listing, order_types, sizes, schedule }
    }

    /// The same with batches of at least this many cells. Sweeps of the same board that share
    /// files must agree on them.
    pub(crate) fn with_batches_of(self, cells: u64) -> Extent {
        Extent { schedule: Schedule::with_batches_of(&self.sizes, cells), ..self }
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        self.sizes.census()
    }

    /// Which cells are worked on.
    pub fn scope(&self) -> Scope {
        self.sizes.scope()
    }

    /// Which outcome planes are worked on.
    pub fn planes(&self) -> Planes {
        self.sizes.planes()
    }

    /// How many cells there are to work on.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The batches that are solved, and published, as one.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The batches of a sweep in memory: the smallest, except that some centres are solved side by side.
    pub(super) fn smallest_batches(&self) -> Schedule {
        match self.census().split().centre_width() {
            1 => Schedule::with_batches_of(&self.sizes, 0),
            _ => self.schedule.clone(),
        }
    }

    /// Caches lists of sides up to this many bytes from now on.
    pub(crate) fn cache_lists(&self, bytes: usize) {
        self.listing.cache_up_to(bytes);
    }

    /// The sides beside all centres.
    pub(super) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// The move-order types of the sides.
    pub(super) fn order_types(&self) -> Result<&OrderTypes, OrderError> {
        if let Some(known) = self.order_types.get() {
            return Ok(known);
        }
        let split = self.census().split();
        let (sides, board) = (split.side_width(), split.board());
        let widths = Widths { left: sides, centre: split.centre_width(), right: sides };
        let orders = Orders::new(board, widths, board.last_tier(), &())?;
        let order_types = OrderTypes::new(self.census(), orders);
        Ok(self.order_types.get_or_init(|| order_types))
    }

    /// Cells of a batch that a sweep over these tiers works on.
    pub(crate) fn batch_cells(&self, batch: usize, tiers: TierRange) -> u64 {
        self.sum(batch, tiers, |centre, tier| self.sizes.tier_cells(centre, tier))
    }

    /// Tiles of a batch that a sweep over these tiers works on.
    pub(crate) fn batch_tiles(&self, batch: usize, tiers: TierRange) -> u64 {
        self.sum(batch, tiers, |centre, tier| self.sizes.tier(centre, tier).tiles)
    }

    fn sum(&self, batch: usize, tiers: TierRange, of: impl Fn(CentreId, Tier) -> u64) -> u64 {
        let centres = self.schedule.batches()[batch].centres.iter().copied();
        centres
            .flat_map(|centre| tiers.iter().map(move |tier| (centre, tier)))
            .map(|(c, t)| of(c, t))
            .sum()
    }

    /// The memory of a sweep over these tiers on this many threads, whichever centres it solves.
    pub(crate) fn footprint(&self, tiers: TierRange, threads: usize) -> Footprint<'_> {
        Footprint::new(&self.sizes, &self.schedule, tiers, threads)
    }

    /// The most bytes of memory that these tiers take on this many threads. Handoffs come on top if
    /// they are in memory.
    pub fn bytes(&self, tiers: TierRange, threads: usize) -> u64 {
        self.footprint(tiers, threads).of(self.census().centres())
    }

    /// The most bytes of handoffs in memory, in files and in both at a time, if they may take this many
    /// bytes of memory.
    pub fn handoffs(&self, tiers: TierRange, memory: u64) -> [u64; 3] {
        let placement = self.handovers(tiers).placement(&Allowance::Always(memory), LARGE_FILES);
        [placement.most_memory(), placement.files, placement.all]
    }

    /// Bytes of the tier that a sweep over these starts from, if it continues an earlier one, and of
    /// the one that it leaves for the next.
    pub fn start_bytes(&self, tiers: TierRange, continues: bool) -> u64 {
        HandoffBytes::new(&self.sizes, tiers).of_starts(&self.schedule, continues)
    }

    /// What the batches of a sweep over these tiers hand on to each other.
    pub(crate) fn handovers(&self, tiers: TierRange) -> Handovers {
        HandoffBytes::new(&self.sizes, tiers).of_batches(&self.schedule)
    }

    /// The most bytes of handoffs at a time if they are all kept in memory.
    pub(crate) fn handoff_memory(&self, tiers: TierRange) -> u64 {
        let batches = self.smallest_batches();
        let handovers = HandoffBytes::new(&self.sizes, tiers).of_batches(&batches);
        handovers.placement(&Allowance::Always(u64::MAX), 0).most_memory()
    }

    /// Bytes that a batch hands on, by batch that reads them, if they wait like this.
    pub(crate) fn handoff_bytes(
        &self,
        batch: usize,
        tiers: TierRange,
        waits: impl Fn(usize) -> Waits,
    ) -> BTreeMap<usize, u64> {
        let handed_on = HandoffBytes::new(&self.sizes, tiers).of_batch(&self.schedule, batch);
        handed_on.into_iter().map(|(to, bytes)| (to, waits(to).bytes(bytes))).collect()
    }
}
