//! The openings that are built into the program: the score of every position of
//! the first tiers, and of what can be played along a best line from the empty board.
//!
//! ```text
//!     bytes 0…7     "s4op", format 1, columns, rows, last tier
//!     from 8 on     an entry for each position: 8 bytes, the lowest first
//!
//!         63       56 55                                        0
//!        +-----------+-------------------------------------------+
//!        |   score   |   key                                     |
//!        +-----------+-------------------------------------------+
//! ```
//!
//! The score is for the player to move, in two's complement. Of a position and its
//! mirror image the one with the smaller key is stored. The entries are in the order
//! of their keys: all open positions of tiers 0 to the last one, and further ones.

use std::collections::{HashMap, HashSet};

use crate::board::{Board, Position, Status, Tier};
use crate::search::Score;
use crate::tromp::Key;

use super::value::at_sight;

static OPENINGS_7X6: &[u8] = include_bytes!("../../data/openings_7x6.bin");

const MAGIC: &[u8; 5] = b"s4op\x01";
const HEADER_BYTES: usize = 8;
const ENTRY_BYTES: usize = 8;
const KEY_BITS: u32 = 56;

/// The scores of the positions of the first tiers of a board, and of some more.
#[derive(Clone, Copy, Debug)]
pub struct Openings {
    board: Board,
    last: Tier,
    entries: &'static [u8],
}

/// Why bytes are no openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningsError {
    /// Not the beginning of such a file.
    #[error("expected openings, found something else")]
    NoOpenings,
    /// Not a whole number of entries, or none.
    #[error("expected 8 bytes and 8 more for each position, found {found}")]
    Length {
        /// Bytes found.
        found: usize,
    },
    /// An entry that is not greater than the one before it, or not a position.
    #[error("entry {entry} is out of order, or no position")]
    Entry {
        /// Which one, from 0.
        entry: usize,
    },
}

impl Openings {
    /// Those of a board that come with the program.
    pub fn built_in(board: Board) -> Option<Openings> {
        Openings::parse(OPENINGS_7X6).ok().filter(|openings| openings.board == board)
    }

    /// Reads openings, without looking at each entry: see [`Openings::validate`].
    pub fn parse(bytes: &'static [u8]) -> Result<Openings, OpeningsError> {
        let (header, entries) =
            bytes.split_at_checked(HEADER_BYTES).ok_or(OpeningsError::NoOpenings)?;
        let board = Board::new(header[5].into(), header[6].into()).ok();
        let board = board.filter(|_| header.starts_with(MAGIC)).ok_or(OpeningsError::NoOpenings)?;
        if entries.is_empty() || !entries.len().is_multiple_of(ENTRY_BYTES) {
            return Err(OpeningsError::Length { found: bytes.len() });
        }
        Ok(Openings { board, last: Tier(header[7]), entries })
    }

    /// Number of positions, mirror images not counted.
    pub fn len(&self) -> usize {
        self.entries.len() / ENTRY_BYTES
    }

    /// Never: there is the empty board at least.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The last tier all of whose positions are in it.
    pub fn last_tier(&self) -> Tier {
        self.last
    }

