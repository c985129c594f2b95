//! Key sets: one word of 64 bits for each cell and player, good ones and bad ones.
//!
//! A hash is the XOR of the words of all stones. Its lowest bits choose the entry of a table, and
//! those above are the check:
//!
//! ```text
//!     63                n + c        n           0
//!     +--------------------+---------+-----------+
//!     |       unused       | c check |  n index  |
//!     +--------------------+---------+-----------+
//! ```
//!
//! Two positions clash if the XOR of the words of the stones in which they differ is zero. So words
//! should be independent over GF(2), at least in small subsets. That no eight words or fewer cancel
//! is proved by meeting in the middle: they would be two subsets of at most four words with the
//! same XOR, and 84 words have only 2,028,356 such subsets, counting the empty one.

use crate::board::Board;
use crate::random::SplitMix64;
use crate::search::zobrist::{Basis, Words};

/// How the words of a key set are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Recipe {
    /// Each from splitmix64.
    Random,
    /// The same, but four words cancel: those of both players in the fifth and the sixth row of
    /// column 2. So exchanging the colours of two stones there does not change the hash.
    Dependent,
    /// The states of a linear congruential generator modulo 2^64, unchanged: the lowest bit
    /// alternates, the next one has period 4, and so on.
    LowBits,
    /// Two numbers of 15 bits, one of them shifted by 32: the result of `rand() << 32 | rand()` if
    /// a random number has 15 bits.
    Gaps,
    /// One number of 16 bits, repeated four times.
    Repeated,
}

impl Recipe {
    /// All recipes, the good one first.
    pub(crate) const ALL: [Recipe; 5] =
        [Recipe::Random, Recipe::Dependent, Recipe::LowBits, Recipe::Gaps, Recipe::Repeated];

    /// The recipe in a few words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Recipe::Random => "random",
            Recipe::Dependent => "four dependent",
            Recipe::LowBits => "low bits of an LCG",
            Recipe::Gaps => "rand() << 32 | rand()",
            Recipe::Repeated => "16 bits four times",
        }
    }

    /// A key set of a board; the seed selects the words. The board must have at least two columns
    /// and six rows.
    pub(crate) fn words(self, board: Board, seed: u64) -> Words {
        let mut random = SplitMix64::of(&[seed]);
        let mut state = random.word();
        let mut word = || match self {
            Recipe::Random | Recipe::Dependent => random.word(),
            Recipe::LowBits => {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                state
            }
            Recipe::Gaps => (random.word() & 0x7fff) << 32 | random.word() & 0x7fff,
            Recipe::Repeated => (random.word() & 0xffff) * 0x0001_0001_0001_0001,
        };
        let mut words = [[0; 64]; 2];
        let columns: Vec<_> = board.columns().collect();
        for column in &columns {
            for row in 0..board.height() {
                let cell = board.cell(*column, row).trailing_zeros() as usize;
                words.iter_mut().for_each(|of_player| of_player[cell] = word());
            }
        }
        if self == Recipe::Dependent {
            let [below, above] = [4, 5].map(|row| board.cell(columns[1], row).trailing_zeros());
            let (below, above) = (below as usize, above as usize);
            words[0][below] = words[0][above] ^ words[1][below] ^ words[1][above];
        }
        Words(words)
    }
}

/// The number of agreeing check bits above an index of `index_bits`, from the lowest up.
#[inline]
pub(super) fn agreeing_bits(one: u64, other: u64, index_bits: u32) -> u32 {
    ((one ^ other) >> index_bits).trailing_zeros().min(64 - index_bits)
}

/// The size of subsets up to which independence is proved.
pub(crate) const MOST_PROVED: usize = 8;

/// How independent words are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Independence {
    /// The number of words.
    pub words: usize,
    /// The dimension of the space that they span. If there are more words than that, some cancel.
    pub rank: usize,
    /// The size of the smallest subset whose words cancel; `None` if it is larger than
    /// [`MOST_PROVED`].
    pub smallest_dependent: Option<usize>,
}

impl Independence {
    /// Measures the bits of `words` that are in `mask`.
    pub(crate) fn of(words: &[u64], mask: u64) -> Independence {
        let words: Vec<u64> = words.iter().map(|word| word & mask).collect();
        let smallest_dependent = smallest_dependent(&words);
        Independence { words: words.len(), rank: rank(&words), smallest_dependent }
    }
}

