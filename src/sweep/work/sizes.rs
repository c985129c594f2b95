//! How much of a board a sweep works on, and so how much memory and how much room for
//! working files it takes: from the sizes of classes alone, without a look at a single state.
//!
//! Which states of a class are in doubt is known only once all have been looked at.
//! [`Sizes::rough`] guesses how many are: it takes a second where looking takes minutes. Batches
//! are made by that guess, so working on a part of a board takes no look at all of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId, Class, Lister};

use crate::sweep::bits::{MatrixShape, PANEL, Panels};
use crate::sweep::states::{Held, HeldShares, OrderedSide, Scope};

use super::schedule::Schedule;

/// How much of a board a sweep works on.
pub struct Sizes {
    census: Arc<Census>,
    scope: Scope,
    /// By centre, of two mirror images the one that is stored, and by tier.
    beside: Vec<Box<[Beside]>>,
    /// By tier, whatever is worked on.
    stored: Vec<Stored>,
    /// The batches that are solved, and published, as one.
    schedule: Schedule,
}

/// The size of a tier beside a centre.
#[derive(Clone, Copy, Default)]
struct Beside {
    tiles: u64,
    /// Cells that are worked on, and words that they take.
    cells: u64,
    words: usize,
    /// Bytes of the tiles as handed on to one centre, and as kept whole.
    pile: u64,
    whole: u64,
}

/// The size of a stored tier.
#[derive(Clone, Copy, Default)]
struct Stored {
    cells: u64,
    /// By [`PART_ROWS`], the parts that the tiles are cut into, of at most that many rows and
    /// 512 columns.
    parts: [u64; PART_ROWS.len()],
}

/// The rows of the parts that stored tiles are cut into: those of a panel, those of a block of
/// outcomes, and those of a block of scores.
pub(crate) const PART_ROWS: [usize; 3] = [PANEL, 256, 64];

impl Stored {
    fn add(&mut self, other: Stored) {
        self.cells += other.cells;
        self.parts.iter_mut().zip(other.parts).for_each(|(sum, parts)| *sum += parts);
    }
}

/// Cells of all these tiers.
fn all_cells(beside: &[Beside]) -> u64 {
    beside.iter().map(|beside| beside.cells).sum()
}

/// Centres that a thread counts at a time.
const SIDE_BY_SIDE: usize = 64;

/// The least cells of a batch, so that files are worth making: a tenth of a second of work. With
/// two centre columns batches are larger, and their centres are solved side by side.
fn batch_cells(census: &Census) -> u64 {
    if census.split().centre_width() == 1 { 1 << 27 } else { 1 << 29 }
}

/// A centre is solved alone, by all threads, if two tiers beside it have this many words or more.
pub(super) const LARGE: usize = 1 << 21;

impl Sizes {
    /// The sizes of a board, given the states held of its classes, by centre and then class slot.
    fn new(
        census: &Arc<Census>,
        scope: Scope,
        held: impl Fn(CentreId) -> Vec<Held> + Sync,
    ) -> Sizes {
        let centres: Vec<CentreId> = census.centres().collect();
        let of_centres = |centres: &[CentreId]| {
            let mut stored = vec![Stored::default(); census.tiers().len()];
            let of_centre = |centre: &CentreId| count(census, *centre, &held, &mut stored);
            let beside: Vec<Box<[Beside]>> = centres.iter().map(of_centre).collect();
            (beside, stored)
        };
        let counted: Vec<_> = centres.par_chunks(SIDE_BY_SIDE).map(of_centres).collect();
        let mut stored = vec![Stored::default(); census.tiers().len()];
        let mut beside = Vec::with_capacity(centres.len());
        for (of_some, stored_of_some) in counted {
            beside.extend(of_some);
            stored.iter_mut().zip(stored_of_some).for_each(|(sum, some)| sum.add(some));
        }
        let weight = |centre: CentreId| all_cells(&beside[centre.index()]);
        let schedule = Schedule::new(census, weight, batch_cells(census));
        Sizes { census: census.clone(), scope, beside, stored, schedule }
    }

