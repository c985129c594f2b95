//! Solved boards side by side: what the files `outcomes_WxH.csv` of a folder add up to.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ReferenceError;
use super::outcomes::KnownOutcomes;
use crate::board::{Board, Outcome, OutcomeCounts, Tier, TierRange};
use crate::table::TierCounts;

/// A board of which the outcome of every position is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolvedBoard {
    /// The board.
    pub board: Board,
    /// The value of the empty board for the first player.
    pub value: Outcome,
    /// The positions of all tiers, by outcome for the player to move.
    pub counts: TierCounts,
    /// The same positions, by outcome for the first player.
    pub for_first: OutcomeCounts,
}

/// Why a folder is no atlas.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// The folder or a file could not be read.
    #[error("cannot read {}", .file.display())]
    Unreadable {
        /// The folder or file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No file of the folder has outcomes.
    #[error("{} has no file outcomes_WxH.csv", .folder.display())]
    Empty {
        /// The folder.
        folder: PathBuf,
    },
    /// The name of a file names no board.
    #[error("{}: expected a name like outcomes_7x6.csv", .file.display())]
    Name {
        /// The file.
        file: PathBuf,
    },
    /// A file has no outcomes.
    #[error("{}: {error}", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: ReferenceError,
    },
    /// A file lacks a tier.
    #[error("{}: tier {tier} is missing, but an atlas needs all tiers of {board}", .file.display())]
    Missing {
        /// The file.
        file: PathBuf,
        /// The board.
        board: Board,
        /// The first tier that is missing.
        tier: Tier,
    },
    /// A file has some other number of empty boards than one.
    #[error("{}: tier 0 should have one live position, but it has {found}", .file.display())]
    EmptyBoard {
        /// The file.
        file: PathBuf,
        /// What the file says about tier 0.
        found: TierCounts,
    },
    /// A file has more positions than any board.
    #[error("{}: the positions of all tiers are 2^64 or more", .file.display())]
    TooMany {
        /// The file.
        file: PathBuf,
    },
}

/// The solved boards of a folder, those with the fewest cells first. Reads the files whose names
/// begin with `outcomes_`; no other file may have such a name.
pub fn atlas(folder: &Path) -> Result<Vec<SolvedBoard>, AtlasError> {
    let unreadable = |source| AtlasError::Unreadable { file: folder.to_owned(), source };
    let mut solved = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        if let Some(board) = name.to_string_lossy().strip_prefix("outcomes_") {
            solved.push(solved_board(&folder.join(&name), board)?);
        }
    }
    if solved.is_empty() {
        return Err(AtlasError::Empty { folder: folder.to_owned() });
    }
    solved.sort_by_key(|solved| (solved.board.cells(), solved.board.width()));
    Ok(solved)
}

