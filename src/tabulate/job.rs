//! A job: a request, and everything that follows from it. It is made once and borrowed by all that
//! work on the request, so they share one census, one set of sizes and one listener.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::board::{Tier, TierRange};
use crate::count::TierCount;
use crate::files::Disk;
use crate::files::sealed::RunLabel;
use crate::index::Census;
use crate::sweep::{End, Extent, Planes, Scope};
use crate::table::{TableError, TableSummary, sound_tables, tiers_in};

use super::error::TabulateError;
use super::estimate::{Budget, Estimate, Handoffs, MemoryPlan};
use super::free_space::FreeSpace;
use super::listener::{Listener, Share};
use super::names::{kept_folder, run_file, run_folder};
use super::pieces::{Ledger, Pieces};
use super::request::Request;

/// A request for tables, on a disk.
pub(super) struct Job<'a> {
    pub disk: &'a Disk,
    pub request: &'a Request,
    pub listener: &'a dyn Listener,
    /// The share of the work of a larger job that it is, if any.
    pub share: Option<&'a Share<'a>>,
    /// The requested tiers, all of which the board has.
    pub tiers: TierRange,
    /// The folder of the run, beside the tables.
    pub run: PathBuf,
    /// The folder of the working files.
    pub kept: PathBuf,
    /// The memory that a run may take. It is determined once, so that a run keeps to what was
    /// announced.
    pub budget: Budget,
    /// How many positions tiers have, if a run over the same board has counted them.
    pub counts: Option<&'a [TierCount]>,
    /// The cost of the requested tiers, once it has been asked for.
    cost: OnceLock<Cost>,
    measures: Arc<Measures>,
}

/// What a run costs from the beginning, and how it divides its memory.
#[derive(Clone)]
pub(super) struct Cost {
    pub estimate: Estimate,
    pub memory: MemoryPlan,
}

/// The measures of a board, which all runs over it share.
struct Measures {
    census: Arc<Census>,
    scope: Scope,
    planes: Planes,
    /// The fewest cells of a batch, unless it is the default.
    batch_cells: Option<u64>,
    extent: OnceLock<Extent>,
}

