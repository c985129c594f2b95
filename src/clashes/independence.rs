//! Which words of a key set cancel each other.
//!
//! Two positions clash if the XOR of the words of the stones in which they differ is zero. So words
//! should be independent over GF(2), at least in small subsets. That no eight words or fewer cancel
//! is proved by meeting in the middle: they would be two subsets of at most four words with the
//! same XOR, and 84 words have only 2,028,356 such subsets, counting the empty one.

/// The size of subsets up to which independence is proved.
pub const MOST_PROVED: usize = 8;

/// How independent words are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Independence {
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
    pub fn of(words: &[u64], mask: u64) -> Independence {
        let words: Vec<u64> = words.iter().map(|word| word & mask).collect();
        let smallest_dependent = smallest_dependent(&words);
        Independence { words: words.len(), rank: rank(&words), smallest_dependent }
    }
}

fn rank(words: &[u64]) -> usize {
    // `leading[i]`: a combination of the words so far whose highest bit is i.
    let mut leading = [0u64; 64];
    for word in words {
        let mut rest = *word;
        while rest != 0 {
            let lead = &mut leading[rest.ilog2() as usize];
            if *lead == 0 {
                *lead = rest;
                break;
            }
            rest ^= *lead;
        }
    }
    leading.iter().filter(|lead| **lead != 0).count()
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
    use crate::board::Board;
    use crate::clashes::{Recipe, Words};
    use crate::random::SplitMix64;

    /// The slow twin tries all subsets.
    fn by_trying(words: &[u64]) -> Option<usize> {
        let sum = |set: u32| {
            (0..words.len()).filter(|i| set >> i & 1 == 1).fold(0, |sum, i| sum ^ words[i])
        };
        let dependent = (1u32..1 << words.len()).filter(|set| sum(*set) == 0);
        dependent.map(|set| set.count_ones() as usize).min().filter(|size| *size <= MOST_PROVED)
    }

    #[test]
    fn meeting_in_the_middle_finds_what_trying_finds() {
        let mut random = SplitMix64(1);
        let mut sizes = [0; MOST_PROVED + 2];
        for bits in (1..=14).cycle().take(200) {
            let words: Vec<u64> = (0..14).map(|_| random.next() >> (64 - bits)).collect();
            let found = smallest_dependent(&words);
            assert_eq!(found, by_trying(&words), "{words:?}");
            sizes[found.unwrap_or(MOST_PROVED + 1)] += 1;
            assert_eq!(
                rank(&words) < words.len(),
                (1u32..1 << 14).any(|set| {
                    (0..14).filter(|i| set >> i & 1 == 1).fold(0, |sum, i| sum ^ words[i]) == 0
                })
            );
        }
        assert!(sizes[1..].iter().all(|count| *count > 0), "{sizes:?}");
    }

    #[test]
    fn no_eight_random_words_cancel() {
        let of =
            |recipe, mask| Independence::of(&Words::new(Board::STANDARD, recipe, 1).list(), mask);
        let random = Independence { words: 84, rank: 64, smallest_dependent: None };
        assert_eq!(of(Recipe::Random, u64::MAX), random);
        assert_eq!(of(Recipe::Dependent, u64::MAX).smallest_dependent, Some(4));
        assert_eq!(of(Recipe::Repeated, u64::MAX).rank, 16);
        assert_eq!(of(Recipe::Gaps, u64::MAX).rank, 30);
        assert_eq!(of(Recipe::Gaps, 0xffff_ffff).rank, 15);
    }
}
