//! Solves a centre, from the tier in which its sides are full down to the tier in which
//! they are empty. Two tiers are in memory: moves on the sides stay there, and moves in
//! the centre read what the centres that they lead to have [handed on](super::kept).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::prelude::*;

use crate::board::{Player, Tier, TierRange};
use crate::index::{Census, CentreId, Tile};
use crate::order::{OrderError, Orders, Widths};
use crate::sealed::WorkingFileError;

use super::beside::{TierBeside, TileOutcomes};
use super::by_class::ByClass;
use super::clock::Work;
use super::extent::Extent;
use super::handed_on::{HandedOn, Piles, piles_for};
use super::keep::Keep;
use super::kept::{Keeping, KeptTile};
use super::kernels::Cpu;
use super::next_tier::NextTier;
use super::observer::Observer;
use super::order_types::OrderTypes;
use super::panels::PanelTile;
use super::pile::PileName;
use super::piling::Piling;
use super::places::same_states;
use super::pool::Pool;
use super::schedule::{CentreBatch, next_centres};
use super::side_by_side::side_by_side;
use super::sides::CentreSides;
use super::solved::SolvedTile;
use super::step::{Scratch, Step};
use super::tier_work::TierWork;

/// A tier beside a centre is shared by several threads if it has this many words or more.
const WORTH_SHARING: usize = 1 << 14;

/// Centres per thread that are solved side by side before the observer may write what waits.
const WAITING: usize = 16;

/// What all centres of a sweep share.
pub(super) struct Shared<'a> {
    pub extent: &'a Extent,
    pub order_types: OrderTypes,
    cpu: Cpu,
    pub tiers: TierRange,
    /// Did an earlier sweep keep the tier after the last one?
    goes_on: bool,
    /// Are the clocks of the threads on?
    pub is_timed: bool,
    /// One for each thread.
    scratch: Pool<Scratch>,
    /// Two tiers beside a centre: one pair per centre being solved.
    buffers: Pool<[TierBeside; 2]>,
    /// What collects the blocks of piles that grow.
    collecting: Pool<Vec<u8>>,
}

