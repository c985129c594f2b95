//! How much work there is, in which order it is done, and what it takes.
//!
//! ```text
//!     sizes        the cells of each tier of each centre
//!     schedule     the order of centres, batches of them, and which need which
//!     placement    what waits in memory, and what in files
//!     footprint    the memory and the files that it takes, all centres together and each
//!     tasks        work that is done side by side
//! ```
//!
//! Of what has been done for each tier, positions are counted, and the time spent. Each thread has
//! its own clock, which is off by default. When on, it is read once whenever one kind of work gives
//! way to another.

mod footprint;
mod placement;
mod schedule;
mod sizes;
mod tasks;

pub(super) use footprint::TileMemory;
pub(crate) use footprint::{CentreMemory, Footprint};
pub(crate) use placement::{Allowance, Handovers, LARGE_FILES, Placement, Waits};
pub use schedule::{CentreBatch, Schedule};
pub(crate) use sizes::PART_ROWS;
pub use sizes::Sizes;
pub(super) use tasks::{run_in_order, run_tasks};

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::board::{OutcomeCounts, Player, Tier, TierRange};
use crate::index::{Census, CentreId};
use crate::order::{Orders, Widths};

use crate::sweep::bits::Planes;
use crate::sweep::kernels::CellCounts;
use crate::sweep::states::{Listing, OrderTypes, Scope};
use crate::too_large::BoardTooLarge;

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

    /// The batches of a sweep in memory: the smallest, except that some centres are solved side by
    /// side.
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
    pub(super) fn order_types(&self) -> Result<&OrderTypes, BoardTooLarge> {
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

    /// The most bytes of handoffs in memory, in files and in both at a time, if they may take this
    /// many bytes of memory.
    pub fn handoffs(&self, tiers: TierRange, memory: u64) -> [u64; 3] {
        let placement = self.handovers(tiers).placement(&Allowance::Always(memory), LARGE_FILES);
        [placement.most_memory(), placement.files, placement.all]
    }

    /// Bytes of the tier that a sweep over these starts from, if it continues an earlier one, and
    /// of the one that it leaves for the next.
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

/// What has been done for a tier.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TierWork {
    pub(in crate::sweep) tally: CellCounts,
    /// Seconds that passed. Where threads solve centres side by side, tiers share the seconds in
    /// proportion to the time that threads spent on them, so the sum of all tiers is not more than
    /// the time that passed.
    pub seconds: f64,
    /// What the threads spent their time on, if the clocks were on.
    pub times: WorkTimes,
}

impl TierWork {
    /// From the numbers of live cells that the first player wins, that this
    /// player does not lose, and of all; and seconds.
    pub fn new([first_wins, first_holds, live]: [u64; 3], seconds: f64) -> TierWork {
        let tally = CellCounts { first_wins, first_holds, live };
        TierWork { tally, seconds, times: WorkTimes::default() }
    }

    /// The live positions of the tier that the sweep has met so far, by outcome for the mover.
    /// Mirror images count as two.
    pub fn met(self, tier: Tier) -> OutcomeCounts {
        let CellCounts { first_wins, first_holds, live } = self.tally;
        let (drawn, lost) = (first_holds - first_wins, live - first_holds);
        let for_first = OutcomeCounts { won: first_wins, drawn, lost };
        match tier.mover() {
            Player::First => for_first,
            Player::Second => for_first.for_other(),
        }
    }

    /// The sum of both.
    pub fn plus(self, other: TierWork) -> TierWork {
        TierWork {
            tally: self.tally.plus(other.tally),
            seconds: self.seconds + other.seconds,
            times: self.times.plus(other.times),
        }
    }

    /// Live cells that the first player wins, that this player does not lose, and all.
    pub fn tally(self) -> [u64; 3] {
        [self.tally.first_wins, self.tally.first_holds, self.tally.live]
    }
}

