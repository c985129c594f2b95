//! The backward sweep of a run: batches are solved in any order that their needs allow. What they
//! hand on waits in memory or in a folder, and can be published there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::{Tier, TierRange};
use crate::cpu::Cpu;
use crate::files::Disk;
use crate::files::sealed::{RunLabel, Sealed, WorkingFileError};
use crate::memory;
use crate::order::Orders;

use crate::sweep::handoff::{BatchPair, Destinations, Handoffs, Store};
use crate::sweep::tile::Observer;
use crate::sweep::work::{Allowance, CentreMemory, Extent, Placement, Schedule, TierWork};
use crate::too_large::BoardTooLarge;

use super::solve_batch;
use super::start::{Shared, Sources, Start, keep_tier, run_label};

/// A sweep whose batches hand on files to each other.
pub struct FolderSweep<'a> {
    shared: Shared<'a>,
    start: Start,
    folder: PathBuf,
    disk: Disk,
    handoffs: Handoffs,
    /// By batch, what it keeps for the next sweep, until it is published.
    next_sweep: Mutex<HashMap<usize, Store>>,
}

impl<'a> FolderSweep<'a> {
    /// A sweep down to this tier, which must not come after the start. Unless it is the
    /// empty board, the tier is kept in the folder for another sweep. About this many bytes of
    /// memory are used for what batches hand on; files are packed quickly if they take no more than
    /// `quick_files`.
    pub fn new(
        extent: &'a Extent,
        cpu: Cpu,
        start: Start,
        first: Tier,
        folder: &Path,
        memory: u64,
        quick_files: u64,
    ) -> Result<FolderSweep<'a>, BoardTooLarge> {
        let tiers = tiers_from(&start, first);
        let placement = extent.handovers(tiers).placement(&Allowance::Always(memory), quick_files);
        FolderSweep::with(extent, cpu, start, first, folder, Arc::new(placement))
    }

    /// The same with what batches hand on where it is to wait.
    pub(crate) fn with(
        extent: &'a Extent,
        cpu: Cpu,
        start: Start,
        first: Tier,
        folder: &Path,
        placement: Arc<Placement>,
    ) -> Result<FolderSweep<'a>, BoardTooLarge> {
        let tiers = tiers_from(&start, first);
        let run = run_label(extent, start.end(), tiers);
        let shared = Shared::new(extent, cpu, tiers, start.tier().is_some())?;
        Ok(FolderSweep {
            shared: shared.with_placement(placement.clone()),
            start,
            folder: folder.to_owned(),
            disk: Disk::default(),
            handoffs: Handoffs::new(run, folder, placement),
            next_sweep: Mutex::default(),
        })
    }

    /// Writes through this disk, and has the tiers of a centre in memory like this.
    pub(crate) fn within(mut self, memory: CentreMemory, disk: &Disk) -> FolderSweep<'a> {
        self.shared.set_memory(memory, disk, &self.folder);
        FolderSweep { disk: disk.clone(), handoffs: self.handoffs.on(disk), ..self }
    }

    /// Turns on the clocks of all threads.
    pub fn take_time(&mut self) {
        self.shared.is_timed = true;
    }

    /// Frees the memory that solving takes, when there is nothing to solve for a while.
    pub(crate) fn rest(&self) {
        self.shared.rest();
    }

    /// The move-order types of the board, cut as the index cuts it.
    pub(crate) fn orders(&self) -> &Orders {
        &self.shared.order_types.orders
    }

    /// The tiers that it works on.
    pub fn tiers(&self) -> TierRange {
        self.shared.tiers
    }

    /// Its batches.
    pub fn schedule(&self) -> &'a Schedule {
        self.shared.extent.schedule()
    }

    /// The label of all files of the sweep.
    pub(crate) fn label(&self) -> RunLabel {
        self.handoffs.run()
    }

    fn next_sweep(&self) -> MutexGuard<'_, HashMap<usize, Store>> {
        self.next_sweep.lock().expect("nothing panics while it is locked")
    }

    /// Whether the file that a batch hands on to another exists, judging by its name.
    pub(crate) fn has_handed_on(&self, from: usize, to: usize) -> bool {
        self.handoffs.is_there(BatchPair { from, to })
    }

    /// The file that a batch hands on to another.
    pub(crate) fn handed_on_file(&self, from: usize, to: usize) -> PathBuf {
        self.handoffs.file(BatchPair { from, to })
    }

    /// Solves a batch whose needs have been solved. From then on what it hands on can be read. It
    /// must be [published](Self::publish).
    pub fn solve<O: Observer>(
        &self,
        batch: usize,
        observer: &O,
    ) -> Result<Vec<TierWork>, O::Error> {
        let schedule = self.schedule();
        memory::make_room(0);
        let needs = &schedule.batches()[batch].needs;
        let census = self.shared.extent.census();
        let open = |from: &usize| self.handoffs.open(BatchPair { from: *from, to: batch }, census);
        let stores = needs.iter().map(|need| Ok((*need, open(need)?)));
        let stores = stores.collect::<Result<_, WorkingFileError>>()?;
        let before = Sources { schedule, stores, start: self.start.tier() };
        let create = |to: &usize| self.handoffs.create(BatchPair { from: batch, to: *to });
        let later = schedule.readers(batch).iter().map(|to| Ok((*to, create(to)?)));
        let later = later.collect::<Result<_, WorkingFileError>>()?;
        let first = self.tiers().first();
        let (is_kept, end) = (first > Tier(0), self.start.end());
        let next_sweep = is_kept
            .then(|| keep_tier(&self.disk, self.shared.extent, &self.folder, end, first, batch))
            .transpose()?;
        let destinations = Destinations::new(schedule, batch, later, next_sweep);
        let batch_of = &schedule.batches()[batch];
        let work = solve_batch(&self.shared, batch_of, &before, &destinations, observer)?;
        let (later, next_sweep) = destinations.finish()?;
        for (to, store) in later {
            self.handoffs.add(BatchPair { from: batch, to }, store);
        }
        self.next_sweep().extend(next_sweep.map(|store| (batch, store)));
        Ok(work)
    }

    /// Solves all batches in the order of their numbers, for an observer alone: nothing is
    /// published. Returns the work done per tier of the board.
    pub fn solve_in_order<O: Observer>(&self, observer: &O) -> Result<Vec<TierWork>, O::Error> {
        let mut sum = vec![TierWork::default(); self.label().board.cells() + 1];
        for batch in 0..self.schedule().batches().len() {
            let work = self.solve(batch, observer)?;
            sum.iter_mut().zip(work).for_each(|(sum, work)| *sum = sum.plus(work));
            let needs = &self.schedule().batches()[batch].needs;
            needs.iter().try_for_each(|need| self.discard(*need, batch))?;
        }
        Ok(sum)
    }

    /// What a batch has handed on to another, unless it is published.
    pub(crate) fn unpublished(&self, from: usize, to: usize) -> Option<Unpublished> {
        let pair = BatchPair { from, to };
        self.handoffs.unpublished(pair).map(|store| Unpublished { pair, store })
    }

    /// Publishes what a batch has handed on to another.
    pub(crate) fn publish(&self, unpublished: &Unpublished) -> Result<(), WorkingFileError> {
        self.handoffs.publish(unpublished.pair, &unpublished.store)
    }

    /// Publishes all that a batch hands on and keeps.
    pub fn publish_all(&self, batch: usize) -> Result<(), WorkingFileError> {
        let readers = self.schedule().readers(batch).iter();
        let unpublished = readers.filter_map(|to| self.unpublished(batch, *to));
        unpublished.into_iter().try_for_each(|unpublished| self.publish(&unpublished))?;
        self.publish_start(batch)
    }

    /// Publishes what a batch keeps for another sweep.
    pub(crate) fn publish_start(&self, batch: usize) -> Result<(), WorkingFileError> {
        let next_sweep = self.next_sweep().remove(&batch);
        next_sweep.iter().filter_map(Store::file).try_for_each(Sealed::publish)
    }

    /// Frees the memory of what a batch has read.
    pub(crate) fn free(&self, batch: usize) {
        let needs = self.schedule().batches()[batch].needs.iter();
        needs.for_each(|need| self.handoffs.free(BatchPair { from: *need, to: batch }));
    }

    /// Removes what a batch has handed on to another that no longer needs it.
    pub(crate) fn discard(&self, from: usize, to: usize) -> Result<(), WorkingFileError> {
        self.handoffs.discard(BatchPair { from, to })
    }

    /// Bytes in memory and in files that wait for their readers.
    pub(crate) fn waiting(&self) -> [u64; 2] {
        self.handoffs.bytes()
    }

    /// Whether the files of this batch would bring the total above this many bytes, or too many
    /// would be open.
    pub(crate) fn is_crowded(&self, batch: usize, limit: u64) -> bool {
        let placement = self.handoffs.placement();
        let in_file = |to: &usize| placement.of(batch, *to).is_in_file();
        let readers = self.schedule().readers(batch).iter().copied().filter(in_file).count();
        if self.handoffs.open_files() + readers > MOST_OPEN {
            return true;
        }
        let next_sweep: u64 =
            self.next_sweep().values().filter_map(Store::file).map(Sealed::bytes).sum();
        let waits = |to| placement.of(batch, to);
        let handoffs = self.shared.extent.handoff_bytes(batch, self.tiers(), waits).into_iter();
        let batch_bytes: u64 = handoffs.filter(|(to, _)| in_file(to)).map(|(_, bytes)| bytes).sum();
        let [_, files] = self.handoffs.bytes();
        files + next_sweep + self.start.bytes() + batch_bytes > limit
    }
}

/// The tiers of a sweep down to this one.
fn tiers_from(start: &Start, first: Tier) -> TierRange {
    let last = start.last();
    TierRange::new(first.min(last), last).expect("a range of one tier at least")
}

/// The most files that are open because they are not published.
const MOST_OPEN: usize = 256;

/// What a batch has handed on to another and is not published.
pub(crate) struct Unpublished {
    pair: BatchPair,
    store: Arc<Store>,
}

#[cfg(test)]
mod tests;
