//! The backward sweep: batch by batch of centres, each [solved](super::solving) by
//! itself, and what is kept of them until nobody needs it any more.

use std::collections::{HashMap, HashSet};

use crate::board::{OutcomeCounts, Tier, TierRange};
use crate::index::{CentreId, Index};
use crate::order::{Orders, Widths};

use super::directory::Name;
use super::error::SweepError;
use super::extent::Extent;
use super::kept::{Keeping, Kept, KeptError, KeptTile, Shelf};
use super::kernels::Cpu;
use super::labels::Kinds;
use super::observer::Observer;
use super::schedule::{Batch, batches};
use super::solving::{HandedOn, Keep, Shared};
use super::tier_work::TierWork;
use super::working_files::{after_name, kept_name};

/// The sweep of some tiers of a board, batch by batch.
pub struct CentreSweep<'a> {
    shared: Shared<'a>,
    shelf: Shelf,
    batches: Vec<Batch>,
    /// How many batches have been solved.
    solved: usize,
    before: Before,
    /// The first tier of the batches that were solved since the last time that all was synced.
    leaving: Vec<Kept>,
    work: Vec<TierWork>,
}

impl<'a> CentreSweep<'a> {
    /// A sweep over these tiers, from the last one down to the first.
    ///
    /// The tier after them is looked for on the shelf, where an earlier sweep
    /// has left its first tier; so does this one.
    pub fn new(
        extent: &'a Extent<'a>,
        cpu: Cpu,
        tiers: TierRange,
        shelf: Shelf,
    ) -> Result<CentreSweep<'a>, SweepError> {
        let index = extent.index();
        let board = index.board();
        let split = index.census().split();
        let (sides, centre) = (split.side_width(), split.centre_width());
        let orders =
            Orders::new(board, Widths { left: sides, centre, right: sides }, board.last_tier())?;
        let batches = batches(index.census());
        let number = |(number, batch): (usize, &Batch)| -> Vec<(CentreId, usize)> {
            batch.centres.iter().map(|centre| (*centre, number)).collect()
        };
        let batch_of = batches.iter().enumerate().flat_map(number).collect();
        let after = match &shelf {
            Shelf::Folder(folder) if tiers.last() < board.last_tier() => {
                let name = |batch| after_name(batch, tiers.last().next());
                let open = |batch| Kept::open(folder, &name(batch), index.census());
                (0..batches.len()).map(open).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        Ok(CentreSweep {
            shared: Shared::new(extent, Kinds::new(index, orders), cpu, tiers),
            shelf,
            batches,
            solved: 0,
            before: Before { batch_of, kept: HashMap::new(), after },
            leaving: Vec::new(),
            work: vec![TierWork::default(); board.cells() + 1],
        })
    }

    /// From now on, time is taken of what threads do.
    pub fn take_time(&mut self) {
        self.shared.is_timed = true;
    }

    /// The move-order types of the board, cut as the index cuts it.
    pub(crate) fn orders(&self) -> &Orders {
        self.shared.kinds.orders()
    }

    fn index(&self) -> &'a Index {
        self.shared.extent.index()
    }

    /// All batches.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// How many of them have been solved.
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// What has been done for each tier of the board.
    pub fn work(&self) -> &[TierWork] {
        &self.work
    }

    /// How many of the live positions of a tier that it met have which outcome, as far as
    /// it has come. The rest of them is won.
    pub fn met(&self, tier: Tier) -> OutcomeCounts {
        self.work[tier.stones()].met(tier)
    }

    /// Goes on where an earlier sweep of the same tiers on the same shelf was,
    /// when it had solved so many batches.
    pub fn resume(&mut self, solved: usize, work: Vec<TierWork>) -> Result<(), KeptError> {
        let Shelf::Folder(folder) = &self.shelf else { return Ok(()) };
        let needed = self.batches[solved..].iter().flat_map(|batch| &batch.done_with);
        for batch in needed.filter(|batch| **batch < solved) {
            let kept = Kept::open(folder, &kept_name(*batch), self.index().census())?;
            self.before.kept.insert(*batch, kept);
        }
        self.solved = solved;
        self.work = work;
        Ok(())
    }

    /// Solves the next batch, if there is one. What is kept of earlier ones stays
    /// where it is until it is [tidied](Self::tidy) away.
    pub fn advance<O: Observer>(&mut self, observer: &O) -> Result<bool, O::Error> {
        let Some(batch) = self.batches.get(self.solved) else { return Ok(false) };
        let keeping = Keeping::start(&self.shelf, &kept_name(self.solved))?;
        let first = self.shared.tiers.first();
        let leave = first > Tier(0) && self.shelf != Shelf::Memory;
        let leaving = leave.then(|| Keeping::start(&self.shelf, &after_name(self.solved, first)));
        let keeping = Keep { passing: keeping, leaving: leaving.transpose()? };
        // On a thread of the pool, so that it need not be woken for each tier.
        let solved =
            rayon::scope(|_| self.shared.solve_all(batch, &self.before, &keeping, observer))?;
        self.before.kept.insert(self.solved, keeping.passing.finish()?);
        self.leaving.extend(keeping.leaving.map(Keeping::finish).transpose()?);
        for centre in solved {
            for (sum, work) in self.work.iter_mut().zip(centre) {
                *sum = sum.plus(work);
            }
        }
        self.solved += 1;
        Ok(true)
    }

