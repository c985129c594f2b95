//! The openings built into the program: the score of every position of the first tiers, and of the
//! positions along a best line from the empty board.
//!
//! ```text
//!     bytes 0…7     "s4op", format 2, columns, rows, last tier
//!           8…11    number of further positions
//!     from 12 on    an entry for each of these: 8 bytes, the lowest key first
//!                   the tables of scores of tiers 0 to the last one, as in their files
//!
//!         63       56 55                                        0
//!        +-----------+-------------------------------------------+
//!        |   score   |   key                                     |
//!        +-----------+-------------------------------------------+
//! ```
//!
//! The score is for the player to move, in two's complement. Of a position and its mirror image,
//! the one with the smaller key is stored. In these tables, cells hold the score even where a move
//! is forced, because the positions that follow would be beyond the last tier.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use crate::board::{Board, Position, Sight, Tier};
use crate::index::Finder;
use crate::search::Score;
use crate::table::{Content, HEADER_BYTES, Header, HeaderFault, Table, TableError};
use crate::too_large::BoardTooLarge;
use crate::tromp::Key;

static OPENINGS_7X6: &[u8] = include_bytes!("../../data/openings_7x6.bin");

static BUILT_IN: LazyLock<Option<Openings>> = LazyLock::new(|| Openings::parse(OPENINGS_7X6).ok());

const MAGIC: &[u8; 5] = b"s4op\x02";
const START_BYTES: usize = 12;
const ENTRY_BYTES: usize = 8;
const KEY_BITS: u32 = 56;

// An entry is a key and a byte.
const _: () = assert!(KEY_BITS as usize / 8 + 1 == ENTRY_BYTES);

/// The scores of all positions of the first tiers of a board, and of some more.
pub struct Openings {
    finder: Finder,
    /// One per tier.
    tables: Vec<Table>,
    further: &'static [u8],
}

