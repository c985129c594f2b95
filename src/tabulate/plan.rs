//! A plan: the batches of a run in parts, for processes on many machines.
//!
//! Batches fall into *stages* by what they need: the first stage needs nothing, and every other
//! stage only batches of earlier ones. So the batches of a stage can all be solved at once. Each
//! stage is dealt out into *parts* of about equal work:
//!
//! ```text
//!     stage 1    part 1: batches 0, 3, 8     part 2: batches 1, 5     part 3: batch 2
//!     stage 2    part 4: batches 4, 9        part 5: batch 6
//!     stage 3    part 6: batch 7
//! ```
//!
//! A plan follows from the board and the requested number of parts, in whole numbers alone. So
//! every process finds the same plan, and part 4 means the same on every machine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::board::TierRange;
use crate::sweep::{Extent, Schedule, Waits};

use super::estimate::{Estimate, nanoseconds};

/// A run and its plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Planned {
    /// The tiers of the run.
    pub tiers: TierRange,
    /// Its parts.
    pub plan: Plan,
    /// The cost of solving all of it in one process.
    pub alone: Estimate,
}

/// A run in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Part 1 first, and those of a stage before those of the next.
    parts: Vec<Part>,
    /// By batch, the number of its part.
    part_of: Vec<usize>,
    /// The number of parts that was asked for.
    pub wanted: usize,
    /// Bytes that parts hand on to others, written once and read once.
    pub handed_on: u64,
    /// Peak bytes of working files, if each stage waits for the one before.
    pub scratch: u64,
}

/// Batches of one stage that one process solves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its number, from 1.
    pub number: usize,
    /// The number of its stage, from 1.
    pub stage: usize,
    /// Its batches, in order.
    pub batches: Vec<usize>,
    /// The parts that must be done before, by number.
    pub needs: Vec<usize>,
    /// Cells that are worked on.
    pub cells: u64,
    /// The approximate nanoseconds of one core.
    pub nanoseconds: u64,
    /// Bytes of memory, on the current number of threads.
    pub memory: u64,
}

impl Plan {
    /// The most parts that may be asked for: the default limit of a Slurm job array.
    pub const MOST_PARTS: usize = 1000;

    /// A plan with about this many parts, and at least one for each stage.
    pub(super) fn new(extent: &Extent, tiers: TierRange, wanted: usize) -> Plan {
        let schedule = extent.schedule();
        let costs = (0..schedule.batches().len()).map(|batch| cost(extent, batch, tiers));
        let costs: Vec<u64> = costs.collect();
        let stages = stages(schedule);
        let all = costs.iter().sum::<u64>().max(1);
        let mut part_of = vec![0; costs.len()];
        let mut parts: Vec<Part> = Vec::new();
        for (stage, batches) in (1..).zip(&stages) {
            let work: u64 = batches.iter().map(|batch| costs[*batch]).sum();
            let share = u128::from(work) * wanted as u128 / u128::from(all);
            let share = (share as usize).clamp(1, batches.len());
            for batches in dealt(batches, &costs, share) {
                let number = parts.len() + 1;
                batches.iter().for_each(|batch| part_of[*batch] = number);
                parts.push(Part {
                    number,
                    stage,
                    needs: Vec::new(),
                    cells: batches.iter().map(|batch| extent.batch_cells(*batch, tiers)).sum(),
                    nanoseconds: batches.iter().map(|batch| costs[*batch]).sum(),
                    memory: 0,
                    batches,
                });
            }
        }
        let footprint = extent.footprint(tiers, rayon::current_num_threads());
        for part in &mut parts {
            let batches = || part.batches.iter().map(|batch| &schedule.batches()[*batch]);
            let needs = batches().flat_map(|batch| &batch.needs).map(|need| part_of[*need]);
            part.needs = needs.collect();
            part.needs.sort_unstable();
            part.needs.dedup();
            part.memory = footprint.of(batches().flat_map(|batch| batch.centres.iter().copied()));
        }
        let (handed_on, scratch) = kept_between(extent, tiers, &stages);
        Plan { parts, part_of, wanted, handed_on, scratch }
    }

    /// All parts, part 1 first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The part with a number, if there is one.
    pub fn part(&self, number: usize) -> Option<&Part> {
        self.parts.get(number.checked_sub(1)?)
    }

    /// The number of the part that a batch belongs to.
    pub(super) fn part_of(&self, batch: usize) -> usize {
        self.part_of[batch]
    }

    /// How many batches there are.
    pub fn batches(&self) -> usize {
        self.part_of.len()
    }

    /// The parts of each stage.
    pub fn stages(&self) -> impl Iterator<Item = &[Part]> {
        self.parts.chunk_by(|a, b| a.stage == b.stage)
    }

    /// The approximate nanoseconds of one core for all parts.
    pub fn nanoseconds(&self) -> u64 {
        self.parts.iter().map(|part| part.nanoseconds).sum()
    }

    /// The same for the longest chain of parts that need each other.
    pub fn longest_path(&self) -> u64 {
        let mut ends: Vec<u64> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let start = part.needs.iter().map(|need| ends[need - 1]).max();
            ends.push(start.unwrap_or(0) + part.nanoseconds);
        }
        ends.into_iter().max().unwrap_or(0)
    }
}

