//! The board and the folder of tables that the arguments of a user mean: one of them, both, or
//! neither may be given.

use std::path::{Path, PathBuf};

use crate::board::Board;

use super::super::format::{Fault, TableError, default_folder};
use super::inventory::{Inventory, board_in, board_named_by, inventory, tiers_in};

/// Why a folder holds no tables to work with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It has none of the board.
    #[error("there are no tables of {board} in {}", .folder.display())]
    NoTables {
        /// The board.
        board: Board,
        /// The folder where they should be.
        folder: PathBuf,
    },
    /// There is no such folder, and no board was given.
    #[error("there is no folder {}", .folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// It does not say which board, and none was given.
    #[error("there are no tables in {}", .folder.display())]
    NoBoard {
        /// The folder.
        folder: PathBuf,
    },
    /// It has tables of another board.
    #[error("{} holds tables of {found}, not of {expected}", .folder.display())]
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
    let tiers = match tiers_in(&folder, board) {
        Err(TableError { fault: Fault::NoFolder, .. }) => Vec::new(),
        tiers => tiers?,
    };
    if tiers.is_empty() {
        return Err(FolderError::NoTables { board, folder });
    }
    Ok((board, folder))
}
