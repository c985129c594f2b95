//! Makes scores from outcomes: a block of a table of scores from the same block of the tables of
//! games that end later and later.
//!
//! ```text
//!     games end with ply       8    10    12    …    42
//!     a cell                   ·     ·     X          X      X wins with ply 11
//!     another one              ·     ·     ·          ·      a draw: ply 0
//! ```
//!
//! A player who wins a game that ends soon also wins every one that ends later. So the ply of a
//! cell is that of the first game in which it is decided. It is written for 64 cells at a time, one
//! word per binary digit, and becomes one byte per cell at the end.
//!
//! Cells that are not quiet are zeros in all tables. They come out as lost in the first game, which
//! packs as well as anything.

use crate::board::{Player, Tier};
use crate::plies::last_ply;

use super::super::format::{
    BLOCK_ROWS, Block, BlockShape, Damage, EncodedBlocks, Encoder, SCORE_ROWS, TableError,
};
use super::super::reading::{BlockReader, Table};

/// Binary digits of a ply, even of one after the last.
const DIGITS: usize = 7;
const _: () = assert!(Tier::LAST.0 + 1 < 1 << DIGITS);

/// A word for each binary digit of a ply.
type Digits = [u64; DIGITS];

/// Words that hold one byte for each bit of a word.
const BYTES: usize = size_of::<u64>();

/// Makes blocks of scores; one per thread.
pub(crate) struct Merger {
    reader: BlockReader,
    encoder: Encoder,
    cells: Vec<Cells>,
    scores: Vec<u64>,
}

/// What is known of 64 cells.
#[derive(Clone, Copy)]
struct Cells {
    /// Whether the first player wins, and whether they hold, in the last game looked at.
    wins: u64,
    holds: u64,
    /// The digits of the ply that ends the game, the lowest first; zeros if it is undecided.
    ply: Digits,
}

impl Merger {
    /// A merger with its own memory.
    pub(crate) fn new() -> Merger {
        let most = BlockShape::LARGEST.words();
        Merger {
            reader: BlockReader::default(),
            encoder: Encoder::default(),
            cells: Vec::with_capacity(most),
            scores: Vec::with_capacity(most),
        }
    }

    /// Encodes the blocks of scores that cover a block of outcomes. Each of these tables has that
    /// block. They come with the plies at which their games end, the earliest first.
    pub(crate) fn merge(
        &mut self,
        ends: &[(Tier, &Table)],
        block: &Block,
        into: &mut EncodedBlocks,
    ) -> Result<(), TableError> {
        let Merger { reader, encoder, cells, scores } = self;
        cells.clear();
        cells.resize(
            block.rows.len() * block.shape.width,
            Cells { wins: 0, holds: u64::MAX, ply: [0; DIGITS] },
        );
        for (end, table) in ends {
            let [second, first] = plies(*end, table.header().tier).map(digits);
            let decoded = reader.read(table, block)?;
            for (row, cells) in cells.chunks_exact_mut(block.shape.width).enumerate() {
                let [wins, holds] = decoded.planes(row);
                let outcomes = wins
                    .iter()
                    .zip(holds)
                    .map(|(wins, holds)| [u64::from_le_bytes(*wins), u64::from_le_bytes(*holds)]);
                for (cells, outcomes) in cells.iter_mut().zip(outcomes) {
                    if !cells.add(outcomes, [&second, &first]) {
                        return Err(table.damaged(block.number, Damage::NotNested));
                    }
                }
            }
        }
        for rows in cells.chunks(SCORE_ROWS * block.shape.width) {
            let rows_here = rows.len() / block.shape.width;
            scores.clear();
            for row in rows.chunks_exact(block.shape.width) {
                let from = scores.len();
                row.iter().for_each(|cells| scores.extend(cells.scores()));
                clear_behind(&mut scores[from..], block.columns.len());
            }
            let shape = block.shape.of_scores(rows_here);
            encoder.encode(shape, scores, into);
        }
        Ok(())
    }
}

impl Cells {
    /// Adds the next game, in which each player wins with one of these plies; false if a player
    /// wins the one before but not this one.
    #[inline]
    fn add(&mut self, [wins, holds]: [u64; 2], [second, first]: [&Digits; 2]) -> bool {
        let [new_wins, new_losses] = [wins & !self.wins, self.holds & !holds];
        let wrong = self.wins & !wins | holds & !self.holds | wins & !holds;
        (self.wins, self.holds) = (wins, holds);
        if new_wins | new_losses != 0 {
            for (digit, (first, second)) in self.ply.iter_mut().zip(first.iter().zip(second)) {
                *digit |= new_wins & first | new_losses & second;
            }
        }
        wrong == 0
    }

