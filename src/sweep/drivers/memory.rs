//! The backward sweep in memory: from the end of games down, batch by batch. [`Outcomes`] keeps all
//! that it finds, for boards up to about 7x4, whose outcomes take half a gigabyte.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::board::{Outcome, OutcomeCounts, Tier};
use crate::cpu::Cpu;
use crate::files::sealed::WorkingFileError;
use crate::index::{Cell, Index, Tile};
use crate::order::Orders;

use crate::sweep::handoff::{BatchPair, Destinations, Store, StoreWriter};
use crate::sweep::states::Scope;
use crate::sweep::tile::{Observer, SolvedTile};
use crate::sweep::work::{Extent, Schedule, TierWork};
use crate::too_large::BoardTooLarge;

use super::solve_batch;
use super::start::{End, Shared, Sources};

/// A sweep from the end of games down to some tier, which writes nothing.
pub struct MemorySweep<'a> {
    shared: Shared<'a>,
    schedule: Schedule,
    /// How many batches have been solved.
    solved: usize,
    /// What batches have handed on, until it is read.
    stores: HashMap<BatchPair, Arc<Store>>,
    work: Vec<TierWork>,
}

impl<'a> MemorySweep<'a> {
    /// A sweep from this end down to this tier, or to its last one if that is lower.
    pub fn new(
        extent: &'a Extent,
        cpu: Cpu,
        end: End,
        first: Tier,
    ) -> Result<MemorySweep<'a>, BoardTooLarge> {
        Ok(MemorySweep {
            shared: Shared::new(extent, cpu, end.tiers(first), false)?,
            schedule: extent.smallest_batches(),
            solved: 0,
            stores: HashMap::new(),
            work: vec![TierWork::default(); extent.census().board().cells() + 1],
        })
    }

    /// Turns on the clocks of all threads.
    pub fn take_time(&mut self) {
        self.shared.is_timed = true;
    }

    /// The move-order types of the board, cut as the index cuts it.
    pub(crate) fn orders(&self) -> &Orders {
        &self.shared.order_types.orders
    }

    /// How many batches have been solved, and how many there are.
    pub fn solved(&self) -> (usize, usize) {
        (self.solved, self.schedule.batches().len())
    }

    /// The work done, per tier of the board.
    pub fn work(&self) -> &[TierWork] {
        &self.work
    }

    /// The live positions of a tier that the sweep has met so far, by outcome. All others are won.
    pub fn met(&self, tier: Tier) -> OutcomeCounts {
        self.work[tier.stones()].met(tier)
    }

    /// Solves the next batch, if there is one.
    pub fn advance<O: Observer>(&mut self, observer: &O) -> Result<bool, O::Error> {
        let Some(batch) = self.schedule.batches().get(self.solved) else { return Ok(false) };
        let from = self.solved;
        let needs = batch.needs.iter().map(|need| {
            let store = self.stores.remove(&BatchPair { from: *need, to: from });
            (*need, store.expect("a batch that was solved before"))
        });
        let (schedule, stores) = (&self.schedule, needs.collect());
        let before = Sources { schedule, stores, start: None };
        let readers = self.schedule.readers(from).iter();
        let later = readers.map(|to| (*to, StoreWriter::default())).collect();
        let destinations = Destinations::new(&self.schedule, from, later, None);
        let work = solve_batch(&self.shared, batch, &before, &destinations, observer)?;
        self.work.iter_mut().zip(work).for_each(|(sum, work)| *sum = sum.plus(work));
        let (later, _) = destinations.finish()?;
        let later = later.into_iter().map(|(to, store)| (BatchPair { from, to }, Arc::new(store)));
        self.stores.extend(later);
        self.solved += 1;
        Ok(true)
    }
}

/// The outcomes of all tiers of a board.
///
/// ```
/// use strong4::board::{Board, Outcome, Tier};
/// use strong4::inside::index::Index;
/// use strong4::inside::sweep::{Cpu, Outcomes, Scope};
///
/// let index = Index::new(Board::new(4, 4)?)?;
/// let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::InDoubt)?;
/// let empty = index.cell_at(Tier::new(0).unwrap(), 0).expect("the empty board");
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
}

impl<'a> Outcomes<'a> {
    /// Solves a board.
    pub fn of(index: &'a Index, cpu: Cpu, scope: Scope) -> Result<Outcomes<'a>, BoardTooLarge> {
        let extent = Extent::new(index.census(), scope);
        Outcomes::with_end(index, &extent, cpu, End::full_board(index.board()))
    }

    /// Solves the tiers before this end.
    pub fn with_end(
        index: &'a Index,
        extent: &Extent,
        cpu: Cpu,
        end: End,
    ) -> Result<Outcomes<'a>, BoardTooLarge> {
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
