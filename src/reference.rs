//! Tier counts to compare with: `data/tier_counts.csv`, built into the library.
//!
//! The file lists boards in any order, and for each board its tiers from the empty board on,
//! without gaps, as far as they have been counted:
//!
//! ```text
//! board,tier,live,terminal,total
//! 7x6,0,1,0,1
//! 7x6,1,7,0,7
//! ```
//!
//! Reading is strict: a file with a gap or a wrong sum is refused.

/// The files about some boards, each with the name of its board.
macro_rules! files {
    ($kind:literal: $($board:literal)*) => {
        [$(($board, include_str!(concat!("../../data/", $kind, "_", $board, ".csv")))),*]
    };
}

pub mod atlas;
pub mod outcomes;
pub mod plies;

use std::cmp::Reverse;

use crate::board::{Board, BoardError, Tier, TierRange};
use crate::count::TierCount;

/// The first line of a reference, and the order of its columns.
pub const HEADER: &str = "board,tier,live,terminal,total";

const FORMAT: Format =
    Format { header: HEADER, fields: "a board and four numbers", is_open: false };

/// Known counts, by board and tier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    boards: Vec<(Board, Vec<TierCount>)>,
}

/// Why a text is not a reference; lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// The first line is not the header.
    #[error("line 1: expected '{expected}', found '{found}'")]
    Header {
        /// The header of such a file.
        expected: &'static str,
        /// What the line says.
        found: String,
    },
    /// Too few or too many fields, or no numbers where numbers belong.
    #[error("line {line}: expected {expected}, found '{found}'")]
    Row {
        /// Which line.
        line: usize,
        /// What a row consists of.
        expected: String,
        /// What the line says.
        found: String,
    },
    /// No board.
    #[error("line {line}: {error}")]
    Board {
        /// Which line.
        line: usize,
        /// What is wrong with it.
        error: BoardError,
    },
    /// A row that is missing, listed twice, or beyond the end of the board.
    #[error(
        "line {line}: expected the rows of {board} in order, up to tier {}, found '{found}'",
        .board.last_tier()
    )]
    Order {
        /// Which line.
        line: usize,
        /// The board.
        board: Board,
        /// What the line says.
        found: String,
    },
    /// Numbers that do not add up.
    #[error("line {line}: {positions} positions are not {total} in total")]
    Sum {
        /// Which line.
        line: usize,
        /// The numbers of positions of each kind.
        positions: String,
        /// The total that the line gives.
        total: u64,
    },
}

/// What a file of reference consists of.
struct Format {
    /// The first line, which names the columns.
    header: &'static str,
    /// The fields of a row, in words.
    fields: &'static str,
    /// Whether more columns may follow, which are ignored.
    is_open: bool,
}

/// A row of a file.
struct Row<'t> {
    format: &'t Format,
    /// Which line of the file.
    line: usize,
    text: &'t str,
    /// The fields in the columns of the format.
    fields: Vec<&'t str>,
}

impl Format {
    /// The rows of a text in this format.
    fn rows<'t>(
        &'t self,
        text: &'t str,
    ) -> Result<impl Iterator<Item = Result<Row<'t>, ReferenceError>>, ReferenceError> {
        let mut lines = (1..).zip(text.lines());
        let header = lines.next().map_or("", |(_, header)| header);
        let more = header.strip_prefix(self.header);
        let Some(more) = more.filter(|m| m.is_empty() || self.is_open && m.starts_with(',')) else {
            return Err(ReferenceError::Header { expected: self.header, found: header.to_owned() });
        };
        let columns = |text: &str| text.matches(',').count();
        let (needed, more) = (columns(self.header) + 1, columns(more));
        Ok(lines.map(move |(line, text)| {
            let fields: Vec<&str> = text.split(',').collect();
            let is_row = fields.len() == needed + more;
            let row = Row { format: self, line, text, fields };
            if is_row { Ok(row) } else { Err(row.malformed()) }
        }))
    }
}

impl Row<'_> {
    /// The `N` numbers from this field on.
    fn numbers<const N: usize>(&self, from: usize) -> Result<[u64; N], ReferenceError> {
        let mut numbers = [0; N];
        for (number, field) in numbers.iter_mut().zip(&self.fields[from..]) {
            *number = field.parse().map_err(|_| self.malformed())?;
        }
        Ok(numbers)
    }

    fn malformed(&self) -> ReferenceError {
        let Format { header, fields, .. } = self.format;
        let expected = format!("{fields} ({header})");
        ReferenceError::Row { line: self.line, expected, found: self.text.to_owned() }
    }

    fn out_of_order(&self, board: Board) -> ReferenceError {
        ReferenceError::Order { line: self.line, board, found: self.text.to_owned() }
    }
}

