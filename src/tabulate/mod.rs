//! Solving a board for good: tables of all its tiers, on disk.
//!
//! The sweep goes centre by centre ([`CentreSweep`]), so the tables of all tiers
//! grow side by side. Every now and then after a batch of centres, so that it
//! takes about a twentieth of the time, a *checkpoint* is made:
//!
//! ```text
//!     blocks of the batch   appended to every table that is growing, and synced
//!     what is kept          of the batch for later ones, synced
//!     solving.json          how many batches are done, how long each table is by
//!                           then, and the counts so far; replaced as a whole
//!     what was kept         of batches that nobody needs any more, removed
//! ```
//!
//! Whatever happens between two checkpoints, the files of the one before are all
//! there: what goes beyond is cut off, and the batch is solved again. When the
//! last batch is done, tables are finished from the last tier down, each with
//! the digest of the one after it.
//!
//! A sweep that ends above the empty board leaves its first tier in the scratch
//! folder, and the next one starts from there.

mod error;
mod estimate;
mod state;
mod writer;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::board::{Board, Tier, TierRange};
use crate::count::{TierCount, count};
use crate::index::{Census, Index};
use crate::memory;
use crate::progress::Progress;
use crate::solve::TierSolution;
use crate::sweep::{self, CentreSweep, Cpu, Extent, Scope, Shelf};
use crate::table::{
    FolderLock, Horizon, Inventory, Manifest, ManifestTier, TableSummary, Tables, TierCounts,
};

pub use error::TabulateError;
pub use estimate::Estimate;
use state::State;
use writer::Writer;

/// Empty cells that a look-up searches to the end, so that tables need not hold
/// them: microseconds.
pub const HORIZON: Horizon = Horizon(14);

/// A checkpoint is made once this many times what the last one took has passed, or when
/// files that nobody needs any more take the room of those of the next batch.
const CHECKPOINT_SHARE: u32 = 20;

/// What is to be solved, and where it is to be put.
#[derive(Clone, Debug)]
pub struct Request {
    /// The board.
    pub board: Board,
    /// The tiers.
    pub tiers: TierRange,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// The folder of the working files.
    pub scratch: PathBuf,
    /// Bytes that may be resident.
    pub memory: Option<u64>,
    /// The form of the kernels.
    pub cpu: Cpu,
    /// Which cells are worked on; the tables are the same.
    pub scope: Scope,
}

/// Tables that are there now.
#[derive(Clone, PartialEq, Debug)]
pub struct Tabulated {
    /// The tiers, fewest stones first.
    pub tiers: Vec<TierSolution>,
    /// Bytes of all their tables.
    pub bytes: u64,
    /// Tiers that were there already.
    pub found: usize,
}

/// Somebody who is told what is going to happen and how it goes.
pub trait Listener: Progress {
    /// Work begins: over these tiers, from this batch on.
    fn begins(&self, tiers: TierRange, estimate: &Estimate, batch: usize, batches: usize);

    /// The tables that are growing have so many bytes.
    fn wrote(&self, bytes: u64);
}

impl Listener for () {
    fn begins(&self, _tiers: TierRange, _estimate: &Estimate, _batch: usize, _batches: usize) {}

    fn wrote(&self, _bytes: u64) {}
}

/// Solves the tiers of a board and writes a table of each, or goes on where an
/// earlier run was stopped.
pub fn tabulate(request: &Request, listener: &dyn Listener) -> Result<Tabulated, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let census = Census::new(request.board)?;
    let fresh = !request.tables.exists() && !request.scratch.exists();
    let locks = if fresh {
        starts_at_the_end(request, tiers)?;
        None
    } else {
        let locks = Locks::take(request)?;
        if State::read(&request.scratch)?.is_none() && missing(request, &census, tiers)?.is_none() {
            // A run that was stopped at its very end may have left some files.
            sweep::clear(&request.scratch)?;
            return report(request, &census, tiers, None);
        }
        Some(locks)
    };
    let index = Index::new(request.board)?;
    let extent = Extent::new(&index, request.scope);
    if fresh {
        // What is refused leaves no folders behind.
        refuse_what_does_not_fit(request, &Estimate::of(&extent, tiers, HORIZON), false)?;
    }
    let _locks = match locks {
        Some(locks) => locks,
        None => Locks::take(request)?,
    };
    let state = State::read(&request.scratch)?;
    let todo = match &state {
        Some(state) => Some(state.of(request, tiers)?),
        None => missing(request, &census, tiers)?,
    };
    if let Some(todo) = todo {
        if state.is_none() {
            sweep::clear(&request.scratch)?;
        }
        let estimate = Estimate::of(&extent, todo, HORIZON);
        refuse_what_does_not_fit(request, &estimate, state.is_some())?;
        Solving::start(request, todo, &extent, state, listener, &estimate)?.run()?;
    }
    report(request, &census, tiers, todo)
}

