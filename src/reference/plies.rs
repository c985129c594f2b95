//! Plies to the end to compare with: `data/plies_WxH.csv`, built into the library.
//!
//! A file is about one board. In the order of its tiers, it says how many live positions of each
//! tier are won or lost in how many plies; 0 stands for draws:
//!
//! ```text
//! tier,plies,positions
//! 0,0,1
//! 1,0,3
//! 1,19,2
//! ```

use std::collections::BTreeMap;

use crate::board::{Board, Tier};
use crate::plies::TierPlies;

/// The first line of a file, and the order of its columns.
pub const HEADER: &str = "tier,plies,positions";

const FILES: [(&str, &str); 3] = [
    ("5x4", include_str!("../../data/plies_5x4.csv")),
    ("7x4", include_str!("../../data/plies_7x4.csv")),
    ("7x6", include_str!("../../data/plies_7x6.csv")),
];

/// Known plies of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPlies {
    board: Board,
    tiers: BTreeMap<Tier, BTreeMap<usize, u64>>,
}

/// Why a text is not a list of plies; lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PliesFileError {
    /// The first line is not the header.
    #[error("line 1: expected '{HEADER}', found '{found}'")]
    Header {
        /// What the line says.
        found: String,
    },
    /// Not three numbers.
    #[error("line {line}: expected three numbers ({HEADER}), found '{found}'")]
    Row {
        /// Which line.
        line: usize,
        /// What the line says.
        found: String,
    },
    /// A line listed twice, too late, or beyond the end of the board.
    #[error("line {line}: expected tiers and plies of {board}, in order, found '{found}'")]
    Order {
        /// Which line.
        line: usize,
        /// The board.
        board: Board,
        /// What the line says.
        found: String,
    },
}

/// Nothing is known about this board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("how soon positions of {board} are over is not known; known boards: {}", .known.join(", "))]
pub struct NoPlies {
    /// The board asked for.
    pub board: Board,
    /// The boards about which it is known.
    pub known: Vec<&'static str>,
}

/// The number of positions differs from the known one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tier {tier} of {board} differs from the reference: expected {expected} positions with {plies} \
     plies to the end, found {found}"
)]
pub struct PliesMismatch {
    /// The board.
    pub board: Board,
    /// The tier.
    pub tier: Tier,
    /// The plies; 0 stands for draws.
    pub plies: usize,
    /// What the reference says.
    pub expected: u64,
    /// What was counted.
    pub found: u64,
}

impl KnownPlies {
    /// The plies of a board that are built into the program.
    pub fn built_in(board: Board) -> Result<KnownPlies, NoPlies> {
        let name = board.to_string();
        match FILES.iter().find(|(of, _)| *of == name) {
            Some((_, text)) => Ok(KnownPlies::parse(board, text).expect("a test says so")),
            None => Err(NoPlies { board, known: FILES.map(|(of, _)| of).to_vec() }),
        }
    }

    /// Reads the plies of a board.
    pub fn parse(board: Board, text: &str) -> Result<KnownPlies, PliesFileError> {
        let mut lines = (1..).zip(text.lines());
        let header = lines.next().map_or("", |(_, header)| header);
        if header != HEADER {
            return Err(PliesFileError::Header { found: header.to_owned() });
        }
        let mut last = None;
        let mut known = KnownPlies { board, tiers: BTreeMap::new() };
        for (line, row) in lines {
            let found = || row.to_owned();
            let numbers = row.split(',').map(|field| field.parse().ok());
            let numbers: Option<Vec<u64>> = numbers.collect();
            let Some(&[tier, plies, positions]) = numbers.as_deref() else {
                return Err(PliesFileError::Row { line, found: found() });
            };
            let there = tier.checked_add(plies).is_some_and(|end| end <= board.cells() as u64);
            if !there || last.replace((tier, plies)) >= Some((tier, plies)) {
                return Err(PliesFileError::Order { line, board, found: found() });
            }
            let of_tier = known.tiers.entry(Tier(tier as u8)).or_default();
            of_tier.insert(plies as usize, positions);
        }
        Ok(known)
    }

    /// Compares the plies of a tier with the known ones, if there are any, and names the first
    /// number that differs.
    pub fn compare(&self, found: &TierPlies) -> Result<(), PliesMismatch> {
        let (board, tier) = (self.board, found.tier);
        let Some(known) = self.tiers.get(&tier) else { return Ok(()) };
        for plies in 0..=board.cells() {
            let expected = known.get(&plies).copied().unwrap_or(0);
            let found = found.positions(plies);
            if found != expected {
                return Err(PliesMismatch { board, tier, plies, expected, found });
            }
        }
        Ok(())
    }

    /// Is anything known of this tier?
    pub fn knows(&self, tier: Tier) -> bool {
        self.tiers.contains_key(&tier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::OutcomeCounts;
    use crate::reference::outcomes::KnownOutcomes;

    #[test]
    fn plies_that_are_built_in_add_up_to_the_outcomes() {
        for (name, _) in FILES {
            let board: Board = name.parse().unwrap();
            let known = KnownPlies::built_in(board).unwrap();
            let outcomes = KnownOutcomes::built_in(board).unwrap();
            assert_eq!(known.tiers.len(), board.cells() + 1);
            for (tier, plies) in known.tiers {
                let sum = |which: fn(&usize) -> bool| {
                    plies.iter().filter(|(plies, _)| which(plies)).map(|(_, n)| n).sum()
                };
                let found = OutcomeCounts {
                    won: sum(|plies| plies % 2 == 1),
                    drawn: sum(|plies| *plies == 0),
                    lost: sum(|plies| *plies > 0 && plies % 2 == 0),
                };
                assert_eq!(found, outcomes.get(tier).unwrap().live(), "tier {tier} of {board}");
            }
        }
        let none = KnownPlies::built_in("3x3".parse().unwrap()).unwrap_err();
        assert!(none.to_string().ends_with("is not known; known boards: 5x4, 7x4, 7x6"), "{none}");
    }

    #[test]
    fn a_file_that_tells_no_plies_says_where() {
        let parse =
            |rows: &str| KnownPlies::parse("2x2".parse().unwrap(), &format!("{HEADER}\n{rows}"));
        assert!(parse("0,0,1\n0,1,2\n1,0,3\n4,0,5").is_ok());
        for (rows, error) in [
            ("0,1", "line 2: expected three numbers"),
            ("0,1,x", "line 2: expected three numbers"),
            ("0,0,1\n0,0,1", "line 3: expected tiers and plies of 2x2, in order, found '0,0,1'"),
            ("1,0,1\n0,3,1", "line 3: expected tiers"),
            ("2,3,1", "line 2: expected tiers"),
            ("18446744073709551615,1,1", "line 2: expected tiers"),
        ] {
            let found = parse(rows).unwrap_err().to_string();
            assert!(found.contains(error), "{found}");
        }
        assert!(KnownPlies::parse(Board::STANDARD, "tier,plies").is_err());
    }
}
