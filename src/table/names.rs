//! The names of the files in a folder of tables.

use std::path::{Path, PathBuf};

use crate::board::{Board, Tier};

/// The folder of the tables of a board, unless another is given.
pub fn default_folder(board: Board) -> PathBuf {
    Path::new("tables").join(board.to_string())
}

/// The folder for tables of games that are cut off after this ply, inside that of the board.
pub fn cut_folder(folder: &Path, ply: Tier) -> PathBuf {
    folder.join(format!("cut-{ply:02}"))
}

/// The folder for tables of scores, inside that of the board.
pub fn score_folder(folder: &Path) -> PathBuf {
    folder.join("scores")
}

/// The table of a tier.
pub fn table_file(folder: &Path, tier: Tier) -> PathBuf {
    folder.join(format!("tier-{:02}.s4t", tier.0))
}

/// The unfinished table of a tier.
pub fn part_file(folder: &Path, tier: Tier) -> PathBuf {
    folder.join(format!("tier-{:02}.part", tier.0))
}