    /// Makes sure that what is kept stays, whatever happens.
    pub fn sync(&mut self) -> Result<(), KeptError> {
        let done_with: HashSet<usize> = self.done_with().collect();
        let needed = self.before.kept.iter_mut().filter(|(batch, _)| !done_with.contains(batch));
        needed.map(|(_, kept)| kept).chain(&mut self.leaving).try_for_each(Kept::sync)?;
        self.leaving.clear();
        Ok(())
    }

    /// Batches that nobody needs any more.
    fn done_with(&self) -> impl Iterator<Item = usize> + '_ {
        self.batches[..self.solved].iter().flat_map(|batch| &batch.done_with).copied()
    }

    /// Would the files take more than so many bytes after the next batch, but for a tidying?
    pub fn is_crowded(&self, limit: u64) -> bool {
        let next = self.batches.get(self.solved);
        let next = next.map_or(0, |batch| self.shared.extent.batch_bytes(batch, self.shared.tiers));
        let kept =
            self.before.kept.values().chain(&self.before.after).map(Kept::bytes).sum::<u64>();
        kept + next > limit && self.done_with().any(|batch| self.before.kept.contains_key(&batch))
    }

    /// Throws away what was kept for the batches that have been solved.
    pub fn tidy(&mut self) -> Result<(), KeptError> {
        let done_with: Vec<usize> = self.done_with().collect();
        for batch in done_with {
            self.before.kept.remove(&batch).map_or(Ok(()), Kept::discard)?;
        }
        if self.solved == self.batches.len() {
            self.before.kept.drain().try_for_each(|(_, kept)| kept.discard())?;
        }
        Ok(())
    }

    /// Throws away the tier that the sweep started from.
    pub fn discard_start(&mut self) -> Result<(), KeptError> {
        self.before.after.drain(..).try_for_each(Kept::discard)
    }
}

/// What centres that were solved before have handed on.
#[derive(Default)]
struct Before {
    /// The batch of each centre.
    batch_of: HashMap<CentreId, usize>,
    /// What is kept of each solved batch that is still needed.
    kept: HashMap<usize, Kept>,
    /// Per batch, the tier just above this sweep; empty when starting from the full board.
    after: Vec<Kept>,
}

impl HandedOn for Before {
    fn tile(&self, name: Name) -> Result<KeptTile<'_>, KeptError> {
        let batch = self.batch_of[&name.tile.centre];
        self.kept.get(&batch).expect("a batch that was solved before").tile(name)
    }

    fn tile_after(&self, name: Name) -> Option<Result<KeptTile<'_>, KeptError>> {
        let kept = self.after.get(self.batch_of[&name.tile.centre])?;
        Some(kept.tile(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Outcome;
    use crate::index::Cell;
    use std::sync::Mutex;

    use crate::sweep::{Outcomes, Scope, SolvedTile};

    /// Compares every cell with what a sweep in memory came to, from the rows
    /// up, of which a sweep of some tiers sees less.
    struct Compare<'a>(&'a Outcomes<'a>, &'a Index, Mutex<usize>);

    impl Observer for Compare<'_> {
        type Error = KeptError;

        fn solved(&self, tile: SolvedTile) -> Result<(), KeptError> {
            let cells = (0..tile.rows()).flat_map(|r| (0..tile.columns()).map(move |c| (r, c)));
            for (row, column) in cells {
                let cell = Cell { tile: tile.tile(), row: row as u32, column: column as u32 };
                // What lies in cells after the end of a game means nothing.
                if self.0.outcome(cell) != Outcome::Loss || !self.1.has_crossing_four(cell) {
                    assert_eq!(tile.outcome(row, column), self.0.outcome(cell), "{cell:?}");
                }
            }
            *self.2.lock().unwrap() += 1;
            Ok(())
        }

        fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), KeptError> {
            Ok(())
        }
    }

    #[test]
    fn files_and_parts_of_a_sweep_change_no_cell() {
        let boards = ["7x3", "6x3", "5x4", "4x5", "3x6", "9x2", "8x2", "12x1", "2x6", "1x9"];
        let scopes = [Scope::InDoubt, Scope::EveryCell];
        for (board, scope) in boards.into_iter().flat_map(|b| scopes.map(|scope| (b, scope))) {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let extent = Extent::new(&index, scope);
            let outcomes = Outcomes::of(&index, Cpu::widest(), scope).unwrap();
            let last = index.board().last_tier();
            let folder = tempfile::tempdir().unwrap();
            for (first, last) in [(Tier(6), last), (Tier(3), Tier(5)), (Tier(0), Tier(2))] {
                let tiers = TierRange::new(first, last).unwrap();
                let shelf = Shelf::Folder(folder.path().into());
                let mut sweep = CentreSweep::new(&extent, Cpu::widest(), tiers, shelf).unwrap();
                let compare = Compare(&outcomes, &index, Mutex::default());
                while sweep.advance(&compare).unwrap() {
                    sweep.tidy().unwrap();
                }
                sweep.discard_start().unwrap();
                let tiles = tiers.iter().map(|tier| index.census().tiles(tier).count());
                assert_eq!(*compare.2.lock().unwrap(), tiles.sum::<usize>());
                for tier in tiers {
                    assert_eq!(sweep.met(tier), outcomes.met(tier), "tier {tier} of {board}");
                }
                let names = folder.path().read_dir().unwrap();
                let names = names.map(|e| e.unwrap().file_name().into_string().unwrap());
                let left = format!("tier-{first:02}-");
                assert!(names.into_iter().all(|name| first > Tier(0) && name.starts_with(&left)));
            }
        }
    }
}