/// Why bytes are not openings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// The beginning is wrong.
    #[error("expected openings, found something else")]
    NoOpenings,
    /// The file was cut off, or does not end where it should.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The number of bytes that there should be.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// An entry that is not greater than the one before it, or is not a position.
    #[error("entry {entry} is out of order, or not a position")]
    Entry {
        /// The entry, counted from 0.
        entry: usize,
    },
    /// A board that is too large.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// There is no table where one should begin.
    #[error("the table of tier {tier} is invalid: {fault}")]
    Header {
        /// Its tier.
        tier: Tier,
        /// What is wrong with it.
        fault: HeaderFault,
    },
    /// A table that is not sound.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Openings {
    /// The built-in openings of a board, if there are any.
    pub fn built_in(board: Board) -> Option<&'static Openings> {
        // Openings of another board need not be parsed.
        let is_of =
            |board: Board| OPENINGS_7X6[5..7] == [board.width(), board.height()].map(|n| n as u8);
        Some(board).filter(|board| is_of(*board)).and(BUILT_IN.as_ref())
    }

    /// Reads openings, without checking every position.
    pub fn parse(bytes: &'static [u8]) -> Result<Openings, OpeningsError> {
        let (start, rest) = bytes.split_at_checked(START_BYTES).ok_or(OpeningsError::NoOpenings)?;
        let board = Board::new(start[5].into(), start[6].into()).ok();
        let board = board.filter(|_| start.starts_with(MAGIC)).ok_or(OpeningsError::NoOpenings)?;
        let last = Tier(start[7]);
        if last > board.last_tier() {
            return Err(OpeningsError::NoOpenings);
        }
        let further = u32::from_le_bytes(std::array::from_fn(|byte| start[8 + byte])) as usize;
        let (further, mut rest) = split(rest, bytes.len(), (further * ENTRY_BYTES) as u64)?;
        let finder = Finder::new(board)?;
        let mut tables = Vec::new();
        for tier in 0..=last.0 {
            let (header, _) = split(rest, bytes.len(), HEADER_BYTES as u64)?;
            let header = header.try_into().expect("as many bytes as a header has");
            let header = Header::parse(header)
                .map_err(|fault| OpeningsError::Header { tier: Tier(tier), fault })?;
            let (table, after) = split(rest, bytes.len(), header.length)?;
            let (path, census) = (Path::new("the openings"), finder.census());
            let table =
                Table::with_bytes(path, Box::new(table), census, Tier(tier), Content::Scores)?;
            tables.push(table);
            rest = after;
        }
        match rest {
            [] => Ok(Openings { finder, tables, further }),
            _ => {
                let found = bytes.len() as u64;
                Err(OpeningsError::Length { expected: found - rest.len() as u64, found })
            }
        }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.finder.board()
    }

    /// The last tier whose positions are all included.
    pub fn last_tier(&self) -> Tier {
        Tier(self.tables.len() as u8 - 1)
    }

    /// The score of a position that a game can reach, for the player to move, if the openings have
    /// it.
    pub fn score(&self, position: &Position) -> Option<Score> {
        if position.board() != self.board() {
            return None;
        }
        let (board, tier) = (self.board(), position.tier());
        let Some(table) = self.tables.get(tier.stones()) else { return self.further(position) };
        let (outcome, plies) = match Sight::of(position) {
            Sight::Over { outcome, plies } => (outcome, plies),
            Sight::Forced(_) | Sight::Quiet => {
                let (outcome, plies) = table.ending(self.finder.rank(position)?.cell).ok()?;
                (outcome, plies as u8)
            }
        };
        Some(Score::from_plies_unchecked(board, tier, outcome, plies))
    }

    /// The score of a further position.
    fn further(&self, position: &Position) -> Option<Score> {
        let key = Key::of_either(position);
        let (entries, _) = self.further.as_chunks();
        let at = entries.binary_search_by_key(&key, |bytes| entry(bytes).0).ok()?;
        Score::new(entry(&entries[at]).1)
    }

    /// The further positions and their scores, in the order of the keys.
    pub fn iter_further(&self) -> impl ExactSizeIterator<Item = (Key, Option<Score>)> + '_ {
        self.further.as_chunks().0.iter().map(|bytes| {
            let (key, score) = entry(bytes);
            (key, Score::new(score))
        })
    }

    /// Checks every further entry: its place in the order, that it is a position of the board and
    /// the smaller of two mirror images, and that a game can have its score.
    pub fn validate(&self) -> Result<(), OpeningsError> {
        let mut before = None;
        for (entry, (key, score)) in self.iter_further().enumerate() {
            let position = key.decode(self.board()).ok().filter(|p| Key::of_either(p) == key);
            if score.is_none() || position.is_none() || before >= Some(key) {
                return Err(OpeningsError::Entry { entry });
            }
            before = Some(key);
        }
        Ok(())
    }

    /// The bytes of openings with these tables, of tiers 0 to `last`, and with the scores of
    /// `further` positions. Those that the tables contain are skipped.
    pub fn to_bytes(
        board: Board,
        tables: &[Vec<u8>],
        further: impl IntoIterator<Item = (Position, Score)>,
    ) -> Vec<u8> {
        let of_tables = |position: &Position| position.tier().stones() < tables.len();
        let further = further.into_iter().filter(|(position, _)| !of_tables(position));
        let further: BTreeMap<Key, Score> =
            further.map(|(position, score)| (Key::of_either(&position), score)).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([board.width() as u8, board.height() as u8, tables.len() as u8 - 1]);
        bytes.extend((further.len() as u32).to_le_bytes());
        for (key, score) in further {
            let word = (score.get() as u64) << KEY_BITS | key.0;
            bytes.extend(word.to_le_bytes());
        }
        tables.iter().for_each(|table| bytes.extend(table));
        bytes
    }
}

/// Splits off the first bytes of the rest of a file.
fn split(
    rest: &'static [u8],
    found: usize,
    length: u64,
) -> Result<(&'static [u8], &'static [u8]), OpeningsError> {
    let found = found as u64;
    let expected = (found - rest.len() as u64).saturating_add(length);
    let at = usize::try_from(length).ok();
    let split = at.and_then(|at| rest.split_at_checked(at));
    split.ok_or(OpeningsError::Length { expected, found })
}

