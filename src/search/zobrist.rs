//! A hash made of one word for each cell and player.
//!
//! The hash of a position is the XOR of the words of its stones, so that placing
//! a stone is one XOR, and lifting it is the same one. Zobrist took the words at
//! random. Two positions then share a hash now and then, and a table that
//! believes its hashes is wrong now and then. Here the words are as random as
//! they can be without that ever happening.
//!
//! The marker form of a position (see [`tromp`](crate::tromp)) is already such a
//! hash, one that scatters badly: a column that grows moves its marker one up.
//!
//! ```text
//!     first player's stone in cell c     marker moves from c to c + 1, c stays 1   bit c+1 flips
//!     second player's stone in cell c    marker moves from c to c + 1, c turns 0   both bits flip
//! ```
//!
//! So it is the XOR of the words `e(c+1)` and `e(c) + e(c+1)`, and distinct for
//! distinct positions. Replace each unit word `e(i)` by a random word `r(i)` of
//! as many bits as the form has, all of them linearly independent over GF(2): that is to
//! multiply the marker form by an invertible matrix, and keeps hashes distinct.
//! On 7x6 the hash has 49 bits, scatters like a random one, and *is* the position.
//!
//! The words come from splitmix64, seeded with [`SEED`], the same on every machine.

use crate::board::{Board, Player, Position};
use crate::random::SplitMix64;

/// The seed of the words: the first digits of pi, in hexadecimal.
pub const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// A word for each player and cell, by the bit number of the cell.
#[derive(Clone, Debug)]
pub(crate) struct Words(pub(crate) [[u64; 64]; 2]);

impl Words {
    /// All words of a board, cell by cell and player by player.
    pub(crate) fn list(&self, board: Board) -> Vec<u64> {
        let cells = (0..64).filter(|cell| board.mask() >> cell & 1 == 1);
        cells.flat_map(|cell| [self.0[0][cell], self.0[1][cell]]).collect()
    }

    /// The word of a stone of `player` in `cell`, given as its bit.
    #[inline(always)]
    pub(crate) fn word(&self, player: Player, cell: u64) -> u64 {
        self.0[player.index()][cell.trailing_zeros() as usize & 63]
    }

    /// The XOR of the words of these stones.
    #[inline(always)]
    pub(crate) fn hash(&self, stones: [u64; 2]) -> u64 {
        let mut hash = 0;
        for (words, mut stones) in self.0.iter().zip(stones) {
            while stones != 0 {
                hash ^= words[stones.trailing_zeros() as usize & 63];
                stones &= stones - 1;
            }
        }
        hash
    }
}

/// The words of a board.
#[derive(Clone, Debug)]
pub struct Zobrist {
    pub(crate) words: Words,
    /// The words of the cells of the mirrored board.
    mirrored: Words,
    bits: u32,
}

impl Zobrist {
    /// The words of `board`, from [`SEED`].
    pub fn new(board: Board) -> Zobrist {
        let bits = (board.width() * board.column_bits()) as u32;
        let units = independent_words(bits);
        let mut words = [[0; 64]; 2];
        let mut mirrored = [[0; 64]; 2];
        for column in board.columns() {
            for row in 0..board.height() {
                let cell = board.cell(column, row).trailing_zeros() as usize;
                words[Player::First.index()][cell] = units[cell + 1];
                words[Player::Second.index()][cell] = units[cell] ^ units[cell + 1];
            }
        }
        for (column, image) in board.columns().zip(board.columns().rev()) {
            for row in 0..board.height() {
                let at = |column| board.cell(column, row).trailing_zeros() as usize;
                for player in 0..2 {
                    mirrored[player][at(column)] = words[player][at(image)];
                }
            }
        }
        Zobrist { words: Words(words), mirrored: Words(mirrored), bits }
    }

    /// Bits of a hash.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The word of a stone of `player` in `cell`, given as its bit.
    #[inline(always)]
    pub fn word(&self, player: Player, cell: u64) -> u64 {
        self.words.word(player, cell)
    }

    /// The hash of a position; that of the empty board is 0.
    pub fn hash(&self, position: &Position) -> u64 {
        self.words.hash(Player::BOTH.map(|player| position.stones(player)))
    }

