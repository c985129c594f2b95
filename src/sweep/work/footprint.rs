//! What a sweep takes: memory, some for all centres, and some for each while it is solved; and room
//! for handoffs.
//!
//! Two tiers of a centre are in memory at a time if they fit. Those of a large centre may not. Then
//! its tiles are solved one by one, and wait for those that read them: as they are, as far as there
//! is room beside the tiles that are being solved; compressed, which takes much of the time; or, if
//! there is no room for that either, in files.
//!
//! ```text
//!     ├─ being solved ─┼─ wait as they are ─┼─ wait compressed ─┤   wait in files
//!     └─────────────── plain ───────────────┴───── packed ──────┘
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId, Lister};

use crate::sweep::bits::{FEW_BLOCKS, PANEL};
use crate::sweep::states::{ByState, Listing, OrderedSide};

use super::placement::Handovers;
use super::schedule::{CentreBatch, Schedule};
use super::sizes::{FILE_BYTES, HandedOn, LARGE, Sizes, TierSize};

/// Nanoseconds that compressing a byte of a tile and decompressing it for those that read it takes:
/// about what zstd needs at its quick level.
const COMPRESSING: u64 = 2;

/// The memory of a sweep over some tiers, whichever centres it solves.
#[derive(Clone)]
pub(crate) struct Footprint<'a> {
    sizes: &'a Sizes,
    tiers: TierRange,
    threads: u64,
    centre: CentreMemory,
    /// By centre, words of its two largest successive tiers; and the most bytes of them.
    two_tiers: Arc<[usize]>,
    most: u64,
    /// Centres that are solved side by side.
    at_a_time: u64,
    /// Bytes of lists of sides that are cached, at most, and those of all lists.
    lists: usize,
    all_lists: usize,
    /// Bytes that serve all centres, besides lists.
    shared: u64,
    /// Bytes that counting positions takes, before or after the sweep, or listing sides before it.
    counting: u64,
    /// Bytes that are in use all the time.
    always: u64,
}

/// Bytes of each row of a centre that is being solved: its place, its labels, and where moves
/// of either player lead, for the centre itself and its neighbours; and, once tiles have asked
/// for them, its labels as a row and its bits as a column.
const SIDE_BYTES: u64 = 96 + 56;

