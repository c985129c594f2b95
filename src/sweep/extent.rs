//! What of a board a sweep works on, and so how much memory and how much room
//! for working files it takes.

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId, Class, Index, Tile};

use super::MatrixShape;
use super::by_state::ByState;
use super::groups::groups;
use super::panels::Panels;
use super::schedule::Schedule;
use super::scope::Scope;
use super::side_order::{Held, SideOrder};

/// The index of a board, and what of it a sweep works on.
pub struct Extent<'a> {
    index: &'a Index,
    scope: Scope,
    /// By centre and class slot, the group of each state.
    groups: Vec<Vec<Box<[u8]>>>,
    /// By centre and class slot.
    held: Vec<Vec<Held>>,
    /// What is solved, and published, as one.
    schedule: Schedule,
}

/// Cells of a batch at least: a tenth of a second of work, so that files are worth making.
const BATCH_CELLS: u64 = 1 << 27;

/// Words of two tiers beside a centre from which on it is solved alone, by all threads.
const LARGE: usize = 1 << 21;

/// Bytes of each row of a board: its state in the index, and its group.
const ROW_BYTES: u64 = size_of::<u32>() as u64 + 1;

/// Bytes of each row of a centre that is being solved: where it stands, its labels, and
/// where moves of either player lead, for the centre itself and those around it; and, once
/// tiles have asked for them, its labels as a row and its bits as a column.
const SIDE_BYTES: u64 = 96 + 56;

impl<'a> Extent<'a> {
    /// Counts what is in doubt beside each centre.
    pub fn new(index: &'a Index, scope: Scope) -> Extent<'a> {
        let centres: Vec<CentreId> = index.census().centres().collect();
        let groups: Vec<Vec<Box<[u8]>>> =
            centres.into_par_iter().map(|centre| groups(index, centre)).collect();
        let count = |classes: &Vec<Box<[u8]>>| {
            classes.iter().map(|groups| Held::count(groups, scope)).collect()
        };
        let held = groups.par_iter().map(count).collect();
        let schedule = Schedule::new(index.census(), |_| 1, 1);
        let mut extent = Extent { index, scope, groups, held, schedule };
        extent.schedule = extent.batches_of(BATCH_CELLS);
        extent
    }

    /// With batches of this many cells at least. Sweeps of the same board that share files must
    /// have the same.
    pub(crate) fn with_batches_of(self, cells: u64) -> Extent<'a> {
        let schedule = self.batches_of(cells);
        Extent { schedule, ..self }
    }

    fn batches_of(&self, cells: u64) -> Schedule {
        let weight = |centre| -> u64 {
            self.census().tiers().map(|tier| self.cells_beside(centre, tier)).sum()
        };
        Schedule::new(self.census(), weight, cells)
    }

    /// As little as possible at a time.
    pub(super) fn smallest_batches(&self) -> Schedule {
        self.batches_of(0)
    }

    /// What is solved, and published, as one.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Cells of a batch that a sweep over these tiers works on.
    pub(crate) fn batch_cells(&self, batch: usize, tiers: TierRange) -> u64 {
        let centres = self.schedule.batches()[batch].centres();
        let cells = |centre| tiers.iter().map(move |tier| self.cells_beside(centre, tier));
        centres.flat_map(cells).sum()
    }

    /// How the states beside a centre stand in tiles.
    pub(super) fn order(&self, centre: CentreId) -> SideOrder {
        SideOrder::new(self.index, centre, self.scope, &self.groups[centre.index()])
    }

