//! The backward sweep, one centre after the other.
//!
//! A centre is solved from the tier in which its sides are full down to the
//! tier in which they are empty. Two tiers of one centre are in memory; moves
//! on the sides stay there, and moves in the centre look at what the centres
//! that they lead to have [handed on](super::kept).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::prelude::*;

use crate::board::{OutcomeCounts, Player, Tier, TierRange};
use crate::index::{CentreId, Index, Tile};
use crate::order::{Orders, Widths};

use super::beside::{TierBeside, TileOutcomes};
use super::clock::Work;
use super::error::SweepError;
use super::extent::Extent;
use super::kept::{Keeping, Kept, KeptError, KeptTile, Name, Shelf};
use super::kernels::Cpu;
use super::labels::Kinds;
use super::next_tier::NextTier;
use super::observer::Observer;
use super::panels::PanelTile;
use super::pool::Pool;
use super::schedule::{Batch, batches};
use super::side_order::SideOrder;
use super::sides::{CentreSides, beside};
use super::solved::SolvedTile;
use super::step::{Scratch, Step};
use super::tier_work::TierWork;
use super::working_files::{after_name, kept_name};

/// Words of a tier beside a centre from which on several threads share them.
const WORTH_SHARING: usize = 1 << 14;

/// Centres for each thread that are solved side by side before what they have shown is
/// put in order.
const SIDE_BY_SIDE: usize = 16;

/// The sweep of some tiers of a board, batch by batch.
pub struct CentreSweep<'a> {
    extent: &'a Extent<'a>,
    kinds: Kinds,
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
    /// Per batch, the tier just above this sweep; empty when starting from the full board.
    after: Vec<Kept>,
    /// The first tier of the batches that were solved since the last time that all was synced.
    leaving: Vec<Kept>,
    work: Vec<TierWork>,
    is_timed: bool,
    /// One for each thread.
    scratch: Pool<Scratch>,
    /// Two tiers beside a centre: one pair per centre being solved.
    buffers: Pool<[TierBeside; 2]>,
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
            extent,
            kinds: Kinds::new(index, orders),
            cpu,
            tiers,
            shelf,
            batches,
            solved: 0,
            batch_of,
            kept: HashMap::new(),
            after,
            leaving: Vec::new(),
            work: vec![TierWork::default(); board.cells() + 1],
            is_timed: false,
            scratch: Pool::default(),
            buffers: Pool::default(),
        })
    }

    /// From now on, time is taken of what threads do.
    pub fn take_time(&mut self) {
        self.is_timed = true;
    }

    fn index(&self) -> &'a Index {
        self.extent.index()
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
        let mut solved = Vec::new();
        let mut rest = &batch.centres[..];
        while let Some((first, others)) = rest.split_first() {
            if batch.centres.len() == 1 || self.extent.is_large(*first) {
                solved.push(self.solve(*first, Sharing::Alone, &keeping, observer)?);
                rest = others;
            } else {
                let most = rest.len().min(SIDE_BY_SIDE * rayon::current_num_threads());
                let large = |centre: &CentreId| self.extent.is_large(*centre);
                let run = rest[..most].iter().position(large).unwrap_or(most);
                let run = rest.split_off(..run).expect("as many centres");
                let solve = |centre: &CentreId| {
                    self.solve(*centre, Sharing::SideBySide, &keeping, observer)
                };
                let run = run.par_iter().with_max_len(1).map(solve);
                solved.extend(run.collect::<Result<Vec<_>, O::Error>>()?);
                observer.is_at_rest()?;
            }
        }
        self.kept.insert(self.solved, keeping.passing.finish()?);
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
        let needed = self.kept.iter_mut().filter(|(batch, _)| !done_with.contains(batch));
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
        let next = next.map_or(0, |batch| self.extent.batch_bytes(batch, self.tiers));
        let kept = self.kept.values().chain(&self.after).map(Kept::bytes).sum::<u64>();
        kept + next > limit && self.done_with().any(|batch| self.kept.contains_key(&batch))
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
        sharing: Sharing,
        keeping: &Keep,
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let orders = Mutex::new(HashMap::new());
        let order = |centre: CentreId| -> Arc<SideOrder> {
            let known = orders.lock().expect("no thread has panicked").get(&centre).cloned();
            known.unwrap_or_else(|| {
                let order = Arc::new(self.extent.order(centre));
                orders.lock().expect("no thread has panicked").insert(centre, order.clone());
                order
            })
        };
        let sides = CentreSides::new(self.index(), &self.kinds, centre, &order);
        let handing_on = Player::BOTH.map(|player| self.handing_on(centre, player, &order));
        drop(orders);
        let solving = Solving { sweep: self, centre, sharing, sides, handing_on, keeping };
        self.buffers.with(|[next, this]| {
            let mut work = vec![TierWork::default(); self.work.len()];
            if let Some(after) = self.after.get(self.batch_of[&centre]) {
                solving.load(after, next)?;
            }
            let tiers = self.index().census().tiers().rev();
            for tier in tiers.filter(|tier| self.tiers.contains(*tier)) {
                let start = Instant::now();
                let done = solving.tier(tier, [next, this], observer)?;
                work[tier.stones()] = TierWork { seconds: start.elapsed().as_secs_f64(), ..done };
                observer.tier_is_done(centre, tier)?;
                if sharing == Sharing::Alone {
                    observer.is_at_rest()?;
                }
                std::mem::swap(next, this);
            }
            Ok(work)
        })
    }

    /// The centres from which a stone of this player leads to this one, and the lines of
    /// theirs that each class hands on to them.
    fn handing_on(
        &self,
        centre: CentreId,
        player: Player,
        order: &(impl Fn(CentreId) -> Arc<SideOrder> + Sync),
    ) -> Vec<HandingOn> {
        let census = self.index().census();
        let before = census.centre(centre).before(player);
        let before = before.filter_map(|(_, before)| census.find_centre(before));
        let handing_on =
            |to| HandingOn { to, lines: beside(self.index(), [to, centre], player, order) };
        before.map(handing_on).collect()
    }
}

