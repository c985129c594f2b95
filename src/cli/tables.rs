//! The folder of tables that a subcommand works on.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use strong4::board::Board;
use strong4::table::{Fault, Inventory, TableError, board_in, board_of, default_folder};

/// There is nothing to work on: the answer is no.
#[derive(Debug, thiserror::Error)]
pub enum NoTables {
    /// None of the board.
    #[error("there are no tables of {board} in {}: '{}' makes them", .folder.display(),
        command("solve", *.board, .folder))]
    Board {
        /// The board.
        board: Board,
        /// Where they should be.
        folder: PathBuf,
    },
    /// A folder that tells of no board.
    #[error("there are no tables in {}: --board says which board they should be of", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
    },
}

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
    /// The board and the folder that were meant.
    pub fn resolve(&self) -> anyhow::Result<(Board, PathBuf)> {
        let board = match (self.board, &self.tables) {
            (Some(board), _) => board,
            (None, None) => Board::STANDARD,
            (None, Some(folder)) => {
                board_of(folder).ok_or_else(|| NoTables::Folder { folder: folder.clone() })?
            }
        };
        let folder = self.tables.clone().unwrap_or_else(|| default_folder(board));
        match board_in(&folder) {
            Some(other) if other != board => {
                let folder = folder.display();
                bail!(
                    "{folder} holds tables of {other}, not of {board}: give --board {other}, or another folder"
                )
            }
            _ => Ok((board, folder)),
        }
    }

    /// The same, and what is there, which is something.
    pub fn existing(&self) -> anyhow::Result<(Board, PathBuf, Inventory)> {
        let (board, folder) = self.resolve()?;
        let inventory = inventory(&folder, board)?;
        if inventory.tables.is_empty() {
            return Err(NoTables::Board { board, folder }.into());
        }
        Ok((board, folder, inventory))
    }

    /// The board, and the folder if there is one; one that was named must hold tables.
    pub fn find(&self) -> anyhow::Result<(Board, Option<PathBuf>)> {
        if self.tables.is_some() {
            let (board, folder, _) = self.existing()?;
            return Ok((board, Some(folder)));
        }
        let (board, folder) = self.resolve()?;
        let there = !inventory(&folder, board)?.tables.is_empty();
        Ok((board, there.then_some(folder)))
    }
}

/// What there is in a folder: nothing, if there is no such folder.
pub fn inventory(folder: &Path, board: Board) -> Result<Inventory, TableError> {
    match Inventory::of(folder, board) {
        Err(error) if matches!(error.fault, Fault::NoFolder) => Ok(Inventory::empty(board)),
        found => found,
    }
}

/// A command that works on these tables, as it is typed.
pub fn command(name: &str, board: Board, folder: &Path) -> String {
    let mut command = format!("strong4 {name}");
    if board != Board::STANDARD {
        command += &format!(" --board {board}");
    }
    if folder != default_folder(board) {
        command += &format!(" --tables {}", quoted(&folder.display().to_string()));
    }
    command
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_only_what_they_must() {
        let command =
            |board: &str, folder| command("solve", board.parse().unwrap(), Path::new(folder));
        assert_eq!(command("7x6", "tables/7x6"), "strong4 solve");
        assert_eq!(command("5x4", "tables/5x4"), "strong4 solve --board 5x4");
        assert_eq!(command("7x6", "/big disk/it's"), r"strong4 solve --tables '/big disk/it'\''s'");
    }
}