impl<'a> Shared<'a> {
    pub fn new(
        extent: &'a Extent,
        cpu: Cpu,
        tiers: TierRange,
        goes_on: bool,
    ) -> Result<Shared<'a>, OrderError> {
        let split = extent.census().split();
        let board = split.board();
        let (sides, centre) = (split.side_width(), split.centre_width());
        let widths = Widths { left: sides, centre, right: sides };
        let orders = Orders::new(board, widths, board.last_tier(), &())?;
        let order_types = OrderTypes::new(extent.census(), orders);
        Ok(Shared {
            extent,
            order_types,
            cpu,
            tiers,
            goes_on,
            is_timed: false,
            scratch: Pool::default(),
            buffers: Pool::default(),
            collecting: Pool::default(),
        })
    }

    /// Frees memory that is reused from centre to centre.
    pub fn rest(&self) {
        self.scratch.clear();
        self.buffers.clear();
        self.collecting.clear();
        self.extent.listing().clear();
    }

    pub fn orders(&self) -> &Orders {
        self.order_types.orders()
    }

    fn census(&self) -> &'a Arc<Census> {
        self.extent.census()
    }

    /// Solves a batch. Centres of one column are solved in order, one by one on all threads, and so
    /// are large ones of two; runs of others are solved side by side. Returns the work done per
    /// tier of the board.
    pub fn batch<O: Observer>(
        &self,
        batch: &CentreBatch,
        before: &impl HandedOn,
        keeping: &Keep,
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let start = Instant::now();
        let sum = Mutex::new(vec![TierWork::default(); self.census().board().cells() + 1]);
        let solve = |centre: CentreId, sharing| {
            let work = self.solve(centre, sharing, before, keeping, observer)?;
            let mut sum = sum.lock().expect("no thread has panicked");
            sum.iter_mut().zip(work).for_each(|(sum, work)| *sum = sum.plus(work));
            Ok::<_, O::Error>(())
        };
        let in_order = self.census().split().centre_width() == 1;
        let is_small = |centre: &CentreId| !in_order && !self.extent.is_large(*centre);
        for run in batch.centres.chunk_by(|a, b| is_small(a) && is_small(b)) {
            if let [centre] = run {
                // On a thread of the pool, so that it need not be woken for each tier.
                rayon::scope(|_| solve(*centre, Sharing::Alone))?;
                continue;
            }
            let (solved, waiting) = (AtomicUsize::new(0), WAITING * rayon::current_num_threads());
            side_by_side(&self.needs_within(run), |number, is_alone| {
                solve(run[number], if is_alone { Sharing::Alone } else { Sharing::SideBySide })?;
                let solved = solved.fetch_add(1, Ordering::Relaxed) + 1;
                if solved.is_multiple_of(waiting) { observer.flush() } else { Ok(()) }
            })?;
            observer.flush()?;
        }
        let mut sum = sum.into_inner().expect("no thread has panicked");
        // Centres that are solved side by side share the time that passes.
        let seconds: f64 = sum.iter().map(|work| work.seconds).sum();
        let share = (start.elapsed().as_secs_f64() / seconds).min(1.0);
        sum.iter_mut().for_each(|work| work.seconds *= share);
        Ok(sum)
    }

    /// For each of these centres, those before it that it needs.
    fn needs_within(&self, run: &[CentreId]) -> Vec<Vec<usize>> {
        let number: HashMap<CentreId, usize> = run.iter().copied().zip(0..).collect();
        let needs = |centre: &CentreId| {
            let next = Player::BOTH.map(|player| next_centres(self.census(), *centre, player));
            let needs = next.into_iter().flatten().filter_map(|next| number.get(&next).copied());
            let mut needs: Vec<usize> = needs.collect();
            needs.sort_unstable();
            needs.dedup();
            needs
        };
        run.iter().map(needs).collect()
    }

    /// Solves all tiers of the sweep beside a centre. Returns the work done per tier of the board.
    fn solve<O: Observer>(
        &self,
        centre: CentreId,
        sharing: Sharing,
        before: &impl HandedOn,
        keeping: &Keep,
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let census = self.census();
        let sides = CentreSides::new(census, &self.order_types, centre, self.extent.listing());
        let handing_on = Player::BOTH.map(|player| self.handing_on(centre, player, keeping));
        let next = Player::BOTH.into_iter().flat_map(|player| sides.centre_moves(player));
        let mut names = piles_for(census, centre, next.map(|next| next.centre));
        let open = |name| keeping.take(name).map_or_else(|| before.open(name), Ok);
        let piles = Piles::open(&names, open)?;
        let whole = PileName { from: centre, to: None };
        names.push(whole);
        let after = |name| before.open_after(name).expect("a tier after the sweep");
        let after = self.goes_on.then(|| Piles::open(&names, after)).transpose()?;
        let whole = keeping.leaving().map(|leaving| self.piling(leaving, whole));
        let solving =
            Solving { shared: self, centre, sharing, sides, handing_on, whole, piles, after };
        let work = self.buffers.with(|[next, this]| {
            let mut work = vec![TierWork::default(); census.tiers().len()];
            if let Some(after) = &solving.after {
                solving.load(after, next)?;
            }
            let tiers = census.tiers().rev();
            for tier in tiers.filter(|tier| self.tiers.contains(*tier)) {
                let start = Instant::now();
                let done = solving.tier(tier, [next, this], observer)?;
                work[tier.stones()] = TierWork { seconds: start.elapsed().as_secs_f64(), ..done };
                observer.tier_is_done(centre, tier)?;
                if sharing == Sharing::Alone {
                    observer.flush()?;
                }
                std::mem::swap(next, this);
            }
            Ok::<_, O::Error>(work)
        })?;
        solving.finish()?;
        Ok(work)
    }

    /// The centres from which a stone of this player leads to this one, and the lines that each
    /// class hands on to them.
    fn handing_on<'k>(
        &'k self,
        centre: CentreId,
        player: Player,
        keeping: &'k Keep,
    ) -> Vec<HandingOn<'k>> {
        let (census, listing) = (self.census(), self.extent.listing());
        let before = census.centre(centre).before(player);
        let before = before.filter_map(|(_, before)| census.find_centre(before));
        let handing_on = |to| {
            let name = PileName { from: centre, to: Some(to) };
            HandingOn {
                lines: same_states(&listing.side(to), &listing.side(centre), player),
                passing: self.piling(keeping.passing(to), name),
                leaving: keeping.leaving().map(|leaving| self.piling(leaving, name)),
            }
        };
        before.map(handing_on).collect()
    }

    fn piling<'k>(&'k self, keeping: &'k Keeping, name: PileName) -> Piling<'k> {
        Piling::new(keeping, &self.collecting, name)
    }
}

/// What is handed on to a centre with one stone less.
struct HandingOn<'k> {
    /// By class, the rows that it looks at: see [`same_states`].
    lines: ByClass<u32>,
    /// For this sweep.
    passing: Piling<'k>,
    /// For another sweep, which starts from the first tier of this one.
    leaving: Option<Piling<'k>>,
}

/// How threads work on a centre.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// All work on this one.
    Alone,
    /// Each works on one of its own, so there are never more centres at work than threads.
    SideBySide,
}

/// A centre that is being solved.
struct Solving<'a> {
    shared: &'a Shared<'a>,
    centre: CentreId,
    sharing: Sharing,
    sides: CentreSides,
    /// By player who made the last move.
    handing_on: [Vec<HandingOn<'a>>; 2],
    /// All of the first tier, if another sweep starts from it.
    whole: Option<Piling<'a>>,
    /// What was handed on to it.
    piles: Piles<'a>,
    /// The same for the tier after the sweep, and all of that tier beside this centre.
    after: Option<Piles<'a>>,
}

