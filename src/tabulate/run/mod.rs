//! A run, from whatever exists of it to its tables.
//!
//! A `worker` solves one batch after another, and the `publisher` publishes each while the next one
//! is being solved. When all are done, one process puts the tables together.

mod publisher;
mod worker;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::{Tier, TierRange};
use crate::count::{TierCount, can_be_counted};
use crate::memory;
use crate::progress::Progress;
use crate::sweep::{FolderSweep, Start, TierWork};
use crate::table::{Layouts, TableSummary};

use super::assembly::report::list;
use super::assembly::{Assembly, INTERVAL, RunsInOrder, counts};
use super::error::TabulateError;
use super::estimate::{Estimate, MemoryPlan};
use super::folders::cleanup;
use super::job::Job;
use super::listener::{Half, Share};
use super::names::{Claim, tables_claim_file};
use super::pieces::{Cells, Ledger};

use publisher::InTables;
#[cfg(test)]
pub(super) use worker::MOST_WAITING;
use worker::Worker;

/// The interval for checking whether others have put the tables together.
const LOOK: Duration = Duration::from_millis(50);

/// A run that this process works on.
pub(super) struct Run<'a> {
    job: &'a Job<'a>,
    sweep: FolderSweep<'a>,
    layouts: Layouts,
    cells: Cells<'a>,
    tables: Share<'a>,
    estimate: &'a Estimate,
}

/// All batches are done; only the tables remain to be made.
pub(super) struct Batches<'r> {
    ledger: Ledger<'r>,
    /// What was not published, since the tables have it.
    in_tables: InTables,
    /// The claim on the tables, and the tables, if they have grown meanwhile.
    grown: Option<(Claim, Assembly<'r>)>,
}