impl Footprint<'_> {
    /// The memory of a sweep on this many threads.
    pub(super) fn new<'a>(
        sizes: &'a Sizes,
        schedule: &Schedule,
        tiers: TierRange,
        threads: usize,
    ) -> Footprint<'a> {
        let census = sizes.census();
        let threads = threads as u64;
        let at_a_time = if census.split().centre_width() == 1 { 1 } else { threads };
        // For the types of all states, and to find children beside each centre at work.
        let tables = (1 + at_a_time) * ByState::bytes(census.split()) as u64;
        let lines = (census.largest_class() * sizes.planes().count()) as u64;
        let thread_bytes = THREAD_BYTES + lines * LINE_BYTES;
        let within = within_bytes(sizes, schedule, tiers);
        let [kept, listing] = Lister::bytes(census);
        let [first_listing, listing] = match Lister::lists_once(census) {
            true => [kept + listing, kept],
            false => [0, kept + 2 * listing],
        };
        let two_tiers = census.centres().map(|centre| sizes.two_tiers(centre, tiers));
        let two_tiers: Arc<[usize]> = two_tiers.collect();
        let list = |centre| OrderedSide::bytes_of(census.split(), census.centre_rows(centre));
        // Counting cuts a board at one column, so one of its sides is a column wider if the width
        // is even.
        let width = census.split().side_width();
        Footprint {
            sizes,
            tiers,
            threads,
            centre: CentreMemory::TWO_TIERS,
            most: two_tiers.iter().copied().max().unwrap_or(0) as u64 * WORD,
            two_tiers,
            at_a_time,
            lists: Listing::CACHES[0],
            all_lists: census.centres().map(list).sum(),
            shared: within
                + directory_bytes(sizes, schedule)
                + listing
                + tables
                + threads * thread_bytes,
            counting: order_bytes(census, census.board().width() - 1 - width).max(first_listing),
            always: BASE_BYTES + order_bytes(census, width),
        }
    }

    /// The same if the tiers of each centre are in memory like this.
    pub(crate) fn with(&self, centre: CentreMemory) -> Self {
        Footprint { centre, ..self.clone() }
    }

    /// The same if lists of sides are cached up to this many bytes.
    pub(crate) fn with_lists(&self, lists: usize) -> Self {
        Footprint { lists, ..self.clone() }
    }

    /// The bytes of the tiles of a centre with which no tile need be compressed, and the least with
    /// which all centres can be solved.
    pub(crate) fn tile_bytes(&self) -> [u64; 2] {
        let centres = self.sizes.census().centres().map(|centre| {
            let two_tiers = self.sizes.two_tiers(centre, self.tiers) as u64 * WORD;
            let tiers: Vec<TierSize> = self.sizes.with_start(centre, self.tiers).collect();
            [all_tiles(&tiers, self.threads), largest_tile(&tiers)].map(|n| n.min(two_tiers))
        });
        centres.fold([0; 2], |[a, b], [c, d]| [a.max(c), b.max(d)])
    }

    /// The memory of the tiles of a centre, if it is solved tile by tile.
    fn tile_by_tile(&self, centre: CentreId) -> Option<TileMemory> {
        let is_large = self.two_tiers[centre.index()] >= self.centre.large;
        is_large.then(|| {
            let threads = self.threads as usize;
            self.centre.tile_by_tile(self.sizes, centre, self.tiers, threads).expect("a large one")
        })
    }

    /// The most bytes that solving these centres takes: lists of sides, and, for each centre that
    /// is being solved, its tiers and what is known of its sides. Handoffs come on top if they are
    /// in memory.
    pub(crate) fn of(&self, centres: impl Iterator<Item = CentreId>) -> u64 {
        let [mut alone, mut side_by_side] = [0; 2];
        for centre in centres {
            let words = self.two_tiers[centre.index()];
            let rows = self.sizes.census().centre_rows(centre) as u64;
            let most = if words >= LARGE { &mut alone } else { &mut side_by_side };
            let tiers = match self.tile_by_tile(centre) {
                Some(tiles) => tiles.plain + tiles.packed,
                None => CentreMemory::kept(words).min(self.most),
            };
            *most = (tiers + rows * SIDE_BYTES).max(*most);
        }
        let shared = self.shared + self.all_lists.min(self.lists) as u64;
        let solving = alone.max(side_by_side * self.at_a_time) + shared;
        self.always + solving.max(self.counting)
    }

    /// About how long compressing tiles takes one thread, in all.
    pub(crate) fn nanoseconds(&self) -> u64 {
        let of_centre = |centre| {
            let tiles: TileMemory = self.tile_by_tile(centre)?;
            let tiers = self.sizes.with_start(centre, self.tiers);
            Some(tiers.map(|tier| tiles.compressed(tier)).sum::<u64>())
        };
        COMPRESSING * self.sizes.census().centres().filter_map(of_centre).sum::<u64>()
    }

    /// The most bytes of the tiles of a large centre that wait in files.
    pub(crate) fn in_files(&self) -> u64 {
        let centres = self.sizes.census().centres();
        let large = centres.filter_map(|centre| self.tile_by_tile(centre));
        large.map(|tiles| tiles.in_files).max().unwrap_or(0)
    }
}

/// Bytes that list the blocks of the tiles that a few batches read and hand on. A handoff has the
/// tiles after a stone of one player: half of them.
fn directory_bytes(sizes: &Sizes, schedule: &Schedule) -> u64 {
    let census = sizes.census();
    let tiles = |centre| sizes.centre_tiles(centre);
    let of_centre = |centre| {
        let before = |p| census.previous_centres(centre, p).count() as u64;
        let written = Player::BOTH.map(before).into_iter().sum::<u64>() * tiles(centre);
        let read = census.next_centres(centre).map(tiles).sum::<u64>();
        (written + read) / 2
    };
    let of_batch = |batch: &CentreBatch| batch.centres.iter().copied().map(of_centre).sum::<u64>();
    let most = schedule.batches().par_iter().map(of_batch).max().unwrap_or(0);
    BATCHES_AT_A_TIME * most * HANDED_TILE_BYTES
}

