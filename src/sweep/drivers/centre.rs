//! Solves a centre, from the tier in which its sides are full down to the tier in which
//! they are empty. Two tiers are in memory, or, of a large centre, those of their tiles that are
//! still needed: moves on the sides stay there, and moves in the centre read what the centres that
//! they lead to have handed on.

use std::cmp::Reverse;
use std::sync::Mutex;
use std::time::Instant;

use crate::board::{Player, Tier};
use crate::files::sealed::WorkingFileError;
use crate::index::{ByClass, CentreId, Tile};
use crate::memory;

use crate::sweep::bits::{PanelTile, Panels};
use crate::sweep::handoff::{Destinations, HandoffId, HandoffWriter, Inputs, Unpacker, inputs_of};
use crate::sweep::states::same_states;
use crate::sweep::tile::{
    CentreSides, NextTier, Observer, PlainTile, SameCentre, Scratch, SolvedTile, Step, TierTiles,
    TileOutcomes, TilePool, WaitingTier, children, panels_of, sort_by_chains,
};
use crate::sweep::work::{TierWork, TileMemory, Work, run_in_order};

use super::start::{Shared, Sharing, Sources};

/// A tier of a centre is shared by several threads if it has this many words or more.
const WORTH_SHARING: usize = 1 << 14;

/// For each thread, the parts of a tier of which a tile is more than one if threads share it. In
/// little memory, fewer tiles than threads are solved at a time.
const SHARES: usize = 4;

/// What is handed on to a centre with one stone less.
struct Outgoing<'k> {
    /// By class, the rows that it looks at: see [`same_states`].
    lines: ByClass<u32>,
    /// For this sweep.
    writer: HandoffWriter<'k>,
    /// For the next sweep, which starts from the first tier of this one.
    next_sweep: Option<HandoffWriter<'k>>,
}

/// Solves all tiers of a centre that the sweep works on. Returns the work done per tier of the
/// board.
pub(super) fn solve_centre<O: Observer>(
    shared: &Shared,
    centre: CentreId,
    sharing: Sharing,
    before: &Sources,
    destinations: &Destinations,
    observer: &O,
) -> Result<Vec<TierWork>, O::Error> {
    let census = shared.census();
    let (order_types, listing) = (shared.order_types, shared.extent.listing());
    let sides = CentreSides::new(census, order_types, centre, listing, shared.last_read());
    let outgoing = Player::BOTH.map(|player| outgoing(shared, &sides, player, destinations));
    let next = Player::BOTH.into_iter().flat_map(|player| sides.centre_moves(player));
    let mut ids = inputs_of(census, centre, next.map(|next| next.centre));
    let open = |id| destinations.take(id).map_or_else(|| before.open(id), Ok);
    let inputs = Inputs::open(&ids, open)?;
    let whole = HandoffId { from: centre, to: None };
    ids.push(whole);
    let after = |id| before.open_after(id);
    let after = shared.continues.then(|| Inputs::open(&ids, after)).transpose()?;
    let whole = destinations.of_next_sweep().map(|store| shared.writer(store, whole));
    let batch = destinations.batch();
    let solving = Solving { shared, batch, centre, sharing, sides, outgoing, whole, inputs, after };
    let work = match shared.tile_by_tile(centre) {
        None => {
            let solve = |tiers: &mut _| solving.tiers(tiers, observer);
            shared.with_two_tiers((batch, centre), sharing, solve)
        }
        Some(memory) => {
            shared.clear_tiers();
            solving.tile_by_tile(memory, &shared.tile_pool(memory), observer)
        }
    }?;
    solving.finish()?;
    Ok(work)
}

