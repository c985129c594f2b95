//! The progress of a run, read from its files without joining it.

use std::path::Path;
use std::sync::Arc;

use crate::board::{Board, Tier, TierRange};
use crate::files::sealed::{FileFault, WorkingFileError};
use crate::index::Census;
use crate::plies::cuts;
use crate::sweep::{Extent, Scope};
use crate::table::{cut_folder, inventory};

use super::error::TabulateError;
use super::folders::{PlanFile, RunFile};
use super::names::{Claim, claim_file, run_folder};
use super::pieces::Pieces;
use super::plan::{Part, Plan};

/// The progress of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStatus {
    /// The board.
    pub board: Board,
    /// Its tiers.
    pub tiers: TierRange,
    /// Whether it sweeps every cell.
    pub every_cell: bool,
    /// Cells to solve.
    pub cells: u64,
    /// Cells of the batches that are done.
    pub cells_done: u64,
    /// The number of batches.
    pub batches: usize,
    /// How many are done.
    pub done: usize,
    /// Batches that processes are working on.
    pub claimed: Vec<usize>,
    /// The first batch that is neither done nor claimed.
    pub next: Option<usize>,
    /// The progress of its parts, if it is planned.
    pub plan: Option<PlanStatus>,
}

/// The progress of the parts of a run, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanStatus {
    /// How many there are.
    pub parts: usize,
    /// How many are done.
    pub done: usize,
    /// Parts under way.
    pub at_work: Vec<usize>,
    /// Parts that can begin, because all that they need is done.
    pub ready: Vec<usize>,
    /// The number of parts that wait for others.
    pub waiting: usize,
}

impl PlanStatus {
    /// Derived from the state of each batch.
    fn new(plan: &Plan, is_done: &[bool], claimed: &[usize]) -> PlanStatus {
        let parts = plan.parts();
        let done = |part: &Part| part.batches.iter().all(|batch| is_done[*batch]);
        let done: Vec<bool> = parts.iter().map(done).collect();
        let mut status = PlanStatus {
            parts: parts.len(),
            done: done.iter().filter(|done| **done).count(),
            at_work: Vec::new(),
            ready: Vec::new(),
            waiting: 0,
        };
        for part in parts.iter().filter(|part| !done[part.number - 1]) {
            if part.batches.iter().any(|batch| claimed.contains(batch)) {
                status.at_work.push(part.number);
            } else if part.needs.iter().all(|need| done[need - 1]) {
                status.ready.push(part.number);
            } else {
                status.waiting += 1;
            }
        }
        status
    }
}

/// The progress of scores: the run for one of the cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutStatus {
    /// The ply after which games are cut off.
    pub ply: Tier,
    /// Tiers that come before it and have no table.
    pub missing: Vec<Tier>,
    /// The run that is to make them, if it was begun.
    pub run: Option<RunStatus>,
}

/// The progress of the runs for all cuts, the earliest first; empty if none has begun.
pub fn cut_status(tables: &Path, board: Board) -> Result<Vec<CutStatus>, TabulateError> {
    let is_begun = cuts(board, Tier(0)).any(|ply| cut_folder(tables, ply).exists());
    let status = |ply: Tier| {
        let folder = cut_folder(tables, ply);
        let missing = inventory(&folder, board)?.missing();
        let missing = missing.into_iter().filter(|tier| *tier < ply).collect();
        Ok(CutStatus { ply, missing, run: run_status(&folder)? })
    };
    cuts(board, Tier(0)).filter(|_| is_begun).map(status).collect()
}

/// The progress of the run with these tables, if one has begun.
pub fn run_status(tables: &Path) -> Result<Option<RunStatus>, TabulateError> {
    let folder = run_folder(tables);
    let Some(RunFile { label: run, batches, cells }) = RunFile::read(&folder)? else {
        return Ok(None);
    };
    let mut status = RunStatus {
        board: run.board,
        tiers: run.tiers,
        every_cell: run.every_cell,
        cells,
        cells_done: 0,
        batches,
        done: 0,
        claimed: Vec::new(),
        next: None,
        plan: None,
    };
    let pieces = Pieces { folder: folder.clone(), run };
    let mut is_done = vec![false; batches];
    for (batch, is_done) in is_done.iter_mut().enumerate() {
        match pieces.open(batch) {
            Ok(piece) => {
                *is_done = true;
                status.done += 1;
                status.cells_done = status.cells_done.saturating_add(piece.done.cells);
            }
            Err(error @ WorkingFileError { fault: FileFault::NotAFile { .. }, .. }) => {
                return Err(error.into());
            }
            Err(_) if Claim::is_taken(&claim_file(&folder, batch))? => status.claimed.push(batch),
            Err(_) => status.next = status.next.or(Some(batch)),
        }
    }
    if let Some(PlanFile { parts, .. }) = PlanFile::read(&folder)? {
        let scope = if run.every_cell { Scope::EveryCell } else { Scope::InDoubt };
        let extent = Extent::new(&Arc::new(Census::new(run.board)?), scope);
        let plan = Plan::new(&extent, run.tiers, parts);
        let is_of_the_run = plan.batches() == batches;
        status.plan = is_of_the_run.then(|| PlanStatus::new(&plan, &is_done, &status.claimed));
    }
    Ok(Some(status))
}
