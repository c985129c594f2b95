//! How large the tiers of each centre are: from the sizes of classes, and from how many states of
//! each tiles [hold](HeldSizes).

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId};

use crate::sweep::bits::{
    MatrixShape, PANEL, Panels, Planes, is_plain_for_long, is_plain_in_memory,
};
use crate::sweep::states::{HeldSizes, Scope};

/// How much of a board a sweep works on.
pub struct Sizes {
    census: Arc<Census>,
    scope: Scope,
    planes: Planes,
    /// By centre, of two mirror images the one that is stored.
    tiers: Vec<CentreTiers>,
    /// By tier, whatever is worked on.
    stored: Vec<Stored>,
}

/// The sizes of successive tiers of a centre; others have no tiles.
#[derive(Default)]
struct CentreTiers {
    first: usize,
    sizes: Box<[TierSize]>,
}

impl CentreTiers {
    fn iter(&self) -> impl Iterator<Item = (Tier, &TierSize)> {
        (self.first as u8..).map(Tier).zip(&self.sizes)
    }

    fn get(&self, tier: Tier) -> Option<&TierSize> {
        self.sizes.get(tier.stones().checked_sub(self.first)?)
    }
}

/// The size of a tier of a centre.
#[derive(Clone, Copy, Default)]
pub(super) struct TierSize {
    pub tiles: u64,
    /// Cells that are worked on, and words that they take.
    pub cells: u64,
    pub words: usize,
    /// Words of its largest tile.
    pub largest: usize,
    /// Bytes of the tiles as handed on to one centre; as kept whole, packed tightly; and as they
    /// wait for others of the same centre.
    pub handoff: HandedOn,
    pub whole: u64,
    pub waiting: u64,
}

/// The size of a stored tier.
#[derive(Clone, Copy, Default)]
struct Stored {
    cells: u64,
    /// By [`PART_ROWS`], the number of parts that the tiles are cut into, each of at most this many
    /// rows and 512 columns.
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

/// About this many states are looked at, in a fifth of a second on 7x6; more on boards with many
/// centres, since some of each class are looked at beside every centre.
pub(super) const LOOKS: u64 = 1 << 22;

/// If a board has more states than this, but fewer than [`LOOKS`], a quarter is looked at: looking at
/// all of them would take a twelfth of the time in which 7x4 is solved.
const FEW: u64 = 1 << 18;

/// Centres that a thread counts at a time.
const SIDE_BY_SIDE: usize = 64;

/// A centre is solved alone, by all threads, if two tiers of it have this many words or more.
pub(super) const LARGE: usize = 1 << 21;

impl Sizes {
    /// The sizes of a board: exact if few states stand beside all of its centres, and else nearly
    /// so.
    pub fn new(census: &Arc<Census>, scope: Scope, planes: Planes) -> Sizes {
        let all = census.rows();
        let looks = if (FEW..LOOKS).contains(&all) { all.div_ceil(4) } else { LOOKS };
        Sizes::from_looks(census, (scope, planes), looks)
    }

    /// The same from a look at about this many states.
    pub(super) fn from_looks(
        census: &Arc<Census>,
        (scope, planes): (Scope, Planes),
        states: u64,
    ) -> Sizes {
        let held = HeldSizes::new(census, scope, states);
        let centres: Vec<CentreId> = census.centres().collect();
        let of_centres = |centres: &[CentreId]| {
            let mut stored = vec![Stored::default(); census.tiers().len()];
            let of_centre = |centre: &CentreId| count(census, *centre, planes, &held, &mut stored);
            let tiers: Vec<CentreTiers> = centres.iter().map(of_centre).collect();
            (tiers, stored)
        };
        let counted: Vec<_> = centres.par_chunks(SIDE_BY_SIDE).map(of_centres).collect();
        let mut stored = vec![Stored::default(); census.tiers().len()];
        let mut tiers = Vec::with_capacity(centres.len());
        for (of_some, stored_of_some) in counted {
            tiers.extend(of_some);
            stored.iter_mut().zip(stored_of_some).for_each(|(sum, some)| sum.add(some));
        }
        Sizes { census: census.clone(), scope, planes, tiers, stored }
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// Cells of all tiers of a centre that are worked on.
    pub(super) fn centre_cells(&self, centre: CentreId) -> u64 {
        self.tiers[centre.index()].sizes.iter().map(|tier| tier.cells).sum()
    }

    /// Tiles of all tiers of a centre.
    pub(super) fn centre_tiles(&self, centre: CentreId) -> u64 {
        self.tiers[centre.index()].sizes.iter().map(|tier| tier.tiles).sum()
    }

    /// The size of a tier of a centre: nothing if its mirror image is stored instead.
    pub(super) fn tier(&self, centre: CentreId, tier: Tier) -> TierSize {
        self.tiers[centre.index()].get(tier).copied().unwrap_or_default()
    }

    /// What a centre hands on to one from which a stone of this player leads to it.
    pub(in crate::sweep) fn handed_on(
        &self,
        centre: CentreId,
        player: Player,
        tiers: TierRange,
    ) -> HandedOn {
        let is_handed_on = |tier: Tier| {
            tiers.contains(tier) && tier > tiers.first() && tier.last_mover() == Some(player)
        };
        let each = self.tiers[centre.index()].iter().filter(|(tier, _)| is_handed_on(*tier));
        each.map(|(_, size)| size.handoff).fold(HandedOn::default(), HandedOn::plus)
    }

    /// Which cells are worked on.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Which outcome planes are worked on.
    pub fn planes(&self) -> Planes {
        self.planes
    }

    fn of_tier(&self, tier: Tier) -> impl Iterator<Item = &TierSize> {
        self.tiers.iter().filter_map(move |tiers| tiers.get(tier))
    }

    /// Cells of a tier that are worked on.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.of_tier(tier).map(|tier| tier.cells).sum()
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
        self.of_tier(tier).map(|tier| tier.tiles).sum()
    }