/// Where tiles of a batch go.
struct Keep {
    /// Those that later batches of this sweep look at.
    passing: Keeping,
    /// Those that another sweep will start from.
    leaving: Option<Keeping>,
}

/// A centre with one stone less, and by class the rows that it looks at: see
/// [`same_states`](super::places::same_states).
struct HandingOn {
    to: CentreId,
    lines: Vec<Box<[u32]>>,
}

/// How threads work on a centre.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// All on this one.
    Alone,
    /// Each on one of its own, so that there are never more centres at work than threads.
    SideBySide,
}

/// A centre that is being solved.
struct Solving<'a> {
    sweep: &'a CentreSweep<'a>,
    centre: CentreId,
    sharing: Sharing,
    sides: CentreSides,
    /// By player who made the last move.
    handing_on: [Vec<HandingOn>; 2],
    keeping: &'a Keep,
}

impl Solving<'_> {
    /// Brings the tier after the sweep back into memory.
    fn load(&self, after: &Kept, to: &mut TierBeside) -> Result<(), KeptError> {
        let tier = self.sweep.tiers.last().next();
        let mut packed = Vec::new();
        for TileOutcomes { tile, panels, words } in
            to.reset(self.sweep.index().census(), &self.sides, tier, self.centre)
        {
            after.tile(Name { tile, to: None })?.whole(panels, &mut packed, words)?;
        }
        Ok(())
    }

    fn tier<O: Observer>(
        &self,
        tier: Tier,
        [next, this]: [&mut TierBeside; 2],
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        let sweep = self.sweep;
        let census = sweep.index().census();
        let children = Next { sweep, after: tier == sweep.tiers.last(), beside: next };
        let step = Step {
            census,
            kinds: &sweep.kinds,
            sides: &self.sides,
            cpu: sweep.cpu,
            children: if tier == census.board().last_tier() { None } else { Some(&children) },
            mover: tier.mover(),
        };
        let solve = |out: TileOutcomes| {
            sweep.scratch.with(|scratch| self.tile(tier, &step, out, scratch, observer))
        };
        let tiles = this.reset(census, &self.sides, tier, self.centre);
        let words: usize = tiles.iter().map(|tile| tile.words.len()).sum();
        if self.sharing == Sharing::SideBySide || words < WORTH_SHARING {
            let add = |sum: TierWork, tile| Ok(sum.plus(solve(tile)?));
            return tiles.into_iter().try_fold(TierWork::default(), add);
        }
        tiles
            .into_iter()
            .par_bridge()
            .map(solve)
            .try_reduce(TierWork::default, |a, b| Ok(a.plus(b)))
    }

    fn tile<O: Observer>(
        &self,
        tier: Tier,
        step: &Step,
        out: TileOutcomes,
        scratch: &mut Scratch,
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        if self.sweep.is_timed {
            scratch.clock.turn_on();
        }
        let (tile, panels, words) = (out.tile, out.panels, out.words);
        let tally = step.solve(TileOutcomes { tile, panels, words }, scratch)?;
        let solved = PanelTile { panels, words };
        let tiers = self.sweep.tiers;
        if tier > tiers.first() {
            self.hand_on(&self.keeping.passing, tier, tile, solved, &mut scratch.packed)?;
        } else if let Some(leaving) = &self.keeping.leaving {
            self.hand_on(leaving, tier, tile, solved, &mut scratch.packed)?;
            let rows: Vec<u32> = (0..panels.0.rows as u32).collect();
            let name = Name { tile, to: None };
            leaving.keep(name, solved, &rows, panels.0.columns, &mut scratch.packed)?;
        }
        scratch.clock.lap(Work::Keep);
        observer.solved(SolvedTile { tier, tile, outcomes: solved, step, scratch })?;
        scratch.clock.lap(Work::Show);
        let census = self.sweep.index().census();
        let tally = tally.times(census.tile_images(tile));
        Ok(TierWork { tally, seconds: 0.0, times: scratch.clock.take() })
    }

    /// Keeps what the centres with one stone less look at.
    fn hand_on(
        &self,
        keeping: &Keeping,
        tier: Tier,
        tile: Tile,
        solved: PanelTile,
        packed: &mut Vec<u8>,
    ) -> Result<(), KeptError> {
        let Some(last_mover) = tier.last_mover() else { return Ok(()) };
        for HandingOn { to, lines } in &self.handing_on[last_mover.index()] {
            let rows = &lines[tile.left.slot()];
            let columns = self.sides.right().order.handed_on(tile.right, last_mover);
            let columns = columns.min(solved.panels.0.columns);
            keeping.keep(Name { tile, to: Some(*to) }, solved, rows, columns, packed)?;
        }
        Ok(())
    }
}

/// The tier that follows, beside the same centre and those after it.
struct Next<'a> {
    sweep: &'a CentreSweep<'a>,
    /// Is it the tier after the sweep?
    after: bool,
    beside: &'a TierBeside,
}

impl NextTier for Next<'_> {
    fn beside(&self, tile: Tile) -> Option<PanelTile<'_>> {
        self.beside.tile(tile)
    }

    fn handed_on(&self, tile: Tile, to: CentreId) -> Result<KeptTile<'_>, KeptError> {
        let batch = self.sweep.batch_of[&tile.centre];
        let kept = if self.after {
            &self.sweep.after[batch]
        } else {
            self.sweep.kept.get(&batch).expect("a batch that was solved before")
        };
        kept.tile(Name { tile, to: Some(to) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Outcome;
    use crate::index::Cell;
    use crate::sweep::{Outcomes, Scope};

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