/// The most bytes of memory that a batch takes for handoffs to its own centres.
fn within_bytes(sizes: &Sizes, schedule: &Schedule, tiers: TierRange) -> u64 {
    let batches = (0..schedule.batches().len()).into_par_iter();
    let handoffs = HandoffBytes::new(sizes, tiers);
    let within = |batch: usize| -> u64 {
        let of_centre = |centre| -> u64 {
            let handoffs = Player::BOTH.map(|player| {
                let before = sizes.census().previous_centres(centre, player);
                let here = before.filter(|before| schedule.batch_of(*before) == batch);
                match here.count() as u64 {
                    0 => 0,
                    count => count * handoffs.of_centre(centre, player).quick,
                }
            });
            handoffs.into_iter().sum()
        };
        schedule.batches()[batch].centres.iter().copied().map(of_centre).sum()
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

/// Bytes of memory that list the blocks of a tile in a handoff.
const HANDED_TILE_BYTES: u64 = 80;

/// Batches whose handoffs are in memory: the one that is being solved, and those that wait to be
/// published.
const BATCHES_AT_A_TIME: u64 = 4;

/// The most bytes of memory that each thread takes, whatever the board.
const THREAD_BYTES: u64 = 24 << 20;

/// Bytes of memory that each thread takes for each state of the largest class and each plane: a few
/// blocks of 512 lines of children, as they are read and unpacked, those of others, as they are
/// turned, a panel of a child, and bit rows. Packed, children take two fifths of their bytes or
/// less.
const LINE_BYTES: u64 = 512 + 64 + (FEW_BLOCKS * PANEL / 8) as u64;

/// Bytes of the handoffs of a sweep over some tiers.
pub(super) struct HandoffBytes<'a> {
    sizes: &'a Sizes,
    tiers: TierRange,
}

impl<'a> HandoffBytes<'a> {
    pub(super) fn new(sizes: &'a Sizes, tiers: TierRange) -> HandoffBytes<'a> {
        HandoffBytes { sizes, tiers }
    }

    /// What a centre hands on to another from which a stone of this player leads to it.
    fn of_centre(&self, centre: CentreId, player: Player) -> HandedOn {
        self.sizes.handed_on(centre, player, self.tiers)
    }

    /// What a batch hands on, by batch that reads it.
    pub(super) fn of_batch(&self, schedule: &Schedule, batch: usize) -> BTreeMap<usize, HandedOn> {
        let file = HandedOn { quick: FILE_BYTES, tight: FILE_BYTES };
        let mut bytes: BTreeMap<usize, HandedOn> =
            schedule.readers(batch).iter().map(|to| (*to, file)).collect();
        for centre in schedule.batches()[batch].centres.iter().copied() {
            for player in Player::BOTH {
                let before = self.sizes.census().previous_centres(centre, player);
                let before = before.map(|before| schedule.batch_of(before));
                let later: Vec<usize> = before.filter(|to| *to != batch).collect();
                if !later.is_empty() {
                    let handoff = self.of_centre(centre, player);
                    for to in later {
                        let sum = bytes.get_mut(&to).expect("a batch that needs this one");
                        *sum = sum.plus(handoff);
                    }
                }
            }
        }
        bytes
    }

    /// What all batches hand on.
    pub(super) fn of_batches(&self, schedule: &Schedule) -> Handovers {
        let batches = (0..schedule.batches().len()).into_par_iter();
        let (cells, handed_on): (Vec<u64>, Vec<_>) = batches
            .map(|batch| {
                let centres = schedule.batches()[batch].centres.iter();
                let cells = centres.map(|centre| self.sizes.centre_cells(*centre)).sum::<u64>();
                (cells, self.of_batch(schedule, batch))
            })
            .unzip();
        Handovers::new(&cells, handed_on)
    }

    /// Bytes of the tier that the sweep starts from, if it continues an earlier one, and of the one
    /// for the next sweep.
    pub(super) fn of_starts(&self, schedule: &Schedule, continues: bool) -> u64 {
        let start = continues.then(|| self.tiers.last().next_unchecked());
        let next = Some(self.tiers.first()).filter(|tier| *tier > Tier(0));
        start.into_iter().chain(next).map(|tier| self.of_tier(schedule, tier)).sum()
    }

    /// All that another sweep needs of a tier that it starts from.
    fn of_tier(&self, schedule: &Schedule, tier: Tier) -> u64 {
        let census = self.sizes.census();
        let readers = |centre| {
            let before = |player| census.previous_centres(centre, player).count();
            tier.last_mover().map_or(0, before) as u64
        };
        let of_centre = |centre: CentreId| {
            let size = self.sizes.tier(centre, tier);
            size.whole + readers(centre) * size.handoff.tight
        };
        schedule.batches().len() as u64 * FILE_BYTES + census.centres().map(of_centre).sum::<u64>()
    }
}

/// How the tiers of each centre are in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CentreMemory {
    /// A centre is solved tile by tile if two tiers of it have this many words or more.
    pub large: usize,
    /// Bytes that the tiles of a centre may take, unless a single one takes more.
    pub bytes: u64,
}

impl CentreMemory {
    /// Two tiers at a time, whatever they take.
    pub(crate) const TWO_TIERS: CentreMemory = CentreMemory { large: usize::MAX, bytes: u64::MAX };

    /// Two tiers at a time if they take at most this many bytes, else tile by tile.
    pub(crate) fn within(bytes: u64) -> CentreMemory {
        let large = usize::try_from(bytes / WORD).unwrap_or(usize::MAX).max(LARGE);
        CentreMemory { large, bytes }
    }

    /// The most bytes of memory that two tiers of this many words take, or that an earlier centre
    /// may leave for them.
    pub(in crate::sweep) fn kept(words: usize) -> u64 {
        words.max(LARGE) as u64 * WORD
    }

    /// The memory of the tiles of a centre, if it is solved tile by tile.
    pub(in crate::sweep) fn tile_by_tile(
        &self,
        sizes: &Sizes,
        centre: CentreId,
        tiers: TierRange,
        threads: usize,
    ) -> Option<TileMemory> {
        let is_large = sizes.two_tiers(centre, tiers) >= self.large;
        is_large.then(|| {
            let tiers: Vec<TierSize> = sizes.with_start(centre, tiers).collect();
            TileMemory::of(&tiers, self.bytes, threads as u64)
        })
    }
}

/// The bytes that the tiles of a large centre take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) struct TileMemory {
    /// Those that are as they are, at most, unless a single one takes more.
    pub plain: u64,
    /// Those that are compressed, at most: in memory, and in files.
    pub packed: u64,
    pub in_files: u64,
    threads: u64,
}

