//! The names of the files in a folder of tables.

use std::path::{Path, PathBuf};

use crate::board::{Board, Tier};
use crate::files::name_of_temporary;

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

/// The tier whose unfinished table has this temporary name.
pub(crate) fn tier_of_part(name: &str) -> Option<Tier> {
    let number = name_of_temporary(name)?.strip_prefix("tier-")?.strip_suffix(".s4t")?;
    number.parse().ok().map(Tier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::temporary;

    #[test]
    fn unfinished_tables_tell_their_tier() {
        let part = temporary(&table_file(Path::new("tables"), Tier(7)));
        assert_eq!(tier_of_part(part.file_name().unwrap().to_str().unwrap()), Some(Tier(7)));
        for other in ["tier-07.s4t", "manifest.json.5bd1e995a3c07f42.new"] {
            assert_eq!(tier_of_part(other), None, "{other}");
        }
    }
}
