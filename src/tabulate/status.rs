//! How far a run is, told from its files without taking part in it.

use std::path::Path;

use crate::board::{Board, Tier, TierRange};
use crate::plies::cuts;
use crate::sealed::{Kind, Label};
use crate::table::{Fault, Inventory, TableError, cut_folder};

use super::claim::Claim;
use super::error::TabulateError;
use super::names::{claim_file, piece_file, run_folder};
use super::piece::Piece;
use super::run_file::RunFile;

/// How far a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStatus {
    /// The board.
    pub board: Board,
    /// Its tiers.
    pub tiers: TierRange,
    /// Does it sweep every cell?
    pub every_cell: bool,
    /// Cells that it works on, and those of the batches that are done.
    pub cells: u64,
    /// Cells of the batches that are done.
    pub cells_done: u64,
    /// How many batches there are.
    pub batches: usize,
    /// How many are done.
    pub done: usize,
    /// Batches that processes are at work on.
    pub claimed: Vec<usize>,
    /// The first batch that is neither done nor claimed.
    pub next: Option<usize>,
}

/// How far the scores of a board are: the run for one of the cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutStatus {
    /// The ply after which games are cut off.
    pub ply: Tier,
    /// Tiers that come before it and have no table.
    pub missing: Vec<Tier>,
    /// The run that is to make them, if it was begun.
    pub run: Option<RunStatus>,
}

/// How far the runs for all cuts are, the earliest cut first; none if nobody has begun one.
pub fn cut_status(tables: &Path, board: Board) -> Result<Vec<CutStatus>, TabulateError> {
    let status = |ply: Tier| -> Result<(bool, CutStatus), TabulateError> {
        let folder = cut_folder(tables, ply);
        let (is_there, inventory) = match Inventory::of(&folder, board) {
            Err(TableError { fault: Fault::NoFolder, .. }) => (false, Inventory::empty(board)),
            inventory => (true, inventory?),
        };
        let missing = inventory.missing().into_iter().filter(|tier| *tier < ply).collect();
        Ok((is_there, CutStatus { ply, missing, run: run_status(&folder)? }))
    };
    let cuts = cuts(board, Tier(0)).map(status).collect::<Result<Vec<_>, _>>()?;
    let is_begun = cuts.iter().any(|(is_there, _)| *is_there);
    Ok(cuts.into_iter().map(|(_, cut)| cut).filter(|_| is_begun).collect())
}

/// How far the run with these tables is, if one was begun.
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
    };
    for batch in 0..batches {
        let label = Label { kind: Kind::Piece, run, tier: None, batch };
        if let Ok(piece) = Piece::open(piece_file(&folder, batch), label) {
            status.done += 1;
            status.cells_done = status.cells_done.saturating_add(piece.done.cells);
        } else if Claim::is_taken(&claim_file(&folder, batch)) {
            status.claimed.push(batch);
        } else {
            status.next = status.next.or(Some(batch));
        }
    }
    Ok(Some(status))
}
