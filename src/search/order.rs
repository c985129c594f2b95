//! Which moves to try first.

use super::shape::Shape;
use crate::random::SplitMix64;

/// What has refuted positions so far: for each player, how well a stone in a cell did, and how well
/// it did in reply to a stone in another cell.
///
/// Each value is an average that forgets slowly, between -2^14 and 2^14.
#[derive(Clone, Debug)]
pub(super) struct History {
    cells: [[i16; 64]; 2],
    /// By player and the cell of the other player's last stone.
    answers: Vec<[i16; 64]>,
}

/// With fewer free cells than this, replies are neither stored nor looked up.
const ANSWERS_FROM: u32 = 10;
/// An average moves by one part in 2^14 per unit of weight.
const INERTIA: u32 = 14;
/// The weight of a result per free cell: refuting a large tree counts more.
const COUNTS: i32 = 20;

impl History {
    pub(super) fn new() -> History {
        History { cells: [[0; 64]; 2], answers: Vec::new() }
    }

    /// A separate order for each thread except the first, which starts without one.
    pub(super) fn shuffled(thread: u64) -> History {
        let mut random = SplitMix64(thread);
        let mut history = History::new();
        if thread > 0 {
            let values = history.cells.iter_mut().flatten();
            values.for_each(|value| *value = (random.word() >> 52) as i16);
        }
        history
    }

    /// How well a stone of `player` in `cell` did, and how well in reply to a stone in `last`.
    #[inline(always)]
    pub(super) fn of(&self, player: usize, last: u64, cell: u64, empty: u32) -> i64 {
        let alone = self.cells[player & 1][index(cell)];
        let after = if empty >= ANSWERS_FROM {
            self.answers.get(answer(player, last)).map_or(0, |cells| cells[index(cell)])
        } else {
            0
        };
        i64::from(alone) + i64::from(after)
    }

    /// The stones in `vain` were tried in vain; the one in `found` was the answer.
    pub(super) fn learn(&mut self, player: usize, last: u64, vain: u64, found: u64, empty: u32) {
        let weight = COUNTS * empty as i32;
        let mut rest = vain | found;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            let counts = if cell == found { weight } else { -weight };
            learn(&mut self.cells[player & 1][index(cell)], counts);
            if empty >= ANSWERS_FROM {
                if self.answers.is_empty() {
                    self.answers = vec![[0; 64]; 2 * 64];
                }
                learn(&mut self.answers[answer(player, last)][index(cell)], counts);
            }
        }
    }
}

#[inline(always)]
fn index(cell: u64) -> usize {
    cell.trailing_zeros() as usize & 63
}

#[inline(always)]
fn answer(player: usize, last: u64) -> usize {
    (player & 1) << 6 | index(last)
}

#[inline(always)]
fn learn(average: &mut i16, counts: i32) {
    let value = i32::from(*average);
    *average = (value + counts - ((value * counts.abs()) >> INERTIA)) as i16;
}

/// The worth of a winning cell and of a step towards the middle, compared with the history.
const WINNING_CELL: i64 = 51_200;
const STEP: i64 = 12_800;

/// How promising a move looks that gives the mover these winning cells.
#[inline(always)]
pub(super) fn promise<S: Shape>(shape: S, cell: u64, wins: u64) -> i64 {
    WINNING_CELL * i64::from(wins.count_ones()) + STEP * i64::from(shape.centrality(cell))
}

/// Added to the promise of the move that the table remembers.
pub(super) const REMEMBERED: i64 = 1 << 40;

/// No promise is this far below zero.
const LEAST: i64 = 1 << 40;

/// The moves of a position.
#[derive(Default)]
pub(super) struct MoveList<W> {
    /// How promising each move is, with its number in the low six bits; 0 in unused places.
    orders: W,
    cells: W,
    wins: W,
    len: usize,
}

impl<W: AsRef<[u64]> + AsMut<[u64]>> MoveList<W> {
    #[inline(always)]
    pub(super) fn push(&mut self, promise: i64, cell: u64, wins: u64) {
        let number = self.len;
        if number < self.cells.as_ref().len() {
            self.orders.as_mut()[number] = ((promise + LEAST) as u64) << 6 | number as u64;
            self.cells.as_mut()[number] = cell;
            self.wins.as_mut()[number] = wins;
            self.len += 1;
        }
    }

    /// The cells of all moves, each with the winning cells that it gives its player.
    #[inline(always)]
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        let wins = self.wins.as_ref().iter().copied();
        self.cells.as_ref().iter().copied().zip(wins).take(self.len)
    }

    /// The most promising move not yet picked: its cell, and the winning cells that it gives.
    #[inline(always)]
    pub(super) fn pick(&mut self) -> Option<(u64, u64)> {
        let best = self.orders.as_ref().iter().fold(0, |best: u64, order| best.max(*order));
        if best == 0 {
            return None;
        }
        let place = best as usize & 63;
        self.orders.as_mut()[place] = 0;
        Some((self.cells.as_ref()[place], self.wins.as_ref()[place]))
    }
}