    /// The index.
    pub fn index(&self) -> &'a Index {
        self.index
    }

    /// Which cells are worked on.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    fn census(&self) -> &'a Census {
        self.index.census()
    }

    /// Nothing, if the class has more stones than a side has room for.
    fn held(&self, centre: CentreId, class: Class) -> Held {
        self.held[centre.index()].get(class.slot()).copied().unwrap_or_default()
    }

    /// What a tile holds when this player is to move.
    fn shape(&self, tile: Tile, mover: Player) -> MatrixShape {
        let held = |centre, class| self.held(centre, class).by_mover[mover.index()] as usize;
        let (rows, columns) =
            (held(tile.centre, tile.left), held(self.census().reversed(tile.centre), tile.right));
        if rows.min(columns) == 0 {
            MatrixShape { rows: 0, columns: 0 }
        } else {
            MatrixShape { rows, columns }
        }
    }

    /// So many columns of a tile, the first ones, are handed on to centres with one stone less.
    pub(super) fn columns_handed_on(&self, tile: Tile, last_mover: Player) -> usize {
        let held = self.held(self.census().reversed(tile.centre), tile.right);
        let columns = self.shape(tile, last_mover.other()).columns;
        columns.min(held.handed_on[last_mover.index()] as usize)
    }

    /// Cells of a tier that are worked on.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.census().centres().map(|centre| self.cells_beside(centre, tier)).sum()
    }

    /// Cells of a tier beside a centre that are worked on.
    pub(crate) fn cells_beside(&self, centre: CentreId, tier: Tier) -> u64 {
        let cells = |tile| {
            let MatrixShape { rows, columns } = self.shape(tile, tier.mover());
            rows as u64 * columns as u64
        };
        self.census().tiles_beside(tier, centre).map(cells).sum()
    }

    /// Words of the two largest successive tiers of these beside a centre.
    fn two_tiers(&self, centre: CentreId, tiers: TierRange) -> usize {
        let census = self.census();
        let words = |tier: Tier| -> usize {
            let tiles = census.tiles_beside(tier, centre);
            tiles.map(|tile| Panels(self.shape(tile, tier.mover())).room()).sum()
        };
        let from_before = census.tiers().filter(|tier| {
            tiers.contains(*tier) || tier.0.checked_sub(1).map(Tier) == Some(tiers.last())
        });
        let words: Vec<usize> = from_before.map(words).collect();
        let two = words.windows(2).map(|two| two[0] + two[1]).max();
        two.or(words.first().copied()).unwrap_or(0)
    }

    /// Is this centre solved by all threads together, and not beside others?
    pub(super) fn is_large(&self, centre: CentreId) -> bool {
        self.two_tiers(centre, TierRange::all(self.census().board())) >= LARGE
    }

    /// Bytes of memory that these tiers take at most on this many threads: the rows of all
    /// centres, and of each centre that is being solved two tiers and what is known of its
    /// sides. What is kept comes on top, where it is in memory.
    pub fn bytes(&self, tiers: TierRange, threads: usize) -> u64 {
        let census = self.census();
        let of_centre = |centre: CentreId| {
            let words = self.two_tiers(centre, tiers);
            let rows = census.centre_rows(centre) as u64;
            (words >= LARGE, words as u64 * size_of::<u64>() as u64 + rows * SIDE_BYTES)
        };
        let centres: Vec<CentreId> = census.centres().collect();
        let centres: Vec<(bool, u64)> = centres.into_par_iter().map(of_centre).collect();
        let most = |large| {
            let bytes = centres.iter().filter(|(is, _)| *is == large).map(|(_, bytes)| *bytes);
            bytes.max().unwrap_or(0)
        };
        let at_a_time = match census.split().centre_width() {
            1 => 1,
            _ => threads as u64,
        };
        // For the types of all states, and to find children beside each centre at work.
        let tables = (1 + at_a_time) * ByState::bytes(census.split()) as u64;
        let thread_bytes = THREAD_BYTES + census.largest_class() as u64 * LINE_BYTES;
        let kept_tiles = census.tiers().map(|tier| census.tiles(tier).count() as u64).sum::<u64>();
        most(true).max(most(false) * at_a_time)
            + census.rows() * ROW_BYTES
            + kept_tiles * KEPT_TILE_BYTES
            + self.within_bytes(tiers)
            + order_bytes(census)
            + tables
            + threads as u64 * thread_bytes
    }

    /// Bytes of the files of all tiles that are kept at the worst time, with the tier that
    /// the sweep starts from, if it goes on with an earlier one, and the one that it leaves.
    pub fn kept_bytes(&self, tiers: TierRange, goes_on: bool) -> u64 {
        let census = self.census();
        let starts = goes_on.then(|| tiers.last().next());
        let leaves = Some(tiers.first()).filter(|tier| *tier > Tier(0));
        let whole = |tier: Tier| -> u64 {
            let of_tile = |tile| kept_bytes(self.shape(tile, tier.mover()));
            let files = self.schedule.batches().len() as u64 * FILE_BYTES;
            let handed_on = census.centres().map(|centre| self.handed_on(centre, tier, |_| true));
            files + census.tiles(tier).map(of_tile).sum::<u64>() + handed_on.sum::<u64>()
        };
        self.most_kept(&self.schedule, tiers)
            + starts.into_iter().chain(leaves).map(whole).sum::<u64>()
    }

    /// Bytes of all tiles that are kept at the worst time, if they are kept in memory.
    pub(crate) fn kept_in_memory(&self, tiers: TierRange) -> u64 {
        self.most_kept(&self.smallest_batches(), tiers)
    }

    fn most_kept(&self, schedule: &Schedule, tiers: TierRange) -> u64 {
        let batches = 0..schedule.batches().len();
        let bytes = |batch| self.passing_bytes(schedule, batch, tiers);
        let bytes: Vec<u64> = batches.clone().into_par_iter().map(bytes).collect();
        let (mut now, mut most) = (0, 0);
        for batch in batches {
            now += bytes[batch];
            most = most.max(now);
            now -= schedule.done_with(batch).map(|batch| bytes[batch]).sum::<u64>();
        }
        most
    }

    /// Bytes of the file that a batch keeps for later ones, in a sweep over these tiers.
    pub(super) fn batch_bytes(&self, batch: usize, tiers: TierRange) -> u64 {
        self.passing_bytes(&self.schedule, batch, tiers)
    }

    fn passing_bytes(&self, schedule: &Schedule, batch: usize, tiers: TierRange) -> u64 {
        let later = |to| schedule.batch_of(to) != batch;
        let centres = schedule.batches()[batch].centres();
        FILE_BYTES + centres.map(|centre| self.handed_on_in(centre, tiers, later)).sum::<u64>()
    }

    /// Bytes of memory that a batch takes for what it keeps for itself.
    fn within_bytes(&self, tiers: TierRange) -> u64 {
        let batches = (0..self.schedule.batches().len()).into_par_iter();
        let within = |batch: usize| -> u64 {
            let same = |to| self.schedule.batch_of(to) == batch;
            let centres = self.schedule.batches()[batch].centres();
            centres.map(|centre| self.handed_on_in(centre, tiers, same)).sum()
        };
        batches.map(within).max().unwrap_or(0)
    }

    fn handed_on_in(
        &self,
        centre: CentreId,
        tiers: TierRange,
        to: impl Fn(CentreId) -> bool + Copy,
    ) -> u64 {
        let kept = tiers.iter().filter(|tier| *tier > tiers.first());
        kept.map(|tier| self.handed_on(centre, tier, to)).sum()
    }

    /// Bytes of the tiles of a tier that a centre hands on to some of those with one stone
    /// less.
    fn handed_on(&self, centre: CentreId, tier: Tier, to: impl Fn(CentreId) -> bool) -> u64 {
        let census = self.census();
        let Some(last_mover) = tier.last_mover() else { return 0 };
        let before = census.centre(centre).before(last_mover);
        let before = before.filter_map(|(_, before)| census.find_centre(before));
        let looked_at = before.filter(|before| to(*before)).count() as u64;
        if looked_at == 0 {
            return 0;
        }
        let of_tile = |tile: Tile| {
            let held =
                |centre, class| self.held(centre, class).handed_on[last_mover.index()] as usize;
            let columns = held(census.reversed(tile.centre), tile.right);
            kept_bytes(MatrixShape { rows: held(tile.centre, tile.left), columns })
        };
        looked_at * census.tiles_beside(tier, centre).map(of_tile).sum::<u64>()
    }
}

