//! The outcomes of all cells of a board, in memory: for boards as small as 7x4,
//! whose outcomes take half a gigabyte.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::board::{Outcome, OutcomeCounts, Tier, TierRange};
use crate::index::{Cell, Census, CentreId, Index, Tile};
use crate::order::OrderError;

use super::TierWork;
use super::by_centre::CentreSweep;
use super::error::SweepError;
use super::kept::{KeptError, Shelf};
use super::kernels::Cpu;
use super::observer::Observer;
use super::panels::{PanelTile, Panels};
use super::plane::shape;
use super::solved::{SolvedTile, outcome_of};

/// The outcomes of all tiers of a board.
///
/// ```
/// use strong4::board::{Board, Outcome, Tier};
/// use strong4::index::{CellOffset, Index};
/// use strong4::sweep::{Cpu, Outcomes};
///
/// let index = Index::new(Board::new(4, 4)?)?;
/// let outcomes = Outcomes::of(&index, Cpu::widest())?;
/// let empty = index.cell_at(Tier(0), CellOffset(0)).expect("the empty board");
/// assert_eq!(outcomes.outcome(empty), Outcome::Draw);
/// assert_eq!(outcomes.counts(Tier(1)).drawn, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outcomes<'a> {
    census: &'a Census,
    cpu: Cpu,
    tiles: HashMap<Tile, Box<[u64]>>,
    work: Vec<TierWork>,
}

/// Keeps the words of all tiles.
#[derive(Default)]
struct Gather(Mutex<HashMap<Tile, Box<[u64]>>>);

impl Observer for Gather {
    type Error = KeptError;

    fn solved(&self, solved: SolvedTile) -> Result<(), KeptError> {
        let words = solved.outcomes.words.into();
        self.0.lock().expect("no thread has panicked").insert(solved.tile, words);
        Ok(())
    }

    fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), KeptError> {
        Ok(())
    }
}

impl<'a> Outcomes<'a> {
    /// Solves a board.
    pub fn of(index: &'a Index, cpu: Cpu) -> Result<Outcomes<'a>, OrderError> {
        let tiers = TierRange::all(index.board());
        let sweep = CentreSweep::new(index, cpu, tiers, Shelf::Memory);
        let mut sweep = sweep.map_err(SweepError::in_memory)?;
        let gather = Gather::default();
        while sweep.advance(&gather).expect("nothing is written") {
            sweep.tidy().expect("nothing is removed");
        }
        let tiles = gather.0.into_inner().expect("no thread has panicked");
        Ok(Outcomes { census: index.census(), cpu, tiles, work: sweep.work().to_vec() })
    }

    /// The form of the kernels that found them.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// How many live positions of a tier have which outcome.
    pub fn counts(&self, tier: Tier) -> OutcomeCounts {
        self.work[tier.stones()].counts(tier)
    }

    /// The outcome in a stored cell, for the mover. Cells that no game reaches
    /// have one too, without a meaning; a cell with a four of the last mover is
    /// a loss.
    pub fn outcome(&self, cell: Cell) -> Outcome {
        let panels = Panels(shape(self.census, cell.tile));
        let tile = PanelTile { panels, words: &self.tiles[&cell.tile] };
        let bits = tile.bits(cell.row as usize, cell.column as usize);
        outcome_of(bits, self.census.tier(cell.tile).mover())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_the_kernels_give_the_same_bytes() {
        for board in ["7x3", "6x3", "5x4", "4x5", "3x6", "9x2", "8x2", "12x1", "2x6", "1x9"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let solved = Cpu::all().map(|cpu| Outcomes::of(&index, cpu).unwrap());
            let solved: Vec<Outcomes> = solved.collect();
            let (portable, others) = solved.split_first().unwrap();
            let tiles = index.census().tiers().map(|tier| index.census().tiles(tier).count());
            assert_eq!(portable.tiles.len(), tiles.sum::<usize>());
            for other in others {
                for tier in index.census().tiers() {
                    assert_eq!(other.counts(tier), portable.counts(tier));
                }
                for (tile, words) in &portable.tiles {
                    assert!(other.tiles[tile] == *words, "{tile:?} on {board}");
                }
            }
        }
    }
}
