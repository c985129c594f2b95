//! Why a board could not be tabulated.

use std::io;
use std::path::PathBuf;

use crate::board::{Board, Tier, TierRange, TierRangeError};
use crate::files::sealed::WorkingFileError;
use crate::memory::Bytes;
use crate::plies::NotNested;
use crate::solve::Disagreement;
use crate::table::TableError;
use crate::too_large::BoardTooLarge;

/// Why a board could not be tabulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TabulateError {
    /// Tiers that the board does not have.
    #[error(transparent)]
    Tiers(#[from] TierRangeError),
    /// A board too large to be indexed, to be sorted by move order, or to be counted.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// The listener has stopped the work. All that is solved is published.
    #[error("stopped")]
    Stopped,
    /// A working file.
    #[error(transparent)]
    WorkingFile(#[from] WorkingFileError),
    /// A table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A folder that does not exist and cannot be created.
    #[error("cannot make the folder {}: {error}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Games that cannot be cut off there.
    #[error(
        "games on {board} can be cut off after ply 1 to {}, not after {ply}{}",
        .board.last_tier().0.saturating_sub(1),
        if *.every_cell { ", and only by a sweep that leaves cells out" } else { "" }
    )]
    Cut {
        /// The board.
        board: Board,
        /// The ply that was asked for.
        ply: Tier,
        /// Whether every cell was to be swept.
        every_cell: bool,
    },
    /// A thread that cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// More memory than may be used.
    #[error(
        "solving {board} takes {} of memory, and {} may be used",
        Bytes(*.needed), Bytes(*.available)
    )]
    Memory {
        /// The board.
        board: Board,
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that may be used.
        available: u64,
    },
    /// A disk that is too small.
    #[error(
        "{} has {} free, and about {} are needed",
        .folder.display(), Bytes(*.available), Bytes(*.needed)
    )]
    Disk {
        /// A folder on it.
        folder: PathBuf,
        /// Bytes that will be written.
        needed: u64,
        /// Bytes that are free.
        available: u64,
    },
    /// No tier to start from.
    #[error(
        "tier {} follows from tier {tier}, which no earlier run has kept in {}",
        .tier.0 - 1, .scratch.display()
    )]
    NoStart {
        /// The board.
        board: Board,
        /// The tier that is missing.
        tier: Tier,
        /// The first tier that was asked for.
        first: Tier,
        /// Where it was looked for.
        scratch: PathBuf,
    },
    /// Another run was stopped and has not been finished.
    #[error(
        "{} holds an unfinished run over tiers {found} of {board} {}", .run.display(),
        if *.every_cell { "that sweeps every cell" } else { "that does not sweep every cell" }
    )]
    Unfinished {
        /// The board of that run.
        board: Board,
        /// Its tiers.
        found: TierRange,
        /// Whether it sweeps every cell.
        every_cell: bool,
        /// Its folder.
        run: PathBuf,
    },
    /// A run file that does not say which run the pieces in its folder belong to.
    #[error("{} cannot be read: {reason}", .path.display())]
    RunFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A plan file that does not say into how many parts a run is cut.
    #[error("{} cannot be read: {reason}", .path.display())]
    PlanFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A run that was planned with another number of parts.
    #[error("{} cuts the run into {found} parts, not {wanted}", .path.display())]
    OtherPlan {
        /// The file with the plan.
        path: PathBuf,
        /// Parts that were asked for before.
        found: usize,
        /// Parts that are asked for now.
        wanted: usize,
    },
    /// No run is planned in a folder.
    #[error("no run over {board} is planned in {}", .tables.display())]
    NotPlanned {
        /// The board.
        board: Board,
        /// The folder.
        tables: PathBuf,
    },
    /// A part that a plan does not have.
    #[error("the run has parts 1 to {parts}, and no part {part}")]
    NoSuchPart {
        /// The part that was asked for.
        part: usize,
        /// How many there are.
        parts: usize,
    },
    /// A part that must be done first.
    #[error(
        "{} part {needed}, which is not done: {} is missing",
        .part.map_or("the tables need".to_owned(), |part| format!("part {part} needs")),
        .file.display()
    )]
    NeedsPart {
        /// The board.
        board: Board,
        /// The folder.
        tables: PathBuf,
        /// The part that was asked for; none for the tables.
        part: Option<usize>,
        /// The part that comes before.
        needed: usize,
        /// What of it is missing.
        file: PathBuf,
    },
    /// A file that a finished part handed on to others, and that is gone.
    #[error("{} is lost, which part {needed} made", .file.display())]
    Lost {
        /// The board.
        board: Board,
        /// The folder.
        tables: PathBuf,
        /// The part that made it.
        needed: usize,
        /// The file.
        file: PathBuf,
    },
    /// A table that should be there.
    #[error("the table of tier {tier} has gone from {}", .tables.display())]
    Missing {
        /// The tier.
        tier: Tier,
        /// The folder.
        tables: PathBuf,
    },
    /// Games that end later are not won where those that end sooner are.
    #[error("{}: {fault}", .folder.display())]
    NotNested {
        /// The folder of the tables, with those of the cuts in it.
        folder: PathBuf,
        /// What does not fit together.
        fault: NotNested,
    },
    /// The sweep met a different number of live positions than there are.
    #[error(transparent)]
    Disagreement(#[from] Disagreement),
}