/// The centres from which a stone of this player leads to this one, and the lines that each
/// class hands on to them.
fn outgoing<'k>(
    shared: &'k Shared,
    sides: &CentreSides,
    player: Player,
    destinations: &'k Destinations,
) -> Vec<Outgoing<'k>> {
    let (census, listing) = (shared.census(), shared.extent.listing());
    let states = sides.left().states();
    let centre = states.centre;
    let before = census.previous_centres(centre, player);
    let to_one = |to| {
        let id = HandoffId { from: centre, to: Some(to) };
        Outgoing {
            lines: same_states(&listing.side(to, shared.last_read()), states, player),
            writer: shared.writer(destinations.of_centre(to), id),
            next_sweep: destinations.of_next_sweep().map(|store| shared.writer(store, id)),
        }
    };
    before.map(to_one).collect()
}

/// A centre that is being solved.
struct Solving<'a> {
    shared: &'a Shared<'a>,
    batch: usize,
    centre: CentreId,
    sharing: Sharing,
    sides: CentreSides,
    /// By player who made the last move.
    outgoing: [Vec<Outgoing<'a>>; 2],
    /// All of the first tier, if another sweep starts from it.
    whole: Option<HandoffWriter<'a>>,
    /// What was handed on to it.
    inputs: Inputs<'a>,
    /// The same for the tier after the sweep, and all tiles of this centre in it.
    after: Option<Inputs<'a>>,
}