/// What a file says about the board that its name ends with.
fn solved_board(path: &Path, name: &str) -> Result<SolvedBoard, AtlasError> {
    let file = || path.to_owned();
    let board = name.strip_suffix(".csv").and_then(|board| board.parse::<Board>().ok());
    // 07x6 would be the same board again.
    let board = board.filter(|board| name == format!("{board}.csv"));
    let board = board.ok_or_else(|| AtlasError::Name { file: file() })?;
    let text = fs::read_to_string(path)
        .map_err(|source| AtlasError::Unreadable { file: file(), source })?;
    let known = KnownOutcomes::parse(board, &text)
        .map_err(|error| AtlasError::Content { file: file(), error })?;
    let mut sum = TierCounts::default();
    let mut for_first = OutcomeCounts::default();
    let mut value = Outcome::Draw;
    for tier in TierRange::all(board).iter() {
        let counts =
            known.get(tier).map_err(|_| AtlasError::Missing { file: file(), board, tier })?;
        if tier.stones() == 0 {
            value = match counts {
                TierCounts { won: 1, drawn: 0, lost: 0, terminal: 0 } => Outcome::Win,
                TierCounts { won: 0, drawn: 1, lost: 0, terminal: 0 } => Outcome::Draw,
                TierCounts { won: 0, drawn: 0, lost: 1, terminal: 0 } => Outcome::Loss,
                found => return Err(AtlasError::EmptyBoard { file: file(), found }),
            };
        }
        let more = sum.checked_add(counts).filter(|sum| sum.checked_total().is_some());
        sum = more.ok_or_else(|| AtlasError::TooMany { file: file() })?;
        for_first = [for_first, counts.all_for_first(tier)].into_iter().sum();
    }
    Ok(SolvedBoard { board, value, counts: sum, for_first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::outcomes::HEADER;

    const GOOD: &str = "0,0,1,0,0,1\n1,0,1,2,0,3\n2,1,0,0,4,5\n";

    /// The atlas of a folder with these files.
    fn atlas_of(files: &[(&str, &str)]) -> Result<Vec<SolvedBoard>, AtlasError> {
        let folder = tempfile::tempdir().unwrap();
        for (name, rows) in files {
            fs::write(folder.path().join(name), format!("{HEADER}\n{rows}")).unwrap();
        }
        atlas(folder.path())
    }

    #[test]
    fn tiers_are_added_up_for_the_mover_and_for_the_first_player() {
        let won = GOOD.replacen("0,0,1,0,0,1", "0,1,0,0,0,1", 1);
        let files = [
            ("outcomes_2x1.csv", GOOD),
            ("outcomes_1x2.csv", &*won),
            ("outcomes_1x1.csv", "0,0,0,1,0,1\n1,0,1,0,0,1\n"),
            ("other.csv", "anything"),
        ];
        let atlas = atlas_of(&files).unwrap();
        let counts = |won, drawn, lost, terminal| TierCounts { won, drawn, lost, terminal };
        let solved = |board: &str, value, counts, [won, drawn, lost]: [u64; 3]| {
            let for_first = OutcomeCounts { won, drawn, lost };
            SolvedBoard { board: board.parse().unwrap(), value, counts, for_first }
        };
        assert_eq!(
            atlas,
            [
                solved("1x1", Outcome::Loss, counts(0, 1, 1, 0), [0, 1, 1]),
                solved("1x2", Outcome::Win, counts(2, 1, 2, 4), [4, 1, 4]),
                solved("2x1", Outcome::Draw, counts(1, 2, 2, 4), [3, 2, 4]),
            ]
        );
    }

    #[test]
    fn files_that_do_not_belong_are_named_with_what_is_wrong() {
        let most = u64::MAX;
        let endless = format!("0,0,1,0,0,1\n1,0,{most},0,0,{most}\n2,1,0,0,4,5\n");
        for (name, rows, error) in [
            ("outcomes_2x1.txt", GOOD, "outcomes_2x1.txt: expected a name like outcomes_7x6.csv"),
            ("outcomes_02x1.csv", GOOD, "outcomes_02x1.csv: expected a name"),
            ("outcomes_99x9.csv", GOOD, "outcomes_99x9.csv: expected a name"),
            ("outcomes_2x1.csv", "0,0,1,0,0,2", "outcomes_2x1.csv: line 2: 0 won, 1 drawn"),
            ("outcomes_2x1.csv", "0,0,1,0,0,1\n2,1,0,0,4,5", "outcomes_2x1.csv: tier 1 is missing"),
            ("outcomes_3x1.csv", GOOD, "tier 3 is missing, but an atlas needs all tiers of 3x1"),
            ("outcomes_1x1.csv", GOOD, "outcomes_1x1.csv: line 4: expected the rows of 1x1"),
            (
                "outcomes_2x1.csv",
                "0,0,2,0,0,2\n1,0,1,2,0,3\n2,1,0,0,4,5",
                "tier 0 should have one live position, but it has 0 won, 2 drawn, 0 lost",
            ),
            ("outcomes_2x1.csv", &endless, "the positions of all tiers are 2^64 or more"),
        ] {
            let found = atlas_of(&[("outcomes_1x2.csv", GOOD), (name, rows)]).unwrap_err();
            assert!(found.to_string().contains(error), "{found}");
        }
        let found = atlas_of(&[("tier_counts.csv", "")]).unwrap_err().to_string();
        assert!(found.ends_with(" has no file outcomes_WxH.csv"), "{found}");
        let none = atlas(Path::new("/no/such/folder")).unwrap_err().to_string();
        assert_eq!(none, "cannot read /no/such/folder");
    }
}
