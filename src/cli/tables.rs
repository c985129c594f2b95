//! The folder of tables that a subcommand works on.

use std::path::PathBuf;

use clap::Args;
use strong4::board::Board;
use strong4::table::{FolderError, Inventory, existing, inventory, meant};

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
    /// The board and the folder that the options select.
    pub fn resolve(&self) -> Result<(Board, PathBuf), FolderError> {
        meant(self.board, self.tables.as_deref())
    }

    /// The same, and the inventory of the folder, which holds at least one table.
    pub fn existing(&self) -> Result<(Board, PathBuf, Inventory), FolderError> {
        existing(self.board, self.tables.as_deref())
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