impl Solving<'_> {
    /// Brings the tier after the sweep back into memory.
    fn load(&self, after: &Piles, to: &mut TierBeside) -> Result<(), WorkingFileError> {
        let tier = self.shared.tiers.last().next_unchecked();
        let mut packed = Vec::new();
        for TileOutcomes { tile, panels, words } in
            to.reset(self.shared.census(), &self.sides, tier, self.centre)
        {
            after.tile(tile, None)?.whole(self.shared.cpu, panels, &mut packed, words)?;
        }
        Ok(())
    }

    /// All tiers are done.
    fn finish(self) -> Result<(), WorkingFileError> {
        for HandingOn { passing, leaving, .. } in self.handing_on.into_iter().flatten() {
            passing.finish()?;
            leaving.map_or(Ok(()), Piling::finish)?;
        }
        self.whole.map_or(Ok(()), Piling::finish)
    }

    fn tier<O: Observer>(
        &self,
        tier: Tier,
        [next, this]: [&mut TierBeside; 2],
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        let shared = self.shared;
        let census = shared.census();
        let is_last = tier == shared.tiers.last();
        let children = Next {
            piles: self.after.as_ref().filter(|_| is_last).unwrap_or(&self.piles),
            beside: next,
        };
        let step = Step {
            census,
            order_types: &shared.order_types,
            sides: &self.sides,
            cpu: shared.cpu,
            children: if is_last && !shared.goes_on { None } else { Some(&children) },
            mover: tier.mover(),
        };
        let mut tiles = this.reset(census, &self.sides, tier, self.centre);
        let words: usize = tiles.iter().map(|tile| tile.words.len()).sum();
        if self.sharing == Sharing::SideBySide || words < WORTH_SHARING {
            return shared.scratch.with(|scratch| {
                tiles.into_iter().try_fold(TierWork::default(), |sum, out| {
                    Ok(sum.plus(self.tile(tier, &step, out, scratch, observer)?))
                })
            });
        }
        let solve =
            |out| shared.scratch.with(|scratch| self.tile(tier, &step, out, scratch, observer));
        // So that no thread is still at work on a large one when there is nothing else to do.
        tiles.sort_by_key(|tile| Reverse(tile.words.len()));
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
        if self.shared.is_timed {
            scratch.clock.turn_on();
        }
        let (tile, panels, words) = (out.tile, out.panels, out.words);
        let tally = step.solve(TileOutcomes { tile, panels, words }, scratch)?;
        let solved = PanelTile { panels, words };
        let tiers = self.shared.tiers;
        self.hand_on(tier, tile, solved, &mut scratch.packed)?;
        if let Some(whole) = self.whole.as_ref().filter(|_| tier == tiers.first()) {
            let rows: Vec<u32> = (0..panels.0.rows as u32).collect();
            let packed = &mut scratch.packed;
            whole.keep(step.cpu, tile, solved, &rows, panels.0.columns, packed)?;
        }
        scratch.clock.lap(Work::Keep);
        observer.solved(SolvedTile { tier, tile, outcomes: solved, step, scratch })?;
        scratch.clock.lap(Work::Show);
        let census = self.shared.census();
        let tally = tally.times(census.tile_images(tile));
        Ok(TierWork { tally, seconds: 0.0, times: scratch.clock.take() })
    }

    /// Keeps what the centres with one stone less read.
    fn hand_on(
        &self,
        tier: Tier,
        tile: Tile,
        solved: PanelTile,
        packed: &mut Vec<u8>,
    ) -> Result<(), WorkingFileError> {
        let Some(last_mover) = tier.last_mover() else { return Ok(()) };
        let columns = self.sides.right().order().handed_on(tile.right, last_mover);
        let columns = columns.min(solved.panels.0.columns);
        let is_first = tier == self.shared.tiers.first();
        for HandingOn { lines, passing, leaving } in &self.handing_on[last_mover.index()] {
            let rows = lines.of(tile.left);
            if let Some(piling) = if is_first { leaving.as_ref() } else { Some(passing) } {
                piling.keep(self.shared.cpu, tile, solved, rows, columns, packed)?;
            }
        }
        Ok(())
    }
}

/// The next tier, beside the same centre and those with one stone more.
struct Next<'a> {
    piles: &'a Piles<'a>,
    beside: &'a TierBeside,
}

impl NextTier for Next<'_> {
    fn beside(&self, tile: Tile) -> Option<PanelTile<'_>> {
        self.beside.tile(tile)
    }

    fn handed_on(
        &self,
        tile: Tile,
        to: CentreId,
        columns: usize,
    ) -> Result<KeptTile<'_>, WorkingFileError> {
        self.piles.tile(tile, Some(to))?.with_columns(columns)
    }
}
