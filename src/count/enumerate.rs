//! The slow twin of counting: every position of every tier, one by one.
//!
//! It knows only the rules, so tests compare the results of the fast ways with it, on boards small
//! enough that all positions of a tier fit in memory. One tier is held at a time.
//!
//! A position is one word here: the marker codes of its columns side by side
//! ([`ColumnCode`]), the leftmost in the lowest bits. Dropping a stone into a
//! column adds to that word
//!
//! ```text
//!     ...|00001sss|...   a marker above three stones
//!     ...|0001Xsss|...   X = 1, first player:  + 2 * marker
//!     ...|00010sss|...   O = 0, second player: + marker
//! ```
//!
//! and the higher the code of the column, the higher its marker. So the move into a given column
//! never changes the order of two words: from a sorted list of parents the children come out
//! sorted, one list per column. Merging those lists *is* the next tier, sorted. A child that
//! several parents share shows up in several lists at the same moment, and is taken once. There is
//! no sorting and no hashing, and each position is checked for a four once.

use super::TierCount;
use crate::board::{Board, Column, Player, Position, Tier, has_four};
use crate::tromp::{ColumnCode, column_code};

/// One tier of a board, with all its live positions.
#[derive(Clone, Debug)]
pub struct Enumeration {
    board: Board,
    tier: Tier,
    /// Marker words in ascending order, each once.
    live: Vec<u64>,
    terminal: u64,
}

impl Enumeration {
    /// Tier 0: the empty board.
    pub fn start(board: Board) -> Enumeration {
        let empty = marker_word(&Position::empty(board));
        Enumeration { board, tier: Tier(0), live: vec![empty], terminal: 0 }
    }

    /// Which tier this is.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The number of its positions.
    pub fn count(&self) -> TierCount {
        TierCount { tier: self.tier, live: self.live.len() as u64, terminal: self.terminal }
    }

    /// The marker words of the live positions, each once, in ascending order: the rightmost column
    /// is the most significant.
    pub fn words(&self) -> &[u64] {
        &self.live
    }

    /// The live positions, in the same order.
    pub fn live(&self) -> impl ExactSizeIterator<Item = Position> + '_ {
        self.live.iter().map(|word| position(self.board, *word))
    }

    /// Advances to the next tier. If there is none, returns false and changes nothing.
    pub fn advance(&mut self) -> bool {
        let board = self.board;
        if self.tier == board.last_tier() {
            return false;
        }
        let (parents, mover) = (std::mem::take(&mut self.live), self.tier.mover());
        let children_by =
            |column| parents.iter().filter_map(move |word| drop_stone(board, *word, column, mover));
        let mut lists: Vec<_> =
            board.columns().map(|column| children_by(column).peekable()).collect();
        self.terminal = 0;
        while let Some(least) = lists.iter_mut().filter_map(|list| list.peek().copied()).min() {
            for list in &mut lists {
                list.next_if_eq(&least);
            }
            if has_four(board, position(board, least).stones(mover)) {
                self.terminal += 1;
            } else {
                self.live.push(least);
            }
        }
        self.tier = self.tier.next_unchecked();
        true
    }
}

/// Counts the tiers from the empty board up to `last`, one after the other.
pub fn tiers(board: Board, last: Tier) -> impl Iterator<Item = TierCount> {
    let mut enumeration = Enumeration::start(board);
    (0..=last.min(board.last_tier()).stones()).map(move |stones| {
        if stones > 0 {
            enumeration.advance();
        }
        enumeration.count()
    })
}

/// The marker codes of all columns side by side.
pub fn marker_word(position: &Position) -> u64 {
    let board = position.board();
    board.columns().fold(0, |word, column| {
        word | column_code(position, column).marker() << (column.index() * board.column_bits())
    })
}

/// The position of a marker word. The cells below a marker are the occupied ones: smear all bits
/// down and drop the topmost.
pub fn position(board: Board, word: u64) -> Position {
    let cells = board.mask();
    let smeared = (0..board.height()).fold(word, |bits, _| bits | bits >> 1 & cells);
    let occupied = smeared >> 1 & cells;
    Position::from_stones_unchecked(board, word & occupied, occupied & !word)
}

/// The word after `player` drops a stone into `column`, if there is room.
fn drop_stone(board: Board, word: u64, column: Column, player: Player) -> Option<u64> {
    let shift = column.index() * board.column_bits();
    let code = ColumnCode::from_marker(word >> shift & u64::MAX >> (64 - board.column_bits()))?;
    let taller =
        (code.stones() < board.height()).then(|| code.dropped_unchecked(player).marker())?;
    Some(word + ((taller - code.marker()) << shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Status;
    use crate::tromp::Key;
    use std::collections::HashSet;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    /// The twin's twin: a set of positions, and the plain rules.
    fn tiers_by_playing(board: Board) -> Vec<TierCount> {
        let mut counts = Vec::new();
        let mut positions = HashSet::from([Position::empty(board)]);
        while let Some(tier) = positions.iter().next().map(Position::tier) {
            let won = |position: &&Position| matches!(position.status(), Status::Won(_));
            let terminal = positions.iter().filter(won).count() as u64;
            counts.push(TierCount { tier, live: positions.len() as u64 - terminal, terminal });
            positions = positions.iter().flat_map(|p| p.children().map(|(_, p)| p)).collect();
        }
        counts
    }

    #[test]
    fn merging_finds_the_same_positions_as_playing() {
        for size in ["1x1", "1x63", "7x1", "2x5", "3x4", "4x3", "5x3", "4x4", "6x2"] {
            let merged: Vec<_> = tiers(board(size), board(size).last_tier()).collect();
            assert_eq!(merged, tiers_by_playing(board(size)), "{size}");
        }
    }

    #[test]
    fn words_of_all_64_bits_fit() {
        // 32 columns of one row: any of them may hold a stone, and the colours alternate.
        let totals: Vec<u64> = tiers(board("32x1"), Tier(3)).map(|c| c.total()).collect();
        assert_eq!(totals, [1, 32, 32 * 31, 32 * 31 * 30 / 2]);
    }

    #[test]
    fn what_is_listed_is_live_sorted_and_legal() {
        let mut enumeration = Enumeration::start(board("4x3"));
        loop {
            let mut keys: Vec<Key> = enumeration.live().map(|live| Key::of(&live)).collect();
            keys.sort_unstable();
            assert!(keys.is_sorted_by(|a, b| a < b));
            assert_eq!(keys.len(), enumeration.live().len());
            for position in enumeration.live() {
                assert_eq!(position.tier(), enumeration.tier());
                assert_eq!(position.validate(), Ok(()));
                assert!(!matches!(position.status(), Status::Won(_)));
                assert_eq!(super::position(board("4x3"), marker_word(&position)), position);
            }
            if !enumeration.advance() {
                break;
            }
        }
        assert_eq!(enumeration.tier(), Tier(12));
    }
}
