//! The backward sweep, one centre after the other.
//!
//! A centre is solved from the tier in which its sides are full down to the
//! tier in which they are empty. Two tiers of one centre are in memory; moves
//! on the sides stay there, and moves in the centre look at what was
//! [kept](super::kept) of the centres that they lead to.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::Instant;

use rayon::prelude::*;

use crate::board::{OutcomeCounts, Tier, TierRange};
use crate::index::{CentreId, Index, Tile};
use crate::order::{Orders, Widths};

use super::beside::{Beside, TileOutcomes};
use super::error::SweepError;
use super::kept::{Keeping, Kept, KeptError, Shelf, Unpacked};
use super::kernels::Cpu;
use super::labels::Labels;
use super::left::{after_name, kept_name};
use super::masks::MaskSource;
use super::needs::is_looked_at;
use super::next_tier::{Child, NextTier};
use super::observer::Observer;
use super::panels::PanelTile;
use super::plane::shape;
use super::schedule::{Batch, batches};
use super::side_moves::SideMoves;
use super::solved::SolvedTile;
use super::step::{Scratch, Step};
use super::tier_work::TierWork;

/// Words of a tier beside a centre from which on several threads share them.
const WORTH_SHARING: usize = 1 << 14;

/// The sweep of some tiers of a board, batch by batch.
pub struct CentreSweep<'a> {
    index: &'a Index,
    orders: Orders,
    labels: Labels,
    cpu: Cpu,
    tiers: TierRange,
    shelf: Shelf,
    batches: Vec<Batch>,
    /// How many batches have been solved.
    solved: usize,
    /// The batch of each centre.
    batch_of: HashMap<CentreId, usize>,
    /// What is kept of each solved batch that is still needed.
    kept: HashMap<usize, Kept>,
    /// The tier after the last one of the sweep, if the board has it: of each batch.
    after: Vec<Kept>,
    /// The first tier of the batches that were solved since the last time that all was synced.
    left: Vec<Kept>,
    work: Vec<TierWork>,
    /// One for each thread.
    scratch: Vec<Mutex<Scratch>>,
    /// Memory for two tiers beside a centre, as often as they are needed at a time.
    buffers: Mutex<Vec<[Beside; 2]>>,
}