/// Tiers that a reference does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoReference {
    /// It has nothing about this board.
    #[error("there is no reference for {board}; {}", told(.known))]
    Board {
        /// The board asked for.
        board: Board,
        /// The boards that it has.
        known: Vec<Board>,
    },
    /// It has the board, but not all the tiers.
    #[error("there is no reference for tier {tier} of {board}: it has tiers {known}")]
    Tier {
        /// The board asked for.
        board: Board,
        /// The first tier that is missing.
        tier: Tier,
        /// The tiers that it has.
        known: TierRange,
    },
}

/// A count that differs from the reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tier {} of {board} differs from the reference: expected {}, found {}",
    .expected.tier, in_words(.expected), in_words(.found)
)]
pub struct Mismatch {
    /// The board.
    pub board: Board,
    /// What the reference says.
    pub expected: TierCount,
    /// What was counted.
    pub found: TierCount,
}

impl Reference {
    /// The reference built into the program.
    pub fn built_in() -> Reference {
        let text = include_str!("../data/tier_counts.csv");
        Reference::parse(text).expect("data/tier_counts.csv is a reference: a test says so")
    }

    /// Reads a reference.
    pub fn parse(text: &str) -> Result<Reference, ReferenceError> {
        let mut reference = Reference { boards: Vec::new() };
        for row in FORMAT.rows(text)? {
            reference.add(&row?)?;
        }
        Ok(reference)
    }

    fn add(&mut self, row: &Row) -> Result<(), ReferenceError> {
        let [tier, live, terminal, total] = row.numbers(1)?;
        let line = row.line;
        let board: Board =
            row.fields[0].parse().map_err(|error| ReferenceError::Board { line, error })?;
        let counts = self.counts_of(board);
        let expected = counts.len();
        if tier != expected as u64 || expected > board.cells() {
            return Err(row.out_of_order(board));
        }
        if live.checked_add(terminal) != Some(total) {
            let positions = format!("{live} live and {terminal} terminal");
            return Err(ReferenceError::Sum { line, positions, total });
        }
        counts.push(TierCount { tier: Tier(tier as u8), live, terminal });
        Ok(())
    }

    fn counts_of(&mut self, board: Board) -> &mut Vec<TierCount> {
        let known = self.boards.iter().position(|(known, _)| *known == board);
        let at = known.unwrap_or_else(|| {
            self.boards.push((board, Vec::new()));
            self.boards.len() - 1
        });
        &mut self.boards[at].1
    }

    /// The boards of which at least one tier is known.
    pub fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        self.boards.iter().map(|(board, _)| *board)
    }

    /// The known tiers of a board.
    pub fn tiers(&self, board: Board) -> Result<&[TierCount], NoReference> {
        let known = self.boards.iter().find(|(known, _)| *known == board);
        let (_, counts) =
            known.ok_or_else(|| NoReference::Board { board, known: self.boards().collect() })?;
        Ok(counts)
    }

    /// The counts of the tiers asked for, all of them or none.
    pub fn get(&self, board: Board, tiers: TierRange) -> Result<&[TierCount], NoReference> {
        let counts = self.tiers(board)?;
        counts.get(tiers.first().stones()..tiers.last().stones() + 1).ok_or_else(|| {
            let missing = Tier(counts.len() as u8).max(tiers.first());
            let known = TierRange::new(Tier(0), Tier(counts.len() as u8 - 1));
            NoReference::Tier { board, tier: missing, known: known.expect("starts at 0") }
        })
    }
}

/// Compares counts with the reference, tier by tier, and names the first that differs. Both lists
/// must be of the same tiers, in the same order.
pub fn compare(
    board: Board,
    expected: &[TierCount],
    found: &[TierCount],
) -> Result<(), Box<Mismatch>> {
    assert_eq!(expected.len(), found.len(), "counts of the same tiers");
    match expected.iter().zip(found).find(|(expected, found)| expected != found) {
        None => Ok(()),
        Some((expected, found)) => {
            Err(Box::new(Mismatch { board, expected: *expected, found: *found }))
        }
    }
}

/// How many boards there are, and a few of them, the largest first.
fn told(boards: &[Board]) -> String {
    const FEW: usize = 8;
    let mut largest = boards.to_vec();
    largest.sort_by_key(|board| Reverse(board.cells()));
    let names: Vec<String> = largest.iter().take(FEW).map(Board::to_string).collect();
    let rest = if boards.len() > FEW { " and smaller ones" } else { "" };
    format!("the {} boards that have one are {}{rest}", boards.len(), names.join(", "))
}

