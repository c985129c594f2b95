//! What of a board a sweep works on, and so how much memory and how much room
//! for working files it takes.

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId, Class, Index, Tile};

use super::MatrixShape;
use super::panels::Panels;
use super::schedule::{Batch, batches};
use super::scope::Scope;
use super::side_order::Held;

/// The index of a board, and what of it a sweep works on.
pub struct Extent<'a> {
    index: &'a Index,
    scope: Scope,
    /// By centre and class slot.
    held: Vec<Held>,
}

/// Words of two tiers beside a centre from which on it is solved alone, by all threads.
const LARGE: usize = 1 << 21;

/// Bytes of each row of a board: its state in the index.
const ROW_BYTES: u64 = size_of::<u32>() as u64;

/// Bytes of each row of a centre that is being solved: where it stands, its labels, and
/// where moves of either player lead, for the centre itself and those around it.
const SIDE_BYTES: u64 = 96;

impl<'a> Extent<'a> {
    /// Counts what is in doubt beside each centre.
    pub fn new(index: &'a Index, scope: Scope) -> Extent<'a> {
        let census = index.census();
        let centres: Vec<CentreId> = census.centres().collect();
        let classes: Vec<Class> = Class::all(census.split().side_cells()).collect();
        let of_centre = |centre: CentreId| -> Vec<Held> {
            let count = |class: &Class| Held::count(index, centre, *class, scope);
            classes.par_iter().map(count).collect()
        };
        let held = centres.into_par_iter().flat_map_iter(of_centre).collect();
        Extent { index, scope, held }
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

    fn held(&self, centre: CentreId, class: Class) -> Held {
        let slots = Class::slots(self.census().split().side_cells());
        self.held[centre.index() * slots + class.slot()]
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

    /// Cells of a tier that are worked on.
    pub fn cells(&self, tier: Tier) -> u64 {
        self.census().centres().map(|centre| self.cells_beside(centre, tier)).sum()
    }

    /// Cells of a tier beside a centre that are worked on.
    pub fn cells_beside(&self, centre: CentreId, tier: Tier) -> u64 {
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

    /// Bytes of memory that these tiers take at most on so many threads: the rows of all
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
        let thread_bytes = THREAD_BYTES + census.largest_class() as u64 * LINE_BYTES;
        most(true).max(most(false) * at_a_time)
            + census.rows() * ROW_BYTES
            + threads as u64 * thread_bytes
    }

    /// Stored cells of all tiles that are kept at the worst time, with the tiers
    /// that the sweep starts from and leaves.
    pub fn kept_cells(&self, tiers: TierRange) -> u64 {
        let census = self.census();
        let batches = batches(census);
        let cells_of = |centre: &CentreId| -> u64 {
            let kept = tiers.iter().filter(|tier| *tier > tiers.first());
            kept.map(|tier| self.handed_on(*centre, tier)).sum()
        };
        let of_batch = |batch: &Batch| batch.centres.par_iter().map(cells_of).sum::<u64>();
        let cells: Vec<u64> = batches.iter().map(of_batch).collect();
        let (mut now, mut most) = (0, 0);
        for (batch, cells_of_batch) in batches.iter().zip(&cells) {
            now += cells_of_batch;
            most = most.max(now);
            now -= batch.done_with.iter().map(|batch| cells[*batch]).sum::<u64>();
        }
        let all_handed_on = |tier: Tier| -> u64 {
            census.centres().map(|centre| self.handed_on(centre, tier)).sum()
        };
        let starts = Some(tiers.last().next()).filter(|tier| *tier <= census.board().last_tier());
        let leaves = Some(tiers.first()).filter(|tier| *tier > Tier(0));
        let whole = starts.into_iter().chain(leaves);
        most + whole.map(|tier| self.cells(tier) + all_handed_on(tier)).sum::<u64>()
    }

    /// Cells of a tier that a centre hands on to those with one stone less.
    fn handed_on(&self, centre: CentreId, tier: Tier) -> u64 {
        let census = self.census();
        let Some(last_mover) = tier.last_mover() else { return 0 };
        let looked_at = census.centre(centre).before(last_mover).count() as u64;
        if looked_at == 0 {
            return 0;
        }
        let cells = |tile: Tile| {
            let held =
                |centre, class| u64::from(self.held(centre, class).handed_on[last_mover.index()]);
            held(tile.centre, tile.left) * held(census.reversed(tile.centre), tile.right)
        };
        looked_at * census.tiles_beside(tier, centre).map(cells).sum::<u64>()
    }
}

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
        assert_eq!(words, Some(424_238_544));
        let cells: u64 = tiers.iter().map(|tier| extent.cells(tier)).sum();
        let all: u64 = tiers.iter().map(|tier| index.census().stored_cells(tier)).sum();
        assert_eq!((cells, all), (1_234_917_161_873, 2_594_469_905_395));
    }
}
