//! Makes scores from outcomes: a block of a table of scores from the same block of the tables of
//! games that end later and later.
//!
//! ```text
//!     games end with ply       8    10    12    …    42
//!     a cell                   ·     ·     X          X      X wins with ply 11
//!     another one              ·     ·     ·          ·      a draw: ply 0
//! ```
//!
//! A player who wins a game that ends soon also wins every one that ends later. So the number of
//! undecided games says in which of them a cell is first decided. It is counted for 64 cells at a
//! time, one word per binary digit, and becomes one byte per cell at the end.
//!
//! Cells that are not quiet are zeros in all tables. They come out as lost in the first game, which
//! packs as well as anything.

use crate::board::{Player, Tier};
use crate::plies::{FIRST_CUT, last_ply};

use super::super::format::{
    BLOCK_ROWS, Block, BlockShape, Damage, EncodedBlocks, Encoder, SCORE_ROWS, TableError,
};
use super::super::reading::{BlockReader, Table};

/// Binary digits of a number of games, those that are cut off and the whole one.
const DIGITS: usize = 5;
const _: () = assert!((Tier::LAST.0 - FIRST_CUT).div_ceil(2) + 1 < 1 << DIGITS);

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
    /// The number of undecided games.
    undecided: [u64; DIGITS],
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
    /// block; they are of games that end later and later, and come with the plies at which those
    /// end.
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
            Cells { wins: 0, holds: u64::MAX, undecided: [0; DIGITS] },
        );
        for (_, table) in ends {
            let decoded = reader.read(table, block)?;
            for (row, cells) in cells.chunks_exact_mut(block.shape.width).enumerate() {
                let [wins, holds] = decoded.planes(row);
                let outcomes = wins
                    .iter()
                    .zip(holds)
                    .map(|(wins, holds)| [u64::from_le_bytes(*wins), u64::from_le_bytes(*holds)]);
                for (cells, outcomes) in cells.iter_mut().zip(outcomes) {
                    if !cells.add(outcomes) {
                        return Err(table.damaged(block.number, Damage::NotNested));
                    }
                }
            }
        }
        let plies = plies(ends);
        for rows in cells.chunks(SCORE_ROWS * block.shape.width) {
            let rows_here = rows.len() / block.shape.width;
            scores.clear();
            for row in rows.chunks_exact(block.shape.width) {
                let from = scores.len();
                row.iter().for_each(|cells| scores.extend(cells.scores(&plies)));
                clear_behind(&mut scores[from..], block.columns.len());
            }
            let shape = block.shape.of_scores(rows_here);
            encoder.encode(shape, scores, into);
        }
        Ok(())
    }
}

impl Cells {
    /// Adds the next game; false if a player wins the one before but not this one.
    fn add(&mut self, [wins, holds]: [u64; 2]) -> bool {
        let nested = self.wins & !wins == 0 && holds & !self.holds == 0 && wins & !holds == 0;
        (self.wins, self.holds) = (wins, holds);
        let mut carry = holds & !wins;
        for digit in &mut self.undecided {
            let sum = *digit ^ carry;
            carry &= *digit;
            *digit = sum;
        }
        nested
    }

    /// One byte per cell: the ply for its number of games and its winner.
    fn scores(&self, plies: &[[u8; 1 << DIGITS]; 2]) -> [u64; BYTES] {
        let [a, b, c, d, e] = self.undecided;
        let digits = [a, b, c, d, e, self.wins, 0, 0];
        std::array::from_fn(|byte| {
            // The digits of eight cells, one below the other, become those of each cell, side by
            // side.
            let rows = digits.map(|digit| digit.to_le_bytes()[byte]);
            let cells = transposed(u64::from_le_bytes(rows)).to_le_bytes();
            let ply =
                |cell: u8| plies[usize::from(cell >> DIGITS)][usize::from(cell) % (1 << DIGITS)];
            u64::from_le_bytes(cells.map(ply))
        })
    }
}

/// The ply with which a player wins, by the number of undecided games: first for the second
/// player, then for the first.
fn plies(ends: &[(Tier, &Table)]) -> [[u8; 1 << DIGITS]; 2] {
    [Player::Second, Player::First].map(|winner| {
        std::array::from_fn(|undecided| {
            ends.get(undecided).map_or(0, |(end, table)| {
                let ply = last_ply(winner, *end);
                // Only the first player can still make a ply: the other one never wins.
                if ply > table.header().tier { ply.0 } else { end.0 + 1 }
            })
        })
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
