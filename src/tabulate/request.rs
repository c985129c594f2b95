//! A request for tables, and the result.

use std::path::PathBuf;
use std::time::Duration;

use crate::board::{Board, Tier, TierRange};
use crate::memory;
use crate::solve::TierSolution;
use crate::sweep::{Cpu, Scope};
use crate::table::{Content, Horizon};

use super::estimate::Budget;

/// The default number of empty cells that a look-up searches to the end.
pub const HORIZON: Horizon = Horizon::OF_OUTCOMES;

/// The default for scores, and for the cut-off games that they come from.
const SCORE_HORIZON: Horizon = Horizon::OF_SCORES;

/// The default time until solved batches are published.
const CHECKPOINT: Duration = Duration::from_secs(180);

/// What a run leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A table of outcomes for each tier.
    Outcomes,
    /// These, and in a folder inside theirs, tables of how soon each position is over.
    Scores,
    /// No tables: the counts of each tier alone.
    Counts,
}

/// What to solve, and where to put it.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is wanted.
    pub wanted: Wanted,
    /// The board.
    pub board: Board,
    /// The tiers.
    pub tiers: TierRange,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// The folder of the working files.
    pub scratch: PathBuf,
    /// The most memory that the process may take, in bytes. `None` stands for three fifths of the
    /// available memory, as far as it is useful.
    pub memory: Option<u64>,
    /// How much work may be lost if the process is killed: solved batches wait this long until they
    /// are published.
    pub checkpoint: Duration,
    /// The form of the kernels.
    pub cpu: Cpu,
    /// Which cells are worked on; the tables are the same.
    pub scope: Scope,
    /// The ply after which games are cut off, if any. Games that are undecided then count as draws.
    /// Scores are made from many such runs, and cannot be wanted of one.
    pub cut: Option<Tier>,
    /// Positions with at most this many empty cells are not stored in tables but searched. All
    /// tables in a folder must have the same horizon. The defaults suit 7x6.
    pub horizon: Option<Horizon>,
}

impl Request {
    /// A request for tables of the outcomes of all tiers of a board. Working files are in a folder
    /// inside theirs.
    pub fn new(board: Board, tables: impl Into<PathBuf>) -> Request {
        let tables = tables.into();
        Request {
            wanted: Wanted::Outcomes,
            board,
            tiers: TierRange::all(board),
            scratch: tables.join("scratch"),
            tables,
            memory: None,
            checkpoint: CHECKPOINT,
            cpu: Cpu::widest(),
            scope: Scope::InDoubt,
            cut: None,
            horizon: None,
        }
    }

    /// The same with tables of scores.
    pub fn with_scores(self) -> Request {
        Request { wanted: Wanted::Scores, ..self }
    }

    /// The same without tables. Only the counts of each tier remain, among the working files, as
    /// tables that hold no positions.
    pub fn without_tables(self) -> Request {
        let tables = self.scratch.join(format!("{}-counts", self.board));
        Request { wanted: Wanted::Counts, tables, horizon: Some(Horizon::OF_ALL), ..self }
    }

    /// The memory that a run may take: three fifths of the available memory, as far as it is
    /// useful, unless the request says otherwise.
    pub(super) fn budget(&self) -> Budget {
        match self.memory {
            Some(bytes) => Budget::AllOf(bytes),
            None => {
                let bytes = memory::available().map_or(u64::MAX, |bytes| bytes / 10 * 6);
                let leads_to_scores = self.wanted == Wanted::Scores || self.cut.is_some();
                Budget::UsefulOf { bytes, one_in: if leads_to_scores { 50 } else { 10 } }
            }
        }
    }

    /// The last tier that has positions to solve.
    pub(super) fn last_tier(&self) -> Tier {
        match self.cut {
            Some(cut) => Tier(cut.0.saturating_sub(1)),
            None => self.board.last_tier(),
        }
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