impl Solving<'_> {
    /// All tiers of the sweep, two at a time in memory.
    fn tiers<O: Observer>(
        &self,
        [next, this]: &mut [TierTiles; 2],
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let split = self.shared.census().split();
        let mut unpacker = Unpacker::default();
        if let Some(after) = &self.after {
            let tier = self.shared.tiers.last().next_unchecked();
            for out in next.reset(split, self.panels(tier)) {
                self.load(after, out, &mut unpacker)?;
            }
        }
        self.downwards(observer, |tier| {
            let done = self.tier(tier, next, this, observer)?;
            std::mem::swap(next, this);
            Ok(done)
        })
    }

    /// All tiers of the sweep, of which those tiles are in memory that are still needed.
    fn tile_by_tile<O: Observer>(
        &self,
        memory: TileMemory,
        pool: &TilePool,
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let mut next = WaitingTier::default();
        let mut unpacker = Unpacker::default();
        if let Some(after) = &self.after {
            let tier = self.shared.tiers.last().next_unchecked();
            next = self.waiting(tier, memory);
            for (tile, panels) in self.panels(tier) {
                let mut plain = pool.take(panels, true).expect("what must be");
                let words = plain.words_mut();
                self.load(after, TileOutcomes { tile, panels, words }, &mut unpacker)?;
                next.add(tile, plain)?;
            }
        }
        self.downwards(observer, |tier| {
            let this = self.waiting(tier, memory);
            let done = self.waiting_tier((tier, pool), &next, &this, observer)?;
            next = this;
            Ok(done)
        })
    }

    /// Calls `solve` with one tier after the other. Returns the work done per tier of the board.
    fn downwards<O: Observer>(
        &self,
        observer: &O,
        mut solve: impl FnMut(Tier) -> Result<TierWork, O::Error>,
    ) -> Result<Vec<TierWork>, O::Error> {
        let tiers = self.shared.census().tiers();
        let mut work = vec![TierWork::default(); tiers.len()];
        for tier in tiers.rev().filter(|tier| self.shared.tiers.contains(*tier)) {
            let start = Instant::now();
            let done = solve(tier)?;
            work[tier.stones()] = TierWork { seconds: start.elapsed().as_secs_f64(), ..done };
            observer.tier_is_done(self.centre, tier)?;
            if self.sharing == Sharing::Alone {
                observer.flush()?;
                memory::make_room(0);
            }
        }
        Ok(work)
    }

    /// Brings a tile of the tier after the sweep back into memory.
    fn load(
        &self,
        after: &Inputs,
        TileOutcomes { tile, panels, words }: TileOutcomes,
        unpacker: &mut Unpacker,
    ) -> Result<(), WorkingFileError> {
        after.tile(tile, None)?.whole(self.shared.cpu, panels, unpacker, words)
    }

    /// All tiers are done.
    fn finish(self) -> Result<(), WorkingFileError> {
        for Outgoing { writer, next_sweep, .. } in self.outgoing.into_iter().flatten() {
            writer.finish()?;
            next_sweep.map_or(Ok(()), HandoffWriter::finish)?;
        }
        self.whole.map_or(Ok(()), HandoffWriter::finish)
    }

    /// What was handed on to a tier by centres with one stone more.
    fn inputs(&self, tier: Tier) -> &Inputs<'_> {
        let is_last = tier == self.shared.tiers.last();
        self.after.as_ref().filter(|_| is_last).unwrap_or(&self.inputs)
    }

    /// The tier after this one, of which these tiles are at hand.
    fn next<'n>(&'n self, tier: Tier, same_centre: SameCentre<'n>) -> NextTier<'n> {
        NextTier { inputs: self.inputs(tier), same_centre, planes: self.shared.planes() }
    }

    /// The step from these tiles to a tier of this many words.
    fn step<'s>(&'s self, tier: Tier, words: usize, children: &'s NextTier<'s>) -> Step<'s> {
        let Shared { order_types, cpu, tiers, continues, folding, .. } = self.shared;
        let threads = rayon::current_num_threads();
        let share = match self.sharing {
            Sharing::Alone if words >= WORTH_SHARING && threads > 1 => words / (SHARES * threads),
            _ => usize::MAX,
        };
        Step {
            census: self.shared.census(),
            order_types,
            sides: &self.sides,
            cpu: *cpu,
            children: if tier == tiers.last() && !continues { None } else { Some(children) },
            mover: tier.mover(),
            planes: self.shared.planes(),
            blocks: folding,
            share,
        }
    }

    fn tier<O: Observer>(
        &self,
        tier: Tier,
        next: &TierTiles,
        this: &mut TierTiles,
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        let shared = self.shared;
        let next = self.next(tier, SameCentre::Tier(next));
        let mut tiles = this.reset(shared.census().split(), self.panels(tier));
        let words: usize = tiles.iter().map(|tile| tile.words.len()).sum();
        let step = self.step(tier, words, &next);
        if self.sharing == Sharing::SideBySide || words < WORTH_SHARING {
            return shared.scratch.with(|scratch| {
                tiles.into_iter().try_fold(TierWork::default(), |sum, out| {
                    Ok(sum.plus(self.tile(tier, &step, out, scratch, observer)?))
                })
            });
        }
        // So that no thread is still at work on a large one when there is nothing else to do.
        tiles.sort_by_key(|tile| Reverse(tile.words.len()));
        let numbers: Vec<usize> = (0..tiles.len()).collect();
        let tiles: Vec<_> = tiles.into_iter().map(|tile| Mutex::new(Some(tile))).collect();
        let take = |number: usize| tiles[number].lock().expect("nothing panics").take();
        let done = Mutex::new(TierWork::default());
        run_in_order(
            &numbers,
            |number, _| take(number),
            |_, out| {
                let solve = |scratch: &mut Box<_>| self.tile(tier, &step, out, scratch, observer);
                let work = shared.scratch.with(solve)?;
                let mut done = done.lock().expect("nothing panics while it is locked");
                *done = done.plus(work);
                Ok::<(), O::Error>(())
            },
        )?;
        Ok(done.into_inner().expect("no thread has panicked"))
    }

    /// The tiles of a tier.
    fn panels(&self, tier: Tier) -> impl Iterator<Item = (Tile, Panels)> {
        let tiles = self.shared.census().tiles_of(tier, self.centre);
        let planes = self.shared.planes();
        tiles.map(move |tile| (tile, panels_of(&self.sides, tile, tier.mover(), planes)))
    }

    /// A tier whose tiles are going to be solved one by one.
    fn waiting<'r>(&self, tier: Tier, memory: TileMemory) -> WaitingTier<'r> {
        let census = self.shared.census();
        let before =
            tier.0.checked_sub(1).map(Tier).filter(|tier| self.shared.tiers.contains(*tier));
        let readers = before.into_iter().flat_map(|tier| census.tiles_of(tier, self.centre));
        let mover = tier.mover().other();
        let tiles = census.tiles_of(tier, self.centre);
        let two = before.into_iter().chain([tier]).flat_map(|tier| self.panels(tier));
        let largest = two.map(|(_, panels)| panels.bytes()).max().unwrap_or(0);
        let at_work = memory.at_work(largest as u64);
        WaitingTier::new(census, (self.batch, at_work), tiles, readers, mover)
    }

    fn waiting_tier<'r, O: Observer>(
        &self,
        (tier, pool): (Tier, &'r TilePool),
        next: &WaitingTier<'r>,
        this: &WaitingTier<'r>,
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        let (shared, census) = (self.shared, self.shared.census());
        let mut tiles: Vec<(Tile, Panels)> = self.panels(tier).collect();
        sort_by_chains(census, &mut tiles, tier.mover());
        let all_words = tiles.iter().map(|(_, panels)| panels.words()).sum();
        let done = Mutex::new(TierWork::default());
        let make_room = |(_, panels), must| pool.take(panels, must);
        let solve = |(tile, panels), mut out: PlainTile<'r>| {
            let children = children(census, tile, tier.mover());
            let solved = children.map(|child| Some((child?, next.solved(child?)?)));
            let next_tier = self.next(tier, SameCentre::Tiles(&solved));
            let step = self.step(tier, all_words, &next_tier);
            let words = out.words_mut();
            let work = shared.scratch.with(|scratch| {
                self.tile(tier, &step, TileOutcomes { tile, panels, words }, scratch, observer)
            })?;
            drop(solved);
            children.into_iter().flatten().for_each(|child| next.has_been_read(child));
            this.add(tile, out)?;
            let mut done = done.lock().expect("nothing panics while it is locked");
            *done = done.plus(work);
            Ok::<(), O::Error>(())
        };
        run_in_order(&tiles, make_room, solve)?;
        Ok(done.into_inner().expect("no thread has panicked"))
    }

    fn tile<O: Observer>(
        &self,
        tier: Tier,
        step: &Step,
        out: TileOutcomes,
        scratch: &mut Scratch,
        observer: &O,
    ) -> Result<TierWork, O::Error> {
        scratch.clock.set(self.shared.is_timed);
        let (tile, panels, words) = (out.tile, out.panels, out.words);
        let tally = step.solve(TileOutcomes { tile, panels, words }, scratch)?;
        let solved = PanelTile { panels, words };
        let tiers = self.shared.tiers;
        let is_shared = panels.words() > step.share;
        self.hand_on(tier, tile, solved, is_shared)?;
        if let Some(whole) = self.whole.as_ref().filter(|_| tier == tiers.first()) {
            let rows: Vec<u32> = (0..panels.shape.rows as u32).collect();
            let packers = (&self.shared.packers, is_shared);
            whole.add(step.cpu, tile, solved, &rows, panels.shape.columns, packers)?;
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
        is_shared: bool,
    ) -> Result<(), WorkingFileError> {
        let Some(last_mover) = tier.last_mover() else { return Ok(()) };
        let columns = self.sides.right().order().handed_on(tile.right, last_mover);
        let columns = columns.min(solved.panels.shape.columns);
        let is_first = tier == self.shared.tiers.first();
        for Outgoing { lines, writer, next_sweep } in &self.outgoing[last_mover.index()] {
            let rows = lines.of(tile.left);
            if let Some(writer) = if is_first { next_sweep.as_ref() } else { Some(writer) } {
                let packers = (&self.shared.packers, is_shared);
                writer.add(self.shared.cpu, tile, solved, rows, columns, packers)?;
            }
        }
        Ok(())
    }
}
