//! Solves batch after batch, until all are done by this process or by others on the same run.

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::TierRange;
use crate::disk::Disk;
use crate::sealed::{FileFault, Sealed, WorkingFileError};
use crate::sweep::{Extent, FolderSweep};

use super::assembly::Assembly;
use super::claim::Claim;
use super::error::TabulateError;
use super::layouts::Layouts;
use super::ledger::Ledger;
use super::names::{claim_file, run_file};
use super::piece::{Done, PieceWriter};
use super::publisher::{Publisher, Solved};
use super::recorder::{Cells, Recorder};
use super::request::Listener;

/// The most batches that wait to be published. If the process is killed, these and the one being
/// solved are lost.
pub(super) const MOST_WAITING: usize = 4;

/// The interval for checking what other processes have done.
const LOOK: Duration = Duration::from_millis(100);

/// The number of attempts at a batch whose needs vanish while it is being solved.
const TRIES: usize = 3;

/// A process that works on a run.
pub(super) struct Worker<'a> {
    pub disk: &'a Disk,
    pub run: &'a Path,
    pub extent: &'a Extent,
    pub sweep: &'a FolderSweep<'a>,
    pub layouts: &'a Layouts,
    pub cells: &'a Cells<'a>,
    /// Bytes of working files at most.
    pub room: u64,
}

impl<'a> Worker<'a> {
    /// Completes all batches. Returns the record of them.
    pub fn work(
        &self,
        ledger: Ledger<'a>,
        assembly: Option<&mut Assembly>,
    ) -> Result<Ledger<'a>, TabulateError> {
        let publisher = Publisher::new(self.sweep, ledger);
        thread::scope(|scope| {
            let publishing = thread::Builder::new()
                .spawn_scoped(scope, || publisher.run(assembly))
                .map_err(TabulateError::Thread)?;
            let closing = publisher.closing();
            let solved = self.solve_all(&publisher);
            drop(closing);
            publishing.join().unwrap_or_else(|panic| resume_unwind(panic));
            solved
        })?;
        drop(publisher.state()?);
        Ok(publisher.into_ledger())
    }

    fn solve_all(&self, publisher: &Publisher<'a>) -> Result<(), TabulateError> {
        let mut tries = vec![0; self.sweep.schedule().batches().len()];
        // Batches that this process has solved; some of them may not be published yet.
        let mut solved = HashSet::new();
        loop {
            let mut state = publisher.state()?;
            self.cells.add(state.ledger.look(|batch| solved.contains(&batch))?);
            self.cells.listener.wrote(state.ledger.bytes());
            if state.waiting() == 0 && state.ledger.all_are_done() || state.is_over() {
                return Ok(());
            }
            if state.waiting() >= MOST_WAITING {
                publisher.wait(state);
                continue;
            }
            let has_handed_on = |from, to| self.sweep.has_handed_on(from, to);
            // Whoever takes the claim hears what is wrong with it.
            let is_claimed = |batch| Claim::is_taken(&claim_file(self.run, batch)).unwrap_or(false);
            let mut todo =
                state.ledger.todo(|need| solved.contains(&need), has_handed_on, is_claimed);
            if !todo.again.is_empty() {
                // Another process may just have done the batch that needs it, and removed it.
                self.cells.add(state.ledger.look(|batch| solved.contains(&batch))?);
                todo = state.ledger.todo(|need| solved.contains(&need), has_handed_on, is_claimed);
                todo.again.iter().for_each(|batch| _ = solved.remove(batch));
            }
            state.ledger.do_again(&todo.again, |batch| solved.contains(&batch));
            let lacks = if todo.ready.is_empty() { todo.lacks.first().copied() } else { None };
            let ready = todo.ready.into_iter().filter(|batch| !solved.contains(batch));
            let Some((batch, claim)) = self.claim_one(ready)? else {
                if state.waiting() > 0 {
                    publisher.wait(state);
                } else if !run_file(self.run).exists() {
                    // Others have put the tables together, and removed the pieces.
                    return Ok(());
                } else if let Some((need, batch)) = lacks
                    && !is_claimed(batch)
                    && state.ledger.pieces().find(batch)?.is_none()
                {
                    // No process that might have removed it is working on the batch.
                    let file = self.sweep.handed_on_file(need, batch);
                    return Err(WorkingFileError::new(&file, FileFault::Missing).into());
                } else {
                    // What was discarded may be needed again, if a piece was removed.
                    solved.clear();
                    drop(state);
                    thread::sleep(LOOK);
                }
                continue;
            };
            // What waits may make room when it is published.
            if state.waiting() > 0 && self.sweep.is_crowded(batch, self.room) {
                publisher.wait(state);
                continue;
            }
            // Somebody may have published it before it was claimed.
            if !state.ledger.is_done_again(batch) && state.ledger.pieces().find(batch)?.is_some() {
                continue;
            }
            // Whoever puts the tables together removes pieces after this.
            if !run_file(self.run).exists() {
                return Ok(());
            }
            let pieces = state.ledger.pieces().clone();
            drop(state);
            let (file, label) = (pieces.file(batch), pieces.label(batch));
            let piece = PieceWriter::create(self.disk, file, label)?;
            match self.solve(batch, piece) {
                Ok((piece, done)) => {
                    solved.insert(batch);
                    publisher.push(Solved { batch, piece, done, claim });
                }
                // Somebody has found that it is not needed any more.
                Err(WorkingFileError { fault: FileFault::Missing, .. })
                    if tries[batch] + 1 < TRIES =>
                {
                    tries[batch] += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn claim_one(
        &self,
        ready: impl Iterator<Item = usize>,
    ) -> Result<Option<(usize, Claim)>, WorkingFileError> {
        for batch in ready {
            if let Some(claim) = Claim::take(&claim_file(self.run, batch))? {
                return Ok(Some((batch, claim)));
            }
        }
        Ok(None)
    }

    fn solve(&self, batch: usize, piece: PieceWriter) -> Result<(Sealed, Done), WorkingFileError> {
        let start = Instant::now();
        let recorder = Recorder::new(self.extent, self.layouts, self.cells, piece);
        let work = self.sweep.solve(batch, &recorder)?;
        let cells = self.extent.batch_cells(batch, self.tiers());
        let seconds = start.elapsed().as_secs_f64();
        let mut done = Done { work, cells, seconds, bytes: 0 };
        let piece = recorder.finish()?.finish(&done)?;
        done.bytes = piece.bytes();
        Ok((piece, done))
    }

    fn tiers(&self) -> TierRange {
        self.sweep.tiers()
    }
}
