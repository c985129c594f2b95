//! Publishes solved batches while the next one is being solved.
//!
//! ```text
//!     what the batch hands on      synced and renamed, if anybody will need it
//!     its piece                    synced and renamed: now the batch is done
//!     what nobody needs any more   removed
//!     tables                       the piece is added, if all before it have been
//! ```
//!
//! If the disk is slower than the solver, a few batches wait here. By the time they are published,
//! their readers may have been solved too; then what they hand on need not be synced.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::sealed::{Sealed, WorkingFileError};
use crate::sweep::FolderSweep;

use super::assembly::Assembly;
use super::claim::Claim;
use super::error::TabulateError;
use super::ledger::Ledger;
use super::piece::Done;

/// A batch that was solved and is not published.
pub(super) struct Solved {
    pub batch: usize,
    pub piece: Sealed,
    pub done: Done,
    /// Nobody else works on it meanwhile.
    pub claim: Claim,
}

/// What the solver and the publisher share.
pub(super) struct Publisher<'a> {
    sweep: &'a FolderSweep<'a>,
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
    failed: Option<TabulateError>,
}

impl State<'_> {
    /// Has the publisher ended? Before it is told to, only an error or a panic makes it.
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
        let state = State { ledger, queue, publishing, is_closed, is_over, failed };
        Publisher { sweep, state: Mutex::new(state), changed: Condvar::new() }
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

    /// Nothing more will come when what this returns is dropped, be it by a panic of the solver:
    /// nobody waits for one that is gone.
    pub fn closing(&self) -> impl Drop {
        self.at_the_end(|state| state.is_closed = true)
    }

    fn at_the_end<F: Fn(&mut State)>(&self, end: F) -> AtTheEnd<'_, 'a, F> {
        AtTheEnd { publisher: self, end }
    }

    /// Publishes whatever comes, and adds it to the tables.
    pub fn run(&self, mut assembly: Option<&mut Assembly>) {
        let _over = self.at_the_end(|state| state.is_over = true);
        loop {
            let idle = |state: &mut State| {
                state.queue.is_empty() && !state.is_closed && state.failed.is_none()
            };
            let state = self.lock();
            let mut state = self.changed.wait_while(state, idle).expect("nothing panics");
            let Some(solved) = state.queue.pop_front().filter(|_| state.failed.is_none()) else {
                return;
            };
            state.publishing += 1;
            drop(state);
            let published = self.publish(solved);
            let added = published.and_then(|()| match &mut assembly {
                Some(assembly) => self.add_to(assembly),
                None => Ok(()),
            });
            let mut state = self.lock();
            state.publishing -= 1;
            state.failed = added.err();
            self.changed.notify_all();
        }
    }

    fn publish(&self, solved: Solved) -> Result<(), TabulateError> {
        let Solved { batch, piece, done, claim } = solved;
        let schedule = self.sweep.schedule();
        let (needed, others): (Vec<usize>, Vec<usize>) = {
            let state = self.lock();
            let waits = |reader| state.queue.iter().any(|solved| solved.batch == reader);
            let needs_it = |reader: &usize| !state.ledger.is_done(*reader) && !waits(*reader);
            schedule.readers(batch).iter().partition(|reader| needs_it(reader))
        };
        self.sweep.publish(batch, |reader| needed.contains(&reader))?;
        piece.publish()?;
        drop(claim);
        let (is_done, needs) = {
            let mut state = self.lock();
            state.ledger.set_done(batch, done);
            let is_done: Vec<bool> = others.iter().map(|to| state.ledger.is_done(*to)).collect();
            (is_done, &schedule.batches()[batch].needs)
        };
        needs.iter().try_for_each(|need| self.sweep.discard(*need, batch))?;
        let over = others.iter().zip(is_done).filter(|(_, is_done)| *is_done);
        over.map(|(to, _)| *to).try_for_each(|to| self.sweep.discard(batch, to))?;
        Ok(())
    }

    /// Adds all pieces that follow to the tables, if these have the order of batches.
    pub fn add_to(&self, assembly: &mut Assembly) -> Result<(), TabulateError> {
        if !self.sweep.schedule().is_in_table_order() {
            return Ok(());
        }
        loop {
            let piece = {
                let state = self.lock();
                let next = assembly.added();
                let batches = self.sweep.schedule().batches().len();
                if next >= batches || !state.ledger.is_done(next) {
                    return Ok(());
                }
                state.ledger.piece(next)?
            };
            let batch = assembly.added();
            let piece = piece.ok_or_else(|| self.missing(batch))?;
            assembly.add(&piece)?;
        }
    }

    fn missing(&self, batch: usize) -> WorkingFileError {
        self.lock().ledger.missing(batch)
    }

    /// What was done, at the end.
    pub fn into_ledger(self) -> Ledger<'a> {
        self.state.into_inner().expect("nothing panics while it is locked").ledger
    }
}

/// Changes the state when it is dropped, and tells all who wait.
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
