//! Records which batches of a run are done, and finds those to do next.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::sealed::{FileFault, Kind, Label, RunLabel, WorkingFileError};
use crate::sweep::{Schedule, TierWork};

use super::names::piece_file;
use super::piece::{Done, Piece};

/// The progress of the batches that a process is responsible for.
pub(super) struct Ledger<'a> {
    schedule: &'a Schedule,
    /// These batches, in order.
    batches: Vec<usize>,
    run: PathBuf,
    label: RunLabel,
    done: Vec<Option<Done>>,
    /// Batches whose pieces exist, but not the files that other batches still need from them.
    again: BTreeSet<usize>,
}

impl<'a> Ledger<'a> {
    /// Responsible for all batches.
    pub fn new(schedule: &'a Schedule, run: PathBuf, label: RunLabel) -> Ledger<'a> {
        Ledger {
            schedule,
            batches: (0..schedule.batches().len()).collect(),
            run,
            label,
            done: vec![None; schedule.batches().len()],
            again: BTreeSet::new(),
        }
    }

    /// Responsible for these batches only, which are in order.
    pub fn seeing_to(self, batches: &[usize]) -> Ledger<'a> {
        Ledger { batches: batches.to_vec(), ..self }
    }

    /// Is it responsible for this batch?
    fn sees_to(&self, batch: usize) -> bool {
        self.batches.binary_search(&batch).is_ok()
    }

    /// The batches that it is responsible for and that are not done.
    pub fn not_done(&self) -> impl Iterator<Item = usize> {
        self.batches.iter().copied().filter(|batch| !self.is_done(*batch))
    }

    /// The label of the piece of a batch.
    pub fn label(&self, batch: usize) -> Label {
        Label { kind: Kind::Piece, run: self.label, tier: None, batch }
    }

    /// The piece of a batch, if it is there.
    pub fn piece(&self, batch: usize) -> Result<Option<Piece>, WorkingFileError> {
        match Piece::open(piece_file(&self.run, batch), self.label(batch)) {
            Err(WorkingFileError { fault: FileFault::Missing, .. }) => Ok(None),
            piece => piece.map(Some),
        }
    }

    /// The error for a piece that has disappeared.
    pub fn missing(&self, batch: usize) -> WorkingFileError {
        WorkingFileError::new(&piece_file(&self.run, batch), FileFault::Missing)
    }

    /// Looks for pieces that others have published meanwhile. Returns the cells of new ones.
    pub fn look(&mut self, is_ours: impl Fn(usize) -> bool) -> Result<u64, WorkingFileError> {
        let mut cells = 0u64;
        let not_done: Vec<usize> = self.not_done().collect();
        for batch in not_done {
            if !is_ours(batch)
                && !self.again.contains(&batch)
                && let Some(piece) = self.piece(batch)?
            {
                cells = cells.saturating_add(piece.done.cells);
                self.done[batch] = Some(piece.done);
            }
        }
        Ok(cells)
    }

    /// The piece of a batch has been published.
    pub fn set_done(&mut self, batch: usize, done: Done) {
        self.done[batch] = Some(done);
        self.again.remove(&batch);
    }

    pub fn is_done(&self, batch: usize) -> bool {
        self.done[batch].is_some()
    }

    pub fn all_are_done(&self) -> bool {
        self.not_done().next().is_none()
    }

    /// How many batches are done.
    pub fn count(&self) -> usize {
        self.done.iter().flatten().count()
    }

    /// Bytes of the pieces.
    pub fn bytes(&self) -> u64 {
        self.done.iter().flatten().map(|done| done.bytes).sum()
    }

    /// Seconds that all batches took.
    pub fn seconds(&self) -> f64 {
        self.done.iter().flatten().map(|done| done.seconds).sum()
    }

    /// The work done, per tier of the board.
    pub fn work(&self) -> Vec<TierWork> {
        let mut sum = vec![TierWork::default(); self.label.board.cells() + 1];
        for done in self.done.iter().flatten() {
            sum.iter_mut().zip(&done.work).for_each(|(sum, work)| *sum = sum.plus(*work));
        }
        sum
    }

    /// The batches to do: those that are not done, and those that are, but whose files for a batch
    /// that still needs them are missing.
    pub fn todo(&self, has_handed_on: impl Fn(usize, usize) -> bool) -> Todo {
        let mut wanted = BTreeSet::new();
        let mut look_at: Vec<usize> = self.not_done().collect();
        let mut todo = Todo::default();
        while let Some(batch) = look_at.pop() {
            if !wanted.insert(batch) {
                continue;
            }
            if self.is_done(batch) {
                todo.again.push(batch);
            }
            let needs = &self.schedule.batches()[batch].needs;
            let lacks: Vec<usize> =
                needs.iter().copied().filter(|need| !has_handed_on(*need, batch)).collect();
            if lacks.is_empty() {
                todo.ready.push(batch);
            }
            let (seen_to, others): (Vec<usize>, Vec<usize>) =
                lacks.into_iter().partition(|need| self.sees_to(*need));
            look_at.extend(seen_to);
            todo.lacks.extend(others.into_iter().map(|need| (need, batch)));
        }
        todo.ready.sort_unstable();
        todo
    }

    /// Is this batch to be done again?
    pub fn is_done_again(&self, batch: usize) -> bool {
        self.again.contains(&batch)
    }

    /// These count as not done, until they are done again.
    pub fn do_again(&mut self, batches: &[usize]) {
        for batch in batches {
            self.done[*batch] = None;
            self.again.insert(*batch);
        }
    }
}

/// Batches to do.
#[derive(Default)]
pub(super) struct Todo {
    /// Batches that can be solved now, the most urgent first.
    pub ready: Vec<usize>,
    /// Batches that are done, and must be done again.
    pub again: Vec<usize>,
    /// Batches of other parts whose files are missing, each with the batch to do that needs them.
    pub lacks: Vec<(usize, usize)>,
}