    /// Cells of a tier of a centre that are worked on.
    pub(crate) fn tier_cells(&self, centre: CentreId, tier: Tier) -> u64 {
        self.tier(centre, tier).cells
    }

    /// The sizes of these tiers of a centre, and of the one from which a sweep over them starts.
    pub(super) fn with_start(
        &self,
        centre: CentreId,
        tiers: TierRange,
    ) -> impl Iterator<Item = TierSize> {
        let from_before = self.census.tiers().filter(move |tier| {
            tiers.contains(*tier) || tier.0.checked_sub(1).map(Tier) == Some(tiers.last())
        });
        from_before.map(move |tier| self.tier(centre, tier))
    }

    /// Words of the largest tiers of a centre that take turns in two pieces of memory, the last of
    /// these tiers in the second.
    pub(in crate::sweep) fn in_turns(&self, centre: CentreId, tiers: TierRange) -> [usize; 2] {
        let mut largest = [0; 2];
        for (tier, size) in (tiers.first().0..).zip(self.with_start(centre, tiers)) {
            let place = usize::from(tiers.last().0 + 1 - tier) % 2;
            largest[place] = size.words.max(largest[place]);
        }
        largest
    }

    /// Words of the two largest successive tiers of a centre among these.
    pub(in crate::sweep) fn two_tiers(&self, centre: CentreId, tiers: TierRange) -> usize {
        let words = self.with_start(centre, tiers).map(|tier| tier.words);
        let two = |(before, most): (usize, usize), words| (words, most.max(before + words));
        words.fold((0, 0), two).1
    }

    /// Whether this centre is solved by all threads together, not side by side with others.
    pub(in crate::sweep) fn is_large(&self, centre: CentreId) -> bool {
        self.two_tiers(centre, TierRange::all(self.census.board())) >= LARGE
    }
}

/// The size of each tier of a centre: nothing if the mirror image is looked at instead.
/// Adds the stored sizes.
fn count(
    census: &Census,
    centre: CentreId,
    planes: Planes,
    held: &HeldSizes,
    stored: &mut [Stored],
) -> CentreTiers {
    let reversed = census.reversed(centre);
    if reversed < centre {
        return CentreTiers::default();
    }
    let left = held.of_centre(centre);
    let right = if reversed == centre { left.clone() } else { held.of_centre(reversed) };
    let width = census.split().centre_width();
    let cells = width * census.board().height();
    let empty = 1.0 - census.centre_class(centre).stones() as f64 / cells as f64;
    let packed = PackedShares::new(width, empty);
    let panels_of = |shape| Panels { shape, planes: planes.count() };
    let mut all = vec![TierSize::default(); census.tiers().len()];
    census.visit_tiles_of(centre, |tier, tile, [rows, columns]| {
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
        let held = panels_of(held);
        sum.words += held.padded_words();
        sum.largest = sum.largest.max(held.padded_words());
        sum.whole += packed.of(held).tight;
        sum.waiting += (held.bytes() as f64 * WAITING) as u64;
        if let Some(last) = tier.last_mover() {
            let last = last.index();
            let shape = shape([left.handed_on[last], right.handed_on[last]]);
            sum.handoff = sum.handoff.plus(packed.of(panels_of(shape)));
        }
    });
    let has_tiles = |size: &TierSize| size.tiles > 0;
    let first = all.iter().position(has_tiles).unwrap_or(0);
    let end = all.iter().rposition(has_tiles).map_or(first, |last| last + 1);
    CentreTiers { first, sizes: all[first..end].into() }
}

/// The bytes that are handed on, packed quickly and tightly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::sweep) struct HandedOn {
    pub quick: u64,
    pub tight: u64,
}

