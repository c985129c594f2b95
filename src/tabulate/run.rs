//! A run, from whatever exists of it to its tables.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::{Tier, TierRange};
use crate::count::{TierCount, can_be_counted};
use crate::disk::Disk;
use crate::progress::Progress;
use crate::sweep::{Extent, FolderSweep, Start, TierWork};
use crate::table::{Manifest, ManifestTier, TableSummary};

use super::admission::free_space;
use super::assembly::{Assembly, INTERVAL};
use super::claim::Claim;
use super::counts;
use super::error::TabulateError;
use super::estimate::Estimate;
use super::layouts::Layouts;
use super::ledger::Ledger;
use super::leftovers;
use super::names::{kept_folder, run_file, run_folder, tables_claim_file};
use super::pieces::Pieces;
use super::plan::Part;
use super::recorder::Cells;
use super::report::summaries;
use super::request::{Listener, Request};
use super::share::{Halves, Share};
use super::table_order::RunsInOrder;
use super::worker::Worker;

/// The interval for checking whether others have put the tables together.
const LOOK: Duration = Duration::from_millis(50);

/// A run that this process works on.
pub(super) struct Run<'a> {
    disk: &'a Disk,
    request: &'a Request,
    extent: &'a Extent,
    folder: PathBuf,
    sweep: FolderSweep<'a>,
    layouts: Layouts,
    cells: Cells<'a>,
    tables: Share<'a>,
    estimate: &'a Estimate,
}

/// All batches are done; only the tables remain to be made.
pub(super) struct Batches<'r> {
    ledger: Ledger<'r>,
    /// The claim on the tables, and the tables, if they have grown meanwhile.
    grown: Option<(Claim, Assembly)>,
}