/// How many ways to divide memory are compared.
const DIVISIONS: u64 = 64;

impl TileMemory {
    /// The best use of these bytes: as many tiles as they are as leave room for the others, or
    /// files if there is none.
    fn of(tiers: &[TierSize], bytes: u64, threads: u64) -> TileMemory {
        let largest = largest_tile(tiers);
        let most = all_tiles(tiers, threads);
        let with = |plain: u64| {
            let memory = TileMemory { plain, packed: 0, in_files: 0, threads };
            let packed = tiers.iter().map(|tier| memory.packed_of(*tier)).max();
            TileMemory { packed: packed.unwrap_or(0), ..memory }
        };
        if bytes >= most {
            return with(most);
        }
        let plain = (0..=DIVISIONS).rev().map(|part| bytes / DIVISIONS * part);
        let mut in_memory = plain.take_while(|plain| *plain >= largest).map(with);
        in_memory.find(|memory| memory.plain + memory.packed <= bytes).unwrap_or_else(|| {
            let memory = with(largest.max(bytes / 4 * 3));
            let packed = memory.packed.min(bytes.saturating_sub(memory.plain));
            TileMemory { packed, in_files: memory.packed - packed, ..memory }
        })
    }

    /// Bytes that are left for tiles that are being solved, if the largest takes this many: on all
    /// threads or on as many as there is room for.
    pub(crate) fn at_work(&self, largest: u64) -> u64 {
        let at_work = (1..=self.threads).rev().map(|threads| threads.saturating_mul(largest));
        at_work.into_iter().find(|bytes| *bytes <= self.plain).unwrap_or(largest)
    }

    /// Bytes of the tiles of a tier that are compressed, before they are.
    pub(super) fn compressed(&self, tier: TierSize) -> u64 {
        let waiting = self.plain.saturating_sub(self.at_work(tier.largest as u64 * WORD));
        (tier.words as u64 * WORD).saturating_sub(waiting)
    }

    /// The bytes of a tier that wait compressed.
    fn packed_of(&self, tier: TierSize) -> u64 {
        let all = tier.words as u64 * WORD;
        let packed = self.compressed(tier) as f64 / all.max(1) as f64;
        (tier.waiting as f64 * packed) as u64
    }
}

/// The bytes of the largest tile.
pub(super) fn largest_tile(tiers: &[TierSize]) -> u64 {
    tiers.iter().map(|tier| tier.largest as u64 * WORD).max().unwrap_or(0)
}

/// The bytes of all tiles that are needed at a time. A tier takes the place of the one after it.
/// With each tile that is solved, one is read that the next one reads too; and one more at the end.
pub(super) fn all_tiles(tiers: &[TierSize], threads: u64) -> u64 {
    let tier = tiers.iter().map(|tier| tier.words as u64 * WORD).max().unwrap_or(0);
    tier.saturating_add((2 * threads + 1).saturating_mul(largest_tile(tiers)))
}