/// Nanoseconds that a batch takes one core.
fn cost(extent: &Extent, batch: usize, tiers: TierRange) -> u64 {
    nanoseconds(extent.batch_cells(batch, tiers), extent.batch_tiles(batch, tiers))
}

/// The batches of each stage, in order: a batch comes in the stage after the last that it needs.
fn stages(schedule: &Schedule) -> Vec<Vec<usize>> {
    let mut stages: Vec<Vec<usize>> = Vec::new();
    let mut stage_of = Vec::with_capacity(schedule.batches().len());
    for (number, batch) in schedule.batches().iter().enumerate() {
        let stage = batch.needs.iter().map(|need| stage_of[*need] + 1).max().unwrap_or(0);
        stage_of.push(stage);
        stages.resize(stages.len().max(stage + 1), Vec::new());
        stages[stage].push(number);
    }
    stages
}

/// Deals batches out into this many parts: the most expensive first, each to the part with the
/// least work so far.
fn dealt(batches: &[usize], costs: &[u64], parts: usize) -> Vec<Vec<usize>> {
    let mut dealt = vec![Vec::new(); parts];
    let mut work: BinaryHeap<_> = (0..parts).map(|part| Reverse((0, part))).collect();
    let mut batches = batches.to_vec();
    batches.sort_by_key(|batch| (Reverse(costs[*batch]), *batch));
    for batch in batches {
        let Reverse((sum, part)) = work.pop().expect("one part at least");
        dealt[part].push(batch);
        work.push(Reverse((sum + costs[batch], part)));
    }
    // A batch may cost nothing, so that all of them are dealt to one part.
    dealt.retain(|batches| !batches.is_empty());
    dealt.iter_mut().for_each(|batches| batches.sort_unstable());
    dealt
}

/// Bytes that are handed on, and the most that exist at a time: what a stage hands on, while what
/// was handed on to it is still there.
fn kept_between(extent: &Extent, tiers: TierRange, stages: &[Vec<usize>]) -> (u64, u64) {
    let schedule = extent.schedule();
    let batches = (0..schedule.batches().len()).into_par_iter();
    // Parts pack tightly: what they hand on is read on other machines.
    let bytes = |batch| extent.handoff_bytes(batch, tiers, |_| Waits::InSmallFile);
    let handed_on: Vec<_> = batches.map(bytes).collect();
    let (mut now, mut most) = (0, 0);
    let all = handed_on.iter().flat_map(|bytes| bytes.values()).sum();
    for stage in stages {
        now += stage.iter().flat_map(|batch| handed_on[*batch].values()).sum::<u64>();
        most = most.max(now);
        for batch in stage {
            let needs = schedule.batches()[*batch].needs.iter();
            now -= needs.map(|need| handed_on[*need][batch]).sum::<u64>();
        }
    }
    (all, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Census;
    use crate::sweep::Scope;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    fn plan(board: &str, cells: u64, wanted: usize) -> (Extent, Plan) {
        let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
        let extent = Extent::new(&census, Scope::InDoubt).with_batches_of(cells);
        let plan = Plan::new(&extent, TierRange::all(census.board()), wanted);
        (extent, plan)
    }

    #[test]
    fn every_batch_is_in_a_part_after_all_that_it_needs() {
        for (board, cells, wanted) in
            [("7x6", 1 << 27, 60), ("6x5", 1 << 20, 200), ("5x4", 600, 9), ("4x4", 600, 1)]
        {
            let (extent, plan) = plan(board, cells, wanted);
            let batches = extent.schedule().batches();
            let dealt: BTreeSet<usize> =
                plan.parts().iter().flat_map(|part| part.batches.iter().copied()).collect();
            assert_eq!(dealt, (0..batches.len()).collect());
            assert_eq!(plan.batches(), batches.len());
            let numbers = plan.parts().iter().map(|part| part.number);
            assert!(numbers.eq(1..=plan.parts().len()));
            for part in plan.parts() {
                assert_eq!(plan.part(part.number), Some(part));
                let needed = part.batches.iter().flat_map(|batch| &batches[*batch].needs);
                for need in needed {
                    let before = plan.part(plan.part_of(*need)).unwrap();
                    assert!(before.stage < part.stage && part.needs.contains(&before.number));
                }
            }
            let (parts, stages) = (plan.parts().len(), plan.stages().count());
            assert!(parts <= wanted + stages, "{board}: {parts} parts, {stages} stages");
            let cells: u64 = plan.parts().iter().map(|part| part.cells).sum();
            let all = TierRange::all(extent.census().board()).into_iter();
            assert_eq!(cells, all.map(|tier| extent.sizes().cells(tier)).sum::<u64>());
            assert!(plan.longest_path() <= plan.nanoseconds());
            assert!(plan.scratch <= plan.handed_on);
        }
    }

    #[test]
    fn parts_of_a_stage_have_about_equal_work() {
        let (_, plan) = plan("6x5", 1 << 20, 40);
        for stage in plan.stages().filter(|stage| stage.len() > 1) {
            let work = stage.iter().map(|part| part.nanoseconds);
            let (least, most) = (work.clone().min().unwrap(), work.max().unwrap());
            assert!(most < 2 * least, "{least} and {most}");
        }
    }

    #[test]
    fn there_is_no_part_0_and_none_after_the_last() {
        let (_, plan) = plan("5x4", 600, 9);
        assert_eq!((plan.part(0), plan.part(plan.parts().len() + 1)), (None, None));
    }
}
