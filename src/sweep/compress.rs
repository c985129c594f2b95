//! Picking columns out of the rows of a matrix.
//!
//! For a word and a mask this is what the instruction pext does: the bits under
//! the mask move down to the lowest places, in order. Without the instruction
//! each bit moves by the number of dropped bits below it, one binary digit of
//! that number at a time. Which bits move in which of the six steps depends on
//! the mask alone, and the mask is the same for all rows:
//!
//! ```text
//!     kept   1 0 0 1 1 0 1 0      mask
//!     word   h g f e d c b a
//!     by     4     3 3   1        dropped bits below: 1, then 3, 3, then 4
//!            0 0 0 0 h e d b
//! ```

/// The columns to pick, prepared for any number of rows.
pub(super) struct Compress {
    words: Vec<WordCompress>,
}

/// The same for one word.
#[derive(Clone, Copy)]
struct WordCompress {
    kept: u64,
    /// For each step, the bits that it moves down by 1, 2, 4, …, where they are before it.
    moving: [u64; 6],
    /// The place of the lowest kept bit in the compressed row.
    place: usize,
}

impl Compress {
    /// Picks the columns whose bits are 1 in this row.
    pub fn new(kept: &[u64]) -> Compress {
        let words = kept.iter().scan(0, |place, kept| {
            let word = WordCompress { kept: *kept, moving: moving(*kept), place: *place };
            *place += kept.count_ones() as usize;
            Some(word)
        });
        Compress { words: words.collect() }
    }

    /// Adds the picked bits of a row to the bits of `to`.
    pub fn or_into(&self, to: &mut [u64], from: &[u64]) {
        for (word, from) in self.words.iter().zip(from) {
            let bits = word.apply(*from);
            if bits != 0 {
                let (place, shift) = (word.place / 64, word.place % 64);
                to[place] |= bits << shift;
                // What does not fit into that word; in two shifts, as one by 64 would overflow.
                let rest = bits >> 1 >> (63 - shift);
                if rest != 0 {
                    to[place + 1] |= rest;
                }
            }
        }
    }
}

impl WordCompress {
    fn apply(&self, word: u64) -> u64 {
        self.moving.iter().enumerate().fold(word & self.kept, |word, (step, moving)| {
            let bits = word & moving;
            word ^ bits | bits >> (1 << step)
        })
    }
}

/// Which bits move in each step: those with an odd number of dropped bits below
/// them; then those with an odd number of pairs; and so on (Warren, Hacker's
/// Delight, 7-4).
fn moving(mut kept: u64) -> [u64; 6] {
    let mut dropped_below = !kept << 1;
    std::array::from_fn(|step| {
        // The parity of the dropped bits below each place.
        let parity = (0..6).fold(dropped_below, |parity, log| parity ^ parity << (1 << log));
        let moving = parity & kept;
        kept = kept ^ moving | moving >> (1 << step);
        dropped_below &= !parity;
        moving
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: bit by bit.
    fn compressed_by_bits(kept: &[u64], from: &[u64]) -> Vec<u64> {
        let bit = |words: &[u64], place: usize| words[place / 64] >> (place % 64) & 1;
        let mut to = vec![0; kept.len()];
        let picked = (0..64 * kept.len()).filter(|place| bit(kept, *place) == 1);
        for (place, column) in picked.enumerate() {
            to[place / 64] |= bit(from, column) << (place % 64);
        }
        to
    }

    proptest::proptest! {
        #[test]
        fn steps_and_bits_pick_the_same(
            row in proptest::collection::vec((0u64.., 0u64.., 0u64..), 1..5), dense: bool,
        ) {
            let kept: Vec<u64> =
                row.iter().map(|(a, b, _)| if dense { a | b } else { a & b }).collect();
            let from: Vec<u64> = row.iter().map(|(_, _, word)| *word).collect();
            let mut to = vec![0; kept.len()];
            Compress::new(&kept).or_into(&mut to, &from);
            proptest::prop_assert_eq!(to, compressed_by_bits(&kept, &from));
        }
    }

    #[test]
    fn all_columns_and_none() {
        for (kept, picked) in [(u64::MAX, u64::MAX), (0, 0), (1 << 63, 1), (1, 1)] {
            let mut to = [0; 2];
            Compress::new(&[kept, kept]).or_into(&mut to, &[u64::MAX; 2]);
            assert_eq!(to.to_vec(), compressed_by_bits(&[kept; 2], &[u64::MAX; 2]));
            assert_eq!(to[0] & picked, picked);
        }
    }
}
