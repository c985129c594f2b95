//! The board and the folder of tables that are meant when one of them is named, or both.

use std::path::{Path, PathBuf};

use crate::board::Board;

use super::error::{Fault, TableError};
use super::inventory::{Inventory, board_in, board_of};
use super::names::default_folder;

/// Why a folder holds no tables to work with.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// None of the board.
    #[error("there are no tables of {board} in {}: '{}' makes them", .folder.display(),
        command("solve", *.board, .folder))]
    NoTables {
        /// The board.
        board: Board,
        /// Where they should be.
        folder: PathBuf,
    },
    /// A folder that tells of no board, and nobody has named one.
    #[error("there are no tables in {}: --board says which board they should be of", .folder.display())]
    NoBoard {
        /// The folder.
        folder: PathBuf,
    },
    /// Tables of another board.
    #[error(
        "{folder} holds tables of {found}, not of {expected}: give --board {found}, or another folder",
        folder = .folder.display()
    )]
    OtherBoard {
        /// The folder.
        folder: PathBuf,
        /// The board that was named.
        expected: Board,
        /// The board of the tables.
        found: Board,
    },
    /// The folder cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl FolderError {
    /// Is it only that nothing is there?
    pub fn is_absence(&self) -> bool {
        matches!(self, FolderError::NoTables { .. } | FolderError::NoBoard { .. })
    }
}

/// The board and the folder that are meant. If neither is named, the standard board; a board
/// has its own folder, and a folder tells its board.
pub fn meant(board: Option<Board>, folder: Option<&Path>) -> Result<(Board, PathBuf), FolderError> {
    let board = match (board, folder) {
        (Some(board), _) => board,
        (None, None) => Board::STANDARD,
        (None, Some(folder)) => {
            board_of(folder).ok_or_else(|| FolderError::NoBoard { folder: folder.to_owned() })?
        }
    };
    let folder = folder.map_or_else(|| default_folder(board), Path::to_owned);
    match board_in(&folder) {
        Some(found) if found != board => {
            Err(FolderError::OtherBoard { folder, expected: board, found })
        }
        _ => Ok((board, folder)),
    }
}

/// The same, and the inventory of the folder, which must hold at least one table.
pub fn existing(
    board: Option<Board>,
    folder: Option<&Path>,
) -> Result<(Board, PathBuf, Inventory), FolderError> {
    let (board, folder) = meant(board, folder)?;
    let inventory = inventory(&folder, board)?;
    if inventory.tables.is_empty() {
        return Err(FolderError::NoTables { board, folder });
    }
    Ok((board, folder, inventory))
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
