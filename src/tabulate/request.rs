//! A request for tables, the listener that hears of its progress, and the result.

use std::path::{Path, PathBuf};

use crate::board::{Board, Tier, TierRange};
use crate::progress::Progress;
use crate::sealed::WorkingFileError;
use crate::solve::TierSolution;
use crate::sweep::{Cpu, End, Extent, Scope};
use crate::table::{Content, Horizon, Inventory, TableError};

use super::error::TabulateError;
use super::estimate::Estimate;

/// The default number of empty cells that a look-up searches to the end.
pub const HORIZON: Horizon = Horizon::OF_OUTCOMES;

/// The default for scores, and for the cut-off games that they come from.
const SCORE_HORIZON: Horizon = Horizon::OF_SCORES;

/// What to solve, and where to put it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The board.
    pub board: Board,
    /// The tiers.
    pub tiers: TierRange,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// The folder of the working files.
    pub scratch: PathBuf,
    /// Bytes that may be resident.
    pub memory: Option<u64>,
    /// The form of the kernels.
    pub cpu: Cpu,
    /// Which cells are worked on; the tables are the same.
    pub scope: Scope,
    /// The ply after which games are cut off, if any. Games that are open then count as draws.
    pub cut: Option<Tier>,
    /// Positions with at most this many empty cells are not stored; the default suits 7x6. All
    /// runs in a folder must use the same number.
    pub horizon: Option<Horizon>,
}

impl Request {
    /// The last tier that has positions to solve.
    pub(super) fn last_tier(&self) -> Tier {
        match self.cut {
            Some(cut) => Tier(cut.0.saturating_sub(1)),
            None => self.board.last_tier(),
        }
    }

    /// Where its games end; an error if they cannot be cut off there.
    pub(super) fn end(&self, extent: &Extent) -> Result<End, TabulateError> {
        match self.cut {
            None => Ok(End::full_board(self.board)),
            Some(ply) => {
                let (board, every_cell) = (self.board, self.scope == Scope::EveryCell);
                let error = TabulateError::Cut { board, ply, every_cell };
                End::cut_off(extent, ply).ok_or(error)
            }
        }
    }

    /// The cost of some of its tiers.
    pub(super) fn estimate(
        &self,
        extent: &Extent,
        tiers: TierRange,
    ) -> Result<Estimate, TabulateError> {
        Ok(Estimate::of(extent, tiers, self.end(extent)?, self.horizon()))
    }

    /// How close to the end positions are no longer stored in tables.
    pub(super) fn horizon(&self) -> Horizon {
        self.horizon.unwrap_or(if self.cut.is_some() { SCORE_HORIZON } else { HORIZON })
    }

    /// The same for tables of scores.
    pub(super) fn score_horizon(&self) -> Horizon {
        self.horizon.unwrap_or(SCORE_HORIZON)
    }

    /// The content of its tables.
    pub(super) fn content(&self) -> Content {
        Content::Outcomes { cut: self.cut }
    }

    /// The tiers that have no table.
    pub(super) fn missing(&self) -> Result<Vec<Tier>, TableError> {
        let missing = Inventory::of(&self.tables, self.board)?.missing();
        Ok(missing.into_iter().filter(|tier| *tier <= self.last_tier()).collect())
    }
}

/// The tables that exist in the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Tabulated {
    /// The tiers, fewest stones first.
    pub tiers: Vec<TierSolution>,
    /// Bytes of all their tables.
    pub bytes: u64,
    /// Tiers whose tables existed before.
    pub found: usize,
}

/// The start of a run or of a part, or its continuation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Beginning {
    /// The part that this process solves and the number of parts; `None` if it solves them all.
    pub part: Option<(usize, usize)>,
    /// Its tiers.
    pub tiers: TierRange,
    /// The ply after which games are cut off, if any.
    pub cut: Option<Tier>,
    /// Its cost from the beginning.
    pub estimate: Estimate,
    /// Batches that are done.
    pub done: usize,
    /// All of its batches.
    pub batches: usize,
}

/// Hears what is going to happen, and how it goes. Each method does nothing unless it is overridden.
pub trait Listener: Progress {
    /// This many runs will follow each other, at this cost in all.
    fn intends(&self, _estimate: &Estimate, _runs: usize) {}

    /// The work comes to the run with this number, from 1. One more than there are runs stands for
    /// the tables of scores, at the end.
    fn turns_to(&self, _run: usize, _runs: usize) {}

    /// This part of the work, `done` of `total`, had been done before this process came to it, so
    /// it says nothing about its pace.
    fn finds(&self, _done: u64, _total: u64) {}

    /// A run begins or continues.
    fn begins(&self, _run: &Beginning) {}

    /// Tables of scores will be made for these tiers.
    fn merges(&self, _tiers: TierRange) {}

    /// The existing pieces have this many bytes.
    fn wrote(&self, _bytes: u64) {}

    /// A file of an earlier run is unusable; its content will be computed again.
    fn does_again(&self, _error: &WorkingFileError) {}

    /// Another process is beginning or ending a run in this folder.
    fn waits(&self, _folder: &Path) {}

    /// The manifest of this folder is being made again from its tables.
    fn lists_again(&self, _folder: &Path) {}
}

impl Listener for () {}
