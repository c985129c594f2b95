//! A run, from whatever exists of it to its tables.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::TierRange;
use crate::count::{can_be_counted, count_with};
use crate::disk::Disk;
use crate::progress::Preparing;
use crate::sweep::{Extent, FolderSweep, Start};
use crate::table::{Manifest, ManifestTier};

use super::admission::free_space;
use super::assembly::Assembly;
use super::claim::Claim;
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
use super::table_order::add_in_order;
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
    estimate: &'a Estimate,
}

/// All batches are done; only the tables remain to be made.
pub(super) struct Batches<'r> {
    ledger: Ledger<'r>,
    /// The claim on the tables, and the tables under construction, if this process has it.
    assembly: Option<(Claim, Assembly)>,
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
        Ok(Run {
            disk,
            request,
            extent,
            folder: run_folder(&request.tables),
            sweep: sweep?.on(disk),
            layouts,
            cells: Cells { listener, done: AtomicU64::new(0), all: estimate.cells },
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
        self.cells.add(ledger.look(|_| false)?);
        let grows = self.sweep.schedule().is_in_table_order() && self.has_room_for_both();
        let mut assembly = if grows { self.assembly()? } else { None };
        let assembling = assembly.as_mut().map(|(_, assembly)| assembly);
        let ledger = self.worker().work(ledger, assembling)?;
        Ok(Batches { ledger, assembly })
    }

    /// Completes the batches of a part.
    pub fn solve_part(&self, part: &Part) -> Result<(), TabulateError> {
        let mut ledger = self.ledger().seeing_to(&part.batches);
        self.cells.add(ledger.look(|_| false)?);
        self.worker().work(ledger, None).map(|_| ())
    }

    /// Is there room for pieces, tables and working files at once? If so, tables can grow while
    /// batches are being solved.
    fn has_room_for_both(&self) -> bool {
        let Estimate { scratch, tables, .. } = *self.estimate;
        free_space(&self.folder).is_none_or(|free| free > scratch + 2 * tables)
    }

    /// Begins to put the tables together, unless another process does.
    fn assembly(&self) -> Result<Option<(Claim, Assembly)>, TabulateError> {
        let Some(claim) = Claim::take(&tables_claim_file(&self.folder))? else { return Ok(None) };
        if claim.is_a_lock() {
            // What is unfinished is of a process that is dead.
            leftovers::remove_unfinished_tables(self.disk, &self.request.tables)?;
        }
        let tiers = self.tiers().into_iter();
        let assembly = Assembly::begin(self.disk, &self.request.tables, &self.layouts, tiers)?;
        Ok(Some((claim, assembly)))
    }

    /// Completes the tables.
    pub fn finish(&self, batches: Batches) -> Result<(), TabulateError> {
        let Batches { ledger, mut assembly } = batches;
        loop {
            // Somebody else has done it.
            if !run_file(&self.folder).exists() {
                return Ok(());
            }
            match assembly {
                Some((_claim, assembly)) => return self.put_together(ledger, assembly),
                None => thread::sleep(LOOK),
            }
            assembly = self.assembly()?;
        }
    }

    fn put_together(&self, ledger: Ledger, mut assembly: Assembly) -> Result<(), TabulateError> {
        let Run { request, .. } = self;
        let start = Instant::now();
        self.sweep.rest();
        let counting = Preparing { what: "counting", listener: self.cells.listener };
        let orders = Some(self.sweep.orders());
        let (counts, added) = rayon::join(
            || count_with(request.board, self.tiers(), orders, &counting),
            || {
                self.add_pieces(&ledger, &mut assembly)?;
                assembly.store()
            },
        );
        added?;
        let counts = counts?;
        let mut known = summaries(request, self.extent.census())?;
        let work = ledger.work();
        assembly.finish(&counts, &work, request, &mut known)?;
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
        leftovers::clear(self.disk, request)
    }

    /// Adds all pieces that have not been added yet.
    fn add_pieces(&self, ledger: &Ledger, assembly: &mut Assembly) -> Result<(), TabulateError> {
        let schedule = self.sweep.schedule();
        let batches = schedule.batches().len();
        let piece = |batch| ledger.pieces().open(batch);
        if schedule.is_in_table_order() {
            return (assembly.added()..batches).try_for_each(|batch| assembly.add(&piece(batch)?));
        }
        let census = self.extent.census();
        add_in_order(assembly, census, &self.layouts, self.tiers(), batches, piece)
    }
}
