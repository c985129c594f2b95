//! How much memory a sweep takes: some for all centres, and some for each while it is solved.

use rayon::prelude::*;

use crate::board::{Player, TierRange};
use crate::index::{Census, CentreId, Lister};

use crate::sweep::states::{ByState, Listing, OrderedSide};

use super::schedule::{CentreBatch, next_centres};
use super::sizes::{LARGE, Sizes};

/// The memory of a sweep over some tiers, whichever centres it solves.
pub(crate) struct Footprint<'a> {
    sizes: &'a Sizes,
    tiers: TierRange,
    /// Centres that are solved side by side.
    at_a_time: u64,
    /// Bytes that serve all centres.
    shared: u64,
    /// Bytes that counting positions takes, before or after the sweep.
    counting: u64,
    /// Bytes that are in use all the time.
    always: u64,
}

/// Bytes of each row of a centre that is being solved: its place, its labels, and where moves
/// of either player lead, for the centre itself and its neighbours; and, once tiles have asked
/// for them, its labels as a row and its bits as a column.
const SIDE_BYTES: u64 = 96 + 56;

impl Sizes {
    /// The most bytes of memory that these tiers take on this many threads: lists of sides, and,
    /// for each centre that is being solved, two tiers and what is known of its sides. Kept tiles
    /// come on top if they are in memory.
    pub fn bytes(&self, tiers: TierRange, threads: usize) -> u64 {
        self.footprint(tiers, threads).beside(self.census().centres())
    }

    /// The memory of a sweep that solves only some centres.
    pub(crate) fn footprint(&self, tiers: TierRange, threads: usize) -> Footprint<'_> {
        let census = self.census();
        let threads = threads as u64;
        let at_a_time = if census.split().centre_width() == 1 { 1 } else { threads };
        // For the types of all states, and to find children beside each centre at work.
        let tables = (1 + at_a_time) * ByState::bytes(census.split()) as u64;
        let thread_bytes = THREAD_BYTES + census.largest_class() as u64 * LINE_BYTES;
        let within = within_bytes(self, tiers);
        // Counting cuts a board at one column, so one of its sides is a column wider if the width
        // is even.
        let width = census.split().side_width();
        Footprint {
            sizes: self,
            tiers,
            at_a_time,
            shared: listing_bytes(census)
                + within
                + name_bytes(self)
                + tables
                + threads * thread_bytes,
            counting: order_bytes(census, census.board().width() - 1 - width),
            always: BASE_BYTES + order_bytes(census, width),
        }
    }
}

impl Footprint<'_> {
    /// Bytes for solving these centres.
    pub fn beside(&self, centres: impl Iterator<Item = CentreId>) -> u64 {
        let [mut alone, mut side_by_side] = [0; 2];
        for centre in centres {
            let words = self.sizes.two_tiers(centre, self.tiers);
            let rows = self.sizes.census().centre_rows(centre) as u64;
            let bytes = words as u64 * size_of::<u64>() as u64 + rows * SIDE_BYTES;
            let most = if words >= LARGE { &mut alone } else { &mut side_by_side };
            *most = bytes.max(*most);
        }
        let solving = alone.max(side_by_side * self.at_a_time) + self.shared;
        self.always + solving.max(self.counting)
    }
}

/// Bytes that list the blocks of the tiles that a few batches read and keep. A pile has the
/// tiles after a stone of one player: half of them.
fn name_bytes(sizes: &Sizes) -> u64 {
    let census = sizes.census();
    let tiles = |centre| sizes.tiles_beside(centre);
    let of_centre = |centre| {
        let kept = Player::BOTH.map(|p| sizes.before(centre, p).count() as u64 * tiles(centre));
        let read = Player::BOTH.map(|p| next_centres(census, centre, p).map(tiles).sum());
        kept.into_iter().chain(read).sum::<u64>() / 2
    };
    let of_batch = |batch: &CentreBatch| batch.centres.iter().copied().map(of_centre).sum::<u64>();
    let most = sizes.schedule().batches().par_iter().map(of_batch).max().unwrap_or(0);
    BATCHES_AT_A_TIME * most * KEPT_TILE_BYTES
}

/// Bytes of the sides that are kept once listed, and of what they are listed from. Lists of many
/// lengths come and go, and the allocator keeps the gaps between them: as much again, as measured.
fn listing_bytes(census: &Census) -> u64 {
    let side = |centre| OrderedSide::bytes_of(census.split(), census.centre_rows(centre));
    let all: usize = census.centres().map(side).sum();
    2 * (all.min(Listing::CACHE_BYTES) as u64 + Lister::bytes(census))
}

/// The most bytes of memory that a batch takes for tiles that it keeps for itself.
fn within_bytes(sizes: &Sizes, tiers: TierRange) -> u64 {
    let batches = (0..sizes.schedule().batches().len()).into_par_iter();
    let within = |batch: usize| -> u64 {
        let of_centre = |centre| -> u64 {
            let piles = Player::BOTH.map(|player| {
                let before = sizes.before(centre, player);
                let here = before.filter(|before| sizes.schedule().batch_of(*before) == batch);
                match here.count() as u64 {
                    0 => 0,
                    piles => piles * sizes.pile_bytes(centre, player, tiers),
                }
            });
            piles.into_iter().sum()
        };
        sizes.schedule().batches()[batch].centres.iter().copied().map(of_centre).sum()
    };
    batches.map(within).max().unwrap_or(0)
}

/// Bytes that sorting sides of this width by move order takes, as measured per multiset of
/// columns that make a side.
fn order_bytes(census: &Census, width: usize) -> u64 {
    let columns = census.column_states() as u64;
    let sides =
        (0..width as u64).fold(1, |sides: u64, k| sides.saturating_mul(columns + k) / (k + 1));
    sides.saturating_mul(800)
}

/// Bytes of memory that the program takes, whatever the board.
const BASE_BYTES: u64 = 48 << 20;

/// Bytes of memory that list the blocks of a kept tile.
const KEPT_TILE_BYTES: u64 = 80;

/// Batches whose piles are in memory: the one that is being solved, and those that wait to be
/// published.
const BATCHES_AT_A_TIME: u64 = 4;

/// The most bytes of memory that each thread takes, whatever the board.
const THREAD_BYTES: u64 = 24 << 20;

/// Bytes of memory that each thread takes for each state of the largest class: blocks of 512
/// lines of children, as they are read, unpacked and turned, and bit rows.
const LINE_BYTES: u64 = 1024;