impl HandedOn {
    pub(crate) fn plus(self, other: HandedOn) -> HandedOn {
        HandedOn { quick: self.quick + other.quick, tight: self.tight + other.tight }
    }
}

/// What packing leaves of the tiles of a centre, in parts of ten thousand, by the logarithm of
/// their bytes: quick packing, and tight packing.
struct PackedShares([[u64; POWERS]; 2]);

/// No tile has as many bytes as this power of two.
const POWERS: usize = 48;

/// The exponents of what is left: beside one column and beside two, of quick and of tight packing.
/// More is left if much of the centre is empty, since fewer lines repeat, and less of a large tile,
/// mostly if the centre is full:
///
/// ```text
///     exp(a + b · empty − c · (1 − empty / 2) · log₂ bytes), where this share of the centre is empty
/// ```
///
/// Fitted to all tiles that are handed on within 5x6, 7x4, 7x5 and 7x6, and within 6x5, 6x6, 8x4
/// and 8x5.
const EXPONENTS: [[[f64; 3]; 2]; 2] =
    [[[0.17, 0.37, 0.086], [0.20, 0.255, 0.119]], [[-0.88, 1.207, 0.083], [-1.05, 1.369, 0.126]]];

impl PackedShares {
    /// The shares for a centre of this many columns, of which this share is empty, rounded so that
    /// all machines agree.
    fn new(columns: usize, empty: f64) -> PackedShares {
        PackedShares(EXPONENTS[columns - 1].map(|[a, b, c]| {
            let of_bit = c * (1.0 - empty / 2.0);
            let of_size = |size| (a + b * empty - of_bit * (size as f64 + 0.5)).exp().min(1.0);
            std::array::from_fn(|size| (10_000.0 * of_size(size)).round() as u64)
        }))
    }

    /// Bytes of a tile in a handoff, including its place in the directory.
    fn of(&self, panels: Panels) -> HandedOn {
        let bytes = panels.bytes() as u64;
        let packed = self.0.map(|parts| bytes * parts[bytes.max(1).ilog2() as usize] / 10_000);
        let [quick, tight] = [
            if is_plain_in_memory(panels) { bytes } else { packed[0] },
            if is_plain_for_long(panels) { bytes } else { packed[1] },
        ];
        HandedOn { quick: quick + TILE_BYTES, tight: tight + TILE_BYTES }
    }
}

/// The share that is left of a tile of a large centre when it is compressed to wait for others: as
/// measured on 7x6, where it is 0.16 to 0.2 of the largest tiers.
const WAITING: f64 = 0.19;

/// Bytes of a tile in a directory.
const TILE_BYTES: u64 = 40;

/// Bytes of an empty file of handoffs.
pub(super) const FILE_BYTES: u64 = 96;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_game_takes_half_of_its_cells() {
        let census = Arc::new(Census::new("7x6".parse().unwrap()).unwrap());
        let tiers = TierRange::all(census.board());
        let sizes = Sizes::from_looks(&census, (Scope::InDoubt, Planes::Both), u64::MAX);
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

    #[test]
    fn tiers_take_turns_in_two_pieces_of_memory() {
        let census = Arc::new(Census::new("5x4".parse().unwrap()).unwrap());
        let sizes = Sizes::from_looks(&census, (Scope::InDoubt, Planes::Both), u64::MAX);
        for (first, last) in [(0, 20), (3, 20), (0, 11), (4, 16), (7, 7)] {
            let tiers = TierRange::new(Tier(first), Tier(last)).unwrap();
            for centre in census.centres() {
                let words = |tier| sizes.tier(centre, Tier(tier)).words;
                let (mut next, mut this) = ((0, 0), (1, 0));
                if last < 20 {
                    next.1 = words(last + 1);
                }
                for tier in (first..=last).rev() {
                    this.1 = this.1.max(words(tier));
                    std::mem::swap(&mut next, &mut this);
                }
                let in_turns = sizes.in_turns(centre, tiers);
                for (place, words) in [next, this] {
                    assert_eq!(words, in_turns[place], "{centre:?} from {first} to {last}");
                }
                assert!(in_turns.iter().sum::<usize>() >= sizes.two_tiers(centre, tiers));
            }
        }
    }
}