/// Bytes of a kept tile, with its place in the directory. In a large one half of the lines
/// repeat, in a small one few do.
fn kept_bytes(shape: MatrixShape) -> u64 {
    let panels = Panels(shape);
    let bytes = panels.words() * size_of::<u64>();
    let packed = if bytes >= LARGE_TILE { bytes as f64 * PACKED } else { bytes as f64 };
    let tokens = shape.rows * panels.count() * 2 * size_of::<u16>();
    packed as u64 + tokens as u64 + TILE_BYTES
}

/// Bytes of a tile from which on lines of it repeat.
const LARGE_TILE: usize = 1 << 18;

/// Part of the words of a large tile that is left when they are packed: as measured on 7x6.
const PACKED: f64 = 0.52;

/// Bytes of a tile in a directory.
const TILE_BYTES: u64 = 64;

/// Bytes of a file that has nothing in it.
const FILE_BYTES: u64 = 96;

/// Bytes that sorting sides by move order takes, as measured by the number of multisets of
/// columns that make a side. Counting cuts a board at one column, so that one of its sides
/// is a column wider where the width is even: that one takes most.
fn order_bytes(census: &Census) -> u64 {
    let split = census.split();
    let columns = census.column_states() as u64;
    let width = (census.board().width() - 1 - split.side_width()) as u64;
    let sides = (0..width).fold(1, |sides: u64, k| sides.saturating_mul(columns + k) / (k + 1));
    let base = split.centre_width() as u64 * (32 << 20);
    base + sides.saturating_mul(800)
}

/// Bytes of memory for the names of blocks of a tile, while it is kept; a part of all tiles
/// is at a time.
const KEPT_TILE_BYTES: u64 = 80;

/// Bytes of memory that each thread takes at most, whatever the board.
const THREAD_BYTES: u64 = 24 << 20;

/// Bytes of memory that each thread takes for each state of the largest class: blocks of 512
/// lines of children, as they are read, unpacked and turned, and bit rows.
const LINE_BYTES: u64 = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn the_original_game_takes_half_of_its_cells() {
        let index = Index::new(Board::STANDARD).unwrap();
        let tiers = TierRange::all(index.board());
        let extent = Extent::new(&index, Scope::InDoubt);
        let words = index.census().centres().map(|centre| extent.two_tiers(centre, tiers)).max();
        let narrow = if cfg!(small_panels) { 542_800 } else { 0 };
        assert_eq!(
            words,
            Some(424_238_544 - narrow),
            "narrow panels end nearer to the last column"
        );
        let cells: u64 = tiers.iter().map(|tier| extent.cells(tier)).sum();
        let all: u64 = tiers.iter().map(|tier| index.census().stored_cells(tier)).sum();
        assert_eq!((cells, all), (1_234_917_161_873, 2_594_469_905_395));
    }
}
