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

use super::{Format, ReferenceError};
use crate::board::{Board, Tier};
use crate::plies::TierPlies;

/// The first line of a file, and the order of its columns.
pub const HEADER: &str = "tier,plies,positions";

const FORMAT: Format = Format { header: HEADER, fields: "three numbers", is_open: false };

const FILES: [(&str, &str); 3] = files!("plies": "5x4" "7x4" "7x6");

/// Known plies of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPlies {
    board: Board,
    tiers: BTreeMap<Tier, BTreeMap<usize, u64>>,
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
    pub fn parse(board: Board, text: &str) -> Result<KnownPlies, ReferenceError> {
        let mut last = None;
        let mut tiers: BTreeMap<Tier, BTreeMap<usize, u64>> = BTreeMap::new();
        for row in FORMAT.rows(text)? {
            let row = row?;
            let [tier, plies, positions] = row.numbers(0)?;
            let is_there = tier.checked_add(plies).is_some_and(|end| end <= board.cells() as u64);
            if !is_there || last.replace((tier, plies)) >= Some((tier, plies)) {
                return Err(row.out_of_order(board));
            }
            tiers.entry(Tier(tier as u8)).or_default().insert(plies as usize, positions);
        }
        Ok(KnownPlies { board, tiers })
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

    /// Whether anything is known of this tier.
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
            (
                "0,0,1\n0,0,1",
                "line 3: expected the rows of 2x2 in order, up to tier 4, found '0,0,1'",
            ),
            ("1,0,1\n0,3,1", "line 3: expected the rows of 2x2 in order"),
            ("2,3,1", "line 2: expected the rows of 2x2 in order"),
            ("18446744073709551615,1,1", "line 2: expected the rows of 2x2 in order"),
        ] {
            let found = parse(rows).unwrap_err().to_string();
            assert!(found.contains(error), "{found}");
        }
        assert!(KnownPlies::parse(Board::STANDARD, "tier,plies").is_err());
    }
}