/// Bytes of a word.
pub(super) const WORD: u64 = size_of::<u64>() as u64;

#[cfg(test)]
mod tests {
    use crate::sweep::{Allowance, Planes, Scope};

    use super::*;

    #[test]
    fn a_look_at_some_states_tells_about_what_a_sweep_takes() {
        for board in ["7x4", "6x4", "5x5", "8x3", "4x6"] {
            looks_tell(board, 0, 0.95..1.05);
        }
    }

    /// Tiles of narrow panels are rounded to whole words more often.
    #[test]
    #[cfg(not(small_panels))]
    #[ignore = "takes half a minute: make test-long"]
    fn a_look_at_some_states_of_a_large_board_tells_about_what_a_sweep_takes() {
        use super::super::sizes::LOOKS;
        for board in ["7x6", "6x6", "6x7", "8x5"] {
            looks_tell(board, LOOKS, 0.97..1.03);
        }
    }

    /// Compares what follows from a look at this many states with what follows from a look at all.
    fn looks_tell(board: &str, looks: u64, ratios: std::ops::Range<f64>) {
        let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
        let tiers = TierRange::all(census.board());
        let smallest = Schedule::new(&census, |_, _| 1, |_| 1, 0);
        let of = |scope, looks| {
            let sizes = Sizes::from_looks(&census, (scope, Planes::Both), looks);
            let cells: u64 = tiers.iter().map(|tier| sizes.cells(tier)).sum();
            let memory = Footprint::new(&sizes, &smallest, tiers, 2).of(census.centres());
            let handoffs = HandoffBytes::new(&sizes, tiers)
                .of_batches(&smallest)
                .placement(&Allowance::Always(u64::MAX), 0)
                .most_memory();
            [cells, memory, handoffs].map(|size| size as f64)
        };
        let [all, some] = [u64::MAX, looks].map(|looks| of(Scope::InDoubt, looks));
        for (all, some) in all.into_iter().zip(some) {
            let ratio = some / all;
            assert!(ratios.contains(&ratio), "{board}: {some} instead of {all}");
        }
        let [all, some] = [u64::MAX, looks].map(|looks| of(Scope::EveryCell, looks));
        assert_eq!(all, some);
    }

    #[test]
    fn fewer_lists_take_less_memory() {
        let census = Arc::new(Census::new("7x6".parse().unwrap()).unwrap());
        let sizes = Sizes::new(&census, Scope::InDoubt, Planes::Both);
        let (schedule, tiers) = (Schedule::of(&sizes), TierRange::all(census.board()));
        let all = Footprint::new(&sizes, &schedule, tiers, 1);
        let [most, .., fewest] = Listing::CACHES;
        let saved = all.of(census.centres()) - all.with_lists(fewest).of(census.centres());
        assert_eq!(saved, (most - fewest) as u64);
    }

    #[test]
    fn more_memory_leaves_less_to_compress_and_all_that_is_given_is_kept_to() {
        let tier = |tiles: usize| TierSize {
            words: tiles << 20,
            largest: 1 << 20,
            waiting: (tiles as u64) << 21,
            ..TierSize::default()
        };
        let tiers = [tier(10), tier(30), tier(20)];
        let tile = 8 << 20;
        let of = |bytes| TileMemory::of(&tiers, bytes, 2);
        assert_eq!(
            of(100 * tile),
            TileMemory { plain: 35 * tile, packed: 0, in_files: 0, threads: 2 }
        );
        let mut before = of(0);
        assert_eq!((before.plain, before.packed), (tile, 0), "one tile has room");
        assert_eq!(before.in_files, 30 << 21);
        for bytes in (0..40).map(|tiles| tiles * tile) {
            let memory = of(bytes);
            assert!(memory.plain + memory.packed <= bytes.max(tile), "{memory:?} of {bytes}");
            let is_enough = bytes >= 9 * tile;
            assert_eq!(memory.in_files == 0, is_enough, "{memory:?} of {bytes}");
            // One tile more may be solved at a time, and leave less room for others.
            let most = if before.in_files == 0 { before.packed + (1 << 21) } else { u64::MAX };
            assert!(memory.packed <= most, "{memory:?} after {before:?}");
            before = memory;
        }
        let memory = of(20 * tile);
        assert_eq!(memory.at_work(tile), 2 * tile);
        assert_eq!(memory.at_work(memory.plain / 2 + 1), memory.plain / 2 + 1, "one at a time");
    }
}