    /// The hash that the position with these stones has when mirrored.
    pub(crate) fn mirrored_hash(&self, first: u64, second: u64) -> u64 {
        self.mirrored.hash([first, second])
    }

    /// The change of a hash when these stones of the first player turn into the second's.
    #[inline(always)]
    pub(super) fn recoloured(&self, stones: u64) -> u64 {
        self.words.hash([stones, stones])
    }
}

/// The space that some words span: for each highest bit, a combination of them that has it, or 0.
pub(crate) struct Basis([u64; 64]);

impl Basis {
    pub(crate) const EMPTY: Basis = Basis([0; 64]);

    /// Whether the word is not the XOR of earlier ones.
    pub(crate) fn grows_by(&mut self, mut word: u64) -> bool {
        while word != 0 {
            let lead = &mut self.0[word.ilog2() as usize];
            if *lead == 0 {
                *lead = word;
                return true;
            }
            word ^= *lead;
        }
        false
    }
}

/// `bits` words of `bits` bits, none of them the XOR of others.
fn independent_words(bits: u32) -> Vec<u64> {
    let mask = u64::MAX >> (64 - bits);
    let (mut random, mut basis) = (SplitMix64(SEED), Basis::EMPTY);
    let words = std::iter::repeat_with(|| random.word() & mask);
    words.filter(|word| basis.grows_by(*word)).take(bits as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::games;
    use crate::tromp::Key;

    #[test]
    fn words_are_independent_for_every_number_of_bits() {
        for bits in 2..=64 {
            let words = independent_words(bits);
            assert_eq!(words.len(), bits as usize);
            assert!(words.iter().all(|word| word.checked_shr(bits).unwrap_or(0) == 0));
            // A separate elimination: every word must bring a new leading bit.
            let mut rows = words;
            for bit in 0..bits {
                let with = rows.iter().position(|row| row >> bit & 1 == 1).expect("full rank");
                let pivot = rows.swap_remove(with);
                rows.iter_mut().filter(|row| **row >> bit & 1 == 1).for_each(|row| *row ^= pivot);
            }
        }
    }

    #[test]
    fn the_words_are_the_same_everywhere() {
        let zobrist = Zobrist::new(Board::STANDARD);
        assert_eq!(zobrist.bits(), 49);
        let words = [0, 47].map(|cell| Player::BOTH.map(|player| zobrist.word(player, 1 << cell)));
        assert_eq!(
            words,
            [
                [285_079_042_820_489, 551_784_811_211_688],
                [523_383_002_968_794, 349_652_697_195_509]
            ]
        );
    }

    #[test]
    fn different_positions_have_different_hashes() {
        for board in ["4x4", "3x5", "5x3"] {
            let board: Board = board.parse().unwrap();
            let zobrist = Zobrist::new(board);
            let mut keys = std::collections::HashMap::new();
            let mut open = vec![Position::empty(board)];
            while let Some(position) = open.pop() {
                let key = Key::of(&position);
                let other = keys.insert(zobrist.hash(&position), key);
                if other.is_none() {
                    open.extend(position.children().map(|(_, child)| child));
                } else {
                    assert_eq!(other, Some(key));
                }
            }
            assert!(keys.len() > 1000);
        }
    }

    proptest::proptest! {
        #[test]
        fn placing_and_lifting_a_stone_is_one_xor(game in games()) {
            let zobrist = Zobrist::new(game.board());
            let mut position = Position::empty(game.board());
            let mut hash = 0;
            for column in &game {
                let next = position.play(column).unwrap();
                let word = zobrist.word(position.mover(), next.occupied() ^ position.occupied());
                hash ^= word;
                proptest::prop_assert_eq!(hash, zobrist.hash(&next));
                proptest::prop_assert_eq!(hash ^ word, zobrist.hash(&position));
                proptest::prop_assert_eq!(
                    zobrist.mirrored_hash(next.stones(Player::First), next.stones(Player::Second)),
                    zobrist.hash(&next.mirror()));
                position = next;
            }
        }
    }
}
