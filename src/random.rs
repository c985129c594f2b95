//! Pseudo-random numbers, the same on every machine.

#[cfg(test)]
use crate::board::{Board, Column, Moves, Position};

/// SplitMix64, the generator of Steele, Lea and Flood: a counter, well stirred.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// A separate generator for each list of numbers.
    pub fn of(numbers: &[u64]) -> SplitMix64 {
        numbers.iter().fold(SplitMix64(0), |state, number| {
            let mut next = SplitMix64(state.0 ^ number);
            SplitMix64(next.word())
        })
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`, all equally likely.
    ///
    /// It is the high half of a product of 128 bits. The few products whose low half would favour
    /// some numbers are drawn again.
    pub fn below(&mut self, bound: u64) -> u64 {
        let ahead = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.word()) * u128::from(bound);
            if product as u64 >= ahead {
                return (product >> 64) as u64;
            }
        }
    }
}

/// Positions of random games, some of them over.
#[cfg(test)]
pub fn random_positions(board: Board, count: u64) -> impl Iterator<Item = Position> {
    (0..count).map(move |seed| {
        let mut random = SplitMix64::of(&[seed]);
        let mut position = Position::empty(board);
        for _ in 0..random.below(board.cells() as u64 + 1) {
            let children: Vec<_> = position.children().collect();
            let Some(at) = (children.len() as u64).checked_sub(1) else { break };
            position = children[random.below(at + 1) as usize].1;
        }
        position
    })
}

/// Games on all boards, over or not.
#[cfg(test)]
pub fn games() -> impl proptest::strategy::Strategy<Value = Moves> {
    use proptest::strategy::Strategy;
    let choices = proptest::collection::vec(0usize..32, 0..80);
    (1u64..=32, 1u64..=63, choices).prop_filter_map("no board", |(width, height, choices)| {
        let board = Board::new(width, height).ok()?;
        let mut game = Moves::new(board);
        for choice in choices {
            // A move that is refused changes nothing.
            let _ = game.push(Column((choice % board.width()) as u8));
        }
        Some(game)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_the_published_ones() {
        let mut random = SplitMix64(1_234_567);
        let first = [(); 3].map(|()| random.word());
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        let mut random = SplitMix64::of(&[3, 1]);
        let mut drawn = [0u32; 6];
        (0..60_000).for_each(|_| drawn[random.below(6) as usize] += 1);
        // Five standard deviations.
        assert!(drawn.iter().all(|count| count.abs_diff(10_000) < 457), "{drawn:?}");
        assert!((0..100).all(|_| random.below(1) == 0));
        // Two thirds of a word: one in three drawn words must be drawn again.
        assert!((0..100).all(|_| random.below(u64::MAX / 3 * 2) < u64::MAX / 3 * 2));
    }

    #[test]
    fn every_number_changes_the_generator() {
        let first = |numbers: &[u64]| SplitMix64::of(numbers).word();
        let firsts = [first(&[1, 2]), first(&[2, 1]), first(&[1]), first(&[1, 2, 0])];
        assert!((1..4).all(|i| !firsts[..i].contains(&firsts[i])));
    }
}
