//! What is asked for, who is told how it goes, and what there is in the end.

use std::path::PathBuf;

use crate::board::{Board, TierRange};
use crate::progress::Progress;
use crate::sealed::WorkingFileError;
use crate::solve::TierSolution;
use crate::sweep::{Cpu, Scope};
use crate::table::Horizon;

use super::estimate::Estimate;

/// Empty cells that a look-up searches to the end, so that tables need not hold
/// them: microseconds.
pub const HORIZON: Horizon = Horizon(14);

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

/// Somebody who is told what is going to happen and how it goes.
pub trait Listener: Progress {
    /// Work begins: over these tiers, from this batch on.
    fn begins(&self, tiers: TierRange, estimate: &Estimate, batch: usize, batches: usize);

    /// The pieces that are there have so many bytes.
    fn wrote(&self, bytes: u64);

    /// A file of an earlier run can not be used: what it held is done again.
    fn does_again(&self, error: &WorkingFileError);
}

impl Listener for () {
    fn begins(&self, _tiers: TierRange, _estimate: &Estimate, _batch: usize, _batches: usize) {}

    fn wrote(&self, _bytes: u64) {}

    fn does_again(&self, _error: &WorkingFileError) {}
}