fn in_words(count: &TierCount) -> String {
    format!("{} live + {} terminal = {}", count.live, count.terminal, count.total())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::enumerate;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    fn tiers(text: &str) -> TierRange {
        text.parse().unwrap()
    }

    fn error(rows: &str) -> String {
        Reference::parse(&format!("{HEADER}\n{rows}")).unwrap_err().to_string()
    }

    fn agrees_with_enumeration(take: impl Fn(Board) -> bool) {
        let reference = Reference::built_in();
        for board in reference.boards().filter(|board| take(*board)) {
            let counted: Vec<_> = enumerate::tiers(board, board.last_tier()).collect();
            assert_eq!(reference.get(board, TierRange::all(board)), Ok(&counted[..]), "{board}");
        }
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn larger_boards_of_the_reference_agree_with_enumeration() {
        agrees_with_enumeration(|board| (17..=25).contains(&board.cells()));
    }

    #[test]
    fn the_reference_that_is_built_in_agrees_with_enumeration() {
        agrees_with_enumeration(|board| board.cells() <= 16);
        let reference = Reference::built_in();
        // All boards of at most 16 cells are there.
        assert_eq!(reference.boards().filter(|board| board.cells() <= 16).count(), 50);
    }

    #[test]
    fn only_the_tiers_asked_for_are_given() {
        let reference = Reference::built_in();
        let counts = reference.get(board("4x4"), tiers("3..5")).unwrap();
        assert!(counts.iter().map(|count| count.tier).eq([Tier(3), Tier(4), Tier(5)]));
    }

    #[test]
    fn what_is_not_there_is_named_with_what_there_is() {
        let reference =
            Reference::parse("board,tier,live,terminal,total\n2x1,0,1,0,1\n3x1,0,1,0,1");
        let reference = reference.unwrap();
        let error = |size, range| reference.get(board(size), tiers(range)).unwrap_err().to_string();
        assert_eq!(
            error("9x5", "0"),
            "there is no reference for 9x5; the 2 boards that have one are 3x1, 2x1"
        );
        assert_eq!(error("3x1", "0..2"), "there is no reference for tier 1 of 3x1: it has tiers 0");
        assert_eq!(error("3x1", "2..3"), "there is no reference for tier 2 of 3x1: it has tiers 0");
    }

    #[test]
    fn a_file_that_is_no_reference_says_where() {
        assert_eq!(
            Reference::parse("tier,total\n").unwrap_err().to_string(),
            "line 1: expected 'board,tier,live,terminal,total', found 'tier,total'"
        );
        assert!(Reference::parse("").is_err());
        assert!(error("7x6,0,1,0").starts_with("line 2: expected a board and four numbers"));
        assert!(error("7x6,0,one,0,1").starts_with("line 2: expected a board and four numbers"));
        assert!(error("7x6,0,1,0,1,1").starts_with("line 2: expected a board and four numbers"));
        assert!(error("7y6,0,1,0,1").starts_with("line 2: '7y6' is not a board"));
        let order = "expected the rows of 7x6 in order, up to tier 42, found";
        assert_eq!(error("7x6,1,7,0,7"), format!("line 2: {order} '7x6,1,7,0,7'"));
        assert_eq!(error("7x6,0,1,0,1\n7x6,0,1,0,1"), format!("line 3: {order} '7x6,0,1,0,1'"));
        assert!(
            error("1x1,0,1,0,1\n1x1,1,1,0,1\n1x1,2,0,0,0")
                .starts_with("line 4: expected the rows of 1x1 in order, up to tier 1")
        );
        assert_eq!(
            error("7x6,0,1,1,1"),
            "line 2: 1 live and 1 terminal positions are not 1 in total"
        );
        let huge = u64::MAX;
        assert!(error(&format!("7x6,0,{huge},1,0")).contains("are not 0 in total"));
    }

    #[test]
    fn the_first_difference_is_named_with_both_sides() {
        let board = board("4x4");
        let counted: Vec<_> = enumerate::tiers(board, Tier(4)).collect();
        let mut doctored = counted.clone();
        assert_eq!(compare(board, &doctored, &counted), Ok(()));
        doctored[3].live += 1;
        doctored[4].terminal += 1;
        assert_eq!(
            compare(board, &doctored, &counted).unwrap_err().to_string(),
            "tier 3 of 4x4 differs from the reference: \
             expected 53 live + 0 terminal = 53, found 52 live + 0 terminal = 52"
        );
    }
}