/// The kinds of work on a tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Work {
    /// Making bit rows of fours across the centre and of move-order types.
    Masks,
    /// Reading, checking and unpacking children of moves in the centre.
    Unpack,
    /// Exchanging rows and columns.
    Turn,
    /// Folding outcomes of children into rows.
    Fold,
    /// Writing in wins across the centre, counting live outcomes.
    Finish,
    /// Picking, packing and writing lines that are handed on to other centres.
    Keep,
    /// The work of the observer; for tables, finding and packing quiet cells.
    Show,
}

impl Work {
    /// All kinds, in the order in which a tile meets them.
    pub const ALL: [Work; 7] =
        [Work::Masks, Work::Unpack, Work::Turn, Work::Fold, Work::Finish, Work::Keep, Work::Show];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Work::Masks => "masks",
            Work::Unpack => "unpack",
            Work::Turn => "turn",
            Work::Fold => "fold",
            Work::Finish => "finish",
            Work::Keep => "keep",
            Work::Show => "show",
        }
    }
}

/// How long each kind of work took, on all threads together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkTimes([Duration; Work::ALL.len()]);

impl WorkTimes {
    /// The time of one kind.
    pub fn of(&self, work: Work) -> Duration {
        self.0[work as usize]
    }

    /// The time of all kinds.
    pub fn sum(&self) -> Duration {
        self.0.iter().sum()
    }

    /// The sum of both.
    pub fn plus(self, other: WorkTimes) -> WorkTimes {
        WorkTimes(std::array::from_fn(|work| self.0[work] + other.0[work]))
    }
}

/// The clock of a thread.
#[derive(Default)]
pub(in crate::sweep) struct Clock {
    is_on: bool,
    last: Option<Instant>,
    times: WorkTimes,
}

impl Clock {
    /// Turns the clock on or off.
    pub(crate) fn set(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Adds what the clocks of others have measured.
    pub(crate) fn add(&mut self, times: WorkTimes) {
        self.times = self.times.plus(times);
    }

    /// A clock that is on or off, and starts now.
    pub(crate) fn of(is_on: bool) -> Clock {
        let mut clock = Clock { is_on, ..Clock::default() };
        clock.start();
        clock
    }

    /// Starts to measure a tile.
    pub(crate) fn start(&mut self) {
        self.last = self.is_on.then(Instant::now);
    }

    /// Adds the time since the start or the last lap to this kind.
    pub(crate) fn lap(&mut self, work: Work) {
        if let Some(last) = &mut self.last {
            let now = Instant::now();
            self.times.0[work as usize] += now - *last;
            *last = now;
        }
    }

    /// The times since the last call.
    pub(crate) fn take(&mut self) -> WorkTimes {
        std::mem::take(&mut self.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is the most that a piece may state.
    #[test]
    fn sums_that_no_board_comes_to_stay_too_large() {
        let work = TierWork::new([(1 << 62) - 1; 3], 1.0);
        let sum = (0..8).fold(TierWork::default(), |sum, _| sum.plus(work));
        assert_eq!((sum.met(Tier(4)).total(), sum.seconds), (u64::MAX, 8.0));
    }

    #[test]
    fn kinds_are_told_apart_and_a_clock_that_is_off_stands_still() {
        let mut clock = Clock::default();
        clock.start();
        clock.lap(Work::Fold);
        assert_eq!(clock.take(), WorkTimes::default());

        clock.set(true);
        clock.start();
        std::thread::sleep(Duration::from_millis(2));
        clock.lap(Work::Turn);
        clock.lap(Work::Fold);
        let times = clock.take();
        assert!(times.of(Work::Turn) >= Duration::from_millis(2));
        assert_eq!(times.of(Work::Keep), Duration::ZERO);
        assert_eq!(Work::ALL.map(|work| times.of(work)).iter().sum::<Duration>(), times.sum());
        assert_eq!(clock.take(), WorkTimes::default());
        assert_eq!(times.plus(times).sum(), 2 * times.sum());
    }
}
