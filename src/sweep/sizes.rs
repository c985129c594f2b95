//! How much of a board a sweep works on, and so how much memory and how much room for
//! working files it takes: from the sizes of classes alone, without a look at a single state.
//!
//! Which states of a class are in doubt is known when all have been looked at. Before that
//! [`Sizes::rough`] guesses how many are, and has the answer in a second where the states take
//! minutes.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId, Class, Tile};

use super::MatrixShape;
use super::by_state::ByState;
use super::panels::Panels;
use super::schedule::Schedule;
use super::scope::Scope;
use super::side_order::Held;

/// How much of a board a sweep works on.
pub struct Sizes {
    census: Arc<Census>,
    scope: Scope,
    /// By centre and class slot.
    held: Vec<Vec<Held>>,
    /// By centre, of two mirror images the one that is stored, and tier.
    beside: Vec<Vec<Beside>>,
    /// What is solved, and published, as one.
    schedule: Schedule,
}

/// What a tier beside a centre comes to.
#[derive(Clone, Copy, Default)]
struct Beside {
    tiles: u64,
    /// Cells that are worked on, and words that they take.
    cells: u64,
    words: usize,
    /// Bytes of what is handed on to one centre, and of all of it.
    pile: u64,
    whole: u64,
}

/// Cells of a batch at least, so that files are worth making: a tenth of a second of work. With
/// two centre columns there are more of them, and centres that are solved side by side.
fn batch_cells(census: &Census) -> u64 {
    if census.split().centre_width() == 1 { 1 << 27 } else { 1 << 29 }
}

/// Words of two tiers beside a centre from which on it is solved alone, by all threads.
const LARGE: usize = 1 << 21;

/// Bytes of each row of a board: its state in the index, and its group.
const ROW_BYTES: u64 = size_of::<u32>() as u64 + 1;

/// Bytes of each row of a centre that is being solved: where it stands, its labels, and
/// where moves of either player lead, for the centre itself and those around it; and, once
/// tiles have asked for them, its labels as a row and its bits as a column.
const SIDE_BYTES: u64 = 96 + 56;

impl Sizes {
    /// Of a board of whose classes these states are held, by centre and class slot.
    pub(super) fn new(census: &Arc<Census>, scope: Scope, held: Vec<Vec<Held>>) -> Sizes {
        let schedule = Schedule::new(census, |_| 1, u64::MAX);
        let beside = Vec::new();
        let mut sizes = Sizes { census: census.clone(), scope, held, beside, schedule };
        let centres: Vec<CentreId> = census.centres().collect();
        let of_centre = |centre| census.tiers().map(|tier| sizes.count(centre, tier)).collect();
        sizes.beside = centres.into_par_iter().map(of_centre).collect();
        sizes.schedule = sizes.batches_of(batch_cells(census));
        sizes
    }

    /// About how much it will be.
    pub fn rough(census: &Arc<Census>, scope: Scope) -> Sizes {
        let split = census.split();
        let cells = (split.side_width() + split.centre_width()) * split.board().height();
        let held = |centre| {
            let sizes =
                Class::all(split.side_cells()).map(|class| census.class_size(centre, class));
            sizes.map(|size| Held::about(size, cells, scope)).collect()
        };
        Sizes::new(census, scope, census.centres().map(held).collect())
    }

