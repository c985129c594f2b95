//! What of a board a sweep works on: which states of a side are in doubt beside each centre.

use std::ops::Deref;

use rayon::prelude::*;

use crate::index::{CentreId, Index};

use super::groups::groups;
use super::scope::Scope;
use super::side_order::{Held, SideOrder};
use super::sizes::Sizes;

/// The index of a board, and what of it a sweep works on.
pub struct Extent<'a> {
    index: &'a Index,
    /// By centre and class slot, the group of each state.
    groups: Vec<Vec<Box<[u8]>>>,
    sizes: Sizes,
}

impl<'a> Extent<'a> {
    /// Looks what is in doubt beside each centre.
    pub fn new(index: &'a Index, scope: Scope) -> Extent<'a> {
        let centres: Vec<CentreId> = index.census().centres().collect();
        let groups: Vec<Vec<Box<[u8]>>> =
            centres.into_par_iter().map(|centre| groups(index, centre)).collect();
        let count = |classes: &Vec<Box<[u8]>>| {
            classes.iter().map(|groups| Held::count(groups, scope)).collect()
        };
        let held = groups.par_iter().map(count).collect();
        let sizes = Sizes::new(index.census(), scope, held).with_batches_of_rough_sizes(None);
        Extent { index, groups, sizes }
    }

    /// With batches of this many cells at least. Sweeps of the same board that share files must
    /// have the same.
    pub(crate) fn with_batches_of(self, cells: u64) -> Extent<'a> {
        Extent { sizes: self.sizes.with_batches_of_rough_sizes(Some(cells)), ..self }
    }

    /// How the states beside a centre stand in tiles.
    pub(super) fn order(&self, centre: CentreId) -> SideOrder {
        SideOrder::new(self.index, centre, self.scope(), &self.groups[centre.index()])
    }

    /// The index.
    pub fn index(&self) -> &'a Index {
        self.index
    }
}

/// How much that is.
impl Deref for Extent<'_> {
    type Target = Sizes;

    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, TierRange};

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
