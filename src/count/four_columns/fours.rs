//! Which right columns complete a four.
//!
//! Every line of four that is not vertical has one cell in each column:
//!
//! ```text
//!     . . . .     . . . d     d . . .
//!     a b c d     . . c .     . c . .      flat, rising, falling
//!     . . . .     . b . .     . . b .
//!     . . . .     a . . .     . . . a
//! ```
//!
//! If the left, second and third columns have stones of one colour on a line, a right column with a
//! stone of that colour on it completes a four. For a given second and third column, the right
//! columns that complete a four with some stone of the left one are a row of bits. The row of a
//! whole left column is the `or` of the rows of its stones. It is looked up in two parts, the
//! stones in the lower and in the upper half of the rows:
//!
//! ```text
//!     left column   O X X | O X O X O       completing = upper[..] | lower[..]
//!                   upper   lower
//! ```

use std::ops::Range;

use super::states::{State, States};
use super::strips::{Block, Strips, set};
use crate::board::Player;

/// The right columns that have a stone of a colour in a row.
pub(super) struct RightStones {
    height: usize,
    /// Blocks of all strips.
    blocks: usize,
    /// By row, then by player.
    rows: Vec<Block>,
    /// A row of zeros.
    none: Vec<Block>,
}

impl RightStones {
    /// The stones of right columns, without the top one if `lifted`.
    pub(super) fn new(states: &States, strips: &Strips, lifted: bool) -> RightStones {
        let (height, blocks) = (states.height, strips.all_blocks());
        let mut right = RightStones {
            height,
            blocks,
            rows: vec![Block::default(); 2 * height * blocks],
            none: vec![Block::default(); blocks],
        };
        let open = states.open.iter().zip(&strips.open);
        let closed = states.closed.iter().zip(&strips.closed);
        for (state, place) in open.chain(closed) {
            let code = if lifted { state.code.lifted() } else { Some(state.code) };
            let bit = (place.strip * strips.blocks * Block::BITS) + place.bit;
            for player in Player::BOTH {
                let stones = code.map_or(0, |code| code.stones_of(player));
                for row in (0..height).filter(|row| stones >> row & 1 == 1) {
                    let start = (2 * row + player.index()) * blocks;
                    set(&mut right.rows[start..][..blocks], bit);
                }
            }
        }
        right
    }

    fn with(&self, row: usize, player: Player) -> &[Block] {
        &self.rows[(2 * row + player.index()) * self.blocks..][..self.blocks]
    }

    /// The right columns that complete a four with a stone of `player` in this row of the left
    /// column, as three rows of bits to be combined.
    fn completing(&self, pair: [&State; 2], row: usize, player: Player) -> [&[Block]; 3] {
        let [second, third] = pair.map(|column| column.code.stones_of(player));
        [-1, 0, 1].map(|slope| {
            let line = [1, 2, 3].map(|columns| row as i32 + slope * columns);
            let fits = (0..self.height as i32).contains(&line[2]);
            if fits && second >> line[0] & third >> line[1] & 1 == 1 {
                self.with(line[2] as usize, player)
            } else {
                &self.none
            }
        })
    }
}

/// How the rows of a left column are halved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Halves {
    lower: usize,
    upper: usize,
}

impl Halves {
    pub(super) fn new(height: usize) -> Halves {
        let lower = height.div_ceil(2);
        Halves { lower, upper: height - lower }
    }

    /// A left column as marker codes of its lower and upper half.
    pub(super) fn codes(self, column: &State) -> [u16; 2] {
        let code = column.code.marker() as u16;
        match column.stones.checked_sub(self.lower) {
            Some(_) => [code & ((1 << self.lower) - 1) | 1 << self.lower, code >> self.lower],
            None => [code, 1],
        }
    }

    /// The tables of the lower half, by stones of the second column. A stone there is on lines with
    /// the row below it, its own and the row above, so stones further up change nothing.
    fn lower_slot(self, second: &State) -> usize {
        second.stones.min(self.lower + 1)
    }
}

/// The right columns that complete a four, beside one third column, and one second column with all
/// columns below it.
///
/// The tables of a second column stay until one with the same number of stones replaces them, so
/// second columns are entered after the ones below them.
pub(super) struct Fours {
    halves: Halves,
    /// By stones of the second column; by block, then by code of the half.
    lower: Vec<Vec<Block>>,
    upper: Vec<Vec<Block>>,
}

impl Fours {
    /// Space for the tables of this many blocks.
    pub(super) fn new(halves: Halves, blocks: usize) -> Fours {
        let table = |rows: usize| vec![Block::default(); blocks * (2 << rows)];
        Fours {
            halves,
            lower: (0..halves.lower + 2).map(|_| table(halves.lower)).collect(),
            upper: (0..=halves.lower + halves.upper).map(|_| table(halves.upper)).collect(),
        }
    }