    /// A guess at the sizes.
    pub fn rough(census: &Arc<Census>, scope: Scope) -> Sizes {
        let split = census.split();
        let cells = (split.side_width() + split.centre_width()) * split.board().height();
        let shares = HeldShares::about(cells, scope);
        let held = |centre| {
            let sizes =
                Class::all(split.side_cells()).map(|class| census.class_size(centre, class));
            sizes.map(|size| shares.of(size)).collect()
        };
        Sizes::new(census, scope, held)
    }

    /// The exact sizes, from a look at all states. Batches are those of the rough sizes.
    pub fn exact(census: &Arc<Census>, scope: Scope) -> Sizes {
        let lister = Lister::new(census);
        let held = |centre| {
            let side = OrderedSide::new(census, centre, scope, lister.rows(centre));
            let classes = Class::all(census.split().side_cells());
            classes.map(|class| side.order.held(class)).collect()
        };
        let centres: Vec<CentreId> = census.centres().collect();
        let held: Vec<Vec<Held>> = centres.into_par_iter().map(held).collect();
        let sizes = Sizes::new(census, scope, |centre| held[centre.index()].clone());
        Sizes { schedule: Sizes::rough(census, scope).schedule, ..sizes }
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// Tiles of all tiers beside a centre.
    pub(super) fn tiles_beside(&self, centre: CentreId) -> u64 {
        self.beside[centre.index()].iter().map(|beside| beside.tiles).sum()
    }

    /// The size of a tier beside a centre: nothing if its mirror image is stored instead.
    fn beside(&self, centre: CentreId, tier: Tier) -> Beside {
        self.beside[centre.index()].get(tier.stones()).copied().unwrap_or_default()
    }

    /// The same with batches of at least this many cells. Sweeps of the same board that share
    /// files must agree on them.
    pub(crate) fn with_batches_of(self, cells: u64) -> Sizes {
        let schedule = self.batches_of(cells);
        Sizes { schedule, ..self }
    }

    fn batches_of(&self, cells: u64) -> Schedule {
        let weight = |centre: CentreId| all_cells(&self.beside[centre.index()]);
        Schedule::new(&self.census, weight, cells)
    }

    /// The smallest batches, except that some centres are solved side by side.
    pub(in crate::sweep) fn smallest_batches(&self) -> Schedule {
        let is_single = self.census.split().centre_width() == 1;
        self.batches_of(if is_single { 0 } else { batch_cells(self.census()) })
    }

    /// The batches that are solved, and published, as one.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Cells of a batch that a sweep over these tiers works on.
    pub(crate) fn batch_cells(&self, batch: usize, tiers: TierRange) -> u64 {
        let centres = self.schedule.batches()[batch].centres.iter().copied();
        let cells = |centre| tiers.iter().map(move |tier| self.cells_beside(centre, tier));
        centres.flat_map(cells).sum()
    }

    /// Tiles of a batch that a sweep over these tiers works on.
    pub(crate) fn batch_tiles(&self, batch: usize, tiers: TierRange) -> u64 {
        let beside = |centre: CentreId| {
            let of_tier = move |tier: Tier| self.beside[centre.index()][tier.stones()].tiles;
            tiers.iter().map(of_tier)
        };
        self.schedule.batches()[batch].centres.iter().copied().flat_map(beside).sum()
    }

    /// Which cells are worked on.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    fn of_tier(&self, tier: Tier) -> impl Iterator<Item = &Beside> {
        self.beside.iter().filter_map(move |beside| beside.get(tier.stones()))
    }