impl<'a> CentreSweep<'a> {
    /// A sweep over these tiers, from the last one down to the first.
    ///
    /// The tier after them is looked for on the shelf, where an earlier sweep
    /// has left its first tier; so does this one.
    pub fn new(
        index: &'a Index,
        cpu: Cpu,
        tiers: TierRange,
        shelf: Shelf,
    ) -> Result<CentreSweep<'a>, SweepError> {
        let board = index.board();
        let split = index.census().split();
        let (sides, centre) = (split.side_width(), split.centre_width());
        let orders =
            Orders::new(board, Widths { left: sides, centre, right: sides }, board.last_tier())?;
        let labels = Labels::new(index, &orders);
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
            index,
            orders,
            labels,
            cpu,
            tiers,
            shelf,
            batches,
            solved: 0,
            batch_of,
            kept: HashMap::new(),
            after,
            left: Vec::new(),
            work: vec![TierWork::default(); board.cells() + 1],
            scratch: (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect(),
            buffers: Mutex::default(),
        })
    }

    /// From now on, time is taken of what threads do.
    pub fn take_time(&mut self) {
        for scratch in &mut self.scratch {
            scratch.get_mut().expect("no thread has panicked").clock().turn_on();
        }
    }

    /// All batches.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// How many of them have been solved.
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// How many live positions of a tier have which outcome, as far as the
    /// sweep has come.
    pub fn counts(&self, tier: Tier) -> OutcomeCounts {
        self.work[tier.stones()].counts(tier)
    }

    /// What has been done for each tier of the board.
    pub fn work(&self) -> &[TierWork] {
        &self.work
    }

    /// Goes on where an earlier sweep of the same tiers on the same shelf was,
    /// when it had solved so many batches.
    pub fn resume(&mut self, solved: usize, work: Vec<TierWork>) -> Result<(), KeptError> {
        let Shelf::Folder(folder) = &self.shelf else { return Ok(()) };
        let needed = self.batches[solved..].iter().flat_map(|batch| &batch.done_with);
        for batch in needed.filter(|batch| **batch < solved) {
            let kept = Kept::open(folder, &kept_name(*batch), self.index.census())?;
            self.kept.insert(*batch, kept);
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
        let first = self.tiers.first();
        let leave = first > Tier(0) && self.shelf != Shelf::Memory;
        let leaving = leave.then(|| Keeping::start(&self.shelf, &after_name(self.solved, first)));
        let keeping = Keep { passing: keeping, leaving: leaving.transpose()? };
        let centres = batch.centres.par_iter();
        let solved = centres
            .map(|centre| self.solve(*centre, &keeping, observer))
            .collect::<Result<Vec<_>, O::Error>>()?;
        self.kept.insert(self.solved, keeping.passing.finish()?);
        self.left.extend(keeping.leaving.map(Keeping::finish).transpose()?);
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
        let needed = self.kept.iter_mut().filter(|(batch, _)| !done_with.contains(batch));
        needed.map(|(_, kept)| kept).chain(&mut self.left).try_for_each(Kept::sync)?;
        self.left.clear();
        Ok(())
    }

    /// Batches that nobody needs any more.
    fn done_with(&self) -> impl Iterator<Item = usize> + '_ {
        self.batches[..self.solved].iter().flat_map(|batch| &batch.done_with).copied()
    }

    /// Throws away what was kept for the batches that have been solved.
    pub fn tidy(&mut self) -> Result<(), KeptError> {
        let done_with: Vec<usize> = self.done_with().collect();
        for batch in done_with {
            self.kept.remove(&batch).map_or(Ok(()), Kept::discard)?;
        }
        if self.solved == self.batches.len() {
            self.kept.drain().try_for_each(|(_, kept)| kept.discard())?;
        }
        Ok(())
    }

    /// Throws away the tier that the sweep started from.
    pub fn discard_start(&mut self) -> Result<(), KeptError> {
        self.after.drain(..).try_for_each(Kept::discard)
    }

    fn solve<O: Observer>(
        &self,
        centre: CentreId,
        keeping: &Keep,
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let mut work = vec![TierWork::default(); self.work.len()];
        let mut buffers = self.buffers.lock().expect("no thread has panicked").pop();
        let [next, this] = buffers.get_or_insert_default();
        if let Some(after) = self.after.get(self.batch_of[&centre]) {
            self.load(after, centre, next)?;
        }
        let sides = SideMoves::new(self.index, centre);
        let tiers = self.index.census().tiers().rev();
        for tier in tiers.filter(|tier| self.tiers.contains(*tier)) {
            let start = Instant::now();
            let done = self.solve_tier(centre, tier, &sides, [next, this], keeping, observer)?;
            work[tier.stones()] = TierWork { seconds: start.elapsed().as_secs_f64(), ..done };
            observer.tier_is_done(centre, tier)?;
            std::mem::swap(next, this);
        }
        self.buffers.lock().expect("no thread has panicked").extend(buffers);
        Ok(work)
    }

    /// Brings the tier after the sweep back into memory.
    fn load(&self, after: &Kept, centre: CentreId, to: &mut Beside) -> Result<(), KeptError> {
        let census = self.index.census();
        let tier = self.tiers.last().next();
        let mut unpacked = Unpacked::default();
        for TileOutcomes { tile, words, .. } in to.reset(census, tier, centre) {
            after.tile(tile, shape(census, tile)).whole(&mut unpacked, words)?;
        }
        Ok(())
    }

    fn solve_tier<O: Observer>(
        &self,
        centre: CentreId,
        tier: Tier,
        sides: &SideMoves,
        [next, this]: [&mut Beside; 2],
        keeping: &Keep,
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        let census = self.index.census();
        let children = Next { sweep: self, centre, after: tier == self.tiers.last(), beside: next };
        let step = Step {
            source: MaskSource { index: self.index, orders: &self.orders, labels: &self.labels },
            sides,
            cpu: self.cpu,
            children: if tier == census.board().last_tier() { None } else { Some(&children) },
            mover: tier.mover(),
        };
        let keep = tier > self.tiers.first() && is_looked_at(census, centre, tier);
        let solve = |out: TileOutcomes| -> Result<TierWork, O::Error> {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.scratch.len();
            let scratch = &mut *self.scratch[thread].lock().expect("no thread has panicked");
            let (tile, panels, words) = (out.tile, out.panels, out.words);
            let tally = step.solve(TileOutcomes { tile, panels, words }, scratch)?;
            let solved = PanelTile { panels, words };
            let tally = tally.times(census.tile_images(tile));
            let done = TierWork { tally, seconds: 0.0, times: scratch.clock().take() };
            if keep {
                keeping.passing.keep(tile, solved, &mut scratch.unpacked)?;
            }
            if let Some(leaving) = keeping.leaving.as_ref().filter(|_| tier == self.tiers.first()) {
                leaving.keep(tile, solved, &mut scratch.unpacked)?;
            }
            observer.solved(SolvedTile { tier, tile, outcomes: solved, step: &step, scratch })?;
            Ok(done)
        };
        let tiles = this.reset(census, tier, centre);
        let words: usize = tiles.iter().map(|tile| tile.words.len()).sum();
        if words < WORTH_SHARING {
            let add = |sum: TierWork, tile| Ok(sum.plus(solve(tile)?));
            return tiles.into_iter().try_fold(TierWork::default(), add);
        }
        tiles
            .into_iter()
            .par_bridge()
            .map(solve)
            .try_reduce(TierWork::default, |a, b| Ok(a.plus(b)))
    }
}

