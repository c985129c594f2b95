//! The remainder of a division instead of a hash.
//!
//! A position is a whole number, its [key](crate::tromp::Key), so the remainder of its division by
//! the size of the table is an index, too: no words, no XOR. It scatters well if the size is odd
//! and no period of the key divides it. This counts how many positions share an entry with others,
//! and what that costs.

use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;

use super::Recipe;
use super::games::Games;
use crate::board::{Board, Player, Position};
use crate::random::SplitMix64;
use crate::search::zobrist::Zobrist;
use crate::tromp::Key;

/// How the entry of a position is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// The low bits of a classical hash.
    Zobrist,
    /// The low bits of the hash of the search.
    Search,
    /// The remainder of the key.
    Remainder(u64),
}

/// How a method spreads positions over a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spread {
    /// The method.
    pub method: Method,
    /// Entries of the table.
    pub entries: u64,
    /// Different positions of real games.
    pub positions: u64,
    /// Entries in use.
    pub used: u64,
    /// Pairs of positions with the same entry.
    pub pairs: u64,
    /// Nanoseconds to find and read an entry, given the hash or the key.
    pub nanoseconds: f64,
}

impl Spread {
    /// The expected number of pairs with the same entry, if entries were drawn at random.
    pub(crate) fn pairs_by_lot(&self) -> f64 {
        let positions = self.positions as f64;
        positions * (positions - 1.0) / 2.0 / self.entries as f64
    }

    /// The expected number of entries in use, if entries were drawn at random.
    pub(crate) fn used_by_lot(&self) -> f64 {
        let entries = self.entries as f64;
        entries * (1.0 - (1.0 - 1.0 / entries).powf(self.positions as f64))
    }
}

/// Spreads 2^`bits` positions over tables of about as many entries.
pub(crate) fn spreads(board: Board, bits: u32, seed: u64) -> Vec<Spread> {
    let games = Games::new(board, SplitMix64::of(&[seed, 0]));
    let mut seen = HashSet::new();
    let positions: Vec<Position> =
        games.filter(|position| seen.insert(*position)).take(1 << bits).collect();
    let words = Recipe::Random.words(board, SplitMix64::of(&[seed, 1]).word());
    let zobrist = Zobrist::new(board);
    let size = 1u64 << bits;
    let prime = (2..size).rev().find(|number| is_prime(*number)).expect("2 is prime");
    let remainders = [size, size - 1, size + 1, prime].map(Method::Remainder);
    let methods = [Method::Zobrist, Method::Search].into_iter().chain(remainders);
    let spread = |method| {
        let number = |position: &Position| match method {
            Method::Zobrist => words.hash(Player::BOTH.map(|player| position.stones(player))),
            Method::Search => zobrist.hash(position),
            Method::Remainder(_) => Key::of(position).0,
        };
        let numbers: Vec<u64> = positions.iter().map(number).collect();
        match method {
            Method::Remainder(divisor) => {
                measure(method, divisor, &numbers, |number, divisor| number % divisor)
            }
            _ => measure(method, size, &numbers, |number, size| number & (size - 1)),
        }
    };
    methods.map(spread).collect()
}

fn measure(
    method: Method,
    entries: u64,
    numbers: &[u64],
    entry_of: impl Fn(u64, u64) -> u64,
) -> Spread {
    let mut table = vec![0u32; entries as usize];
    numbers.iter().for_each(|number| table[entry_of(*number, entries) as usize] += 1);
    let used = table.iter().filter(|count| **count > 0).count() as u64;
    let pairs = table.iter().map(|count| u64::from(*count)).map(|n| n * n.saturating_sub(1) / 2);
    let pairs = pairs.sum();
    // The size is hidden from the compiler, as is that of a table whose size a user chooses.
    let entries = black_box(entries);
    let rounds = (0..9).map(|_| {
        let start = Instant::now();
        let read = numbers.iter().map(|number| table[entry_of(*number, entries) as usize]);
        black_box(read.fold(0, |sum: u32, count| sum.wrapping_add(count)));
        start.elapsed().as_secs_f64()
    });
    let seconds = rounds.fold(f64::INFINITY, f64::min);
    let positions = numbers.len() as u64;
    let nanoseconds = seconds * 1e9 / positions as f64;
    Spread { method, entries, positions, used, pairs, nanoseconds }
}

fn is_prime(number: u64) -> bool {
    number > 1
        && (2..number)
            .take_while(|d| d * d <= number)
            .all(|divisor| !number.is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_primes_spread_as_lots_do_and_periods_of_the_key_do_not() {
        for spread in spreads(Board::STANDARD, 14, 1) {
            let ratio = spread.pairs as f64 / spread.pairs_by_lot();
            let used = spread.used as f64 / spread.used_by_lot();
            match spread.method {
                Method::Zobrist | Method::Search => {
                    assert!((0.9..1.1).contains(&ratio) && (0.98..1.02).contains(&used));
                }
                // Two columns take 14 bits: either they alone choose the entry, or all pairs of
                // columns are added up.
                Method::Remainder(16_384 | 16_383) => assert!(ratio > 2.0, "{spread:?}"),
                Method::Remainder(16_385) => {}
                Method::Remainder(prime) => {
                    assert_eq!(prime, 16_381);
                    assert!(ratio < 1.5, "{spread:?}");
                }
            }
            assert!(spread.used <= spread.positions && spread.nanoseconds > 0.0);
        }
    }

    #[test]
    fn primes_are_told() {
        let primes: Vec<u64> = (0..40).filter(|number| is_prime(*number)).collect();
        assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]);
        assert!(is_prime(65_521) && !is_prime(65_533));
    }
}