    /// With the batches of rough sizes, so that whoever plans a run need not look at its states.
    pub(super) fn with_batches_of_rough_sizes(self, cells: Option<u64>) -> Sizes {
        let rough = Sizes::rough(&self.census, self.scope);
        let schedule = match cells {
            Some(cells) => rough.batches_of(cells),
            None => rough.schedule,
        };
        Sizes { schedule, ..self }
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// What a tier beside a centre comes to.
    fn count(&self, centre: CentreId, tier: Tier) -> Beside {
        let mut sum = Beside::default();
        for tile in self.census.tiles_beside(tier, centre) {
            let shape = self.shape(tile, tier.mover());
            let panels = Panels(shape);
            sum.tiles += 1;
            sum.cells += shape.rows as u64 * shape.columns as u64;
            sum.words += panels.room();
            sum.whole += kept_bytes(shape);
            sum.pile += tier.last_mover().map_or(0, |last| kept_bytes(self.handed_on(tile, last)));
        }
        sum
    }

    /// With batches of this many cells at least. Sweeps of the same board that share files must
    /// have the same.
    pub(crate) fn with_batches_of(self, cells: u64) -> Sizes {
        let schedule = self.batches_of(cells);
        Sizes { schedule, ..self }
    }

    fn batches_of(&self, cells: u64) -> Schedule {
        let weight = |centre: CentreId| -> u64 {
            self.beside[centre.index()].iter().map(|beside| beside.cells).sum()
        };
        Schedule::new(&self.census, weight, cells)
    }

    /// As little as possible at a time, but for centres that are solved side by side.
    pub(super) fn smallest_batches(&self) -> Schedule {
        let is_single = self.census.split().centre_width() == 1;
        self.batches_of(if is_single { 0 } else { batch_cells(self.census()) })
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

    /// Tiles of a batch that a sweep over these tiers works on.
    pub(crate) fn batch_tiles(&self, batch: usize, tiers: TierRange) -> u64 {
        let beside = |centre: CentreId| {
            let of_tier = move |tier: Tier| self.beside[centre.index()][tier.stones()].tiles;
            tiers.iter().map(of_tier)
        };
        self.schedule.batches()[batch].centres().flat_map(beside).sum()
    }

    /// Which cells are worked on.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Nothing, if the class has more stones than a side has room for.
    fn held(&self, centre: CentreId, class: Class) -> Held {
        self.held[centre.index()].get(class.slot()).copied().unwrap_or_default()
    }

    /// What a tile holds when this player is to move.
    fn shape(&self, tile: Tile, mover: Player) -> MatrixShape {
        let held = |centre, class| self.held(centre, class).by_mover[mover.index()] as usize;
        let (rows, columns) =
            (held(tile.centre, tile.left), held(self.census.reversed(tile.centre), tile.right));
        if rows.min(columns) == 0 {
            MatrixShape { rows: 0, columns: 0 }
        } else {
            MatrixShape { rows, columns }
        }
    }

    /// So many columns of a tile, the first ones, are handed on to centres with one stone less.
    pub(super) fn columns_handed_on(&self, tile: Tile, last_mover: Player) -> usize {
        let held = self.held(self.census.reversed(tile.centre), tile.right);
        let columns = self.shape(tile, last_mover.other()).columns;
        columns.min(held.handed_on[last_mover.index()] as usize)
    }

    /// What centres hand on of a tile, after a stone of this player.
    fn handed_on(&self, tile: Tile, last_mover: Player) -> MatrixShape {
        let held = |centre, class| self.held(centre, class).handed_on[last_mover.index()] as usize;
        let columns = held(self.census.reversed(tile.centre), tile.right);
        MatrixShape { rows: held(tile.centre, tile.left), columns }
    }

    /// Cells of a tier that are worked on.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.beside.iter().map(|beside| beside[tier.stones()].cells).sum()
    }

    /// Tiles of a tier.
    pub(crate) fn tiles(&self, tier: Tier) -> u64 {
        self.beside.iter().map(|beside| beside[tier.stones()].tiles).sum()
    }

    /// Cells of a tier beside a centre that are worked on.
    pub(crate) fn cells_beside(&self, centre: CentreId, tier: Tier) -> u64 {
        self.beside[centre.index()][tier.stones()].cells
    }

    /// Words of the two largest successive tiers of these beside a centre.
    pub(super) fn two_tiers(&self, centre: CentreId, tiers: TierRange) -> usize {
        let from_before = self.census.tiers().filter(|tier| {
            tiers.contains(*tier) || tier.0.checked_sub(1).map(Tier) == Some(tiers.last())
        });
        let words = from_before.map(|tier| self.beside[centre.index()][tier.stones()].words);
        let words: Vec<usize> = words.collect();
        let two = words.windows(2).map(|two| two[0] + two[1]).max();
        two.or(words.first().copied()).unwrap_or(0)
    }

    /// Is this centre solved by all threads together, and not beside others?
    pub(super) fn is_large(&self, centre: CentreId) -> bool {
        self.two_tiers(centre, TierRange::all(self.census.board())) >= LARGE
    }

    /// Bytes of memory that these tiers take at most on this many threads: the rows of all
    /// centres, and of each centre that is being solved two tiers and what is known of its
    /// sides. What is kept comes on top, where it is in memory.
    pub fn bytes(&self, tiers: TierRange, threads: usize) -> u64 {
        self.bytes_beside(self.census.centres().collect(), tiers, threads)
    }

    /// The same for somebody who solves only these centres.
    pub(crate) fn bytes_beside(
        &self,
        centres: Vec<CentreId>,
        tiers: TierRange,
        threads: usize,
    ) -> u64 {
        let census = &self.census;
        let of_centre = |centre: CentreId| {
            let words = self.two_tiers(centre, tiers);
            let rows = census.centre_rows(centre) as u64;
            (words >= LARGE, words as u64 * size_of::<u64>() as u64 + rows * SIDE_BYTES)
        };
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
        let kept_tiles = self.beside.iter().flatten().map(|beside| beside.tiles).sum::<u64>();
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
        let census = &self.census;
        let starts = goes_on.then(|| tiers.last().next());
        let leaves = Some(tiers.first()).filter(|tier| *tier > Tier(0));
        let whole = |tier: Tier| -> u64 {
            let files = self.schedule.batches().len() as u64 * FILE_BYTES;
            let readers = |centre| {
                tier.last_mover().map_or(0, |player| self.before(centre, player).count()) as u64
            };
            let of_centre = |centre: CentreId| {
                let beside = self.beside[centre.index()][tier.stones()];
                beside.whole + readers(centre) * beside.pile
            };
            files + census.centres().map(of_centre).sum::<u64>()
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
        let mut bytes: Vec<BTreeMap<usize, u64>> =
            batches.clone().into_par_iter().map(bytes).collect();
        let (mut now, mut most) = (0, 0);
        for batch in batches {
            now += bytes[batch].values().sum::<u64>();
            most = most.max(now);
            for need in &schedule.batches()[batch].needs {
                now -= bytes[*need].remove(&batch).unwrap_or(0);
            }
        }
        most
    }

    /// Bytes of the files that a batch keeps for later ones, in a sweep over these tiers.
    pub(super) fn batch_bytes(&self, batch: usize, tiers: TierRange) -> u64 {
        self.passing_bytes(&self.schedule, batch, tiers).values().sum()
    }

    /// The same, for each of those that need it.
    pub(crate) fn handed_on_bytes(&self, batch: usize, tiers: TierRange) -> BTreeMap<usize, u64> {
        self.passing_bytes(&self.schedule, batch, tiers)
    }

    fn passing_bytes(
        &self,
        schedule: &Schedule,
        batch: usize,
        tiers: TierRange,
    ) -> BTreeMap<usize, u64> {
        let mut bytes = BTreeMap::new();
        schedule.readers(batch).iter().for_each(|to| _ = bytes.insert(*to, FILE_BYTES));
        for centre in schedule.batches()[batch].centres() {
            for player in Player::BOTH {
                let before = self.before(centre, player).map(|before| schedule.batch_of(before));
                let later: Vec<usize> = before.filter(|to| *to != batch).collect();
                if !later.is_empty() {
                    let pile = self.pile_bytes(centre, player, tiers);
                    later.iter().for_each(|to| *bytes.entry(*to).or_insert(0) += pile);
                }
            }
        }
        bytes
    }

    /// Bytes of memory that a batch takes for what it keeps for itself.
    fn within_bytes(&self, tiers: TierRange) -> u64 {
        let batches = (0..self.schedule.batches().len()).into_par_iter();
        let within = |batch: usize| -> u64 {
            let of_centre = |centre| -> u64 {
                let piles = Player::BOTH.map(|player| {
                    let before = self.before(centre, player);
                    let here = before.filter(|before| self.schedule.batch_of(*before) == batch);
                    match here.count() as u64 {
                        0 => 0,
                        piles => piles * self.pile_bytes(centre, player, tiers),
                    }
                });
                piles.into_iter().sum()
            };
            self.schedule.batches()[batch].centres().map(of_centre).sum()
        };
        batches.map(within).max().unwrap_or(0)
    }

    /// The centres from which a stone of this player leads to this one.
    fn before(&self, centre: CentreId, player: Player) -> impl Iterator<Item = CentreId> + '_ {
        let before = self.census.centre(centre).before(player);
        before.filter_map(|(_, before)| self.census.find_centre(before))
    }

    /// Bytes of the tiles that a centre hands on to one from which a stone of this player leads
    /// to it.
    fn pile_bytes(&self, centre: CentreId, player: Player, tiers: TierRange) -> u64 {
        let kept = tiers.iter().filter(|tier| *tier > tiers.first());
        let kept = kept.filter(|tier| tier.last_mover() == Some(player));
        kept.map(|tier| self.beside[centre.index()][tier.stones()].pile).sum()
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
    use crate::index::Index;
    use crate::sweep::Extent;

    #[test]
    fn rough_sizes_are_near_those_of_all_states() {
        for board in ["7x4", "6x4", "5x5", "8x3", "4x5"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let tiers = TierRange::all(index.board());
            let exact = Extent::new(&index, Scope::InDoubt);
            let rough = Sizes::rough(index.census(), Scope::InDoubt);
            let of = |sizes: &Sizes| {
                let cells: u64 = tiers.iter().map(|tier| sizes.cells(tier)).sum();
                let kept = sizes.most_kept(&sizes.batches_of(0), tiers);
                [cells, sizes.bytes(tiers, 2), kept].map(|size| size as f64)
            };
            for (exact, rough) in of(&exact).into_iter().zip(of(&rough)) {
                let ratio = rough / exact;
                assert!((0.5..2.0).contains(&ratio), "{board}: {rough} instead of {exact}");
            }
            let every_cell = Extent::new(&index, Scope::EveryCell);
            assert_eq!(of(&every_cell), of(&Sizes::rough(index.census(), Scope::EveryCell)));
        }
    }
}
