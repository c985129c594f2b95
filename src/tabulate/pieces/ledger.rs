//! Records which batches of a run are done, and finds those to do next.

use std::collections::BTreeSet;

use crate::files::sealed::WorkingFileError;
use crate::sweep::{Schedule, TierWork};

use super::{Done, Pieces};

/// The progress of the batches that a process is responsible for.
pub(in crate::tabulate) struct Ledger<'a> {
    schedule: &'a Schedule,
    /// These batches, in order.
    batches: Vec<usize>,
    is_of_a_part: bool,
    pub pieces: Pieces,
    /// What is known of the pieces that exist.
    done: Vec<Option<Done>>,
    /// Batches whose pieces exist, but not the files that other batches still need from them.
    again: BTreeSet<usize>,
}

impl<'a> Ledger<'a> {
    /// Responsible for all batches.
    pub(crate) fn new(schedule: &'a Schedule, pieces: Pieces) -> Ledger<'a> {
        Ledger {
            schedule,
            batches: (0..schedule.batches().len()).collect(),
            is_of_a_part: false,
            pieces,
            done: vec![None; schedule.batches().len()],
            again: BTreeSet::new(),
        }
    }

    /// Responsible for the batches of a part only, which are in order.
    pub(crate) fn of_a_part(self, batches: &[usize]) -> Ledger<'a> {
        Ledger { batches: batches.to_vec(), is_of_a_part: true, ..self }
    }

    /// Whether the tables follow when its batches are done: not after a part of a plan.
    pub(crate) fn leads_to_tables(&self) -> bool {
        !self.is_of_a_part
    }

    /// Whether it is responsible for this batch.
    fn is_responsible(&self, batch: usize) -> bool {
        self.batches.binary_search(&batch).is_ok()
    }

    /// The batches that it is responsible for and that are not done.
    pub(crate) fn not_done(&self) -> impl Iterator<Item = usize> {
        self.batches.iter().copied().filter(|batch| !self.is_done(*batch))
    }

    /// Looks for pieces that others have published meanwhile. Returns the cells of new ones.
    pub(crate) fn look(
        &mut self,
        is_ours: impl Fn(usize) -> bool,
    ) -> Result<u64, WorkingFileError> {
        let mut cells = 0u64;
        let there = self.pieces.there()?;
        let new = self.without_piece().filter(|batch| there.contains(batch) && !is_ours(*batch));
        for batch in new.collect::<Vec<_>>() {
            if let Some(piece) = self.pieces.find(batch)? {
                cells = cells.saturating_add(piece.done.cells);
                self.done[batch] = Some(piece.done);
            }
        }
        Ok(cells)
    }

    /// The batches that it is responsible for and whose pieces are not known.
    fn without_piece(&self) -> impl Iterator<Item = usize> {
        self.batches.iter().copied().filter(|batch| self.done[*batch].is_none())
    }

    /// The piece of a batch has been published.
    pub(crate) fn set_done(&mut self, batch: usize, done: Done) {
        self.done[batch] = Some(done);
        self.again.remove(&batch);
    }

    /// Whether its piece exists, and it need not be done again.
    pub(crate) fn is_done(&self, batch: usize) -> bool {
        self.done[batch].is_some() && !self.is_done_again(batch)
    }

    pub(crate) fn all_are_done(&self) -> bool {
        self.not_done().next().is_none()
    }

    /// How many batches have pieces.
    pub(crate) fn count(&self) -> usize {
        self.done.iter().flatten().count()
    }

    /// Cells of the batches that have pieces.
    pub(crate) fn cells(&self) -> u64 {
        self.done.iter().flatten().fold(0, |sum, done| sum.saturating_add(done.cells))
    }

    /// Bytes of the pieces.
    pub(crate) fn bytes(&self) -> u64 {
        self.done.iter().flatten().map(|done| done.bytes).sum()
    }

    /// Seconds that all batches took.
    pub(crate) fn seconds(&self) -> f64 {
        self.done.iter().flatten().map(|done| done.seconds).sum()
    }

    /// The work done, per tier of the board.
    pub(crate) fn work(&self) -> Vec<TierWork> {
        let mut sum = vec![TierWork::default(); self.pieces.run.board.cells() + 1];
        for done in self.done.iter().flatten() {
            sum.iter_mut().zip(&done.work).for_each(|(sum, work)| *sum = sum.plus(*work));
        }
        sum
    }

