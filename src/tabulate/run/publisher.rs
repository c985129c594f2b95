//! Publishes solved batches while the next one is being solved.
//!
//! ```text
//!     what each batch hands on     synced and renamed, unless its reader is among them
//!     their pieces                 synced and renamed: now these batches are done
//!     files no longer needed       removed
//!     tables                       pieces are added, if all before them have been
//! ```
//!
//! If the disk is slower than the solver, a few batches wait here, and are then published together.
//! A file that one of them hands on to another is needed by no other batch, so it is not synced. If
//! the process is killed meanwhile, the files that all of them have read still exist: these batches
//! are solved again, and no others.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::files::sealed::Sealed;
use crate::sweep::FolderSweep;

use super::super::assembly::Assembly;
use super::super::error::TabulateError;
use super::super::folders::Claim;
use super::super::pieces::{Done, Pieces};
use super::ledger::Ledger;

/// A batch that was solved and is not published.
pub(super) struct Solved {
    pub batch: usize,
    pub piece: Sealed,
    pub done: Done,
    /// Keeps other processes from the batch until it is published.
    pub claim: Claim,
}

/// What the solver and the publisher share.
pub(super) struct Publisher<'a> {
    sweep: &'a FolderSweep<'a>,
    pieces: Pieces,
    state: Mutex<State<'a>>,
    /// Something in the state has changed.
    changed: Condvar,
}

pub(super) struct State<'a> {
    pub ledger: Ledger<'a>,
    queue: VecDeque<Solved>,
    /// Batches that are being published.
    publishing: usize,
    /// Nothing more will come.
    is_closed: bool,
    /// Nothing more will be published.
    is_over: bool,
    /// Why it was over too early.
    failed: Option<TabulateError>,
}

impl State<'_> {
    /// Whether the publisher has ended. Before it is asked to, only an error or a panic ends it.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Batches that were solved and are not published.
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.publishing
    }
}

impl<'a> Publisher<'a> {
    pub fn new(sweep: &'a FolderSweep<'a>, ledger: Ledger<'a>) -> Publisher<'a> {
        let (queue, publishing) = (VecDeque::new(), 0);
        let (is_closed, is_over, failed) = (false, false, None);
        let pieces = ledger.pieces().clone();
        let state = State { ledger, queue, publishing, is_closed, is_over, failed };
        Publisher { sweep, pieces, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().expect("nothing panics while it is locked")
    }

    /// What is known now; an error if something could not be published.
    pub fn state(&self) -> Result<MutexGuard<'_, State<'a>>, TabulateError> {
        let mut state = self.lock();
        match state.failed.take() {
            Some(error) => Err(error),
            None => Ok(state),
        }
    }

    /// Waits until something has been published.
    pub fn wait(&self, state: MutexGuard<'_, State<'a>>) {
        let before = state.waiting();
        let waits = |state: &mut State| {
            state.waiting() == before && state.failed.is_none() && !state.is_over
        };
        drop(self.changed.wait_while(state, waits).expect("nothing panics while it is locked"));
    }

    /// Takes a batch to be published.
    pub fn push(&self, solved: Solved) {
        self.lock().queue.push_back(solved);
        self.changed.notify_all();
    }

    /// Returns a guard. When it is dropped, also by a panic, the publisher learns that nothing more
    /// will come.
    #[must_use]
    pub fn closing(&self) -> impl Drop {
        self.at_the_end(|state| state.is_closed = true)
    }

    fn at_the_end<F: Fn(&mut State)>(&self, end: F) -> AtTheEnd<'_, 'a, F> {
        AtTheEnd { publisher: self, end }
    }

    /// Publishes whatever comes, and adds it to the tables, until nothing more will come or there
    /// is an error.
    pub fn run(&self, mut assembly: Option<&mut Assembly>) {
        let _over = self.at_the_end(|state| state.is_over = true);
        loop {
            let idle = |state: &mut State| state.queue.is_empty() && !state.is_closed;
            let state = self.lock();
            let mut state = self.changed.wait_while(state, idle).expect("nothing panics");
            let group: Vec<Solved> = state.queue.drain(..).collect();
            if group.is_empty() {
                return;
            }
            state.publishing = group.len();
            drop(state);
            let published = self.publish(group);
            let added = published.and_then(|()| match &mut assembly {
                Some(assembly) => self.add_to(assembly),
                None => Ok(()),
            });
            let mut state = self.lock();
            state.publishing = 0;
            if let Err(error) = added {
                state.failed = Some(error);
                return;
            }
            self.changed.notify_all();
        }
    }

    /// Publishes batches, of which one may read what another hands on.
    fn publish(&self, group: Vec<Solved>) -> Result<(), TabulateError> {
        let schedule = self.sweep.schedule();
        let passing = |batch| schedule.readers(batch).iter().map(move |to| (batch, *to));
        let passing = group.iter().flat_map(|solved| passing(solved.batch));
        let passing: Vec<(usize, usize)> = passing.collect();
        let needed: Vec<(usize, usize)> = {
            let state = self.lock();
            let is_in_group = |batch| group.iter().any(|solved| solved.batch == batch);
            let is_needed = |to| !state.ledger.is_done(to) && !is_in_group(to);
            passing.iter().copied().filter(|(_, to)| is_needed(*to)).collect()
        };
        for solved in &group {
            self.sweep.publish(solved.batch, |to| needed.contains(&(solved.batch, to)))?;
        }
        let mut read = Vec::new();
        for Solved { batch, piece, done, claim } in group {
            piece.publish()?;
            drop(claim);
            self.lock().ledger.set_done(batch, done);
            read.extend(schedule.batches()[batch].needs.iter().map(|need| (*need, batch)));
        }
        let over: Vec<_> = {
            let state = self.lock();
            passing.into_iter().filter(|(_, to)| state.ledger.is_done(*to)).collect()
        };
        let over = read.into_iter().chain(over);
        Ok(over.into_iter().try_for_each(|(from, to)| self.sweep.discard(from, to))?)
    }

    /// Adds all pieces that follow to the tables, if these have the order of batches.
    fn add_to(&self, assembly: &mut Assembly) -> Result<(), TabulateError> {
        let schedule = self.sweep.schedule();
        debug_assert!(schedule.is_in_table_order());
        loop {
            let next = assembly.added();
            if next >= schedule.batches().len() || !self.lock().ledger.is_done(next) {
                return Ok(());
            }
            assembly.add(&self.pieces.open(next)?)?;
        }
    }

    /// What was done, at the end.
    pub fn into_ledger(self) -> Ledger<'a> {
        self.state.into_inner().expect("nothing panics while it is locked").ledger
    }
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