    /// One byte per cell: its ply.
    fn scores(&self) -> [u64; BYTES] {
        let digits = self.ply.map(u64::to_le_bytes);
        std::array::from_fn(|byte| {
            // A row per digit, with a bit for each of eight cells, becomes a row of digits per
            // cell.
            let mut rows = [0; BYTES];
            rows.iter_mut().zip(digits).for_each(|(row, digit)| *row = digit[byte]);
            transposed(u64::from_le_bytes(rows))
        })
    }
}

/// The digits of a ply, each for 64 cells.
fn digits(ply: u8) -> Digits {
    std::array::from_fn(|digit| u64::from(ply >> digit & 1).wrapping_neg())
}

/// The plies with which the second and the first player win a game that ends at this ply, from
/// positions of a tier.
fn plies(end: Tier, tier: Tier) -> [u8; 2] {
    [Player::Second, Player::First].map(|winner| {
        let ply = last_ply(winner, end);
        // Only the other player can still make a ply, so this one never wins.
        if ply > tier { ply.0 } else { end.0 + 1 }
    })
}

/// Clears the bytes of a row after this many columns.
fn clear_behind(row: &mut [u64], columns: usize) {
    let (last, over) = (columns / BYTES, columns % BYTES);
    if over > 0 {
        row[last] &= (1 << (8 * over)) - 1;
    }
    row[columns.div_ceil(BYTES)..].fill(0);
}

/// A matrix of 8 x 8 bits, transposed.
fn transposed(mut bits: u64) -> u64 {
    for (mask, shift) in
        [(0x00aa_00aa_00aa_00aa, 7), (0x0000_cccc_0000_cccc, 14), (0x0000_0000_f0f0_f0f0, 28)]
    {
        let swapped = (bits ^ bits >> shift) & mask;
        bits ^= swapped ^ swapped << shift;
    }
    bits
}

/// Blocks of scores divide blocks of outcomes.
const _: () = assert!(BLOCK_ROWS.is_multiple_of(SCORE_ROWS));

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_cell_has_the_ply_of_the_first_game_in_which_it_is_decided(
            // By cell, that game, if there is any, and whether the first player wins it.
            cells in proptest::collection::vec((0usize..24, proptest::bool::ANY), 64), tier in 0u8..9,
        ) {
            let ends: Vec<Tier> = (tier / 2 * 2 + 2..40).step_by(2).map(Tier).collect();
            let word = |bit: &dyn Fn(&(usize, bool)) -> bool| {
                (0..).zip(&cells).fold(0, |word, (place, cell)| word | u64::from(bit(cell)) << place)
            };
            let mut merged = Cells { wins: 0, holds: u64::MAX, ply: [0; DIGITS] };
            for (number, end) in ends.iter().enumerate() {
                let wins = word(&|(game, first_wins)| *game <= number && *first_wins);
                let holds = word(&|(game, first_wins)| *game > number || *first_wins);
                let [second, first] = plies(*end, Tier(tier)).map(digits);
                proptest::prop_assert!(merged.add([wins, holds], [&second, &first]));
            }
            let scores: Vec<u8> = merged.scores().into_iter().flat_map(u64::to_le_bytes).collect();
            for (score, (game, first_wins)) in scores.iter().zip(&cells) {
                let ply = ends.get(*game).map(|end| end.0 - u8::from(*first_wins));
                let is_made = |ply: u8| ply > tier;
                // A player without a ply left never wins.
                let ply = ply.map(|ply| if is_made(ply) { ply } else { ends[*game].0 + 1 });
                proptest::prop_assert_eq!(*score, ply.unwrap_or(0));
            }
            // Nobody loses what they won in a shorter game.
            let [second, first] = plies(Tier(40), Tier(tier)).map(digits);
            let none = merged.wins | !merged.holds == 0;
            proptest::prop_assert_eq!(merged.add([0, u64::MAX], [&second, &first]), none);
        }
    }

    #[test]
    fn matrices_are_mirrored() {
        let bit = |bits: u64, row: u32, column: u32| bits >> (8 * row + column) & 1;
        for bits in [1, 0x8040_2010_0804_0201, 0x0123_4567_89ab_cdef, 0xff00_0000_0000_0080] {
            let mirrored = transposed(bits);
            for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
                assert_eq!(bit(mirrored, row, column), bit(bits, column, row));
            }
        }
    }
}
