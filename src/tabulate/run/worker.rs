//! Solves batch after batch, until all are done by this process or by others on the same run.
//!
//! Before each step the worker takes a [`Snapshot`]: pieces that others have published, and a batch
//! to solve, which it claims. A pure function decides from that what to do next.

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::files::sealed::{FileFault, WorkingFileError};
use crate::sweep::FolderSweep;
use crate::table::Layouts;

use super::super::assembly::Assembly;
use super::super::error::TabulateError;
use super::super::job::Job;
use super::super::names::{Claim, claim_file};
use super::super::pieces::{Cells, Done, Ledger, Piece, PieceWriter, Recorder};
use super::publisher::{InTables, Publisher, Solved, State};

/// The most batches that wait to be published if each should be published at once. If the process
/// is killed, these and the one being solved are lost.
pub(in crate::tabulate) const MOST_WAITING: usize = 4;

/// The same if batches wait for a while. The limit exists because their pieces are open files.
const MOST_OPEN: usize = 256;

/// The interval for checking what other processes have done.
const LOOK: Duration = Duration::from_millis(100);

/// The number of attempts at a batch whose needs vanish while it is being solved.
const TRIES: usize = 3;

/// A process that works on a run.
pub(super) struct Worker<'a> {
    pub job: &'a Job<'a>,
    pub sweep: &'a FolderSweep<'a>,
    pub layouts: &'a Layouts,
    pub cells: &'a Cells<'a>,
    /// The most bytes of working files.
    pub scratch: u64,
}

/// Everything that the decision depends on.
#[derive(Clone, Default, Debug)]
struct Snapshot {
    /// Batches that were solved and are not published.
    waiting: usize,
    /// Whether no more may wait.
    is_full: bool,
    /// Whether the publisher has ended.
    publisher_is_over: bool,
    all_are_done: bool,
    /// Whether every batch is done or waits, and none need be published, since tables grow.
    all_are_solved: bool,
    /// Whether the run has not been ended, as seen after the claim was taken.
    is_under_way: bool,
    /// A batch that can be solved, which this process has just claimed.
    claimed: Option<Candidate>,
    /// If no batch can be solved: a batch that made a file which is lost, and one that needs it.
    lost: Option<(usize, usize)>,
}

/// A batch that might be solved next.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    batch: usize,
    /// Whether it would exceed the room for working files while others wait to be published.
    is_crowded: bool,
    /// Whether its piece was published before it was claimed.
    is_published: bool,
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// All batches are done or in tables, or the run has been ended.
    Stop,
    /// Solve this batch, which was claimed.
    Solve(usize),
    /// Wait until a batch has been published.
    AwaitPublisher,
    /// Wait for what other processes do.
    AwaitOthers,
    /// Look again at once.
    LookAgain,
    /// Fail: the file that the first batch handed on to the second is lost.
    Fail(usize, usize),
}

/// Decides what to do next.
fn next(snapshot: &Snapshot) -> Step {
    let Snapshot { waiting, is_full, all_are_done, is_under_way, claimed, lost, .. } = *snapshot;
    let Snapshot { publisher_is_over, all_are_solved, .. } = *snapshot;
    if publisher_is_over || all_are_solved || waiting == 0 && all_are_done {
        return Step::Stop;
    }
    if is_full {
        return Step::AwaitPublisher;
    }
    match (claimed, lost) {
        // Publishing frees space.
        (Some(Candidate { is_crowded: true, .. }), _) => Step::AwaitPublisher,
        (Some(Candidate { is_published: true, .. }), _) => Step::LookAgain,
        (None, _) if waiting > 0 => Step::AwaitPublisher,
        // A process that puts the tables together removes `run.json`, and then the pieces.
        _ if !is_under_way => Step::Stop,
        (Some(Candidate { batch, .. }), _) => Step::Solve(batch),
        (None, Some((need, batch))) => Step::Fail(need, batch),
        (None, None) => Step::AwaitOthers,
    }
}

impl<'a> Worker<'a> {
    /// Completes all batches. Returns the record of them, and those whose pieces are not published.
    pub(super) fn work(
        &self,
        ledger: Ledger<'a>,
        assembly: Option<&mut Assembly>,
    ) -> Result<(Ledger<'a>, InTables), TabulateError> {
        let (checkpoint, grows) = (self.job.request.checkpoint, assembly.is_some());
        let publisher = Publisher::new(self.sweep, ledger, checkpoint, grows);
        let solved = thread::scope(|scope| {
            let publishing = thread::Builder::new()
                .spawn_scoped(scope, || publisher.run(assembly))
                .map_err(TabulateError::Thread)?;
            let closing = publisher.closing();
            let solved = self.solve_all(&publisher);
            drop(closing);
            publishing.join().unwrap_or_else(|panic| resume_unwind(panic));
            solved
        });
        let failed = publisher.state().err();
        // If there is an error, this publishes what the tables have.
        let done = publisher.into_ledger();
        solved.and(failed.map_or(Ok(done), Err))
    }

