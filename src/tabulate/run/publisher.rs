//! Publishes solved batches, while others are being solved.
//!
//! ```text
//!     tables                       pieces are added, if all before them have been
//!     what each batch hands on     synced and renamed, unless its reader is among them
//!     their pieces                 synced and renamed: now these batches are done
//!     files no longer needed       removed
//! ```
//!
//! Solved batches wait for a while, and are then published together. A handoff from one of them to
//! another is needed by no other batch, so it is not published: mostly it waits in memory, and
//! never reaches the disk. If the process is killed meanwhile, the files that these batches have
//! read still exist, so only these batches are solved again. At the end, the batches that wait are
//! already in the tables, and are published only if the tables cannot be finished.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::board::Tier;
use crate::sweep::FolderSweep;

use super::super::assembly::Assembly;
use super::super::error::TabulateError;
use super::super::names::Claim;
use super::super::pieces::{Ledger, Piece, Pieces};

/// A batch that was solved and is not published.
pub(super) struct Solved {
    pub batch: usize,
    pub piece: Arc<Piece>,
    /// Keeps other processes from the batch until it is published.
    pub claim: Claim,
    /// When it was solved.
    pub since: Instant,
}

/// What the solver and the publisher share.
pub(super) struct Publisher<'a> {
    sweep: &'a FolderSweep<'a>,
    pieces: Pieces,
    /// How long solved batches wait.
    checkpoint: Duration,
    /// Whether the run leaves nothing but tables, which grow meanwhile.
    has_tables: bool,
    state: Mutex<State<'a>>,
    /// Something in the state has changed.
    changed: Condvar,
}

pub(super) struct State<'a> {
    pub ledger: Ledger<'a>,
    queue: VecDeque<Solved>,
    /// Batches that are being published.
    publishing: usize,
    /// Somebody waits until something is published.
    is_urgent: bool,
    /// Nothing more will come.
    is_closed: bool,
    /// Nothing more will be published. Unless the publisher was asked to end, this means an error
    /// or a panic.
    pub is_over: bool,
    /// The error that ended it early.
    failed: Option<TabulateError>,
}

impl State<'_> {
    /// Bytes of the pieces that this process knows.
    pub(super) fn bytes(&self) -> u64 {
        let waiting = self.queue.iter().map(|solved| solved.piece.done.bytes);
        self.ledger.bytes() + waiting.sum::<u64>()
    }

    /// Batches that were solved and are not published.
    pub(super) fn waiting(&self) -> usize {
        self.queue.len() + self.publishing
    }
}

