//! A planned run: its parts, what each of them needs, and which of that exists. No state of a side
//! is listed to find out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::board::TierRange;
use crate::index::Census;
use crate::sweep::{Extent, handed_on_file};

use super::claim::Claim;
use super::error::TabulateError;
use super::estimate::Estimate;
use super::ledger::Ledger;
use super::leftovers;
use super::names::{claim_file, kept_folder, piece_file, run_file, run_folder};
use super::pieces::Pieces;
use super::plan::{Part, Plan};
use super::plan_file::PlanFile;
use super::request::Request;
use super::run_file::RunFile;

/// The approximate seconds of a part, if the number of parts is not given. Starting a part takes
/// far less.
const PART_SECONDS: f64 = 300.0;

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

/// A board cut into batches.
pub(super) struct Ground<'a> {
    pub request: &'a Request,
    pub census: Arc<Census>,
    /// Its sides are listed only by whoever solves a part.
    pub extent: Extent,
}

impl<'a> Ground<'a> {
    pub fn new(
        request: &'a Request,
        batch_cells: Option<u64>,
    ) -> Result<Ground<'a>, TabulateError> {
        let census = Arc::new(Census::new(request.board)?);
        let extent = Extent::new(&census, request.scope);
        let extent = match batch_cells {
            Some(cells) => extent.with_batches_of(cells),
            None => extent,
        };
        Ok(Ground { request, census, extent })
    }

    /// The run over these tiers in the given number of parts, or in that of an earlier plan.
    pub fn planned(
        &self,
        tiers: TierRange,
        wanted: Option<usize>,
    ) -> Result<Planned, TabulateError> {
        let alone = self.request.estimate(&self.extent, tiers)?;
        let before = PlanFile::read(&run_folder(&self.request.tables))?;
        let wanted = wanted.or(before.map(|plan| plan.wanted));
        let wanted = wanted.unwrap_or_else(|| (alone.seconds / PART_SECONDS) as usize);
        let wanted = wanted.clamp(1, Plan::MOST_PARTS);
        Ok(Planned { tiers, plan: Plan::new(&self.extent, tiers, wanted), alone })
    }

    /// The planned run; `None` if its tables exist.
    pub fn begun(&self) -> Result<Option<(RunFile, Plan)>, TabulateError> {
        let Request { board, ref tables, .. } = *self.request;
        let tiers = self.request.tiers.within(board)?;
        let folder = run_folder(tables);
        let run = RunFile::read(&folder)?;
        let Some((run, plan)) = run.zip(PlanFile::read(&folder)?) else {
            if tables.exists() && leftovers::are_there(self.request, tiers)? {
                return Ok(None);
            }
            return Err(TabulateError::NotPlanned { board, tables: tables.clone() });
        };
        let plan = Plan::new(&self.extent, run.tiers_of(self.request, tiers)?, plan.wanted);
        if plan.batches() != run.batches {
            let reason = "it is of another version of this run".to_owned();
            return Err(TabulateError::RunFile { path: run_file(&folder), reason });
        }
        Ok(Some((run, plan)))
    }

    pub fn ledger(&self, run: &RunFile) -> Ledger<'_> {
        let pieces = Pieces::new(run_folder(&self.request.tables), run.label);
        Ledger::new(self.extent.schedule(), pieces)
    }

    /// What a batch hands on to another.
    fn handed_on(&self, from: usize, to: usize) -> PathBuf {
        handed_on_file(&kept_folder(&self.request.scratch, self.request.board), from, to)
    }

    pub fn is_claimed(&self, batch: usize) -> bool {
        Claim::is_taken(&claim_file(&run_folder(&self.request.tables), batch)).unwrap_or(false)
    }

    /// Refuses a part that lacks something which an earlier part should have made.
    pub fn has_all_it_needs(
        &self,
        plan: &Plan,
        part: &Part,
        ledger: &Ledger,
    ) -> Result<(), TabulateError> {
        for batch in ledger.not_done() {
            for need in &self.extent.schedule().batches()[batch].needs {
                let file = self.handed_on(*need, batch);
                // Whoever has done the batch meanwhile has removed it.
                let is_there = file.exists()
                    || self.is_claimed(batch)
                    || ledger.pieces().find(batch)?.is_some();
                if !is_there {
                    return Err(self.needs(plan, Some(part.number), *need, Some(file)));
                }
            }
        }
        Ok(())
    }

    /// A part, or the tables, needs a batch: its piece, or what it hands on.
    pub fn needs(
        &self,
        plan: &Plan,
        part: Option<usize>,
        need: usize,
        handed_on: Option<PathBuf>,
    ) -> TabulateError {
        let Request { board, ref tables, .. } = *self.request;
        let (tables, needed) = (tables.clone(), plan.part_of(need));
        let piece = piece_file(&run_folder(&tables), need);
        match handed_on {
            Some(file) if piece.exists() => TabulateError::Lost { board, tables, needed, file },
            _ => TabulateError::NeedsPart { board, tables, part, needed, file: piece },
        }
    }
}