    fn solve_all(&self, publisher: &Publisher<'a>) -> Result<(), TabulateError> {
        let mut tries = vec![0; self.sweep.schedule().batches().len()];
        // Batches that this process has solved; some of them may not be published yet.
        let mut solved = HashSet::new();
        loop {
            self.job.refuse_if_stopped()?;
            let mut state = publisher.state()?;
            let (snapshot, claim) = self.look(publisher, &mut state, &mut solved)?;
            match next(&snapshot) {
                Step::Stop => return Ok(()),
                Step::LookAgain => {}
                Step::AwaitPublisher => publisher.wait(state),
                Step::AwaitOthers => {
                    // What was discarded may be needed again, if a piece was removed.
                    solved.clear();
                    drop(state);
                    thread::sleep(LOOK);
                }
                Step::Fail(need, batch) => {
                    let file = self.sweep.handed_on_file(need, batch);
                    return Err(WorkingFileError::new(&file, FileFault::Missing).into());
                }
                Step::Solve(batch) => {
                    let pieces = state.ledger.pieces.clone();
                    drop(state);
                    let (file, label) = (pieces.file(batch), pieces.label(batch));
                    let piece = PieceWriter::create(self.job.disk, file, label)?;
                    match self.solve(batch, piece) {
                        Ok(piece) => {
                            solved.insert(batch);
                            let claim = claim.expect("the batch was claimed");
                            let (piece, since) = (Arc::new(piece), Instant::now());
                            publisher.push(Solved { batch, piece, claim, since });
                            self.sweep.free(batch);
                        }
                        // Another process has found that the batch is not needed any more.
                        Err(WorkingFileError { fault: FileFault::Missing, .. })
                            if tries[batch] + 1 < TRIES =>
                        {
                            tries[batch] += 1;
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
    }

    /// Looks at what there is to do, and claims a batch if one can be solved.
    fn look(
        &self,
        publisher: &Publisher<'a>,
        state: &mut State,
        solved: &mut HashSet<usize>,
    ) -> Result<(Snapshot, Option<Claim>), TabulateError> {
        self.cells.add(state.ledger.look(|batch| solved.contains(&batch))?);
        self.job.listener.wrote(state.bytes());
        let [memory, files] = self.sweep.waiting();
        self.job.listener.keeps(memory, files);
        let is_at_once = self.job.request.checkpoint.is_zero();
        let mut snapshot = Snapshot {
            waiting: state.waiting(),
            is_full: state.waiting() >= if is_at_once { MOST_WAITING } else { MOST_OPEN },
            publisher_is_over: state.is_over,
            all_are_done: state.ledger.all_are_done(),
            all_are_solved: publisher.are_all(state, solved),
            ..Snapshot::default()
        };
        if snapshot.is_full
            || snapshot.publisher_is_over
            || snapshot.all_are_solved
            || snapshot.all_are_done
        {
            return Ok((snapshot, None));
        }
        let run = &self.job.run;
        let has_handed_on = |from, to| self.sweep.has_handed_on(from, to);
        // An error is reported when the claim is taken.
        let is_claimed = |batch| Claim::is_taken(&claim_file(run, batch)).unwrap_or(false);
        let mut todo = state.ledger.todo(|need| solved.contains(&need), has_handed_on, is_claimed);
        if !todo.again.is_empty() {
            // The missing files may be gone because another process just did the batch that needs
            // them.
            self.cells.add(state.ledger.look(|batch| solved.contains(&batch))?);
            todo = state.ledger.todo(|need| solved.contains(&need), has_handed_on, is_claimed);
            todo.again.iter().for_each(|batch| _ = solved.remove(batch));
        }
        state.ledger.do_again(&todo.again, |batch| solved.contains(&batch));
        let ready = todo.ready.iter().copied().filter(|batch| !solved.contains(batch));
        let (batch, claim) = self.claim_one(ready)?.unzip();
        let pieces = &state.ledger.pieces;
        let has_piece = |batch| pieces.find(batch).map(|piece| piece.is_some());
        if let Some(batch) = batch {
            let is_crowded = snapshot.waiting > 0 && self.sweep.is_crowded(batch, self.scratch);
            let is_published = !state.ledger.is_done_again(batch) && has_piece(batch)?;
            snapshot.claimed = Some(Candidate { batch, is_crowded, is_published });
        }
        snapshot.is_under_way = self.job.is_under_way();
        if let (None, true, Some((need, batch))) =
            (batch, todo.ready.is_empty(), todo.lacks.first().copied())
        {
            // No process that might have removed the file is working on the batch.
            let is_lost = !is_claimed(batch) && !has_piece(batch)?;
            snapshot.lost = is_lost.then_some((need, batch));
        }
        Ok((snapshot, claim))
    }

    fn claim_one(
        &self,
        ready: impl Iterator<Item = usize>,
    ) -> Result<Option<(usize, Claim)>, WorkingFileError> {
        for batch in ready {
            if let Some(claim) = Claim::take(&claim_file(&self.job.run, batch))? {
                return Ok(Some((batch, claim)));
            }
        }
        Ok(None)
    }

    fn solve(&self, batch: usize, piece: PieceWriter) -> Result<Piece, WorkingFileError> {
        let (start, extent) = (Instant::now(), self.job.extent());
        let recorder = Recorder::new(extent, self.layouts, self.cells, piece);
        let work = self.sweep.solve(batch, &recorder)?;
        let cells = extent.batch_cells(batch, self.sweep.tiers());
        let seconds = start.elapsed().as_secs_f64();
        recorder.finish()?.finish(&Done { work, cells, seconds, bytes: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run under way, on which nobody else works.
    fn snapshot() -> Snapshot {
        Snapshot { is_under_way: true, ..Snapshot::default() }
    }

    fn claimed(is_crowded: bool, is_published: bool) -> Option<Candidate> {
        Some(Candidate { batch: 7, is_crowded, is_published })
    }

    #[test]
    fn a_batch_that_was_claimed_is_solved() {
        let free = Snapshot { claimed: claimed(false, false), ..snapshot() };
        assert_eq!(next(&free), Step::Solve(7));
        assert_eq!(next(&Snapshot { waiting: 3, ..free }), Step::Solve(7));
    }

    #[test]
    fn a_batch_that_was_claimed_may_be_done_or_not_needed_any_more() {
        let published = Snapshot { claimed: claimed(false, true), ..snapshot() };
        assert_eq!(next(&published), Step::LookAgain);
        let over = Snapshot { claimed: claimed(false, false), ..Snapshot::default() };
        assert_eq!(next(&over), Step::Stop);
    }

    #[test]
    fn the_publisher_is_waited_for_when_it_is_behind() {
        let free = Snapshot { claimed: claimed(false, false), ..snapshot() };
        let full = Snapshot { waiting: 4, is_full: true, ..free };
        assert_eq!(next(&full), Step::AwaitPublisher);
        let crowded = Snapshot { waiting: 1, claimed: claimed(true, false), ..snapshot() };
        assert_eq!(next(&crowded), Step::AwaitPublisher);
        // Nothing can be solved until something is published; all may be done then.
        for all_are_done in [false, true] {
            let idle = Snapshot { waiting: 1, all_are_done, ..snapshot() };
            assert_eq!(next(&idle), Step::AwaitPublisher);
            // Others may have ended the run already; it is published all the same.
            assert_eq!(next(&Snapshot { is_under_way: false, ..idle }), Step::AwaitPublisher);
        }
    }

    #[test]
    fn the_work_ends_when_all_is_published_or_in_tables_or_nothing_can_be() {
        assert_eq!(next(&Snapshot { all_are_done: true, ..snapshot() }), Step::Stop);
        let in_tables = Snapshot { waiting: 3, is_full: true, all_are_solved: true, ..snapshot() };
        assert_eq!(next(&in_tables), Step::Stop);
        let broken = Snapshot { waiting: 2, publisher_is_over: true, ..snapshot() };
        assert_eq!(next(&broken), Step::Stop);
    }

    #[test]
    fn other_processes_are_waited_for_unless_a_file_is_lost() {
        assert_eq!(next(&snapshot()), Step::AwaitOthers);
        assert_eq!(next(&Snapshot { is_under_way: false, ..snapshot() }), Step::Stop);
        let lost = Snapshot { lost: Some((3, 5)), ..snapshot() };
        assert_eq!(next(&lost), Step::Fail(3, 5));
        assert_eq!(next(&Snapshot { waiting: 1, ..lost.clone() }), Step::AwaitPublisher);
        assert_eq!(next(&Snapshot { is_under_way: false, ..lost }), Step::Stop);
    }
}