fn rank(words: &[u64]) -> usize {
    let mut basis = Basis::EMPTY;
    words.iter().filter(|word| basis.grows_by(**word)).count()
}

/// A smallest subset that cancels consists of two halves with the same XOR. And any two different
/// subsets with the same XOR cancel together, without the words that are in both.
fn smallest_dependent(words: &[u64]) -> Option<usize> {
    let mut sums = vec![(0, 0)];
    collect(words, 0, 0, &mut sums);
    sums.sort_unstable();
    let equal = sums.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    equal.map(|pair| usize::from(pair[0].1 + pair[1].1)).min()
}

/// Adds all subsets of `words` to a sum of `size` words: their XOR and their size.
fn collect(words: &[u64], sum: u64, size: u8, sums: &mut Vec<(u64, u8)>) {
    if usize::from(size) == MOST_PROVED / 2 {
        return;
    }
    for (at, word) in words.iter().enumerate() {
        sums.push((sum ^ word, size + 1));
        collect(&words[at + 1..], sum ^ word, size + 1, sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Player;

    #[test]
    fn recipes_give_the_words_that_they_promise() {
        let board = Board::STANDARD;
        let words = |recipe: Recipe| recipe.words(board, 1).list(board);
        assert!(Recipe::ALL.iter().all(|recipe| words(*recipe).len() == 84));
        assert!(words(Recipe::Gaps).iter().all(|word| word & !0x7fff_0000_7fff == 0));
        assert!(words(Recipe::Repeated).iter().all(|word| word.rotate_left(16) == *word));
        let alternating = words(Recipe::LowBits);
        assert!(alternating.windows(2).all(|pair| (pair[0] ^ pair[1]) & 1 == 1));
        let different = words(Recipe::Random)
            .iter()
            .zip(words(Recipe::Dependent))
            .filter(|(a, b)| **a != *b)
            .count();
        assert_eq!(different, 1);
        assert_ne!(Recipe::Random.words(board, 2).list(board), words(Recipe::Random));
    }

    #[test]
    fn a_hash_grows_stone_by_stone() {
        let words = Recipe::Random.words(Board::STANDARD, 1);
        let hash = words.hash([0b101, 0b1000]);
        assert_eq!(words.hash([0, 0]), 0);
        assert_eq!(
            hash ^ words.word(Player::Second, 0b1_0000_0000),
            words.hash([0b101, 0b1_0000_1000])
        );
        assert_eq!(agreeing_bits(0b0100_1111, 0b0000_0011, 4), 2);
        assert_eq!(agreeing_bits(7, 7, 4), 60);
    }

    /// The slow twin tries all subsets, larger ones too.
    fn by_trying(words: &[u64]) -> Option<usize> {
        let sum = |set: u32| {
            (0..words.len()).filter(|i| set >> i & 1 == 1).fold(0, |sum, i| sum ^ words[i])
        };
        let dependent = (1u32..1 << words.len()).filter(|set| sum(*set) == 0);
        dependent.map(|set| set.count_ones() as usize).min()
    }

    #[test]
    fn meeting_in_the_middle_finds_what_trying_finds() {
        let mut random = SplitMix64(1);
        let mut sizes = [0; MOST_PROVED + 2];
        for bits in (1..=14).cycle().take(200) {
            let words: Vec<u64> = (0..14).map(|_| random.word() >> (64 - bits)).collect();
            let (found, tried) = (smallest_dependent(&words), by_trying(&words));
            assert_eq!(found, tried.filter(|size| *size <= MOST_PROVED), "{words:?}");
            sizes[found.unwrap_or(MOST_PROVED + 1)] += 1;
            assert_eq!(rank(&words) < words.len(), tried.is_some());
        }
        assert!(sizes[1..].iter().all(|count| *count > 0), "{sizes:?}");
    }

    #[test]
    fn no_eight_random_words_cancel() {
        let board = Board::STANDARD;
        let of = |recipe: Recipe, mask| Independence::of(&recipe.words(board, 1).list(board), mask);
        let random = Independence { words: 84, rank: 64, smallest_dependent: None };
        assert_eq!(of(Recipe::Random, u64::MAX), random);
        assert_eq!(of(Recipe::Dependent, u64::MAX).smallest_dependent, Some(4));
        assert_eq!(of(Recipe::Repeated, u64::MAX).rank, 16);
        assert_eq!(of(Recipe::Gaps, u64::MAX).rank, 30);
        assert_eq!(of(Recipe::Gaps, 0xffff_ffff).rank, 15);
    }
}