/// The folders of a run, for as long as it lasts.
struct Locks {
    _tables: FolderLock,
    _scratch: Option<FolderLock>,
}

impl Locks {
    fn take(request: &Request) -> Result<Locks, TabulateError> {
        let tables = FolderLock::take(&request.tables)?;
        let apart = request.scratch != request.tables;
        let scratch = apart.then(|| FolderLock::take(&request.scratch)).transpose()?;
        Ok(Locks { _tables: tables, _scratch: scratch })
    }
}

/// A sweep of which nothing is done yet starts at the last tier of the board.
fn starts_at_the_end(request: &Request, wanted: TierRange) -> Result<(), TabulateError> {
    if wanted.last() == request.board.last_tier() {
        return Ok(());
    }
    Err(TabulateError::NoStart {
        board: request.board,
        tier: Tier(wanted.last().0 + 1),
        first: wanted.first(),
        scratch: request.scratch.clone(),
    })
}

/// The tiers without a table; none if all are there.
fn missing(
    request: &Request,
    census: &Census,
    tiers: TierRange,
) -> Result<Option<TierRange>, TabulateError> {
    let inventory = Inventory::of(&request.tables, request.board)?;
    let missing = inventory.missing();
    let wanted: Vec<Tier> = missing.into_iter().filter(|tier| tiers.contains(*tier)).collect();
    let Some(first) = wanted.first() else { return Ok(None) };
    let last_tier = request.board.last_tier();
    // The lowest tier above them that a sweep has left to start from.
    let from = (first.0 + 1..=last_tier.0).map(Tier).find(|tier| {
        sweep::is_kept(census, &request.scratch, *tier)
            && (tier.0..=last_tier.0).all(|above| !inventory.missing().contains(&Tier(above)))
    });
    match from {
        Some(from) => Ok(TierRange::new(*first, Tier(from.0 - 1)).ok()),
        None => {
            let wanted = TierRange::new(*first, tiers.last())?;
            starts_at_the_end(request, wanted)?;
            Ok(Some(wanted))
        }
    }
}

fn refuse_what_does_not_fit(
    request: &Request,
    estimate: &Estimate,
    begun: bool,
) -> Result<(), TabulateError> {
    let memory = request.memory.or_else(|| memory::available().map(|bytes| bytes / 10 * 6));
    if let Some(available) = memory.filter(|available| *available < estimate.memory) {
        return Err(TabulateError::Memory {
            board: request.board,
            needed: estimate.memory,
            available,
        });
    }
    // A run that was stopped has files already, so that what is free says little.
    if begun {
        return Ok(());
    }
    // A folder that is not there yet will be where the nearest one above it is.
    let space = |folder: &Path| {
        let folder = std::path::absolute(folder).ok()?;
        folder.ancestors().find_map(|folder| fs4::available_space(folder).ok())
    };
    let needs = [(&request.scratch, estimate.scratch), (&request.tables, estimate.tables)];
    for (folder, needed) in needs {
        if let Some(available) = space(folder).filter(|available| *available < needed) {
            let folder = folder.clone();
            return Err(TabulateError::Disk { folder, needed, available });
        }
    }
    let both = estimate.scratch + estimate.tables;
    match space(&request.scratch) {
        Some(available) if available < both && space(&request.tables) == Some(available) => {
            Err(TabulateError::Disk { folder: request.tables.clone(), needed: both, available })
        }
        _ => Ok(()),
    }
}

/// A run.
struct Solving<'a> {
    request: &'a Request,
    tiers: TierRange,
    counts: Vec<TierCount>,
    extent: &'a Extent<'a>,
    /// What was read when the run started.
    state: Option<State>,
    listener: &'a dyn Listener,
    start: Instant,
    estimate: &'a Estimate,
}

