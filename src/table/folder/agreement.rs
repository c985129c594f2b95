//! Checks that a table of scores ends every game as the table of outcomes of its tier does.
//!
//! They are compared cell by cell, even cells that are not quiet. In the table of outcomes these
//! are zeros, and in that of scores they are lost as soon as possible: in both, the first player
//! loses.

use rayon::prelude::*;

use super::super::error::{Damage, Fault, TableError};
use super::super::format::{Block, TileBlocks};
use super::super::reading::{BlockReader, Table};

/// Both tables of a tier.
pub(super) struct Agreement<'a> {
    pub outcomes: &'a Table,
    pub scores: &'a Table,
}

impl Agreement<'_> {
    /// The differences. Skips blocks that cannot be read, which are reported elsewhere.
    pub fn faults(&self) -> Vec<TableError> {
        let Agreement { outcomes, scores } = self;
        let tier = scores.header().tier;
        let counts = [outcomes, scores].map(|table| table.header().counts);
        if counts[0] != counts[1] {
            let [expected, found] = counts.map(|counts| counts.to_string());
            let what = "the number of positions";
            let fault = Fault::OtherOutcomes { tier, what, expected, found };
            return vec![TableError::new(scores.path(), fault)];
        }
        let of_outcomes = |tile| outcomes.layout().tile(tile);
        let tiles = scores.layout().tiles();
        let pairs: Vec<(TileBlocks, TileBlocks)> =
            tiles.filter_map(|(tile, blocks)| Some((of_outcomes(tile)?, blocks))).collect();
        let differ = |readers: &mut [BlockReader; 2], (outcomes, scores): &(_, TileBlocks)| {
            let different = |block: &Block| self.differ(readers, *outcomes, block);
            scores.iter().filter(different).map(|block| block.number).collect::<Vec<_>>()
        };
        let numbers = pairs.par_iter().map_init(Default::default, differ).flatten();
        let fault = |number| scores.damaged(number, Damage::OtherOutcomes);
        numbers.collect::<Vec<_>>().into_iter().map(fault).collect()
    }

    /// Whether a block of scores contradicts the block of outcomes that covers it.
    fn differ(&self, readers: &mut [BlockReader; 2], outcomes: TileBlocks, scores: &Block) -> bool {
        let [a, b] = readers;
        let covering = outcomes.covering(scores);
        let (Ok(told), Ok(scored)) =
            (a.read(self.outcomes, &covering), b.read(self.scores, scores))
        else {
            return false;
        };
        let first = scores.rows.start - covering.rows.start;
        (0..scores.rows.len()).any(|row| {
            let [wins, holds] = told.planes(first + row);
            let bytes = scored.row(row);
            wins.as_flattened().iter().zip(holds.as_flattened()).zip(bytes).enumerate().any(
                |(at, ((wins, holds), plies))| {
                    let columns = scores.columns.len().saturating_sub(8 * at).min(8);
                    let there = ((1 << columns) - 1) as u8;
                    outcomes_of(*plies).map(|bits| bits & there) != [*wins, *holds]
                },
            )
        })
    }
}

/// Who wins and who holds, one bit each for each of eight plies that end a game. The first player
/// makes the odd plies, and 0 is a draw.
fn outcomes_of(plies: [u8; 8]) -> [u8; 2] {
    let bits =
        |is: fn(u8) -> bool| plies.iter().rev().fold(0, |bits, ply| bits << 1 | u8::from(is(*ply)));
    [bits(|ply| ply % 2 == 1), bits(|ply| ply == 0 || ply % 2 == 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_player_makes_odd_plies() {
        assert_eq!(outcomes_of([9, 0, 8, 42, 41, 0, 1, 2]), [0b0101_0001, 0b0111_0011]);
    }
}