impl<'a> Run<'a> {
    /// A run over these tiers, which divides memory like this.
    pub(super) fn new(
        job: &'a Job<'a>,
        start: Start,
        tiers: TierRange,
        estimate: &'a Estimate,
        memory: MemoryPlan,
    ) -> Result<Run<'a>, TabulateError> {
        let request = job.request;
        // Positions are counted at the end, but boards that cannot be counted are refused now.
        can_be_counted(request.board)?;
        job.extent().cache_lists(memory.lists);
        memory::keep_within(memory.bytes());
        let (extent, kept) = (job.extent(), &job.kept);
        let (sweep, layouts) = rayon::join(
            || {
                let (cpu, first) = (request.cpu, tiers.first());
                FolderSweep::with(extent, cpu, start, first, kept, memory.placement)
            },
            || Layouts::new(job.census(), tiers, request.horizon(), request.content()),
        );
        let shares = Share::split(job.listener, job.share, &estimate.work());
        let [solving, assembling] = shares[..] else { unreachable!("as many as there is work") };
        Ok(Run {
            job,
            sweep: sweep?.within(memory.centre, job.disk),
            layouts,
            cells: Cells { share: solving, done: AtomicU64::new(0), all: estimate.cells },
            tables: assembling,
            estimate,
        })
    }

    fn tiers(&self) -> TierRange {
        self.sweep.tiers()
    }

    /// Completes the batches of a ledger, which already knows those that are done.
    pub(super) fn solve(&self, ledger: Ledger<'a>) -> Result<Batches<'_>, TabulateError> {
        self.cells.find(ledger.cells());
        // Adding the pieces of an earlier process takes long, and new pieces would have to wait.
        let is_new = ledger.leads_to_tables() && ledger.count() == 0;
        let grows = is_new && self.sweep.schedule().is_in_table_order() && self.has_room_for_both();
        let mut grown = None;
        if grows && let Some(claim) = self.claim_tables()? {
            grown = Some((claim, self.begin_all()?));
        }
        let assembling = grown.as_mut().map(|(_, assembly)| assembly);
        let (sweep, layouts, cells) = (&self.sweep, &self.layouts, &self.cells);
        let worker =
            Worker { job: self.job, sweep, layouts, cells, scratch: self.estimate.scratch };
        let (ledger, in_tables) = worker.work(ledger, assembling)?;
        // This process reads none of it any more.
        self.job.listener.keeps(0, 0);
        Ok(Batches { ledger, in_tables, grown })
    }

    /// Whether there is room for pieces, tables and working files at once. If so, tables can grow
    /// while batches are being solved.
    fn has_room_for_both(&self) -> bool {
        let Estimate { scratch, tables, .. } = *self.estimate;
        let free = self.job.disk.free_space(&self.job.run);
        free.is_none_or(|free| free > scratch + 2 * tables)
    }

    /// Claims the work of putting the tables together, unless another process has.
    fn claim_tables(&self) -> Result<Option<Claim>, TabulateError> {
        let Some(claim) = Claim::take(&tables_claim_file(&self.job.run))? else { return Ok(None) };
        if claim.is_seen() {
            // Unfinished tables come from a process that is dead.
            cleanup::remove_unfinished_tables(self.job.disk, &self.job.request.tables)?;
        }
        Ok(Some(claim))
    }

    /// Begins the tables of all tiers.
    fn begin_all(&self) -> Result<Assembly<'_>, TabulateError> {
        let (mut assembly, missing) = (Assembly::new(self.job), self.job.missing()?);
        for tier in self.tiers().into_iter().filter(|tier| missing.contains(tier)) {
            assembly.begin(self.layouts.of(tier))?;
        }
        Ok(assembly)
    }

    /// Completes the tables. Returns summaries of all of them, unless another process has put them
    /// together.
    pub(super) fn finish(
        &self,
        batches: Batches,
    ) -> Result<Option<Vec<TableSummary>>, TabulateError> {
        let Batches { ledger, in_tables, grown } = batches;
        if let Some((_claim, assembly)) = grown {
            return self.put_together(&ledger, in_tables, Some(assembly)).map(Some);
        }
        loop {
            if !self.job.is_under_way() {
                return Ok(None);
            }
            match self.claim_tables()? {
                Some(_claim) => return self.put_together(&ledger, in_tables, None).map(Some),
                None => thread::sleep(LOOK),
            }
        }
    }

    fn put_together(
        &self,
        ledger: &Ledger,
        in_tables: InTables,
        grown: Option<Assembly>,
    ) -> Result<Vec<TableSummary>, TabulateError> {
        let (job, request) = (self.job, self.job.request);
        let start = Instant::now();
        let work = ledger.work();
        let mut known = job.sound_tables()?;
        let missing = |tier: &Tier| !known.iter().any(|table| table.tier == *tier);
        let missing: Vec<Tier> = self.tiers().into_iter().filter(missing).collect();
        if !missing.is_empty() {
            self.sweep.rest();
            let counts = OnceLock::new();
            let (share, done) = (&self.tables, Default::default());
            let [counting, assembling] = [0, 1].map(|number| Half { share, done: &done, number });
            let (counted, assembled) = rayon::join(
                || {
                    // A run that was begun for a larger request may have more tiers.
                    let known = job.counts.unwrap_or_default().iter().copied();
                    let known = known.filter(|count| self.tiers().contains(count.tier));
                    let known: Vec<TierCount> = known.collect();
                    let found = if known.len() == self.tiers().iter().count() {
                        counting.advance(1, 1);
                        known
                    } else {
                        let orders = self.sweep.orders();
                        counts::count(job.disk, &ledger.pieces, orders, &counting)?
                    };
                    counts.set(found).expect("counted once");
                    Ok::<(), TabulateError>(())
                },
                || match grown {
                    Some(mut assembly) => {
                        self.add_rest(ledger, &mut assembly, &assembling)?;
                        assembly.store().map(|()| assembly)
                    }
                    None => {
                        self.assemble(ledger, &missing, &work, &counts, &mut known, &assembling)
                    }
                },
            );
            counted?;
            let counts = counts.into_inner().expect("counted without an error");
            assembled?.finish(&counts, &work, &mut known)?;
        }
        for tier in self.tiers() {
            if !known.iter().any(|table| table.tier == tier) {
                return Err(TabulateError::Missing { tier, tables: request.tables.clone() });
            }
        }
        let of_this_run = |tier: Tier| work[tier.stones()].seconds;
        let of_tier = |tier| self.tiers().contains(tier).then(|| of_this_run(tier));
        let took = ledger.seconds() + start.elapsed().as_secs_f64();
        let continues = self.tiers().last() < request.last_tier();
        let all = |before| if continues { before + took } else { took };
        list(job.disk, &request.tables, request.board, &known, of_tier, all)?;
        in_tables.forget();
        cleanup::clear(job)?;
        self.tables.finish();
        Ok(known)
    }

    /// Adds all pieces that have not been added yet.
    fn add_rest(
        &self,
        ledger: &Ledger,
        assembly: &mut Assembly,
        progress: &dyn Progress,
    ) -> Result<(), TabulateError> {
        let all = self.sweep.schedule().batches().len();
        (assembly.added..all).try_for_each(|batch| {
            self.job.refuse_if_stopped()?;
            assembly.add(&ledger.pieces.open(batch)?)?;
            progress.advance(batch as u64 + 1, all as u64);
            Ok(())
        })
    }

    /// Makes one table after the other, from the last tier down. As soon as positions are counted,
    /// tables are published every now and then; those that are not yet are returned.
    fn assemble(
        &self,
        ledger: &Ledger,
        missing: &[Tier],
        work: &[TierWork],
        counts: &OnceLock<Vec<TierCount>>,
        known: &mut Vec<TableSummary>,
        progress: &dyn Progress,
    ) -> Result<Assembly<'_>, TabulateError> {
        let piece = |batch| ledger.pieces.open(batch);
        let (census, schedule) = (self.job.census(), self.sweep.schedule());
        let mut runs = RunsInOrder::new(census, &self.layouts, self.tiers(), schedule, piece)?;
        let (mut assembly, mut stored) = (Assembly::new(self.job), Instant::now());
        let blocks = |tier: &Tier| self.layouts.of(*tier).blocks();
        let (mut added, all) = (0, missing.iter().map(blocks).sum());
        for tier in missing.iter().rev() {
            self.job.refuse_if_stopped()?;
            assembly.begin(self.layouts.of(*tier))?;
            runs.add(*tier, &mut assembly)?;
            added += blocks(tier);
            progress.advance(added, all);
            if stored.elapsed() < INTERVAL {
                continue;
            }
            assembly.store()?;
            if let Some(counts) = counts.get() {
                assembly.finish(counts, work, known)?;
            }
            stored = Instant::now();
        }
        assembly.store().map(|()| assembly)
    }
}
