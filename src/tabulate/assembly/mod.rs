//! Tables put together from pieces.
//!
//! While a new run solves batches in the order of the tables, each piece is added to all tables as
//! soon as its predecessors are, so that little remains at the end. Otherwise one table follows the
//! other, from the last tier down, and is published as soon as possible: a process that resumes the
//! run begins with the first tier that has no table.
//!
//! The `table_order` is the order of blocks in tables, `counts` holds how many positions these must
//! have, and the `report` says which tables exist in the end.

pub(super) mod counts;
pub(super) mod report;

mod table_order;

use std::time::Duration;

use rayon::prelude::*;

use crate::count::TierCount;
use crate::solve::TierSolution;
use crate::sweep::TierWork;
use crate::table::{Layout, TableSummary, TierCounts, TierPart, publish};

use super::error::TabulateError;
use super::job::Job;
use super::pieces::{BlockRun, Piece};

pub(super) use table_order::RunsInOrder;

/// The least time between two publications of tables, and of counts. Tests see every stage.
pub(super) const INTERVAL: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 500 });

/// Tables under construction.
pub(super) struct Assembly<'a> {
    job: &'a Job<'a>,
    parts: Vec<TierPart>,
    /// How many pieces have been added.
    pub added: usize,
}

impl<'a> Assembly<'a> {
    /// Without any tables.
    pub(super) fn new(job: &'a Job<'a>) -> Assembly<'a> {
        Assembly { job, parts: Vec::new(), added: 0 }
    }

    /// Begins a table.
    pub(super) fn begin(&mut self, layout: &Layout) -> Result<(), TabulateError> {
        let part = TierPart::create_on(self.job.disk, &self.job.request.tables, layout)?;
        self.parts.push(part);
        Ok(())
    }

    /// Adds the next piece.
    pub(super) fn add(&mut self, piece: &Piece) -> Result<(), TabulateError> {
        for run in piece.runs()? {
            self.append(piece, &run)?;
        }
        self.parts.iter().for_each(TierPart::begin_to_store);
        self.added += 1;
        Ok(())
    }

    /// Adds a run of blocks of a piece, unless the table was there.
    pub(super) fn append(&mut self, piece: &Piece, run: &BlockRun) -> Result<(), TabulateError> {
        let part = self.parts.iter_mut().find(|part| part.tier() == run.tier);
        part.map_or(Ok(()), |part| Ok(part.append(run.first, &piece.read(run)?)?))
    }

    /// Brings all blocks to the disk and reads them back, when all pieces have been added.
    pub(super) fn store(&mut self) -> Result<(), TabulateError> {
        Ok(self.parts.par_iter_mut().try_for_each(TierPart::store)?)
    }

    /// Finishes the tables, from the last tier down, when all pieces have been added, and
    /// publishes them. `known` describes the tables that exist.
    pub(super) fn finish(
        &mut self,
        counts: &[TierCount],
        work: &[TierWork],
        known: &mut Vec<TableSummary>,
    ) -> Result<(), TabulateError> {
        let request = self.job.request;
        let mut tables = Vec::with_capacity(self.parts.len());
        for count in counts.iter().rev() {
            let TierWork { seconds, .. } = work[count.tier.stones()];
            let met = work[count.tier.stones()].met(count.tier);
            let solution = TierSolution::new(request.board, *count, met, request.scope, seconds)?;
            let counts = TierCounts::new(solution.outcomes, solution.terminal);
            let Some(part) = self.parts.iter().position(|part| part.tier() == count.tier) else {
                continue;
            };
            let tier = count.tier.next_unchecked();
            let next = known.iter().find(|there| there.tier == tier).map(|there| there.digest);
            if next.is_none() && tier <= request.last_tier() {
                return Err(TabulateError::Missing { tier, tables: request.tables.clone() });
            }
            let table = self.parts.swap_remove(part).complete(counts, next)?;
            // A process whose claim cannot be seen may have published the same table meanwhile.
            known.retain(|there| there.tier != count.tier);
            known.push(table.summary);
            tables.push(table);
        }
        Ok(publish(tables)?)
    }
}
