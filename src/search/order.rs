//! Which moves to try first.

use super::shape::Shape;
use super::zobrist::SplitMix64;

/// What has refuted positions so far: for each player and cell, how often a stone there
/// was the answer, less how often it was tried in vain.
#[derive(Clone, Debug)]
pub(super) struct History([[i32; 64]; 2]);

impl History {
    pub(super) fn new() -> History {
        History([[0; 64]; 2])
    }

    /// An order of its own for each thread but the first, which has none yet.
    pub(super) fn shuffled(thread: u64) -> History {
        let mut random = SplitMix64(thread);
        let mut history = History::new();
        if thread > 0 {
            let values = history.0.iter_mut().flatten();
            values.for_each(|value| *value = (random.next() % LIMIT as u64) as i32);
        }
        history
    }

    #[inline(always)]
    pub(super) fn of(&self, player: usize, cell: u64) -> i32 {
        self.0[player & 1][cell.trailing_zeros() as usize & 63].clamp(-LIMIT, LIMIT)
    }

    #[inline(always)]
    pub(super) fn reward(&mut self, player: usize, cell: u64) {
        self.0[player & 1][cell.trailing_zeros() as usize & 63] += 1;
    }

    #[inline(always)]
    pub(super) fn punish(&mut self, player: usize, cell: u64) {
        self.0[player & 1][cell.trailing_zeros() as usize & 63] -= 1;
    }
}

/// History tells moves apart that look the same otherwise, and no others.
const LIMIT: i32 = 2000;
const STEP: i32 = 2 * LIMIT + 1;

/// How promising a move looks that leaves the mover with these winning cells.
#[inline(always)]
pub(super) fn promise<S: Shape>(shape: S, cell: u64, wins: u64) -> i32 {
    STEP * (8 * wins.count_ones() as i32 + 2 * shape.centrality(cell))
}

/// On top of its promise, the move that the table remembers.
pub(super) const REMEMBERED: i32 = 1 << 28;
/// On top of its promise, a move whose answer the table is known to hold.
pub(super) const REFUTED: i32 = -20 * STEP;

/// Moves, and how promising they are; sorted only as far as they are asked for.
pub(super) struct MoveList {
    moves: [(i32, u64); 32],
    len: usize,
}

impl MoveList {
    #[inline(always)]
    pub(super) fn new() -> MoveList {
        MoveList { moves: [(0, 0); 32], len: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, promise: i32, cell: u64) {
        self.moves[self.len & 31] = (promise, cell);
        self.len += 1;
    }

    /// All moves, those already picked first, in that order.
    #[inline(always)]
    pub(super) fn all(&mut self) -> &mut [(i32, u64)] {
        &mut self.moves[..self.len.min(32)]
    }

    /// The most promising move when `picked` have been tried.
    #[inline(always)]
    pub(super) fn pick(&mut self, picked: usize) -> Option<u64> {
        let rest = self.all().get_mut(picked..)?;
        let (mut best, mut at) = (rest.first()?.0, 0);
        for (place, (promise, _)) in rest.iter().enumerate().skip(1) {
            if *promise > best {
                (best, at) = (*promise, place);
            }
        }
        rest.swap(0, at);
        Some(rest[0].1)
    }
}