impl<'a> Job<'a> {
    /// The job of a request.
    pub(super) fn new(
        disk: &'a Disk,
        request: &'a Request,
        listener: &'a dyn Listener,
    ) -> Result<Job<'a>, TabulateError> {
        Job::with_batches_of(None, disk, request, listener)
    }

    /// The same with batches of at least this many cells. Processes that work on the same run must
    /// agree on them.
    pub(super) fn with_batches_of(
        batch_cells: Option<u64>,
        disk: &'a Disk,
        request: &'a Request,
        listener: &'a dyn Listener,
    ) -> Result<Job<'a>, TabulateError> {
        let census = Arc::new(Census::new(request.board)?);
        let (scope, planes, extent) = (request.scope, Planes::Both, OnceLock::new());
        let measures = Measures { census, scope, planes, batch_cells, extent };
        Job::over(Arc::new(measures), disk, request, listener, None)
    }

    /// The job of another request over the same board and scope, which works on these planes.
    pub(super) fn for_request<'b>(
        &self,
        planes: Planes,
        request: &'b Request,
        share: Option<&'b Share<'b>>,
    ) -> Result<Job<'b>, TabulateError>
    where
        'a: 'b,
    {
        let Measures { ref census, scope, batch_cells, .. } = *self.measures;
        let measures = if planes == self.planes() {
            self.measures.clone()
        } else {
            let (census, extent) = (census.clone(), OnceLock::new());
            Arc::new(Measures { census, scope, planes, batch_cells, extent })
        };
        Job::over(measures, self.disk, request, self.listener, share)
    }

    fn over(
        measures: Arc<Measures>,
        disk: &'a Disk,
        request: &'a Request,
        listener: &'a dyn Listener,
        share: Option<&'a Share<'a>>,
    ) -> Result<Job<'a>, TabulateError> {
        let tiers = request.tiers.within(request.board)?;
        let run = run_folder(&request.tables);
        let kept = kept_folder(&request.scratch, request.board, measures.planes);
        let (budget, cost) = (request.budget(), OnceLock::new());
        let counts = None;
        Ok(Job { disk, request, listener, share, tiers, run, kept, budget, counts, cost, measures })
    }

    /// The same job, which need not count positions.
    pub(super) fn with_counts(self, counts: &'a [TierCount]) -> Job<'a> {
        Job { counts: Some(counts), ..self }
    }

    /// The outcome planes that are worked on.
    pub(super) fn planes(&self) -> Planes {
        self.measures.planes
    }

    /// The census of the board.
    pub(super) fn census(&self) -> &Arc<Census> {
        &self.measures.census
    }

    /// The part of the board that is worked on, and its sizes.
    pub(super) fn extent(&self) -> &Extent {
        let Measures { census, scope, planes, batch_cells, extent } = &*self.measures;
        extent.get_or_init(|| {
            let extent = Extent::of_planes(census, *scope, *planes);
            match batch_cells {
                Some(cells) => extent.with_batches_of(*cells),
                None => extent,
            }
        })
    }

    /// Where games end; an error if they cannot be cut off there.
    pub(super) fn end(&self) -> Result<End, TabulateError> {
        let Request { board, cut, scope, .. } = *self.request;
        match cut {
            None => Ok(End::full_board(board)),
            Some(ply) => {
                let every_cell = scope == Scope::EveryCell;
                let error = TabulateError::Cut { board, ply, every_cell };
                End::cut_off(self.extent(), ply).ok_or(error)
            }
        }
    }

    /// The cost of solving these tiers, from the beginning.
    pub(super) fn estimate(&self, tiers: TierRange) -> Result<Estimate, TabulateError> {
        Ok(self.cost(tiers)?.estimate)
    }

    /// How a run over these tiers divides the memory that it may take if none of it may be used for
    /// handoffs.
    pub(super) fn memory_without_handoffs(&self, tiers: TierRange) -> MemoryPlan {
        let horizon = self.request.horizon();
        MemoryPlan::of(self.extent(), tiers, horizon, self.budget, Handoffs::InFiles)
    }

    /// What a run over these tiers costs from the beginning, and how it divides its memory. All
    /// divisions are compared, which takes seconds on large boards.
    pub(super) fn cost(&self, tiers: TierRange) -> Result<Cost, TabulateError> {
        let (end, horizon, extent) = (self.end()?, self.request.horizon(), self.extent());
        let with = |handoffs| {
            let memory = MemoryPlan::of(extent, tiers, horizon, self.budget, handoffs);
            let checkpoint = self.request.checkpoint;
            Cost {
                estimate: Estimate::of(extent, tiers, end, horizon, &memory, checkpoint),
                memory,
            }
        };
        let find = || {
            let cost = with(Handoffs::Anywhere);
            if cost.memory.placement.files == 0 || self.has_room_for(&cost.estimate) {
                return cost;
            }
            with(Handoffs::InLittleSpace)
        };
        Ok(if tiers == self.tiers { self.cost.get_or_init(find).clone() } else { find() })
    }

    /// Whether the disks have room for all files of a run, some of which may be there.
    fn has_room_for(&self, estimate: &Estimate) -> bool {
        let free = FreeSpace::of(self.disk, self.request);
        let free =
            if self.is_under_way() { free.without_files_in(&self.kept, &self.run) } else { free };
        free.refuse_less(self.request, estimate).is_ok()
    }

    /// An error if the listener has stopped the work.
    pub(super) fn refuse_if_stopped(&self) -> Result<(), TabulateError> {
        if self.listener.is_stopped() { Err(TabulateError::Stopped) } else { Ok(()) }
    }

    /// The tiers that have no table. None is opened.
    pub(super) fn missing(&self) -> Result<Vec<Tier>, TableError> {
        let there = tiers_in(&self.request.tables, self.request.board)?;
        let all = TierRange::all(self.request.board).into_iter();
        let last = self.request.last_tier();
        Ok(all.filter(|tier| *tier <= last && !there.contains(tier)).collect())
    }

    /// Whether all these tiers have tables. None is opened.
    pub(super) fn has_tables(&self, tiers: TierRange) -> Result<bool, TableError> {
        let missing = self.missing()?;
        Ok(!tiers.into_iter().any(|tier| missing.contains(&tier)))
    }

    /// Summaries of all tables in the folder. They are opened and checked, except for their blocks.
    pub(super) fn sound_tables(&self) -> Result<Vec<TableSummary>, TableError> {
        sound_tables(&self.request.tables, self.census(), self.request.content())
    }

    /// Whether a run was begun and has not been ended.
    pub(super) fn is_under_way(&self) -> bool {
        run_file(&self.run).exists()
    }

    /// The record of the batches of this run.
    pub(super) fn ledger(&self, run: RunLabel) -> Ledger<'_> {
        Ledger::new(self.extent().schedule(), Pieces { folder: self.run.clone(), run })
    }
}