fn entry(bytes: &[u8; ENTRY_BYTES]) -> (Key, i32) {
    let word = u64::from_le_bytes(*bytes);
    (Key(word & ((1 << KEY_BITS) - 1)), ((word as i64) >> KEY_BITS) as i32)
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, last, further) = (self.board(), self.last_tier(), self.iter_further().len());
        write!(f, "openings of {board} up to tier {last}, and {further} further positions")
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Column, Status};
    use crate::query::value::at_sight;
    use crate::search::Search;

    /// The open positions of all tiers, from the empty board on, one of two mirror images each.
    fn open_tiers(board: Board) -> impl Iterator<Item = Vec<Position>> {
        std::iter::successors(Some(vec![Position::empty(board)]), |tier| {
            let mut seen = HashSet::new();
            let children = tier.iter().flat_map(|position| position.children().map(|(_, c)| c));
            let open = children.filter(|child| child.status() == Status::Open);
            Some(open.filter(|child| seen.insert(Key::of_either(child))).collect())
        })
    }

    fn built_in() -> &'static Openings {
        Openings::built_in(Board::STANDARD).unwrap()
    }

    fn score_of(position: &Position) -> Score {
        let score = at_sight(position).or_else(|| built_in().score(position));
        score.unwrap_or_else(|| panic!("nothing is known of\n{position}"))
    }

    #[test]
    fn what_is_built_in_is_sound() {
        built_in().validate().unwrap();
        assert!(OPENINGS_7X6.len() <= 512 << 10, "{}", OPENINGS_7X6.len());
        assert!(built_in().last_tier() >= Tier(8));
        let empty = Position::empty(Board::STANDARD);
        assert_eq!(score_of(&empty).get(), 1);
        let moves = empty.children().map(|(_, child)| -score_of(&child).get());
        // As published.
        assert!(moves.eq([-2, -1, 0, 1, 0, -1, -2]));
        assert!(Openings::built_in("6x6".parse().unwrap()).is_none());
    }

    /// Every position is there, and each tier follows from the next one.
    #[test]
    fn tiers_follow_from_each_other() {
        let last = built_in().last_tier();
        for (tier, positions) in open_tiers(Board::STANDARD).take(last.stones() + 1).enumerate() {
            for position in positions {
                let score = score_of(&position);
                assert_eq!(score_of(&position.mirror()), score, "{position}");
                if tier < last.stones() {
                    let moves = position.children().map(|(_, child)| -score_of(&child));
                    assert_eq!(moves.max(), Some(score), "{position}");
                }
            }
        }
    }

    /// Earlier openings: the scores of tiers 0 to 5, and along a line, that a search found.
    #[test]
    fn a_search_has_found_the_same_scores() {
        let (entries, []) = include_bytes!("../../tests/data/searched_7x6.bin").as_chunks() else {
            unreachable!("entries of eight bytes")
        };
        assert_eq!(entries.len(), 2_924);
        for (key, score) in entries.iter().map(entry) {
            let position = key.decode(Board::STANDARD).unwrap();
            assert_eq!(score_of(&position).get(), score, "{position}");
        }
    }

    /// Positions of the last tier whose games are decided soon.
    #[test]
    fn a_search_finds_the_same_scores() {
        search_finds_the_same(97, 12);
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn a_search_finds_the_same_scores_of_longer_games() {
        search_finds_the_same(997, 0);
    }

    /// The slow twin of the file is a search that knows neither tables nor openings. It samples
    /// every `step`th position of the last tier whose score is at least `least` from a draw.
    fn search_finds_the_same(step: usize, least: i32) {
        let mut search = Search::new(Board::STANDARD, 1 << 28);
        let last = built_in().last_tier().stones();
        let deepest = open_tiers(Board::STANDARD).nth(last).unwrap();
        let mut found = 0;
        for position in deepest.iter().step_by(step) {
            let score = score_of(position);
            if score.get().abs() >= least {
                assert_eq!(search.score(position), score, "\n{position}");
                found += 1;
            }
        }
        assert!(found > 20, "{found}");
    }

    /// Along the line from the empty board, each position has a move that keeps the score, and all
    /// moves are known, until few enough cells are free to search.
    #[test]
    fn a_best_line_is_built_in() {
        let mut position = Position::empty(Board::STANDARD);
        let mut search = Search::new(Board::STANDARD, 1 << 20);
        while position.tier() < Tier(15) {
            let score = score_of(&position);
            // Of two equally good moves, the one nearer to the middle, and then the left one.
            let rank = |column: Column| Reverse((column.index().abs_diff(3), column.index()));
            let children = position
                .children()
                .map(|(column, child)| ((-score_of(&child), rank(column)), child));
            let ((best, _), child) = children.max_by_key(|(rank, _)| *rank).unwrap();
            assert_eq!(best, score, "{position}");
            position = child;
        }
        assert_eq!(search.score(&position), score_of(&position));
    }

    #[test]
    fn what_is_written_is_read() {
        let start = START_BYTES + ENTRY_BYTES * built_in().iter_further().len();
        let mut rest = &OPENINGS_7X6[start..];
        let mut tables = Vec::new();
        for _ in 0..=built_in().last_tier().0 {
            let header = Header::parse(rest.first_chunk().unwrap()).unwrap();
            let (table, after) = rest.split_at(header.length as usize);
            tables.push(table.to_vec());
            rest = after;
        }
        let further: Vec<(Position, Score)> = built_in()
            .iter_further()
            .map(|(key, score)| (key.decode(Board::STANDARD).unwrap(), score.unwrap()))
            .collect();
        assert!(further.len() > 20, "{}", further.len());
        // Mirror images count as one, and positions that are in the tables are skipped.
        let mirrored = further.iter().map(|(position, score)| (position.mirror(), *score));
        let first = (Position::empty(Board::STANDARD), Score::DRAW);
        let all = further.iter().copied().chain(mirrored).chain([first]);
        assert!(Openings::to_bytes(Board::STANDARD, &tables, all) == OPENINGS_7X6);
        let few = Openings::to_bytes(Board::STANDARD, &tables[..3], [further[1]]);
        let few = Openings::parse(few.leak()).unwrap();
        few.validate().unwrap();
        assert_eq!(few.last_tier(), Tier(2));
        assert_eq!(few.score(&further[1].0), Some(further[1].1));
        assert_eq!(few.score(&further[1].0.mirror()), Some(further[1].1));
        assert_eq!(few.score(&further[2].0), None);
    }

    #[test]
    fn bytes_that_are_no_openings_are_refused() {
        let said = |bytes: &[u8]| {
            let parsed = Openings::parse(bytes.to_vec().leak());
            parsed.and_then(|openings| openings.validate()).unwrap_err().to_string()
        };
        let sound = OPENINGS_7X6;
        let with = |at: usize, part: &[u8]| {
            let mut bytes = sound.to_vec();
            bytes[at..][..part.len()].copy_from_slice(part);
            said(&bytes)
        };
        assert_eq!(said(b""), "expected openings, found something else");
        for (at, byte) in [(4, 1), (6, 9), (7, 43)] {
            assert_eq!(with(at, &[byte]), "expected openings, found something else", "byte {at}");
        }
        let length = sound.len();
        assert!(said(&sound[..length - 1]).ends_with(&format!("found {}", length - 1)));
        assert!(said(&[sound, &[0]].concat()).contains(&format!("expected {length} bytes")));
        let found = with(START_BYTES + ENTRY_BYTES, &[0; ENTRY_BYTES]);
        assert_eq!(found, "entry 1 is out of order, or not a position");
        let table = START_BYTES + ENTRY_BYTES * built_in().iter_further().len();
        for (at, reason) in [(0, "expected it to begin with"), (60, "the header is damaged")] {
            let found = with(table + at, &[sound[table + at] ^ 1]);
            assert!(found.contains(reason), "{found}");
        }
        // A count of entries larger than any file.
        let found = with(8, &[255; 4]);
        assert!(found.starts_with("expected 34359738372 bytes"), "{found}");
    }
}