impl<'a> Publisher<'a> {
    pub(super) fn new(
        sweep: &'a FolderSweep<'a>,
        ledger: Ledger<'a>,
        checkpoint: Duration,
        grows: bool,
    ) -> Publisher<'a> {
        let (queue, publishing) = (VecDeque::new(), 0);
        let (is_urgent, is_closed, is_over, failed) = (false, false, false, None);
        let pieces = ledger.pieces.clone();
        let state = State { ledger, queue, publishing, is_urgent, is_closed, is_over, failed };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        // Below a tier that is not the first, another sweep may start from what batches keep.
        let has_tables = grows && sweep.tiers().first() == Tier(0);
        Publisher { sweep, pieces, checkpoint, has_tables, state, changed }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().expect("nothing panics while it is locked")
    }

    /// What is known now; an error if something could not be published.
    pub(super) fn state(&self) -> Result<MutexGuard<'_, State<'a>>, TabulateError> {
        let mut state = self.lock();
        match state.failed.take() {
            Some(error) => Err(error),
            None => Ok(state),
        }
    }

    /// Asks for waiting batches to be published at once, and blocks until something has been.
    pub(super) fn wait(&self, mut state: MutexGuard<'_, State<'a>>) {
        let before = state.waiting();
        state.is_urgent = true;
        self.changed.notify_all();
        let waits = |state: &mut State| {
            state.waiting() == before && state.failed.is_none() && !state.is_over
        };
        drop(self.changed.wait_while(state, waits).expect("nothing panics while it is locked"));
    }

    /// Whether the tables need no batches but those that are done and these, some of which wait.
    pub(super) fn are_all(&self, state: &State, solved: &HashSet<usize>) -> bool {
        self.has_tables && state.ledger.not_done().all(|batch| solved.contains(&batch))
    }

    /// Takes a batch to be published.
    pub(super) fn push(&self, solved: Solved) {
        self.lock().queue.push_back(solved);
        self.changed.notify_all();
    }

    /// Returns a guard. When it is dropped, also by a panic, the publisher learns that nothing more
    /// will come.
    #[must_use]
    pub(super) fn closing(&self) -> impl Drop {
        self.at_the_end(|state| state.is_closed = true)
    }

    fn at_the_end<F: Fn(&mut State)>(&self, end: F) -> AtTheEnd<'_, 'a, F> {
        AtTheEnd { publisher: self, end }
    }

    /// Publishes whatever comes, and adds it to the tables, until nothing more will come or there
    /// is an error.
    pub(super) fn run(&self, mut assembly: Option<&mut Assembly>) {
        let _over = self.at_the_end(|state| state.is_over = true);
        let mut last_added = None;
        loop {
            let next = assembly.as_ref().map(|assembly| assembly.added);
            let done = match (self.next_task(next), &mut assembly) {
                (Task::Add(piece), Some(assembly)) => {
                    let done = self.add(assembly, piece.as_deref());
                    // Given twice: what is still on its way to the disk stays in memory.
                    let added = [std::mem::replace(&mut last_added, piece.clone()), piece];
                    added.iter().flatten().for_each(|piece| piece.leave_memory());
                    done
                }
                (Task::Add(_), None) => unreachable!("there are no tables"),
                (Task::Publish(group), _) => self.publish(group),
                (Task::Stop, _) => return,
            };
            let mut state = self.lock();
            state.publishing = 0;
            if let Err(error) = done {
                state.failed = Some(error);
                return;
            }
            self.changed.notify_all();
        }
    }

    /// Waits for the next task, given the batch whose piece is to be added next to tables that
    /// grow.
    fn next_task(&self, added: Option<usize>) -> Task {
        let mut state = self.lock();
        let all = self.sweep.schedule().batches().len();
        loop {
            if let Some(batch) = added.filter(|batch| *batch < all) {
                let solved = state.queue.iter().find(|solved| solved.batch == batch);
                match solved.map(|solved| solved.piece.clone()) {
                    None if !state.ledger.is_done(batch) => {}
                    piece => return Task::Add(piece),
                }
            }
            let waits = state.queue.front().map(|solved| solved.since.elapsed());
            let rest = waits.map(|waits| self.checkpoint.saturating_sub(waits));
            let is_due = state.is_urgent || rest.is_some_and(|rest| rest.is_zero());
            if state.is_closed || is_due {
                let is_in_tables = self.has_tables && added == Some(all);
                if state.is_closed && (state.queue.is_empty() || is_in_tables && !is_due) {
                    return Task::Stop;
                }
                state.is_urgent = false;
                if !state.queue.is_empty() {
                    let group: Vec<Solved> = state.queue.drain(..).collect();
                    state.publishing = group.len();
                    return Task::Publish(group);
                }
            }
            let rest = rest.unwrap_or(Duration::MAX);
            let changed = self.changed.wait_timeout(state, rest);
            (state, _) = changed.expect("nothing panics while it is locked");
        }
    }

    /// Publishes batches, of which one may read what another hands on.
    fn publish(&self, group: Vec<Solved>) -> Result<(), TabulateError> {
        let schedule = self.sweep.schedule();
        let in_group: HashSet<usize> = group.iter().map(|solved| solved.batch).collect();
        let passing = |batch| schedule.readers(batch).iter().map(move |to| (batch, *to));
        let passing: Vec<(usize, usize)> =
            group.iter().flat_map(|solved| passing(solved.batch)).collect();
        let unpublished: Vec<_> = {
            // While the state is locked, no batch that is just solved frees what it has read: we
            // get hold of it first.
            let state = self.lock();
            let is_needed = |to| !state.ledger.is_done(to) && !in_group.contains(&to);
            let needed = passing.iter().filter(|(_, to)| is_needed(*to));
            needed.filter_map(|(from, to)| self.sweep.unpublished(*from, *to)).collect()
        };
        unpublished.iter().try_for_each(|unpublished| self.sweep.publish(unpublished))?;
        drop(unpublished);
        in_group.iter().try_for_each(|batch| self.sweep.publish_start(*batch))?;
        let mut read = Vec::new();
        for Solved { batch, piece, claim, .. } in group {
            piece.publish()?;
            drop(claim);
            self.lock().ledger.set_done(batch, piece.done.clone());
            read.extend(schedule.batches()[batch].needs.iter().map(|need| (*need, batch)));
        }
        let over: Vec<_> = {
            let state = self.lock();
            passing.into_iter().filter(|(_, to)| state.ledger.is_done(*to)).collect()
        };
        let over = read.into_iter().chain(over);
        Ok(over.into_iter().try_for_each(|(from, to)| self.sweep.discard(from, to))?)
    }

    /// Adds the next piece to tables that have the order of batches.
    fn add(&self, assembly: &mut Assembly, piece: Option<&Piece>) -> Result<(), TabulateError> {
        debug_assert!(self.sweep.schedule().is_in_table_order());
        match piece {
            Some(piece) => assembly.add(piece),
            None => assembly.add(&self.pieces.open(assembly.added)?),
        }
    }

    /// The batches that were done, and those of them that were not published.
    pub(super) fn into_ledger(self) -> (Ledger<'a>, InTables) {
        let mut state = self.lock();
        let queue = std::mem::take(&mut state.queue);
        let waiting = queue.iter().map(|solved| solved.batch).collect();
        // After an error, others may need the handoffs of these, which are not published.
        let queue = if self.are_all(&state, &waiting) { queue } else { VecDeque::new() };
        drop(state);
        let state = self.state.into_inner().expect("nothing panics while it is locked");
        let mut ledger = state.ledger;
        queue.iter().for_each(|solved| ledger.set_done(solved.batch, solved.piece.done.clone()));
        (ledger, InTables(queue))
    }
}

/// The last batches of a run, which are in the tables already. Dropping this publishes them, so
/// that nothing is lost if the tables cannot be finished.
pub(super) struct InTables(VecDeque<Solved>);

impl InTables {
    /// The tables are published, so pieces are not needed.
    pub(super) fn forget(mut self) {
        self.0.clear();
    }
}

impl Drop for InTables {
    fn drop(&mut self) {
        // An earlier error is being reported, so this one is ignored.
        let _ = self.0.iter().try_for_each(|solved| solved.piece.publish());
    }
}

/// What the publisher is to do.
enum Task {
    /// Add the next piece to the tables: this one, or the one that was published.
    Add(Option<Arc<Piece>>),
    /// Publish these batches.
    Publish(Vec<Solved>),
    /// Nothing more will come.
    Stop,
}

/// Changes the state when it is dropped, and wakes all threads that wait.
struct AtTheEnd<'p, 'a, F: Fn(&mut State)> {
    publisher: &'p Publisher<'a>,
    end: F,
}

impl<F: Fn(&mut State)> Drop for AtTheEnd<'_, '_, F> {
    fn drop(&mut self) {
        (self.end)(&mut self.publisher.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.publisher.changed.notify_all();
    }
}
