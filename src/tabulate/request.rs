//! A request for tables, the listener that hears of its progress, and the result.

use std::path::PathBuf;

use crate::board::{Board, Tier, TierRange};
use crate::progress::Progress;
use crate::sealed::WorkingFileError;
use crate::solve::TierSolution;
use crate::sweep::{Cpu, End, Scope, Sizes};
use crate::table::{Content, Horizon, Inventory, TableError};

use super::error::TabulateError;
use super::estimate::Estimate;

/// Empty cells that a look-up searches to the end, unless somebody wants others.
pub const HORIZON: Horizon = Horizon::OF_OUTCOMES;

/// The same for scores, and for the games that are cut off to find them.
const SCORE_HORIZON: Horizon = Horizon::OF_SCORES;

/// What is to be solved, and where it is to be put.
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
    /// The ply after which games are cut off, if they do not go on to the full board: what is
    /// open then is a draw.
    pub cut: Option<Tier>,
    /// So many empty cells or fewer, and a position is not in the tables, if not as many as are
    /// best on 7x6. All that write in a folder must agree on it.
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

    /// Where its games end; none if they cannot be cut off there.
    pub(super) fn end(&self, sizes: &Sizes) -> Result<End, TabulateError> {
        match self.cut {
            None => Ok(End::full_board(self.board)),
            Some(ply) => {
                let (board, every_cell) = (self.board, self.scope == Scope::EveryCell);
                let error = TabulateError::Cut { board, ply, every_cell };
                End::cut_off(sizes, ply).ok_or(error)
            }
        }
    }

    /// What some of its tiers take.
    pub(super) fn estimate(
        &self,
        sizes: &Sizes,
        tiers: TierRange,
    ) -> Result<Estimate, TabulateError> {
        Ok(Estimate::of(sizes, tiers, self.end(sizes)?, self.horizon()))
    }

    /// So near to the end positions are not in the tables.
    pub(super) fn horizon(&self) -> Horizon {
        self.horizon.unwrap_or(if self.cut.is_some() { SCORE_HORIZON } else { HORIZON })
    }

    /// The same for tables of scores.
    pub(super) fn score_horizon(&self) -> Horizon {
        self.horizon.unwrap_or(SCORE_HORIZON)
    }

    /// What its tables tell.
    pub(super) fn content(&self) -> Content {
        Content::Outcomes { cut: self.cut }
    }

    /// The tiers that have no table.
    pub(super) fn missing(&self) -> Result<Vec<Tier>, TableError> {
        let missing = Inventory::of(&self.tables, self.board)?.missing();
        Ok(missing.into_iter().filter(|tier| *tier <= self.last_tier()).collect())
    }
}

/// Tables that are there now.
#[derive(Clone, PartialEq, Debug)]
pub struct Tabulated {
    /// The tiers, fewest stones first.
    pub tiers: Vec<TierSolution>,
    /// Bytes of all their tables.
    pub bytes: u64,
    /// Tiers that were there already.
    pub found: usize,
}

/// A run, or a part of it, that begins, or goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Beginning {
    /// The part of it that this process solves, and how many there are; none if it solves all.
    pub part: Option<(usize, usize)>,
    /// Its tiers.
    pub tiers: TierRange,
    /// The ply after which games are cut off, if they do not go on to the full board.
    pub cut: Option<Tier>,
    /// What it takes from the beginning.
    pub estimate: Estimate,
    /// Batches that are done.
    pub done: usize,
    /// All of its batches.
    pub batches: usize,
}

/// Somebody who is told what is going to happen and how it goes.
pub trait Listener: Progress {
    /// So many runs are going to follow each other, which take so much in all.
    fn intends(&self, estimate: &Estimate, runs: usize);

    /// A run begins, or goes on.
    fn begins(&self, run: &Beginning);

    /// Tables of scores are going to be made of these tiers.
    fn merges(&self, tiers: TierRange);

    /// The pieces that are there have this many bytes.
    fn wrote(&self, bytes: u64);

    /// A file of an earlier run cannot be used: what it held is done again.
    fn does_again(&self, error: &WorkingFileError);
}

impl Listener for () {
    fn intends(&self, _estimate: &Estimate, _runs: usize) {}

    fn begins(&self, _run: &Beginning) {}

    fn merges(&self, _tiers: TierRange) {}

    fn wrote(&self, _bytes: u64) {}

    fn does_again(&self, _error: &WorkingFileError) {}
}
