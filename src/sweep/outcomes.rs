//! The outcomes of all cells of a board, in memory: for boards up to about 7x4,
//! whose outcomes take half a gigabyte.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::board::{Outcome, OutcomeCounts, Tier};
use crate::index::{Cell, CentreId, Index, Tile};
use crate::order::OrderError;
use crate::sealed::WorkingFileError;

use super::TierWork;
use super::end::End;
use super::extent::Extent;
use super::kernels::Cpu;
use super::memory_sweep::MemorySweep;
use super::observer::Observer;
use super::scope::Scope;
use super::solved::SolvedTile;

/// The outcomes of all tiers of a board.
///
/// ```
/// use strong4::board::{Board, Outcome, Tier};
/// use strong4::index::{CellOffset, Index};
/// use strong4::sweep::{Cpu, Outcomes, Scope};
///
/// let index = Index::new(Board::new(4, 4)?)?;
/// let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::InDoubt)?;
/// let empty = index.cell_at(Tier::new(0).unwrap(), CellOffset(0)).expect("the empty board");
/// assert_eq!(outcomes.outcome(empty), Outcome::Draw);
/// assert_eq!(outcomes.met(Tier::new(1).unwrap()).drawn, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outcomes<'a> {
    index: &'a Index,
    cpu: Cpu,
    /// For each tile, the outcomes of all cells, row by row.
    tiles: HashMap<Tile, Box<[Outcome]>>,
    work: Vec<TierWork>,
}

/// Keeps the outcomes of all tiles.
#[derive(Default)]
struct Gather(Mutex<HashMap<Tile, Box<[Outcome]>>>);

impl Observer for Gather {
    type Error = WorkingFileError;

    fn solved(&self, solved: SolvedTile) -> Result<(), WorkingFileError> {
        let columns = solved.columns();
        let row = |row| (0..columns).map(move |column| (row, column));
        let cells = (0..solved.rows()).flat_map(row);
        let outcomes = cells.map(|(row, column)| solved.outcome(row, column)).collect();
        self.0.lock().expect("no thread has panicked").insert(solved.tile(), outcomes);
        Ok(())
    }

    fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), WorkingFileError> {
        Ok(())
    }
}

impl<'a> Outcomes<'a> {
    /// Solves a board.
    pub fn of(index: &'a Index, cpu: Cpu, scope: Scope) -> Result<Outcomes<'a>, OrderError> {
        let extent = Extent::new(index.census(), scope);
        Outcomes::with_end(index, &extent, cpu, End::full_board(index.board()))
    }

    /// Solves the tiers before this end.
    pub fn with_end(
        index: &'a Index,
        extent: &Extent,
        cpu: Cpu,
        end: End,
    ) -> Result<Outcomes<'a>, OrderError> {
        let mut sweep = MemorySweep::new(extent, cpu, end, Tier(0))?;
        let gather = Gather::default();
        while sweep.advance(&gather).expect("nothing is written") {}
        let tiles = gather.0.into_inner().expect("no thread has panicked");
        Ok(Outcomes { index, cpu, tiles, work: sweep.work().to_vec() })
    }

    /// The form of the kernels that found them.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The live positions of a tier that the sweep met, by outcome. All others are won.
    pub fn met(&self, tier: Tier) -> OutcomeCounts {
        self.work[tier.stones()].met(tier)
    }

    /// The outcome in a stored cell, for the mover. Cells that no game reaches
    /// have one too, which means nothing; a cell with a four of the last mover
    /// is a loss.
    pub fn outcome(&self, cell: Cell) -> Outcome {
        let Cell { tile, row, column } = cell;
        let census = self.index.census();
        if self.index.has_crossing_four_of(cell, census.tier(tile).mover().other()) {
            return Outcome::Loss;
        }
        self.tiles[&tile][row as usize * census.tile_columns(tile) + column as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_the_kernels_give_the_same_outcomes() {
        all_forms_give_the_same_outcomes(["6x3", "4x4", "3x6", "9x2", "8x2", "12x1", "2x6", "1x9"]);
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn all_forms_of_the_kernels_give_the_same_outcomes_of_larger_boards() {
        all_forms_give_the_same_outcomes(["7x3", "5x4", "4x5", "6x4", "4x6"]);
    }

    fn all_forms_give_the_same_outcomes<const N: usize>(boards: [&str; N]) {
        for board in boards {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let scopes = [Scope::InDoubt, Scope::EveryCell].map(|scope| {
                let solved = Cpu::all().map(|cpu| Outcomes::of(&index, cpu, scope).unwrap());
                let solved: Vec<Outcomes> = solved.collect();
                let (portable, others) = solved.split_first().unwrap();
                let tiles = index.census().tiers().map(|tier| index.census().tiles(tier).count());
                assert_eq!(portable.tiles.len(), tiles.sum::<usize>());
                for other in others {
                    for tier in index.census().tiers() {
                        assert_eq!(other.met(tier), portable.met(tier));
                    }
                    assert!(other.tiles == portable.tiles, "{board}");
                }
                index.census().tiers().map(|tier| portable.met(tier)).collect::<Vec<_>>()
            });
            let [in_doubt, every_cell] = scopes;
            for (met, all) in in_doubt.iter().zip(&every_cell) {
                assert_eq!((met.drawn, met.lost), (all.drawn, all.lost));
                assert!(met.won <= all.won);
            }
        }
    }
}