    /// Computes the tables of a second column beside the third one, for left columns of at most
    /// `room` stones.
    pub(super) fn enter(
        &mut self,
        right: &RightStones,
        second: &State,
        third: &State,
        room: usize,
    ) {
        let Halves { lower, upper } = self.halves;
        if second.stones <= lower + 1 {
            let to = &mut self.lower[self.halves.lower_slot(second)];
            fill(to, right, [second, third], 0..lower, room);
        }
        let to = &mut self.upper[second.stones];
        fill(to, right, [second, third], lower..lower + upper, room);
    }

    /// One block of the tables of a second column that was entered: first of the lower half, then
    /// of the upper.
    pub(super) fn blocks_of(&self, second: &State, block: usize) -> [&[Block]; 2] {
        let (lower, upper) = (2 << self.halves.lower, 2 << self.halves.upper);
        [
            &self.lower[self.halves.lower_slot(second)][block * lower..][..lower],
            &self.upper[second.stones][block * upper..][..upper],
        ]
    }
}

/// Fills the table of some rows of the left column, from the lowest up: a code with one more stone
/// has the bits of the code below it, and further ones.
fn fill(to: &mut [Block], right: &RightStones, pair: [&State; 2], rows: Range<usize>, room: usize) {
    let codes = 2 << rows.len();
    for (height, row) in rows.take_while(|row| *row < room).enumerate() {
        let completing = Player::BOTH.map(|player| right.completing(pair, row, player));
        for (block, table) in to.chunks_exact_mut(codes).enumerate() {
            let (known, taller) = table.split_at_mut(2 << height);
            let known = &known[1 << height..];
            // The higher codes have the first player's stone on top.
            let (with_second, with_first) = taller.split_at_mut(1 << height);
            for (taller, rows) in [with_first, with_second].into_iter().zip(&completing) {
                let mut completing = Block::default();
                rows.iter().for_each(|row| completing.or(&row[block]));
                for (to, known) in taller.iter_mut().zip(known) {
                    *to = *known;
                    to.or(&completing);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Tier, has_four};
    use crate::count::four_columns::strips::bit;
    use crate::tromp::position_of;

    /// Enters the second columns one after the other, each after those below it.
    fn each_second(states: &States, second: usize, visit: &mut impl FnMut(usize)) {
        visit(second);
        for (taller, state) in states.open.iter().enumerate() {
            if state.lift.is_some_and(|(_, below)| usize::from(below) == second) {
                each_second(states, taller, visit);
            }
        }
    }

    #[test]
    fn tables_tell_exactly_where_fours_are() {
        let board = Board::new(4, 5).unwrap();
        let states = States::new(board, board.last_tier()).unwrap();
        let strips = Strips::new(&states);
        let halves = Halves::new(board.height());
        for lifted in [false, true] {
            let right_stones = RightStones::new(&states, &strips, lifted);
            // A sample of the third columns is enough.
            for third in states.open.iter().step_by(7) {
                let mut fours = Fours::new(halves, strips.all_blocks());
                each_second(&states, 0, &mut |second| {
                    let second = &states.open[second];
                    fours.enter(&right_stones, second, third, board.height());
                    for left in &states.open {
                        for (right, place) in states.open.iter().zip(&strips.open) {
                            let [lower, upper] = fours.blocks_of(second, place.strip);
                            let [in_lower, in_upper] = halves.codes(left).map(usize::from);
                            let found = bit(&lower[in_lower..], place.bit)
                                || bit(&upper[in_upper..], place.bit);
                            let right = match lifted {
                                false => right.code,
                                true => right.code.lifted().unwrap_or(right.code),
                            };
                            let columns = [left.code, second.code, third.code, right];
                            let position = position_of(board, columns);
                            let four = |player| has_four(board, position.stones(player));
                            let has_four = Player::BOTH.into_iter().any(four);
                            assert_eq!(found, has_four, "{columns:?}");
                        }
                    }
                });
            }
        }
    }

    #[test]
    fn halves_put_together_are_the_column() {
        let states = States::new(Board::new(4, 7).unwrap(), Tier(28)).unwrap();
        let halves = Halves::new(7);
        for state in &states.open {
            let [lower, upper] = halves.codes(state).map(u64::from);
            let code = if state.stones < 4 { lower } else { upper << 4 | lower & 0b1111 };
            assert_eq!((code, state.stones < 4 && upper != 1), (state.code.marker(), false));
        }
    }
}