impl<'a> Run<'a> {
    pub fn new(
        disk: &'a Disk,
        request: &'a Request,
        extent: &'a Extent,
        start: Start,
        tiers: TierRange,
        listener: &'a dyn Listener,
        estimate: &'a Estimate,
    ) -> Result<Run<'a>, TabulateError> {
        let census = extent.census();
        // Positions are counted at the end, but boards that cannot be counted are refused now.
        can_be_counted(request.board)?;
        let kept = kept_folder(&request.scratch, request.board);
        let (sweep, layouts) = rayon::join(
            || FolderSweep::new(extent, request.cpu, start, tiers.first(), &kept),
            || Layouts::new(census, tiers, request.horizon(), request.content()),
        );
        let [solving, assembling] = Share::split(listener, &estimate.work())
            .try_into()
            .unwrap_or_else(|_| unreachable!("as many shares as there is work"));
        Ok(Run {
            disk,
            request,
            extent,
            folder: run_folder(&request.tables),
            sweep: sweep?.on(disk),
            layouts,
            cells: Cells { listener: solving, done: AtomicU64::new(0), all: estimate.cells },
            tables: assembling,
            estimate,
        })
    }

    fn tiers(&self) -> TierRange {
        self.sweep.tiers()
    }

    fn ledger(&self) -> Ledger<'_> {
        let pieces = Pieces::new(self.folder.clone(), self.sweep.label());
        Ledger::new(self.sweep.schedule(), pieces)
    }

    fn worker(&self) -> Worker<'_> {
        Worker {
            disk: self.disk,
            run: &self.folder,
            extent: self.extent,
            sweep: &self.sweep,
            layouts: &self.layouts,
            cells: &self.cells,
            room: self.estimate.scratch,
        }
    }

    /// Completes all batches.
    pub fn solve(&self) -> Result<Batches<'_>, TabulateError> {
        let mut ledger = self.ledger();
        self.cells.find(ledger.look(|_| false)?);
        // To add the pieces of an earlier process takes long, and new ones would have to wait.
        let is_new = ledger.count() == 0;
        let grows = is_new && self.sweep.schedule().is_in_table_order() && self.has_room_for_both();
        let claim = if grows { self.claim_tables()? } else { None };
        let mut grown = match claim {
            Some(claim) => Some((claim, self.begin_all()?)),
            None => None,
        };
        let assembling = grown.as_mut().map(|(_, assembly)| assembly);
        let ledger = self.worker().work(ledger, assembling)?;
        Ok(Batches { ledger, grown })
    }

    /// Completes the batches of a part.
    pub fn solve_part(&self, part: &Part) -> Result<(), TabulateError> {
        let mut ledger = self.ledger().seeing_to(&part.batches);
        self.cells.find(ledger.look(|_| false)?);
        self.worker().work(ledger, None).map(|_| ())
    }

    /// Is there room for pieces, tables and working files at once? If so, tables can grow while
    /// batches are being solved.
    fn has_room_for_both(&self) -> bool {
        let Estimate { scratch, tables, .. } = *self.estimate;
        free_space(&self.folder).is_none_or(|free| free > scratch + 2 * tables)
    }

    /// Claims the work of putting the tables together, unless another process has.
    fn claim_tables(&self) -> Result<Option<Claim>, TabulateError> {
        let Some(claim) = Claim::take(&tables_claim_file(&self.folder))? else { return Ok(None) };
        if claim.is_a_lock() {
            // What is unfinished is of a process that is dead.
            leftovers::remove_unfinished_tables(self.disk, &self.request.tables)?;
        }
        Ok(Some(claim))
    }

    /// Begins the tables of all tiers.
    fn begin_all(&self) -> Result<Assembly, TabulateError> {
        let (mut assembly, missing) = (Assembly::new(), self.request.missing()?);
        for tier in self.tiers().into_iter().filter(|tier| missing.contains(tier)) {
            assembly.begin(self.disk, &self.request.tables, &self.layouts, tier)?;
        }
        Ok(assembly)
    }

    /// Completes the tables.
    pub fn finish(&self, batches: Batches) -> Result<(), TabulateError> {
        let Batches { ledger, grown } = batches;
        if let Some((_claim, assembly)) = grown {
            return self.put_together(&ledger, Some(assembly));
        }
        loop {
            // Somebody else has done it.
            if !run_file(&self.folder).exists() {
                return Ok(());
            }
            match self.claim_tables()? {
                Some(_claim) => return self.put_together(&ledger, None),
                None => thread::sleep(LOOK),
            }
        }
    }

    fn put_together(&self, ledger: &Ledger, grown: Option<Assembly>) -> Result<(), TabulateError> {
        let Run { disk, request, .. } = *self;
        let start = Instant::now();
        let work = ledger.work();
        let mut known = summaries(request, self.extent.census())?;
        let missing = |tier: &Tier| !known.iter().any(|table| table.tier == *tier);
        let missing: Vec<Tier> = self.tiers().into_iter().filter(missing).collect();
        if !missing.is_empty() {
            self.sweep.rest();
            let counts = OnceLock::new();
            let halves = Halves::of(&self.tables);
            let [counting, assembling] = halves.each();
            let (counted, assembled) = rayon::join(
                || {
                    let orders = self.sweep.orders();
                    let found = counts::count(disk, ledger.pieces(), orders, &counting)?;
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
            assembled?.finish(&counts, &work, request, &mut known)?;
        }
        for tier in self.tiers() {
            if !known.iter().any(|table| table.tier == tier) {
                return Err(TabulateError::Missing { tier, tables: request.tables.clone() });
            }
        }
        // If the manifest cannot be read, this one takes its place.
        let earlier = Manifest::read(&request.tables).ok();
        let timed = known.into_iter().map(|summary| {
            let tier = summary.tier;
            let seconds = if self.tiers().contains(tier) {
                work[tier.stones()].seconds
            } else {
                earlier.as_ref().and_then(|manifest| manifest.tier(tier)).map_or(0.0, |t| t.seconds)
            };
            ManifestTier { summary, seconds }
        });
        let timed = timed.collect();
        let before = earlier.filter(|_| self.tiers().last() < request.last_tier());
        let seconds = ledger.seconds() + start.elapsed().as_secs_f64();
        let seconds = seconds + before.map_or(0.0, |manifest| manifest.seconds);
        let manifest = Manifest::new(request.board, seconds, timed);
        manifest.write_on(self.disk, &request.tables)?;
        leftovers::clear(self.disk, request)?;
        self.tables.finish();
        Ok(())
    }

    /// Adds all pieces that have not been added yet.
    fn add_rest(
        &self,
        ledger: &Ledger,
        assembly: &mut Assembly,
        progress: &dyn Progress,
    ) -> Result<(), TabulateError> {
        let all = self.sweep.schedule().batches().len();
        (assembly.added()..all).try_for_each(|batch| {
            assembly.add(&ledger.pieces().open(batch)?)?;
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
    ) -> Result<Assembly, TabulateError> {
        let piece = |batch| ledger.pieces().open(batch);
        let (census, request, schedule) =
            (self.extent.census(), self.request, self.sweep.schedule());
        let mut runs = RunsInOrder::new(census, &self.layouts, self.tiers(), schedule, piece)?;
        let (mut assembly, mut stored) = (Assembly::new(), Instant::now());
        let blocks = |tier: &Tier| self.layouts.of(*tier).blocks();
        let (mut added, all) = (0, missing.iter().map(blocks).sum());
        for tier in missing.iter().rev() {
            assembly.begin(self.disk, &request.tables, &self.layouts, *tier)?;
            runs.add(*tier, &mut assembly)?;
            added += blocks(tier);
            progress.advance(added, all);
            if stored.elapsed() < INTERVAL {
                continue;
            }
            assembly.store()?;
            if let Some(counts) = counts.get() {
                assembly.finish(counts, work, request, known)?;
            }
            stored = Instant::now();
        }
        assembly.store().map(|()| assembly)
    }
}
