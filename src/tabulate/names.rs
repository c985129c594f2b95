//! The names of the files of a run, in a folder of its own beside the tables.
//!
//! ```text
//!     run.json       which run it is
//!     plan.json      into how many parts it is cut, if it is planned
//!     007.piece      the result of batch 7
//!     counts         how many positions there are, as far as they have been counted
//!     007.claim      locked while a process is at work on batch 7
//!     tables.claim   locked while a process puts the tables together
//! ```
//!
//! The files that batches leave for each other are elsewhere: in a folder for the board, among
//! the working files.
//!
//! A [`Claim`] is a lock on some work.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::board::{Board, Tier};
use crate::files::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};
use crate::files::{Lock, is_locked};
use crate::sweep::Planes;

/// The folder of the run that makes these tables.
pub(super) fn run_folder(tables: &Path) -> PathBuf {
    tables.join("run")
}

/// The working files of games that are cut off after this ply.
pub(super) fn cut_scratch(scratch: &Path, ply: Tier) -> PathBuf {
    scratch.join(format!("cut-{ply:02}"))
}

/// The folder of the working files of a board, of these planes.
pub(super) fn kept_folder(scratch: &Path, board: Board, planes: Planes) -> PathBuf {
    scratch.join(match planes {
        Planes::Both => board.to_string(),
        one => format!("{board}-{one}"),
    })
}

/// Which run it is.
pub(super) fn run_file(run: &Path) -> PathBuf {
    run.join("run.json")
}

/// Into how many parts it is cut.
pub(super) fn plan_file(run: &Path) -> PathBuf {
    run.join("plan.json")
}

/// The result of a batch.
pub(super) fn piece_file(run: &Path, batch: usize) -> PathBuf {
    run.join(format!("{batch:03}.piece"))
}

/// The claim on a batch.
pub(super) fn claim_file(run: &Path, batch: usize) -> PathBuf {
    run.join(format!("{batch:03}.claim"))
}

/// How many positions the tiers have.
pub(super) const COUNTS: &str = "counts";

/// Whether this is the name of a file that is removed with its run, after `run.json`.
pub(super) fn is_of_a_run(name: &str) -> bool {
    name == "plan.json"
        || name == COUNTS
        || [".piece", ".claim"].iter().any(|end| name.ends_with(end))
}

/// The batch that has a piece of this name.
pub(super) fn batch_of_piece(name: &str) -> Option<usize> {
    name.strip_suffix(".piece")?.parse().ok()
}

/// Whether this is the name of a claim.
pub(super) fn is_claim(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "claim")
}

/// The claim on putting the tables together.
pub(super) fn tables_claim_file(run: &Path) -> PathBuf {
    run.join("tables.claim")
}

/// The right to do some work of a run, until it is dropped.
///
/// Claims only save work: a batch that is solved twice has the same result, and so has a table that
/// is put together twice. Each is written under a name of its own, and published as a whole. So a
/// file system without locks, or one that hides them from other machines, costs nothing but time.
#[derive(Debug)]
pub(super) struct Claim(Lock);

impl Claim {
    /// Claims some work; `None` if another process has, or has ended the run and removed its
    /// folder.
    pub(super) fn take(path: &Path) -> Result<Option<Claim>, WorkingFileError> {
        Ok(Lock::take(path).of_working_file(path, WRITE)?.map(Claim))
    }

    /// Whether other processes can see it: not where files cannot be locked.
    pub(super) fn is_seen(&self) -> bool {
        self.0.is_seen()
    }

    /// Whether a process has claimed this.
    pub(super) fn is_taken(path: &Path) -> Result<bool, WorkingFileError> {
        is_locked(path, File::try_lock_shared).of_working_file(path, READ)
    }
}
