//! The backward sweep in memory: from the end of games down, batch by batch.

use std::collections::HashMap;

use crate::board::{OutcomeCounts, Tier};
use crate::order::{OrderError, Orders};
use crate::sealed::WorkingFileError;

use super::end::End;
use super::extent::Extent;
use super::handed_on::HandedOn;
use super::keep::Keep;
use super::kept::{Keeping, Kept, OpenPile};
use super::kernels::Cpu;
use super::observer::Observer;
use super::pile::PileName;
use super::schedule::Schedule;
use super::solving::Shared;
use super::tier_work::TierWork;
use super::working_files::Passing;

/// A sweep from the end of games down to some tier, which writes nothing.
pub struct MemorySweep<'a> {
    shared: Shared<'a>,
    schedule: Schedule,
    /// How many batches have been solved.
    solved: usize,
    /// What batches have handed on, until it is read.
    kept: HashMap<Passing, Kept>,
    work: Vec<TierWork>,
}

impl<'a> MemorySweep<'a> {
    /// A sweep from this end down to this tier, or to its last one if that is lower.
    pub fn new(
        extent: &'a Extent,
        cpu: Cpu,
        end: End,
        first: Tier,
    ) -> Result<MemorySweep<'a>, OrderError> {
        Ok(MemorySweep {
            shared: Shared::new(extent, cpu, end.tiers(first), false)?,
            schedule: extent.smallest_batches(),
            solved: 0,
            kept: HashMap::new(),
            work: vec![TierWork::default(); extent.census().board().cells() + 1],
        })
    }

    /// Turns on the clocks of all threads.
    pub fn take_time(&mut self) {
        self.shared.is_timed = true;
    }

    /// The move-order types of the board, cut as the index cuts it.
    pub(crate) fn orders(&self) -> &Orders {
        self.shared.orders()
    }

    /// How many batches have been solved, and how many there are.
    pub fn solved(&self) -> (usize, usize) {
        (self.solved, self.schedule.batches().len())
    }

    /// The work done, per tier of the board.
    pub fn work(&self) -> &[TierWork] {
        &self.work
    }

    /// The live positions of a tier that the sweep has met so far, by outcome. All others are won.
    pub fn met(&self, tier: Tier) -> OutcomeCounts {
        self.work[tier.stones()].met(tier)
    }

    /// Solves the next batch, if there is one.
    pub fn advance<O: Observer>(&mut self, observer: &O) -> Result<bool, O::Error> {
        let Some(batch) = self.schedule.batches().get(self.solved) else { return Ok(false) };
        let from = self.solved;
        let needs = batch.needs.iter().map(|need| {
            let kept = self.kept.remove(&Passing { from: *need, to: from });
            (*need, kept.expect("a batch that was solved before"))
        });
        let before = Before { schedule: &self.schedule, kept: needs.collect() };
        let readers = self.schedule.readers(from).iter();
        let passing = readers.map(|to| (*to, Keeping::default())).collect();
        let keep = Keep::new(&self.schedule, from, passing, None);
        let work = self.shared.batch(batch, &before, &keep, observer)?;
        self.work.iter_mut().zip(work).for_each(|(sum, work)| *sum = sum.plus(work));
        let (passing, _) = keep.finish()?;
        self.kept.extend(passing.into_iter().map(|(to, kept)| (Passing { from, to }, kept)));
        self.solved += 1;
        Ok(true)
    }
}

/// What batches solved earlier have handed on.
struct Before<'a> {
    schedule: &'a Schedule,
    /// By batch.
    kept: HashMap<usize, Kept>,
}

impl HandedOn for Before<'_> {
    fn open(&self, name: PileName) -> Result<OpenPile<'_>, WorkingFileError> {
        let batch = self.schedule.batch_of(name.from);
        self.kept.get(&batch).expect("a batch that was solved before").open(name)
    }

    fn open_after(&self, _name: PileName) -> Option<Result<OpenPile<'_>, WorkingFileError>> {
        None
    }
}
