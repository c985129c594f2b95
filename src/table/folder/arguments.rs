//! The board and the folder of tables that the arguments of a user mean: one of them, both, or
//! neither may be given.

use std::path::{Path, PathBuf};

use crate::board::Board;

use super::super::error::{Fault, TableError};
use super::super::format::default_folder;
use super::inventory::{Inventory, board_in, board_named_by, has_tables};

/// Why a folder holds no tables to work with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It has none of the board.
    #[error("there are no tables of {board} in {}: '{}' makes them", .folder.display(),
        command("solve", *.board, .folder))]
    NoTables {
        /// The board.
        board: Board,
        /// The folder where they should be.
        folder: PathBuf,
    },
    /// There is no such folder, and no board was given.
    #[error("there is no folder {}: check --tables, or let 'strong4 solve' make tables", .folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// It does not say which board, and none was given.
    #[error("there are no tables in {}: name their board with --board", .folder.display())]
    NoBoard {
        /// The folder.
        folder: PathBuf,
    },
    /// It has tables of another board.
    #[error(
        "{folder} holds tables of {found}, not of {expected}: give --board {found}, or another folder",
        folder = .folder.display()
    )]
    OtherBoard {
        /// The folder.
        folder: PathBuf,
        /// The board that was given.
        expected: Board,
        /// The board of the tables.
        found: Board,
    },
    /// The folder cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl FolderError {
    /// Whether the only fault is that there are no tables.
    pub fn is_absence(&self) -> bool {
        use FolderError::{NoBoard, NoFolder, NoTables};
        matches!(self, NoTables { .. } | NoFolder { .. } | NoBoard { .. })
    }
}

/// The board and the folder to use. If neither is given, it is the standard board; a board has a
/// default folder, and a folder says its board.
pub fn meant(board: Option<Board>, folder: Option<&Path>) -> Result<(Board, PathBuf), FolderError> {
    let (board, folder) = match (board, folder) {
        (board, Some(folder)) => (board, folder.to_owned()),
        (board, None) => {
            let board = board.unwrap_or(Board::STANDARD);
            (Some(board), default_folder(board))
        }
    };
    let found = board_in(&folder);
    let board = match board.or(found).or_else(|| board_named_by(&folder)) {
        Some(board) => board,
        None if folder.is_dir() => return Err(FolderError::NoBoard { folder }),
        None => return Err(FolderError::NoFolder { folder }),
    };
    match found {
        Some(found) if found != board => {
            Err(FolderError::OtherBoard { folder, expected: board, found })
        }
        _ => Ok((board, folder)),
    }
}

/// The same, with the inventory of the folder, which must hold at least one table.
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

/// The board and the folder, which must hold at least one table. No table is opened.
pub(crate) fn folder_with_tables(
    board: Option<Board>,
    folder: &Path,
) -> Result<(Board, PathBuf), FolderError> {
    let (board, folder) = meant(board, Some(folder))?;
    if !has_tables(&folder, board)? {
        return Err(FolderError::NoTables { board, folder });
    }
    Ok((board, folder))
}

/// The inventory of a folder; an empty one if the folder does not exist.
pub fn inventory(folder: &Path, board: Board) -> Result<Inventory, TableError> {
    match Inventory::of(folder, board) {
        Err(error) if matches!(error.fault, Fault::NoFolder) => Ok(Inventory::empty(board)),
        found => found,
    }
}

/// A command line that works on these tables.
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

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
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
