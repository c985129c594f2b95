//! Where one clash is, there are more.
//!
//! If two positions share a hash, so do their successors by the same move, if it is legal in both,
//! because both hashes change by the same word. Zobrist warns of this. Errors of type 1 come in
//! clusters: a pair of clashing positions near the root of a search is met again wherever the two
//! lines continue alike.

use std::collections::HashSet;

use super::Recipe;
use super::games::Games;
use crate::board::{Board, Player, Position, Status};
use crate::random::SplitMix64;
use crate::search::zobrist::Words;

/// Positions whose hashes are compared.
const POSITIONS: usize = 1 << 17;
/// The most pairs that are followed.
const MOST_PAIRS: usize = 2000;
/// The number of moves for which they are followed.
const PLIES: usize = 3;

/// The fate of pairs of different positions with the same player to move whose hashes agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clusters {
    /// The number of lowest bits of the hash, index and check, in which they agree.
    pub bits: u32,
    /// The number of pairs.
    pub pairs: u64,
    /// Their common successors, after one move, two moves and so on.
    pub generations: Vec<Generation>,
    /// Pairs of successors by a move into the same column, but to different cells.
    pub apart: u64,
    /// Those of them that clash, which is chance.
    pub apart_clashing: u64,
}

/// Pairs that the same stones make of the original pairs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Generation {
    /// The number of pairs.
    pub common: u64,
    /// Those of them that clash.
    pub clashing: u64,
}

type Pair = [Position; 2];

/// Finds pairs whose hashes agree in `bits` bits, and follows them.
pub(crate) fn clusters(board: Board, bits: u32, seed: u64) -> Clusters {
    let words = Recipe::Random.words(board, SplitMix64::of(&[seed, 0]).word());
    let pairs = clashing_pairs(&words, board, bits, seed);
    let mask = (1u64 << bits) - 1;
    let clash = |pair: &Pair| {
        let [a, b] = pair.map(|position| words.hash(stones(&position)));
        (a ^ b) & mask == 0
    };
    let mut clusters = Clusters {
        bits,
        pairs: pairs.len() as u64,
        generations: vec![Generation::default(); PLIES],
        apart: 0,
        apart_clashing: 0,
    };
    for pair in pairs {
        let mut family = HashSet::from([pair]);
        for generation in &mut clusters.generations {
            family = family.iter().flat_map(|pair| successors(pair, true)).collect();
            generation.common += family.len() as u64;
            generation.clashing += family.iter().filter(|pair| clash(pair)).count() as u64;
        }
        for apart in successors(&pair, false) {
            clusters.apart += 1;
            clusters.apart_clashing += u64::from(clash(&apart));
        }
    }
    clusters
}

fn stones(position: &Position) -> [u64; 2] {
    Player::BOTH.map(|player| position.stones(player))
}

fn clashing_pairs(words: &Words, board: Board, bits: u32, seed: u64) -> Vec<Pair> {
    let games = Games::new(board, SplitMix64::of(&[seed, 1]));
    let mut hashed: Vec<(u64, [u64; 2], Position)> = games
        .take(POSITIONS)
        .map(|position| {
            let stones = stones(&position);
            (words.hash(stones) & ((1 << bits) - 1), stones, position)
        })
        .collect();
    hashed.sort_unstable_by_key(|(hash, stones, _)| (*hash, *stones));
    let pairs = hashed.windows(2).filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
    let pairs = pairs.map(|pair| [pair[0].2, pair[1].2]);
    pairs.filter(|[a, b]| a.mover() == b.mover()).take(MOST_PAIRS).collect()
}

/// The successors of both by a stone in the same column, if the game goes on in both: in the same
/// cell, or in different ones.
fn successors([a, b]: &Pair, same_cell: bool) -> Vec<Pair> {
    let open = |position: &Position| position.status() == Status::Open;
    let columns = a.board().columns().filter(|column| {
        a.has_room(*column)
            && b.has_room(*column)
            && (a.column_height(*column) == b.column_height(*column)) == same_cell
    });
    let pairs = columns.map(|column| [a.play_unchecked(column), b.play_unchecked(column)]);
    pairs.filter(|[a, b]| open(a) && open(b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_successors_of_a_clash_clash_and_others_do_not() {
        let Clusters { pairs, generations, apart, apart_clashing, .. } =
            clusters(Board::STANDARD, 20, 1);
        assert_eq!(pairs, MOST_PAIRS as u64);
        for generation in &generations {
            assert_eq!(generation.common, generation.clashing);
        }
        assert!(generations[0].common > pairs && generations[2].common > generations[1].common);
        assert!(apart > pairs && apart_clashing * 1000 < apart);
    }
}