    /// Cells of a tier that are worked on.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.of_tier(tier).map(|beside| beside.cells).sum()
    }

    /// Cells of a tier that are stored.
    pub(crate) fn stored_cells(&self, tier: Tier) -> u64 {
        self.stored[tier.stones()].cells
    }

    /// The number of parts into which the stored tiles of a tier are cut, by [`PART_ROWS`].
    pub(crate) fn stored_parts(&self, tier: Tier) -> [u64; PART_ROWS.len()] {
        self.stored[tier.stones()].parts
    }

    /// Tiles of a tier.
    pub(crate) fn tiles(&self, tier: Tier) -> u64 {
        self.of_tier(tier).map(|beside| beside.tiles).sum()
    }

    /// Cells of a tier beside a centre that are worked on.
    pub(crate) fn cells_beside(&self, centre: CentreId, tier: Tier) -> u64 {
        self.beside(centre, tier).cells
    }

    /// Words of the two largest successive tiers among these, beside a centre.
    pub(super) fn two_tiers(&self, centre: CentreId, tiers: TierRange) -> usize {
        let from_before = self.census.tiers().filter(|tier| {
            tiers.contains(*tier) || tier.0.checked_sub(1).map(Tier) == Some(tiers.last())
        });
        let words = from_before.map(|tier| self.beside(centre, tier).words);
        let words: Vec<usize> = words.collect();
        let two = words.windows(2).map(|two| two[0] + two[1]).max();
        two.or(words.first().copied()).unwrap_or(0)
    }

    /// Is this centre solved by all threads together, not side by side with others?
    pub(in crate::sweep) fn is_large(&self, centre: CentreId) -> bool {
        self.two_tiers(centre, TierRange::all(self.census.board())) >= LARGE
    }

    /// Bytes of the files of all tiles that are kept at the worst time, including the tier that
    /// the sweep starts from, if it goes on from an earlier one, and the one for the next sweep.
    pub fn kept_bytes(&self, tiers: TierRange, goes_on: bool) -> u64 {
        let census = &self.census;
        let starts = goes_on.then(|| tiers.last().next_unchecked());
        let leaves = Some(tiers.first()).filter(|tier| *tier > Tier(0));
        let whole = |tier: Tier| -> u64 {
            let files = self.schedule.batches().len() as u64 * FILE_BYTES;
            let readers = |centre| {
                tier.last_mover().map_or(0, |player| self.before(centre, player).count()) as u64
            };
            let of_centre = |centre: CentreId| {
                let beside = self.beside(centre, tier);
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
    pub(in crate::sweep) fn batch_bytes(&self, batch: usize, tiers: TierRange) -> u64 {
        self.passing_bytes(&self.schedule, batch, tiers).values().sum()
    }

    /// The same, for each batch that needs them.
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
        for centre in schedule.batches()[batch].centres.iter().copied() {
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

    /// The centres from which a stone of this player leads to this one.
    pub(super) fn before(
        &self,
        centre: CentreId,
        player: Player,
    ) -> impl Iterator<Item = CentreId> + '_ {
        let before = self.census.centre(centre).before(player);
        before.filter_map(|(_, before)| self.census.find_centre(before))
    }

    /// Bytes of the tiles that a centre hands on to another from which a stone of this player
    /// leads to it.
    pub(super) fn pile_bytes(&self, centre: CentreId, player: Player, tiers: TierRange) -> u64 {
        let kept = tiers.iter().filter(|tier| *tier > tiers.first());
        let kept = kept.filter(|tier| tier.last_mover() == Some(player));
        kept.map(|tier| self.beside(centre, tier).pile).sum()
    }
}

/// The size of each tier beside a centre: nothing if the mirror image is looked at instead.
/// Adds the stored sizes.
fn count(
    census: &Census,
    centre: CentreId,
    held: &impl Fn(CentreId) -> Vec<Held>,
    stored: &mut [Stored],
) -> Box<[Beside]> {
    let reversed = census.reversed(centre);
    if reversed < centre {
        return Box::default();
    }
    let (left, right) = (held(centre), held(reversed));
    let mut all = vec![Beside::default(); census.tiers().len()];
    census.visit_tiles_beside(centre, |tier, tile, [rows, columns]| {
        let panels = u64::from(columns.div_ceil(PANEL as u32));
        let parts = PART_ROWS.map(|most| panels * u64::from(rows.div_ceil(most as u32)));
        stored[tier.stones()].add(Stored { cells: rows as u64 * columns as u64, parts });
        let (left, right) = (left[tile.left.slot()], right[tile.right.slot()]);
        let shape = |[rows, columns]: [u32; 2]| MatrixShape {
            rows: rows as usize,
            columns: columns as usize,
        };
        let mover = tier.mover().index();
        let held = match shape([left.by_mover[mover], right.by_mover[mover]]) {
            held if held.rows.min(held.columns) > 0 => held,
            _ => shape([0; 2]),
        };
        let sum = &mut all[tier.stones()];
        sum.tiles += 1;
        sum.cells += held.rows as u64 * held.columns as u64;
        sum.words += Panels(held).room();
        sum.whole += kept_bytes(held);
        if let Some(last) = tier.last_mover() {
            let last = last.index();
            sum.pile += kept_bytes(shape([left.handed_on[last], right.handed_on[last]]));
        }
    });
    all.into()
}

/// Bytes of a kept tile, including its place in the directory. In a large tile half of the lines
/// repeat, in a small one only few.
fn kept_bytes(shape: MatrixShape) -> u64 {
    let panels = Panels(shape);
    let bytes = panels.words() * size_of::<u64>();
    let packed = if bytes >= LARGE_TILE { bytes as f64 * PACKED } else { bytes as f64 };
    let tokens = shape.rows * panels.count() * 2 * size_of::<u16>();
    packed as u64 + tokens as u64 + TILE_BYTES
}

/// In tiles of this many bytes or more, lines repeat.
const LARGE_TILE: usize = 1 << 18;

/// The size of a packed large tile as a part of its words, measured on 7x6.
const PACKED: f64 = 0.52;

/// Bytes of a tile in a directory.
const TILE_BYTES: u64 = 64;

/// Bytes of an empty file.
const FILE_BYTES: u64 = 96;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_sizes_are_near_those_of_all_states() {
        for board in ["7x4", "6x4", "5x5", "8x3", "4x5"] {
            let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
            let tiers = TierRange::all(census.board());
            let of = |sizes: &Sizes| {
                let cells: u64 = tiers.iter().map(|tier| sizes.cells(tier)).sum();
                let kept = sizes.most_kept(&sizes.batches_of(0), tiers);
                [cells, sizes.bytes(tiers, 2), kept].map(|size| size as f64)
            };
            let [exact, rough] = [Sizes::exact, Sizes::rough].map(|of| of(&census, Scope::InDoubt));
            for (exact, rough) in of(&exact).into_iter().zip(of(&rough)) {
                let ratio = rough / exact;
                assert!((0.5..2.0).contains(&ratio), "{board}: {rough} instead of {exact}");
            }
            let [exact, rough] =
                [Sizes::exact, Sizes::rough].map(|of| of(&census, Scope::EveryCell));
            assert_eq!(of(&exact), of(&rough));
        }
    }

    #[test]
    fn the_original_game_takes_half_of_its_cells() {
        let census = Arc::new(Census::new("7x6".parse().unwrap()).unwrap());
        let tiers = TierRange::all(census.board());
        let sizes = Sizes::exact(&census, Scope::InDoubt);
        let words = census.centres().map(|centre| sizes.two_tiers(centre, tiers)).max();
        let narrow = if cfg!(small_panels) { 542_800 } else { 0 };
        assert_eq!(
            words,
            Some(424_238_544 - narrow),
            "narrow panels end nearer to the last column"
        );
        let cells: u64 = tiers.iter().map(|tier| sizes.cells(tier)).sum();
        let all: u64 = tiers.iter().map(|tier| census.stored_cells(tier)).sum();
        assert_eq!((cells, all), (1_234_917_161_873, 2_594_469_905_395));
    }
}