impl<'a> Solving<'a> {
    fn start(
        request: &'a Request,
        tiers: TierRange,
        extent: &'a Extent<'a>,
        state: Option<State>,
        listener: &'a dyn Listener,
        estimate: &'a Estimate,
    ) -> Result<Solving<'a>, TabulateError> {
        let start = Instant::now();
        let counts = count(request.board, tiers, &())?;
        Ok(Solving { request, tiers, counts, extent, state, listener, start, estimate })
    }

    fn run(self) -> Result<(), TabulateError> {
        let Solving { request, tiers, .. } = &self;
        let shelf = Shelf::Folder(request.scratch.clone());
        let mut sweep = CentreSweep::new(self.extent, request.cpu, *tiers, shelf)?;
        let mut seconds = 0.0;
        if let Some(state) = &self.state {
            sweep.resume(state.solved, state.work())?;
            seconds = state.seconds;
        }
        let lengths = self.state.as_ref().map(State::lengths);
        let mut writer = Writer::open(
            &request.tables,
            self.extent,
            *tiers,
            HORIZON,
            lengths.as_deref(),
            self.listener,
        )?;
        let batches = sweep.batches().len();
        writer.done_before(&sweep);
        self.listener.begins(*tiers, self.estimate, sweep.solved(), batches);
        if self.state.is_none() {
            // From now on the growing tables belong to this run.
            self.checkpoint(&mut sweep, &mut writer, seconds)?;
        }
        let (mut last, mut cost) = (Instant::now(), Duration::ZERO);
        while sweep.advance(&writer)? {
            writer.flush()?;
            let is_due = last.elapsed() >= CHECKPOINT_SHARE * cost;
            let is_crowded = sweep.is_crowded(self.estimate.scratch);
            if is_due || is_crowded || sweep.solved() == batches {
                let start = Instant::now();
                self.checkpoint(&mut sweep, &mut writer, seconds)?;
                (last, cost) = (Instant::now(), start.elapsed());
            }
        }
        self.finish(&mut sweep, writer, seconds)
    }

    fn checkpoint(
        &self,
        sweep: &mut CentreSweep,
        writer: &mut Writer,
        seconds: f64,
    ) -> Result<(), TabulateError> {
        writer.sync()?;
        sweep.sync()?;
        let seconds = seconds + self.start.elapsed().as_secs_f64();
        let state = State::new(self.request, self.tiers, sweep, &writer.lengths(), seconds);
        state.write(&self.request.scratch)?;
        Ok(sweep.tidy()?)
    }

    /// Finishes the tables, from the last tier down.
    fn finish(
        &self,
        sweep: &mut CentreSweep,
        mut writer: Writer,
        seconds: f64,
    ) -> Result<(), TabulateError> {
        let Solving { request, tiers, .. } = self;
        let mut known = summaries(request, self.extent.index().census())?;
        for tier in tiers.iter().rev() {
            let count = self.counts[tier.stones() - tiers.first().stones()];
            let seconds = sweep.work()[tier.stones()].seconds;
            let met = sweep.met(tier);
            let solution = TierSolution::new(request.board, count, met, request.scope, seconds)?;
            let counts = TierCounts::new(solution.outcomes, solution.terminal);
            let next = known.iter().find(|there| there.tier == tier.next());
            let next = next.map(|there| there.digest);
            if let Some(summary) = writer.finish(tier, counts, next)? {
                known.retain(|there| there.tier != tier);
                known.push(summary);
            }
        }
        let earlier = Manifest::read(&request.tables).ok();
        let timed = known.into_iter().map(|summary| {
            let tier = summary.tier;
            let seconds = if tiers.contains(tier) {
                sweep.work()[tier.stones()].seconds
            } else {
                earlier.as_ref().and_then(|manifest| manifest.tier(tier)).map_or(0.0, |t| t.seconds)
            };
            ManifestTier { summary, seconds }
        });
        let timed = timed.collect();
        let before = earlier.filter(|_| tiers.last() < request.board.last_tier());
        let seconds = seconds + self.start.elapsed().as_secs_f64();
        let seconds = seconds + before.map_or(0.0, |manifest| manifest.seconds);
        Manifest::new(request.board, seconds, timed).write(&request.tables)?;
        State::remove(&request.scratch)?;
        sweep.discard_start()?;
        sweep::clear(&request.scratch)?;
        Ok(())
    }
}

/// What the finished tables of a folder are.
fn summaries(request: &Request, census: &Census) -> Result<Vec<TableSummary>, TabulateError> {
    let tables = Tables::open(&request.tables, census);
    let inventory = Inventory::of(&request.tables, request.board)?;
    inventory.tables.iter().map(|table| Ok(tables.table(table.tier)?.summary()?)).collect()
}

fn report(
    request: &Request,
    census: &Census,
    tiers: TierRange,
    solved: Option<TierRange>,
) -> Result<Tabulated, TabulateError> {
    let known = summaries(request, census)?;
    let times = if Inventory::of(&request.tables, request.board)?.manifest {
        Manifest::read(&request.tables)?
    } else {
        // Somebody has removed it. The tables tell all that it told, but for the times.
        let untimed = |summary| ManifestTier { summary, seconds: 0.0 };
        let tiers = known.iter().copied().map(untimed).collect();
        let manifest = Manifest::new(request.board, 0.0, tiers);
        manifest.write(&request.tables)?;
        manifest
    };
    let mut tabulated = Tabulated { tiers: Vec::new(), bytes: 0, found: 0 };
    for tier in tiers {
        let there = known.iter().find(|there| there.tier == tier);
        let TableSummary { bytes, counts, .. } =
            *there.ok_or(TabulateError::Missing { tier, tables: request.tables.clone() })?;
        tabulated.bytes += bytes;
        tabulated.found += usize::from(!solved.is_some_and(|solved| solved.contains(tier)));
        tabulated.tiers.push(TierSolution {
            tier,
            outcomes: counts.live(),
            terminal: counts.terminal,
            seconds: times.tier(tier).map_or(0.0, |there| there.seconds),
        });
    }
    Ok(tabulated)
}
