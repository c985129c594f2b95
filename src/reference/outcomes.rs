//! Outcomes to compare with: `data/outcomes_WxH.csv`, built into the library.
//!
//! A file is about one board, in the order of its tiers; tiers that are not solved yet are omitted:
//!
//! ```text
//! tier,won,drawn,lost,terminal,total
//! 0,0,1,0,0,1
//! 1,2,3,0,0,5
//! ```
//!
//! Further columns that the header names are ignored.

use super::{Format, ReferenceError};
use crate::board::{Board, Tier};
use crate::table::TierCounts;

/// The first line of a file, and the order of its columns.
pub const HEADER: &str = "tier,won,drawn,lost,terminal,total";

const FORMAT: Format = Format { header: HEADER, fields: "six numbers", is_open: true };

const FILES: [(&str, &str); 22] = files!(
    "outcomes": "4x4" "4x5" "5x4" "4x6" "5x5" "6x4" "4x7" "5x6" "4x8" "7x4" "6x5" "8x4" "6x6" "7x5"
    "5x8" "6x7" "8x5" "7x6" "8x6" "5x9" "6x8" "7x7"
);

/// Known outcomes of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownOutcomes {
    board: Board,
    tiers: Vec<(Tier, TierCounts)>,
}

/// Why outcomes are not the known ones.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OutcomesError {
    /// Nothing is known about this board.
    #[error("no outcomes of {board} are known; those of {} are", .known.join(", "))]
    Board {
        /// The board asked for.
        board: Board,
        /// The boards with known outcomes.
        known: Vec<&'static str>,
    },
    /// The board is known, but not this tier.
    #[error("the outcomes of tier {tier} of {board} are not known")]
    Tier {
        /// The board.
        board: Board,
        /// The tier asked for.
        tier: Tier,
    },
    /// They are others.
    #[error(
        "tier {tier} of {board} differs from the reference: expected {expected}, found {found}"
    )]
    Differ {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
        /// What the reference says.
        expected: TierCounts,
        /// What the tables say.
        found: TierCounts,
    },
}

impl KnownOutcomes {
    /// The outcomes of a board that are built into the program.
    pub fn built_in(board: Board) -> Result<KnownOutcomes, OutcomesError> {
        let name = board.to_string();
        let Some((_, text)) = FILES.iter().find(|(of, _)| *of == name) else {
            return Err(OutcomesError::Board { board, known: FILES.map(|(of, _)| of).to_vec() });
        };
        Ok(KnownOutcomes::parse(board, text).expect("a test says so"))
    }

    /// Reads the outcomes of a board.
    pub fn parse(board: Board, text: &str) -> Result<KnownOutcomes, ReferenceError> {
        let mut tiers: Vec<(Tier, TierCounts)> = Vec::new();
        for row in FORMAT.rows(text)? {
            let row = row?;
            let [tier, won, drawn, lost, terminal, total] = row.numbers(0)?;
            let next = tiers.last().map_or(0, |(tier, _)| tier.stones() as u64 + 1);
            if tier < next || tier > board.cells() as u64 {
                return Err(row.out_of_order(board));
            }
            let counts = TierCounts { won, drawn, lost, terminal };
            if counts.checked_total() != Some(total) {
                let (line, positions) = (row.line, counts.to_string());
                return Err(ReferenceError::Sum { line, positions, total });
            }
            tiers.push((Tier(tier as u8), counts));
        }
        Ok(KnownOutcomes { board, tiers })
    }

    /// The outcomes of a tier.
    pub fn get(&self, tier: Tier) -> Result<TierCounts, OutcomesError> {
        let known = self.tiers.iter().find(|(known, _)| *known == tier);
        known.map(|(_, counts)| *counts).ok_or(OutcomesError::Tier { board: self.board, tier })
    }

