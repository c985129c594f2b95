//! Boards of four columns, where every line but the vertical ones crosses them all.
//!
//! ```text
//!      left  second third right
//!        .     .     .     X        A four that is not vertical has one stone in
//!        .     .     X     O        each column. So no two or three columns make
//!        O     X     O     X        one among themselves, and which right columns
//!        X     O     X     O        make one with the other three is a matter of
//!        X     O     O     X        which cells of the right column have which colour.
//! ```
//!
//! A column has few states, 2,207 on 4x11, so a row of bits represents all right columns at once.
//! Only those that balance the colours of the other three are needed, at most about 500 bits. For
//! each third, second and left column
//!
//! ```text
//!     live =  right columns with which the board fills in turn     (`fill_order`)
//!             but not those that complete a four                   (`fours`)
//! ```
//!
//! is a register or two, and the positions of a tier are its bits, summed up. All **positions** of
//! a tier, including terminal ones, are those that become live when some top stone of the last
//! mover is lifted:
//!
//! ```text
//!     made =     live(left - top, second, third)
//!             or live(left, second - top, third)
//!             or live(left, second, third - top)
//!             or live(left, second, third) moved from right - top to right
//! ```
//!
//! Each line is a row of bits over the right columns, so a position that several moves may have
//! made is counted once. Live positions are among them, and the others are terminal.
//!
//! A vertical four concerns only one column. Such a column is **closed**: only one stone can have
//! come last, the one on top of that column. As a left or right column it takes part in `made`; as
//! a second or third one it is counted as a move, with the live position that it was made from.
//!
//! A board and its mirror image count alike, so the second column is never the larger of the two in
//! the middle. From the bottom up: `states` numbers the states of a column, `strips` gives right
//! columns their bits, `fill_order` and `fours` say which of them fit, `kernel` counts, and `walk`
//! goes through all second columns beside one third column.

mod fill_order;
mod fours;
mod kernel;
mod states;
mod strips;
mod walk;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::totals::Totals;
use crate::board::{Board, Tier};
use crate::cpu::Cpu;
use crate::progress::Progress;
use crate::too_large::BoardTooLarge;
use fill_order::FillOrder;
use states::States;
use strips::Strips;
use walk::{Shared, Walk, Workspace};

/// The most states of a column for this way of counting: those of 4x12. Up to this number, a
/// [`fill_order::Kind`] can number all kinds of pairs.
const MOST_COLUMNS: usize = 4100;

/// Why no lock is poisoned.
const NO_PANIC: &str = "nothing that holds it panics";

/// A count in progress.
struct Counting<'a> {
    shared: Shared,
    /// Unused workspaces.
    workspaces: Mutex<Vec<Workspace>>,
    progress: &'a dyn Progress,
    /// The number of third columns that are done.
    done: AtomicU64,
}

/// Counts the positions of all tiers up to one; `None` if columns have too many states.
pub(super) fn positions(
    board: Board,
    up_to: Tier,
    progress: &dyn Progress,
) -> Result<Option<Totals>, BoardTooLarge> {
    assert_eq!(board.width(), 4, "lines cross four columns");
    let states = States::new(board, up_to)?;
    if states.open.len() > MOST_COLUMNS {
        return Ok(None);
    }
    let strips = Strips::new(&states);
    let shared = Shared::new(states, strips, up_to, Cpu::widest());
    Ok(Some(Counting::new(shared, progress).positions()))
}

impl<'a> Counting<'a> {
    fn new(shared: Shared, progress: &'a dyn Progress) -> Counting<'a> {
        Counting { shared, workspaces: Mutex::default(), progress, done: AtomicU64::new(0) }
    }

    fn positions(&self) -> Totals {
        let mut totals = self.with_third(0, None);
        // No move makes the empty board, so the difference for it is -1 and not 0.
        totals.terminal[0] = 0;
        totals
    }

    /// The positions with this third column, and with all columns that extend it.
    fn with_third(&self, third: usize, before: Option<&FillOrder>) -> Totals {
        let shared = &self.shared;
        let room = shared.up_to.stones() - shared.states.open[third].stones;
        let fill_order = shared.inputs().fill_order(third, before, room);
        let spare = self.workspaces.lock().expect(NO_PANIC).pop();
        let workspace = spare.unwrap_or_else(|| Workspace::new(shared));
        let walk = Walk { shared, third, fill_order: &fill_order, before, workspace };
        let (totals, workspace) = walk.run();
        self.workspaces.lock().expect(NO_PANIC).push(workspace);
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.progress.advance(done, shared.states.open.len() as u64);
        let taller = shared.taller[third].par_iter();
        let rest = taller.map(|taller| self.with_third(*taller, Some(&fill_order)));
        totals.plus(rest.reduce(|| Totals::new(shared.up_to), Totals::plus))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{TierCount, enumerate};

    fn counted(board: Board, up_to: Tier, cpu: Cpu, per_word: usize) -> Vec<(u64, u64)> {
        let states = States::new(board, up_to).unwrap();
        let strips = Strips::with(&states, per_word);
        let totals = Counting::new(Shared::new(states, strips, up_to, cpu), &()).positions();
        totals.live.into_iter().zip(totals.terminal).collect()
    }

    fn listed(board: Board, up_to: Tier) -> Vec<(u64, u64)> {
        let pair = |count: TierCount| (count.live, count.terminal);
        enumerate::tiers(board, up_to).map(pair).collect()
    }

    #[test]
    fn all_forms_of_the_kernel_count_what_is_listed() {
        for height in 1..=5 {
            let board = Board::new(4, height).unwrap();
            let listed = listed(board, board.last_tier());
            for cpu in Cpu::all() {
                let counted = counted(board, board.last_tier(), cpu, 64);
                assert_eq!(counted, listed, "{board}, {cpu}");
            }
        }
    }

    #[test]
    fn strips_of_several_blocks_are_counted_like_short_ones() {
        let board = Board::new(4, 5).unwrap();
        let listed = listed(board, board.last_tier());
        for per_word in [1, 2, 3] {
            assert_eq!(counted(board, board.last_tier(), Cpu::widest(), per_word), listed);
        }
    }

    #[test]
    fn the_beginnings_of_tall_boards_are_counted_as_listed() {
        for height in [8, 11, 13, 15] {
            let board = Board::new(4, height).unwrap();
            assert_eq!(counted(board, Tier(9), Cpu::widest(), 64), listed(board, Tier(9)));
        }
    }

    #[test]
    fn columns_with_too_many_states_are_left_to_others() {
        let tall = Board::new(4, 13).unwrap();
        assert_eq!(positions(tall, tall.last_tier(), &()), Ok(None));
        assert!(positions(tall, Tier(5), &()).unwrap().is_some());
    }
}
