//! Arguments of several subcommands: a board, tiers, the folder of tables, and the reference that
//! numbers are compared with.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use strong4::board::{Board, Tier, TierRange};
use strong4::table::{
    FolderError, Inventory, default_folder, existing, inventory, meant, table_file,
};
use strong4::{Solver, SolverError};

use crate::cli::output::numbers::ranges;
use crate::cli::output::say;

/// The board that a subcommand works on.
#[derive(Args)]
pub(crate) struct BoardArg {
    /// Columns and rows of the board
    #[arg(long, value_name = "WxH", default_value_t = Board::STANDARD)]
    pub board: Board,
}

/// The reference that a subcommand compares its numbers with.
#[derive(Args)]
pub(crate) struct CheckArg {
    /// Compare with known numbers: the built-in ones, or those in FILE, as printed by
    /// --csv; exit code 1 on a difference
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    check: Option<Option<PathBuf>>,
}

impl CheckArg {
    /// The requested reference: the built-in one, or that of a file.
    pub(crate) fn reference<R, E: Error + Send + Sync + 'static>(
        &self,
        built_in: impl FnOnce() -> anyhow::Result<R>,
        parse: impl FnOnce(&str) -> Result<R, E>,
    ) -> anyhow::Result<Option<R>> {
        let Some(file) = &self.check else { return Ok(None) };
        let Some(file) = file else { return built_in().map(Some) };
        let name = || format!("cannot read the reference {}", file.display());
        let text = fs::read_to_string(file).with_context(name)?;
        parse(&text).map(Some).with_context(name)
    }
}

/// The tiers that a subcommand works on.
#[derive(Args)]
pub(crate) struct TiersArg {
    /// Tiers from A to B, both included, or a single one [default: all of the board]
    #[arg(long, value_name = "A..B")]
    tiers: Option<TierRange>,
}

impl TiersArg {
    /// The requested tiers, if the board has them.
    pub(crate) fn of(&self, board: Board) -> anyhow::Result<TierRange> {
        self.tiers.unwrap_or(TierRange::all(board)).within(board).context("--tiers")
    }
}

/// Tiers in order, with runs abbreviated as users type them: `0..4, 7`.
pub(crate) fn runs(tiers: &[Tier]) -> String {
    ranges(&tiers.iter().map(|tier| tier.stones()).collect::<Vec<usize>>())
}

/// The tables that a subcommand works on.
#[derive(Args)]
pub(crate) struct TablesArg {
    /// Columns and rows of the board [default: the board whose tables are in DIR, or 7x6]
    #[arg(long, value_name = "WxH")]
    pub board: Option<Board>,
    /// Folder of the tables [default: tables/WxH]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

impl TablesArg {
    /// The board and the folder that the options select.
    pub(crate) fn resolve(&self) -> Result<(Board, PathBuf), FolderError> {
        meant(self.board, self.tables.as_deref())
    }

    /// The same, and the inventory of the folder, which holds at least one table.
    pub(crate) fn existing(&self) -> Result<(Board, PathBuf, Inventory), FolderError> {
        existing(self.board, self.tables.as_deref())
    }

    /// A solver with the tables in the folder, if it holds any; a folder given by name must.
    pub(crate) fn solver(&self) -> Result<Solver, SolverError> {
        match (&self.tables, self.board) {
            (Some(folder), None) => Solver::open(folder),
            (Some(folder), Some(board)) => Solver::builder(board).tables(folder).build(),
            (None, board) => {
                let board = board.unwrap_or(Board::STANDARD);
                Solver::builder(board).tables_if_any(default_folder(board)).build()
            }
        }
    }

    /// The board, and its folder if it holds tables; a folder given by name must hold some.
    pub(crate) fn find(&self) -> Result<(Board, Option<PathBuf>), FolderError> {
        if self.tables.is_some() {
            let (board, folder, _) = self.existing()?;
            return Ok((board, Some(folder)));
        }
        let (board, folder) = self.resolve()?;
        let there = !inventory(&folder, board)?.tables.is_empty();
        Ok((board, there.then_some(folder)))
    }
}

/// Runs a job with a solver, and reports which tables it lacked, unless `quiet`.
pub(crate) fn with_solver<R>(
    arg: &TablesArg,
    quiet: bool,
    work: impl FnOnce(&Solver) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let solver = arg.solver().map_err(|error| match error {
        SolverError::Folder(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    let done = work(&solver)?;
    if let (Some(folder), false) = (solver.folder(), quiet) {
        tell_missing(&solver.missed_tiers(), folder);
    }
    Ok(done)
}

/// Reports the missing tables, on one line.
fn tell_missing(missing: &[Tier], folder: &Path) {
    let files: Vec<String> =
        missing.iter().map(|tier| table_file(folder, *tier).display().to_string()).collect();
    match &files[..] {
        [] => {}
        [file] => say(format_args!("{file} is missing: a search was used instead")),
        files => say(format_args!("{} are missing: a search was used instead", files.join(", "))),
    }
}
