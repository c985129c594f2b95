//! Minimax over every position of a board, one by one, from the rules alone.
//!
//! A memo takes a hundred bytes per position. Here the positions of a tier are in a sorted list, so
//! the list can be packed by differences, and a position's outcome is stored at its place. Nothing
//! is looked up: the moves into one column lead from a sorted list to a sorted list (see
//! [`strong4::inside::enumerate`]), so for each column the outcomes of the children are met walking
//! forward.

use rayon::prelude::*;
use strong4::board::{Board, Outcome, Position};
use strong4::count::TierCount;
use strong4::inside::enumerate::{Enumeration, marker_word, position};
use strong4::inside::fours::has_four;

/// Positions that a thread handles at a time.
const CHUNK: usize = 1 << 16;

/// The live positions of one tier with their outcomes.
pub struct Solved {
    board: Board,
    /// Marker words, sorted.
    words: Vec<u64>,
    /// By word, for the mover.
    outcomes: Vec<Outcome>,
}

impl Solved {
    /// All positions with their outcomes, in chunks.
    pub fn par_chunks(
        &self,
    ) -> impl IndexedParallelIterator<Item = impl Iterator<Item = (Position, Outcome)>> {
        let chunks = self.words.par_chunks(CHUNK).zip(self.outcomes.par_chunks(CHUNK));
        chunks.map(|(words, outcomes)| {
            let positions = words.iter().map(|word| position(self.board, *word));
            positions.zip(outcomes.iter().copied())
        })
    }
}

/// Calls `check` with all tiers, the last one first.
pub fn for_each_tier(board: Board, mut check: impl FnMut(TierCount, &Solved)) {
    let mut tiers = Vec::new();
    let mut enumeration = Enumeration::start(board);
    loop {
        tiers.push((enumeration.count(), Packed::new(enumeration.words())));
        if !enumeration.advance() {
            break;
        }
    }
    drop(enumeration);
    let mut next = Solved { board, words: Vec::new(), outcomes: Vec::new() };
    while let Some((count, packed)) = tiers.pop() {
        let words: Vec<u64> = packed.words().collect();
        drop(packed);
        let outcomes = words.par_chunks(CHUNK).flat_map_iter(|words| outcomes_of(words, &next));
        let solved = Solved { board, outcomes: outcomes.collect(), words };
        check(count, &solved);
        next = solved;
    }
}

/// The outcomes of the sorted positions of one tier, from those of the next.
fn outcomes_of(words: &[u64], next: &Solved) -> Vec<Outcome> {
    let board = next.board;
    let mut best: Vec<Option<Outcome>> = vec![None; words.len()];
    for column in board.columns() {
        let mut place = None;
        for (parent, best) in words.iter().zip(&mut best) {
            let parent = position(board, *parent);
            if !parent.has_room(column) {
                continue;
            }
            let child = parent.play(column).expect("a live position");
            let outcome = if has_four(board, child.stones(parent.mover())) {
                Outcome::Win
            } else {
                let child = marker_word(&child);
                let place =
                    place.get_or_insert_with(|| next.words.partition_point(|word| *word < child));
                *place += next.words[*place..].iter().take_while(|word| **word < child).count();
                assert_eq!(next.words.get(*place), Some(&child), "a child that is not in its tier");
                next.outcomes[*place].for_other()
            };
            *best = (*best).max(Some(outcome));
        }
    }
    // Without moves, the board is full.
    best.into_iter().map(|best| best.unwrap_or(Outcome::Draw)).collect()
}

/// A sorted list of words, stored as differences, seven bits per byte.
struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    fn new(words: &[u64]) -> Packed {
        let (mut bytes, mut last) = (Vec::new(), 0);
        for &word in words {
            let mut difference = word - last;
            last = word;
            while difference >= 0x80 {
                bytes.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            bytes.push(difference as u8);
        }
        Packed { bytes }
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        let (mut word, mut difference, mut shift) = (0, 0, 0);
        self.bytes.iter().filter_map(move |byte| {
            difference |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            (byte & 0x80 == 0).then(|| {
                word += std::mem::take(&mut difference);
                shift = 0;
                word
            })
        })
    }
}