/// Where tiles of a batch go.
struct Keep {
    /// Those that later batches of this sweep look at.
    passing: Keeping,
    /// Those that another sweep will start from.
    leaving: Option<Keeping>,
}

/// The tier that follows, beside the same centre and those after it.
struct Next<'a> {
    sweep: &'a CentreSweep<'a>,
    centre: CentreId,
    /// Is it the tier after the sweep?
    after: bool,
    beside: &'a Beside,
}

impl NextTier for Next<'_> {
    fn tile(&self, tile: Tile) -> Child<'_> {
        let census = self.sweep.index.census();
        if tile.centre == self.centre {
            return Child::Here(self.beside.tile(census, tile));
        }
        let batch = self.sweep.batch_of[&tile.centre];
        let kept = if self.after {
            &self.sweep.after[batch]
        } else {
            self.sweep.kept.get(&batch).expect("a batch that was solved before")
        };
        Child::Kept(kept.tile(tile, shape(census, tile)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Cell;
    use crate::sweep::Outcomes;

    /// Compares every cell with what a sweep in memory came to, from the rows
    /// up, of which a sweep of some tiers sees less.
    struct Compare<'a>(&'a Outcomes<'a>, Mutex<usize>);

    impl Observer for Compare<'_> {
        type Error = KeptError;

        fn solved(&self, tile: SolvedTile) -> Result<(), KeptError> {
            let cells = (0..tile.rows()).flat_map(|r| (0..tile.columns()).map(move |c| (r, c)));
            for (row, column) in cells {
                let cell = Cell { tile: tile.tile(), row: row as u32, column: column as u32 };
                assert_eq!(tile.outcome(row, column), self.0.outcome(cell), "{cell:?}");
            }
            *self.1.lock().unwrap() += 1;
            Ok(())
        }

        fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), KeptError> {
            Ok(())
        }
    }

    #[test]
    fn files_and_parts_of_a_sweep_change_no_cell() {
        for board in ["7x3", "6x3", "5x4", "4x5", "3x6", "9x2", "8x2", "12x1", "2x6", "1x9"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let outcomes = Outcomes::of(&index, Cpu::widest()).unwrap();
            let last = index.board().last_tier();
            let folder = tempfile::tempdir().unwrap();
            for (first, last) in [(Tier(6), last), (Tier(3), Tier(5)), (Tier(0), Tier(2))] {
                let tiers = TierRange::new(first, last).unwrap();
                let shelf = Shelf::Folder(folder.path().into());
                let mut sweep = CentreSweep::new(&index, Cpu::widest(), tiers, shelf).unwrap();
                let compare = Compare(&outcomes, Mutex::default());
                while sweep.advance(&compare).unwrap() {
                    sweep.tidy().unwrap();
                }
                sweep.discard_start().unwrap();
                let tiles = tiers.iter().map(|tier| index.census().tiles(tier).count());
                assert_eq!(*compare.1.lock().unwrap(), tiles.sum::<usize>());
                for tier in tiers {
                    assert_eq!(sweep.counts(tier), outcomes.counts(tier), "tier {tier} of {board}");
                }
                let names = folder.path().read_dir().unwrap();
                let names = names.map(|e| e.unwrap().file_name().into_string().unwrap());
                let left = format!("tier-{first:02}-");
                assert!(names.into_iter().all(|name| first > Tier(0) && name.starts_with(&left)));
            }
        }
    }
}
