//! How often a full table is right 2^n times in a row.
//!
//! A table of 2^n entries is filled with positions until every entry holds one. Then 2^n other
//! positions are looked up. None of them is there. Each lookup finds the entry of some other
//! position, and whether the table notices depends on the check alone. With k check bits it fails
//! to notice with probability 2^−k, so all 2^n are right with probability
//!
//! ```text
//!     (1 − 2^−k)^(2^n)  ≈  exp(−2^(n−k))  =  exp(−2^−m)      for k = n + m
//! ```
//!
//! One run measures this for all m: the longest agreement of any check decides.

use std::collections::HashSet;

use rayon::prelude::*;

use super::games::Games;
use super::words::agreeing_bits;
use super::{ANY_SHARE, Recipe};
use crate::board::{Board, Player, Position};
use crate::grade::{Confidence, Share};
use crate::random::SplitMix64;
use crate::search::zobrist::Words;

/// Check bits beyond n that are tested: 0, 1, … and this many.
pub(crate) const MOST_EXTRA: usize = 10;
/// A table that is not full after this many stores per entry will never be.
const MOST_STORES: usize = 64;

/// How often a table of 2^n entries made no error in 2^n retrievals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Retrievals {
    /// The number of tables filled, each with its own words and games.
    pub runs: u64,
    /// The number of tables without an error, by m.
    pub clean: [u64; MOST_EXTRA + 1],
}

impl Retrievals {
    /// The share of runs without an error, and how certain it is.
    pub(crate) fn without_error(&self, extra: usize) -> (f64, Confidence) {
        let clean = Share { hits: self.clean[extra], of: self.runs };
        (clean.hits as f64 / clean.of as f64, clean.confidence().unwrap_or(ANY_SHARE))
    }
}

/// Zobrist's prediction: exp(−2^−m).
pub(crate) fn predicted_without_error(extra: f64) -> f64 {
    (-(0.5f64.powf(extra))).exp()
}

/// Fills and probes this many tables of 2^`bits` entries, at most 2^20.
pub(crate) fn retrievals(
    board: Board,
    recipe: Recipe,
    bits: u32,
    runs: u64,
    seed: u64,
) -> Retrievals {
    let agreements = (0..runs).into_par_iter().map(|run| {
        let words = recipe.words(board, SplitMix64::of(&[seed, run, 0]).word());
        let games = Games::new(board, SplitMix64::of(&[seed, run, 1]));
        longest_agreement(&words, games, bits)
    });
    let agreements: Vec<u32> = agreements.collect();
    let clean = std::array::from_fn(|extra| {
        agreements.iter().filter(|agreement| **agreement < bits + extra as u32).count() as u64
    });
    Retrievals { runs, clean }
}

/// The most check bits that agree in any retrieval.
fn longest_agreement(words: &Words, mut games: Games, bits: u32) -> u32 {
    let size = 1usize << bits;
    let stones = |position: &Position| Player::BOTH.map(|player| position.stones(player));
    let slot = |hash: u64| hash as usize & (size - 1);
    let mut table: Vec<Option<([u64; 2], u64)>> = vec![None; size];
    let mut empty = size;
    for position in games.by_ref().take(MOST_STORES * size) {
        let stones = stones(&position);
        let hash = words.hash(stones);
        empty -= usize::from(table[slot(hash)].is_none());
        table[slot(hash)] = Some((stones, hash));
        if empty == 0 {
            break;
        }
    }
    let (mut asked, mut longest) = (HashSet::with_capacity(size), 0);
    while asked.len() < size {
        let stones = stones(&games.next().expect("games go on"));
        let hash = words.hash(stones);
        match table[slot(hash)] {
            Some((stored, _)) if stored == stones => {}
            found => {
                if asked.insert(stones) {
                    let agreement = found.map(|(_, stored)| agreeing_bits(hash, stored, bits));
                    longest = longest.max(agreement.unwrap_or(0));
                }
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prediction_is_the_table_of_the_report() {
        let report = [0.368, 0.607, 0.779, 0.883, 0.939, 0.969, 0.984, 0.992, 0.996, 0.998, 0.999];
        for (extra, printed) in report.into_iter().enumerate() {
            assert!((predicted_without_error(extra as f64) - printed).abs() < 0.0006);
        }
    }

    #[test]
    fn what_is_measured_is_what_was_predicted() {
        let measured = retrievals(Board::STANDARD, Recipe::Random, 6, 1500, 1);
        let same = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let again = same.install(|| retrievals(Board::STANDARD, Recipe::Random, 6, 1500, 1));
        assert_eq!(measured, again);
        for extra in 0..=MOST_EXTRA {
            // The exact form, because so small a table is not near the limit yet.
            let exact = (1.0 - 0.5f64.powi(6 + extra as i32)).powi(64);
            let (share, _) = measured.without_error(extra);
            let deviation = (exact * (1.0 - exact) / 1500.0).sqrt();
            assert!((share - exact).abs() < 4.0 * deviation, "m = {extra}: {share}, {exact}");
        }
    }

    #[test]
    fn sixteen_bits_are_no_check() {
        let measured = retrievals(Board::STANDARD, Recipe::Repeated, 10, 20, 1);
        // Six bits remain for 1024 retrievals.
        assert_eq!(measured.clean[MOST_EXTRA], 0);
    }
}