    /// Compares the outcomes of a tier with the known ones.
    pub fn compare(&self, tier: Tier, found: TierCounts) -> Result<(), OutcomesError> {
        let (board, expected) = (self.board, self.get(tier)?);
        if found == expected {
            return Ok(());
        }
        Err(OutcomesError::Differ { board, tier, expected, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;

    fn parse(rows: &str) -> Result<KnownOutcomes, ReferenceError> {
        KnownOutcomes::parse("2x2".parse().unwrap(), &format!("{HEADER}\n{rows}"))
    }

    #[test]
    fn the_outcomes_that_are_built_in_are_of_as_many_positions_as_there_are() {
        for (name, _) in FILES {
            let board: Board = name.parse().unwrap();
            let known = KnownOutcomes::built_in(board).unwrap();
            let counts = Reference::built_in();
            for (tier, outcomes) in known.tiers {
                let TierCounts { won, drawn, lost, terminal } = outcomes;
                let count = counts.tiers(board).unwrap()[tier.stones()];
                assert_eq!((won + drawn + lost, terminal), (count.live, count.terminal));
            }
        }
        let none = KnownOutcomes::built_in("3x3".parse().unwrap()).unwrap_err();
        assert_eq!(
            none.to_string(),
            "no outcomes of 3x3 are known; those of 4x4, 4x5, 5x4, 4x6, 5x5, 6x4, 4x7, 5x6, \
             4x8, 7x4, 6x5, 8x4, 6x6, 7x5, 5x8, 6x7, 8x5, 7x6, 8x6, 5x9, 6x8, 7x7 are"
        );
    }

    #[test]
    fn a_file_that_tells_no_outcomes_says_where() {
        for (rows, error) in [
            ("0,1,2,3,4", "line 2: expected six numbers"),
            ("0,1,2,3,4,x", "line 2: expected six numbers"),
            (
                "0,1,2,3,4,11",
                "line 2: 1 won, 2 drawn, 3 lost and 4 terminal positions are not 11 in total",
            ),
            (
                "1,0,1,0,0,1\n1,0,1,0,0,1",
                "line 3: expected the rows of 2x2 in order, up to tier 4, found '1,0,1,0,0,1'",
            ),
            ("5,0,1,0,0,1", "line 2: expected the rows of 2x2 in order, up to tier 4"),
        ] {
            let found = parse(rows).unwrap_err().to_string();
            assert!(found.contains(error), "{found}");
        }
        assert!(KnownOutcomes::parse(Board::STANDARD, "tier").is_err());
        assert!(KnownOutcomes::parse(Board::STANDARD, &format!("{HEADER}s")).is_err());
    }

    #[test]
    fn columns_that_are_not_needed_are_passed_over() {
        let board = "2x2".parse().unwrap();
        let wider = |rows| KnownOutcomes::parse(board, &format!("{HEADER},bytes,bits\n{rows}"));
        assert_eq!(wider("1,1,2,3,4,10,512,0.5"), parse("1,1,2,3,4,10"));
        for row in ["1,1,2,3,4,10", "1,1,2,3,4,10,512", "1,1,2,3,4,10,512,0.5,7", "1"] {
            assert!(wider(row).unwrap_err().to_string().starts_with("line 2: expected six"));
        }
    }

    #[test]
    fn what_differs_and_what_is_not_known_are_told() {
        let known = parse("1,1,2,3,4,10").unwrap();
        let counts = TierCounts { won: 1, drawn: 2, lost: 3, terminal: 4 };
        assert_eq!(known.compare(Tier(1), counts), Ok(()));
        let other = TierCounts { won: 9, ..counts };
        assert_eq!(
            known.compare(Tier(1), other).unwrap_err().to_string(),
            "tier 1 of 2x2 differs from the reference: expected 1 won, 2 drawn, 3 lost and \
             4 terminal, found 9 won, 2 drawn, 3 lost and 4 terminal"
        );
        assert_eq!(
            known.compare(Tier(2), counts).unwrap_err().to_string(),
            "the outcomes of tier 2 of 2x2 are not known"
        );
    }
}