    /// The batches to do: those that are not done, and those that are done but must be done again,
    /// because a batch still needs their files and these are missing. A claimed batch needs
    /// nothing, since a process is at work on it. Batches in hand are solved but not published;
    /// their handoffs can be read.
    pub(crate) fn todo(
        &self,
        is_in_hand: impl Fn(usize) -> bool,
        has_handed_on: impl Fn(usize, usize) -> bool,
        is_claimed: impl Fn(usize) -> bool,
    ) -> Todo {
        let mut wanted = BTreeSet::new();
        let mut look_at: Vec<usize> = self.without_piece().collect();
        let mut todo = Todo::default();
        while let Some(batch) = look_at.pop() {
            if !wanted.insert(batch) {
                continue;
            }
            if self.done[batch].is_some() {
                todo.again.push(batch);
            }
            let needs = self.schedule.batches()[batch].needs.iter().copied();
            // Skip looking for files of batches that will be done anyway: there are thousands.
            let is_to_come = |need| self.is_responsible(need) && self.done[need].is_none();
            let (to_come, others): (Vec<usize>, Vec<usize>) =
                needs.partition(|need| is_to_come(*need) && !is_in_hand(*need));
            let lacks: Vec<usize> =
                others.into_iter().filter(|need| !has_handed_on(*need, batch)).collect();
            if lacks.is_empty() {
                if to_come.is_empty() {
                    todo.ready.push(batch);
                }
            } else if !is_claimed(batch) {
                let (own, others): (Vec<usize>, Vec<usize>) =
                    lacks.into_iter().partition(|need| self.is_responsible(*need));
                look_at.extend(own);
                todo.lacks.extend(others.into_iter().map(|need| (need, batch)));
            }
        }
        todo.ready.sort_unstable();
        todo
    }

    /// Whether this batch must be done again.
    pub(crate) fn is_done_again(&self, batch: usize) -> bool {
        self.again.contains(&batch)
    }

    /// Marks these batches as not done until they are done again. Of those marked before, only the
    /// ones in hand stay marked.
    pub(crate) fn do_again(&mut self, batches: &[usize], is_in_hand: impl Fn(usize) -> bool) {
        self.again.retain(|batch| is_in_hand(*batch));
        self.again.extend(batches);
    }
}

/// Batches to do.
#[derive(Default)]
pub(in crate::tabulate) struct Todo {
    /// Batches that can be solved now, the most urgent first.
    pub ready: Vec<usize>,
    /// Batches that are done, and must be done again.
    pub again: Vec<usize>,
    /// Batches of other parts whose files are missing, each with the batch to do that needs them.
    pub lacks: Vec<(usize, usize)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Tier, TierRange};
    use crate::files::sealed::RunLabel;
    use crate::index::Index;
    use crate::sweep::{Extent, Scope};

    #[test]
    fn a_batch_is_done_again_only_while_somebody_needs_it_who_is_not_at_work() {
        let index = Index::new("5x3".parse().unwrap()).unwrap();
        let (board, tiers) = (index.board(), TierRange::all(index.board()));
        let extent = Extent::new(index.census(), Scope::InDoubt).with_batches_of(600);
        let folder = tempfile::tempdir().unwrap();
        let run = RunLabel { board, tiers, end: Tier(15), every_cell: false, plane: None };
        let pieces = Pieces { folder: folder.path().to_owned(), run };
        let mut ledger = Ledger::new(extent.schedule(), pieces);
        let done = Done { work: Vec::new(), cells: 0, seconds: 0.0, bytes: 0 };
        let readers = extent.schedule().readers(0);
        ledger.set_done(0, done.clone());
        let (nobody, nothing_is_handed_on) = (|_| false, |_, _| false);

        let todo = ledger.todo(nobody, nothing_is_handed_on, nobody);
        assert_eq!(todo.again, [0]);
        let its_readers = |batch| readers.contains(&batch);
        assert!(ledger.todo(nobody, nothing_is_handed_on, its_readers).again.is_empty());
        assert!(ledger.todo(nobody, |from, _| from == 0, nobody).again.is_empty());

        ledger.do_again(&todo.again, |_| false);
        assert!(!ledger.is_done(0) && ledger.is_done_again(0));
        readers.iter().for_each(|reader| ledger.set_done(*reader, done.clone()));
        let todo = ledger.todo(nobody, |from, _| from != 0, nobody);
        assert!(todo.again.is_empty());
        // It is being solved: what it hands on then is new.
        ledger.do_again(&todo.again, |batch| batch == 0);
        assert!(!ledger.is_done(0));
        ledger.do_again(&todo.again, |_| false);
        assert!(ledger.is_done(0));
    }
}