    /// The score of a position for the player to move, if it is one of them.
    pub fn score(&self, position: &Position) -> Option<Score> {
        if position.board() != self.board {
            return None;
        }
        let key = canonical(position);
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            let (found, score) = self.entry(middle);
            match found.cmp(&key) {
                std::cmp::Ordering::Equal => return Score::new(score),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// All positions and their scores, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (Key, Option<Score>)> + '_ {
        (0..self.len()).map(|entry| {
            let (key, score) = self.entry(entry);
            (key, Score::new(score))
        })
    }

    /// Checks every entry: in order, a position of the board, the smaller of two
    /// mirror images, with a score that a game can have. Are there as many of the
    /// tiers up to the last one as these have?
    pub fn validate(&self) -> Result<(), OpeningsError> {
        let (mut before, mut of_tiers) = (None, 0);
        for (entry, (key, score)) in self.iter().enumerate() {
            let position = key.decode(self.board).ok().filter(|p| canonical(p) == key);
            if score.is_none() || position.is_none() || before >= Some(key) {
                return Err(OpeningsError::Entry { entry });
            }
            before = Some(key);
            of_tiers += usize::from(position.is_some_and(|p| p.tier() <= self.last));
        }
        // Tiers grow without end, so no more of them are made than there are entries for.
        let mut tiers = open_tiers(self.board).take(self.last.stones() + 1);
        let rest = tiers.try_fold(of_tiers, |rest, tier| rest.checked_sub(tier.len()));
        if self.last > self.board.last_tier() || rest != Some(0) {
            return Err(OpeningsError::Length { found: self.entries.len() + HEADER_BYTES });
        }
        Ok(())
    }

    fn entry(&self, entry: usize) -> (Key, i32) {
        let bytes = &self.entries[entry * ENTRY_BYTES..][..ENTRY_BYTES];
        let word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        (Key(word & ((1 << KEY_BITS) - 1)), ((word as i64) >> KEY_BITS) as i32)
    }

    /// The open positions of the tier `last`, under the keys that [`Openings::build`] expects
    /// their scores by.
    pub fn to_search(board: Board, last: Tier) -> Vec<(Key, Position)> {
        let deepest = open_positions(board, last).pop().unwrap_or_default();
        deepest.into_iter().map(|position| (canonical(&position), position)).collect()
    }

    /// Writes the openings of tiers 0 to `last`, and the scores of `further` positions: the
    /// scores of the last tier are `known`, those before it follow from what their moves lead
    /// to. `None` if a score is missing.
    pub fn build(
        board: Board,
        last: Tier,
        known: &HashMap<Key, Score>,
        further: &[(Position, Score)],
    ) -> Option<Vec<u8>> {
        let mut tiers = open_positions(board, last);
        let mut scores = HashMap::new();
        for position in tiers.pop()? {
            let key = canonical(&position);
            scores.insert(key, *known.get(&key)?);
        }
        for position in tiers.iter().rev().flatten() {
            let mut best = None;
            for (_, child) in position.children() {
                let score = at_sight(&child).or_else(|| scores.get(&canonical(&child)).copied())?;
                best = best.max(Some(-score));
            }
            scores.insert(canonical(position), best?);
        }
        scores.extend(further.iter().map(|(position, score)| (canonical(position), *score)));
        let mut entries: Vec<(Key, Score)> = scores.into_iter().collect();
        entries.sort();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([board.width() as u8, board.height() as u8, last.0]);
        for (key, score) in entries {
            let word = (score.get() as u64) << KEY_BITS | key.0;
            bytes.extend(word.to_le_bytes());
        }
        Some(bytes)
    }
}

/// The smaller key of a position and its mirror image.
fn canonical(position: &Position) -> Key {
    Key::of(position).min(Key::of(&position.mirror()))
}

/// The open positions of tiers 0 to `last`, one of two mirror images each.
fn open_positions(board: Board, last: Tier) -> Vec<Vec<Position>> {
    open_tiers(board).take(last.stones() + 1).collect()
}

/// The same of all tiers, from the empty board on.
fn open_tiers(board: Board) -> impl Iterator<Item = Vec<Position>> {
    std::iter::successors(Some(vec![Position::empty(board)]), |tier| {
        let mut seen = HashSet::new();
        let children = tier.iter().flat_map(|position| position.children().map(|(_, c)| c));
        let open = children.filter(|child| child.status() == Status::Open);
        Some(open.filter(|child| seen.insert(canonical(child))).collect())
    })
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::board::Column;
    use crate::query::Expert;
    use crate::search::Search;

    #[test]
    fn what_is_built_in_is_sound_and_complete() {
        let openings = Openings::built_in(Board::STANDARD).unwrap();
        assert_eq!(openings.validate(), Ok(()));
        let empty = openings.score(&Position::empty(Board::STANDARD));
        assert_eq!(empty, Score::new(1));
        let first = Position::empty(Board::STANDARD);
        let scores = first.children().map(|(_, child)| -openings.score(&child).unwrap());
        // As published.
        assert!(scores.map(Score::get).eq([-2, -1, 0, 1, 0, -1, -2]));
        assert!(Openings::built_in("6x6".parse().unwrap()).is_none());
    }

    #[test]
    fn tiers_follow_from_each_other() {
        let openings = Openings::built_in(Board::STANDARD).unwrap();
        let tiers = open_positions(Board::STANDARD, openings.last_tier());
        for position in tiers[..tiers.len() - 1].iter().flatten() {
            let best = position.children().map(|(_, child)| -openings.score(&child).unwrap()).max();
            assert_eq!(openings.score(position), best, "{position}");
            assert_eq!(openings.score(&position.mirror()), best, "{position}");
        }
    }

    /// Positions of the last tier whose game is decided soon.
    #[test]
    fn a_search_finds_the_same_scores() {
        search_finds_the_same(1, 10);
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn a_search_finds_the_same_scores_of_longer_games() {
        search_finds_the_same(61, 0);
    }

    /// The slow twin of the file: a search that knows neither tables nor openings, on every so
    /// many positions of the last tier whose score is at least so far from a draw.
    fn search_finds_the_same(step: usize, least: i32) {
        let openings = Openings::built_in(Board::STANDARD).unwrap();
        let mut search = Search::new(Board::STANDARD, 1 << 28);
        let deepest = Openings::to_search(Board::STANDARD, openings.last_tier());
        let mut found = 0;
        for (_, position) in deepest.iter().step_by(step) {
            let score = openings.score(position).unwrap();
            if score.get().abs() >= least {
                assert_eq!(search.score(position), score, "\n{position}");
                found += 1;
            }
        }
        assert!(found > 3, "{found}");
    }

    #[test]
    fn what_is_written_is_read() {
        let board: Board = "4x4".parse().unwrap();
        let mut expert = Expert::new(board);
        let mut score = |position| {
            let (value, _) = expert.value(position, Default::default()).unwrap();
            value.score().unwrap()
        };
        let deepest = Openings::to_search(board, Tier(8));
        let known = deepest.iter().map(|(key, position)| (*key, score(position))).collect();
        let later = open_positions(board, Tier(11)).pop().unwrap();
        let further: Vec<_> = later[..3].iter().map(|p| (*p, score(p))).collect();
        let bytes = Openings::build(board, Tier(8), &known, &further).unwrap();
        let bytes: &'static [u8] = bytes.leak();
        let openings = Openings::parse(bytes).unwrap();
        assert_eq!((openings.validate(), openings.last_tier()), (Ok(()), Tier(8)));
        for position in open_positions(board, Tier(8)).iter().flatten() {
            assert_eq!(openings.score(position), Some(score(position)), "{position}");
        }
        assert!(further.iter().all(|(p, score)| openings.score(p) == Some(*score)));
        assert_eq!(openings.score(&later[3]), None);
    }

    /// From the empty board on, each position of the line has a move that keeps the score, and all
    /// moves are known, until few enough cells are free to search.
    #[test]
    fn a_best_line_is_built_in() {
        let openings = Openings::built_in(Board::STANDARD).unwrap();
        let mut position = Position::empty(Board::STANDARD);
        let mut search = Search::new(Board::STANDARD, 1 << 20);
        while position.tier() < Tier(15) {
            let score = openings.score(&position).unwrap();
            // Of two that are as good, the one nearer to the middle, and then the left one.
            let rank = |column: Column| Reverse((column.index().abs_diff(3), column.index()));
            let children = position.children().map(|(column, child)| {
                let known = at_sight(&child).or_else(|| openings.score(&child));
                ((-known.unwrap(), rank(column)), child)
            });
            let ((best, _), child) = children.max_by_key(|(rank, _)| *rank).unwrap();
            assert_eq!(best, score, "{position}");
            position = child;
        }
        assert_eq!(Some(search.score(&position)), openings.score(&position));
    }

    #[test]
    fn bytes_that_are_no_openings_are_refused() {
        let parsed = |bytes: &'static [u8]| Openings::parse(bytes).err();
        assert_eq!(parsed(b""), Some(OpeningsError::NoOpenings));
        assert_eq!(parsed(b"s4op\x01\x07\x09\x00"), Some(OpeningsError::NoOpenings));
        assert_eq!(parsed(b"s4op\x02\x07\x06\x0012345678"), Some(OpeningsError::NoOpenings));
        assert_eq!(parsed(b"s4op\x01\x07\x06\x001234"), Some(OpeningsError::Length { found: 12 }));
        let zero = Openings::parse(b"s4op\x01\x07\x06\x00\0\0\0\0\0\0\0\0").unwrap();
        assert_eq!(zero.validate(), Err(OpeningsError::Entry { entry: 0 }));
    }

    /// All open positions of 7x6 would fill the memory long before they were counted.
    #[test]
    fn a_short_file_of_many_tiers_is_refused_at_once() {
        let empty = Key::of(&Position::empty(Board::STANDARD)).0;
        let bytes = [&b"s4op\x01\x07\x06\x2a"[..], &empty.to_le_bytes()].concat();
        let openings = Openings::parse(bytes.leak()).unwrap();
        assert_eq!(openings.validate(), Err(OpeningsError::Length { found: 16 }));
    }
}
