//! The folder of tables that a subcommand works on.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use strong4::board::Board;
use strong4::table::{Inventory, board_in, board_of, default_folder};

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
        let there = || self.tables.as_deref().and_then(board_of);
        let board = self.board.or_else(there).unwrap_or(Board::STANDARD);
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

    /// The board, and the folder if there is one; one that was named must be there.
    pub fn find(&self) -> anyhow::Result<(Board, Option<PathBuf>)> {
        let (board, folder) = self.resolve()?;
        if self.tables.is_some() || folder.is_dir() {
            // Says so if there is none.
            Inventory::of(&folder, board)?;
            return Ok((board, Some(folder)));
        }
        Ok((board, None))
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
