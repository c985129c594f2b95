//! The folder of tables that a subcommand works on.

use std::path::PathBuf;

use clap::Args;
use strong4::board::Board;
use strong4::table::{FolderError, Inventory, default_folder, existing, inventory, meant};
use strong4::{Solver, SolverError};

/// The tables that a subcommand works on.
#[derive(Args)]
pub struct TablesArg {
    /// Columns and rows of the board [default: the board whose tables are in DIR, or 7x6]
    #[arg(long, value_name = "WxH")]
    board: Option<Board>,
    /// Folder of the tables [default: tables/WxH]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TablesArg {
    /// What somebody has typed who spells the options in another way.
    pub fn of(board: Option<Board>, tables: Option<PathBuf>) -> TablesArg {
        TablesArg { board, tables }
    }

    /// The board and the folder that the options select.
    pub fn resolve(&self) -> Result<(Board, PathBuf), FolderError> {
        meant(self.board, self.tables.as_deref())
    }

    /// The same, and the inventory of the folder, which holds at least one table.
    pub fn existing(&self) -> Result<(Board, PathBuf, Inventory), FolderError> {
        existing(self.board, self.tables.as_deref())
    }

    /// A solver with the tables in the folder, if it holds any; a folder given by name must.
    pub fn solver(&self) -> Result<Solver, SolverError> {
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
    pub fn find(&self) -> Result<(Board, Option<PathBuf>), FolderError> {
        if self.tables.is_some() {
            let (board, folder, _) = self.existing()?;
            return Ok((board, Some(folder)));
        }
        let (board, folder) = self.resolve()?;
        let there = !inventory(&folder, board)?.tables.is_empty();
        Ok((board, there.then_some(folder)))
    }
}
