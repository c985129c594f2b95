//! Which moves to try first.

use super::shape::Shape;
use super::zobrist::SplitMix64;

/// What has refuted positions so far: for each player, how well a stone in a cell did, and
/// how well it did as the answer to a stone in another one.
///
/// Each is an average that forgets slowly, between -2^14 and 2^14.
#[derive(Clone, Debug)]
pub(super) struct History {
    cells: [[i16; 64]; 2],
    /// By player and the cell of the other player's last stone.
    answers: Vec<[i16; 64]>,
}

/// Fewer free cells than this: answers are neither noted nor asked for.
const ANSWERS_FROM: u32 = 10;
/// One part in 2^14 of an average changes for each unit that a result counts.
const INERTIA: u32 = 14;
/// What a result counts for each free cell: what refutes a large tree counts more.
const COUNTS: i32 = 20;

impl History {
    pub(super) fn new() -> History {
        History { cells: [[0; 64]; 2], answers: Vec::new() }
    }

    /// An order of its own for each thread but the first, which has none yet.
    pub(super) fn shuffled(thread: u64) -> History {
        let mut random = SplitMix64(thread);
        let mut history = History::new();
        if thread > 0 {
            let values = history.cells.iter_mut().flatten();
            values.for_each(|value| *value = (random.next() >> 52) as i16);
        }
        history
    }

    /// How well a stone of `player` in `cell` did, and did after a stone in `last`.
    #[inline(always)]
    pub(super) fn of(&self, player: usize, last: u64, cell: u64, left: u32) -> i64 {
        let alone = self.cells[player & 1][index(cell)];
        let after = if left >= ANSWERS_FROM {
            self.answers.get(answer(player, last)).map_or(0, |cells| cells[index(cell)])
        } else {
            0
        };
        i64::from(alone) + i64::from(after)
    }

    /// The first cells were tried in vain, the one after them was the answer.
    pub(super) fn learn(&mut self, player: usize, last: u64, tried: &[Move], left: u32) {
        let counts = COUNTS * left as i32;
        for (place, cell) in tried.iter().map(|tried| tried.cell()).enumerate() {
            let counts = if place + 1 == tried.len() { counts } else { -counts };
            learn(&mut self.cells[player & 1][index(cell)], counts);
            if left >= ANSWERS_FROM {
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

/// What a winning cell is worth, and a step towards the middle, beside what history says.
const WINNING_CELL: i64 = 51_200;
const STEP: i64 = 12_800;

/// How promising a move looks that leaves the mover with these winning cells.
#[inline(always)]
pub(super) fn promise<S: Shape>(shape: S, cell: u64, wins: u64) -> i64 {
    WINNING_CELL * i64::from(wins.count_ones()) + STEP * i64::from(shape.centrality(cell))
}

/// On top of its promise, the move that the table remembers.
pub(super) const REMEMBERED: i64 = 1 << 40;

/// A move and how promising it is, as one number: the cell in the low six bits.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Move(i64);

impl Move {
    #[inline(always)]
    pub(super) fn new(promise: i64, cell: u64) -> Move {
        Move(promise << 6 | index(cell) as i64)
    }

    #[inline(always)]
    pub(super) fn cell(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// Moves, sorted only as far as they are asked for.
#[derive(Default)]
pub(super) struct MoveList<M> {
    moves: M,
    len: usize,
}

impl<M: AsMut<[Move]>> MoveList<M> {
    #[inline(always)]
    pub(super) fn push(&mut self, candidate: Move) {
        if let Some(place) = self.moves.as_mut().get_mut(self.len) {
            *place = candidate;
            self.len += 1;
        }
    }

    /// All moves, those already picked first, in that order.
    #[inline(always)]
    pub(super) fn all(&mut self) -> &mut [Move] {
        let moves = self.moves.as_mut();
        let len = self.len.min(moves.len());
        &mut moves[..len]
    }

    /// The most promising move when `picked` have been tried.
    #[inline(always)]
    pub(super) fn pick(&mut self, picked: usize) -> Option<u64> {
        let rest = self.all().get_mut(picked..)?;
        let (mut best, mut at) = (rest.first()?.0, 0);
        for (place, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.0 > best {
                (best, at) = (candidate.0, place);
            }
        }
        rest.swap(0, at);
        Some(rest[0].cell())
    }
}
