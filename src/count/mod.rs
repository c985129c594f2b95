//! How many positions a tier holds.
//!
//! A tier holds the **live** positions, in which nobody has four in a row, and the **terminal**
//! ones, in which the last move made a four. Both counts are of positions that games reach, each
//! counted once, however many games reach it.
//!
//! Nothing is listed. Cut the board at one **centre** column. The two sides need to know little
//! about each other: the *reach* of a side along lines through the centre, and its move-order
//! *type*. Sides with the same reach and type count alike, so a position is a pair of groups:
//!
//! ```text
//!     live positions = sum over centres, over pairs (left group, right group)
//!                      whose reaches close no four and whose types go together,
//!                      of sides in the left group * sides in the right group
//! ```
//!
//! Terminal positions are counted as moves. Each open column of a live position is a move, which
//! leads to a live position or to a terminal one. The number of moves that lead to a live position
//! is the number of its top stones of the last mover without which it can be reached in turn. So
//! the moves into terminal positions are
//!
//! ```text
//!     open columns of live positions  -  last moves of live positions
//! ```
//!
//! But a terminal position may have several last moves: of `X X X X` on top of four columns, each
//! may have come last. Let `l`, `c` and `r` be the number of possible last moves on the left, in
//! the centre and on the right. Then the position was overcounted by
//!
//! ```text
//!     l + c + r - 1  =  (l + c - 1)  +  (c + r - 1)  +  (1 - c)
//!                       0 if l+c=0      0 if c+r=0      0 unless l, r > 0
//! ```
//!
//! The first two terms come from one side and the centre alone (`spare`), the third from both sides
//! (`runs`). If both sides are equally wide, one is the other in a mirror, and one is enough. On
//! boards of even width the right side is the left side *and the centre* in a mirror. So the moves
//! of that half count twice, and the positions with a last move in either half are subtracted:
//!
//! ```text
//!     l + c + r - 1  =  (l + c - 1)  +  (r - 1)  +  1
//!                       0 if l+c=0      0 if r=0    0 unless l+c, r > 0
//! ```
//!
//! From the bottom up: `reach` and `sides` say what a side is, `local_types` and
//! `side_groups` group the sides beside one centre, `rows`, `centre` and `pairing` say which
//! groups go together, and `pass` and `runs` add up `totals`.
//!
//! Boards of four columns are counted in another way, which is faster there and knows neither
//! reaches nor types: see `four_columns`.

mod centre;
pub(crate) mod enumerate;
mod four_columns;
mod local_types;
mod pairing;
mod pass;
mod reach;
mod rows;
mod runs;
mod side_groups;
mod sides;
mod spare;
mod totals;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::board::{Board, Tier, TierRange, TierRangeError};
use crate::columns::column_states;
use crate::memory;
use crate::order::{Orders, SideTypes, Widths};
use crate::progress::Progress;
use crate::too_large::BoardTooLarge;
use centre::{Centre, Partners, Shared};
use pass::Pass;
use reach::Hand;
use side_groups::{ByReach, SideGroups};
use sides::Sides;
pub(crate) use totals::Counted;
use totals::Totals;

/// The numbers of positions of one tier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TierCount {
    /// Which tier.
    pub tier: Tier,
    /// Positions without four in a row.
    pub live: u64,
    /// Positions whose last move made a four.
    pub terminal: u64,
}

impl TierCount {
    /// All positions of the tier.
    pub fn total(&self) -> u64 {
        self.live + self.terminal
    }
}

/// Why tiers could not be counted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// Tiers that the board does not have.
    #[error(transparent)]
    Tiers(#[from] TierRangeError),
    /// A board too large to be counted.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
}

/// The most states of a side that are listed: a gigabyte.
pub(crate) const MOST_STATES: u128 = 1 << 28;

/// Counts the positions of each tier in the range, fewest stones first.
pub fn count(
    board: Board,
    tiers: TierRange,
    progress: &dyn Progress,
) -> Result<Vec<TierCount>, CountError> {
    let tiers = tiers.within(board)?;
    Ok(count_on(board, tiers, None, None, &|_| (), progress)?)
}

/// The same for tiers that the board has, with the move-order types of the whole board, if they are
/// already known and belong to the cut that is used for counting, and continuing with what an
/// earlier count of the same tiers has found. `store` gets what is found, time and again.
pub(crate) fn count_on(
    board: Board,
    tiers: TierRange,
    orders: Option<&Orders>,
    found: Option<Counted>,
    store: &(dyn Fn(&Counted) + Sync),
    progress: &dyn Progress,
) -> Result<Vec<TierCount>, BoardTooLarge> {
    let up_to = tiers.last();
    let centres = column_states(board)?.len();
    let found = found.filter(|found| found.is_of(centres, up_to));
    let totals = match found {
        Some(found) if found.is_complete() => found.totals,
        found => {
            let across = match board.width() {
                4 => four_columns::positions(board, up_to, progress)?,
                _ => None,
            };
            let counted = match across {
                Some(totals) => Counted { is_done: vec![true; centres], totals },
                None => {
                    let found = found.unwrap_or_else(|| Counted::nothing(centres, up_to));
                    by_sides(board, up_to, orders, found, store, progress)?
                }
            };
            store(&counted);
            counted.totals
        }
    };
    let counts = totals.live.into_iter().zip(totals.terminal).zip(0..);
    Ok(counts
        .map(|((live, terminal), stones)| TierCount { tier: Tier(stones), live, terminal })
        .filter(|count| tiers.contains(count.tier))
        .collect())
}

/// How a board is cut for counting.
fn widths(board: Board) -> Widths {
    let left = (board.width() - 1) / 2;
    Widths { left, centre: 1, right: board.width() - 1 - left }
}

/// Refuses boards with too many states to count their positions.
pub(crate) fn can_be_counted(board: Board) -> Result<(), BoardTooLarge> {
    // Boards of four columns may be counted without sides.
    if board.width() == 4 { Ok(()) } else { refuse_many_states(board, column_states(board)?.len()) }
}

fn refuse_many_states(board: Board, column_states: usize) -> Result<(), BoardTooLarge> {
    let columns = widths(board).right;
    let states = Sides::number(column_states, columns);
    if states > MOST_STATES {
        let (found, limit) = (states, MOST_STATES);
        return Err(BoardTooLarge::Count { board, columns, found, limit });
    }
    Ok(())
}

/// Refuses boards whose sides take more memory than is available, if that is known.
fn refuse_what_does_not_fit(
    board: Board,
    columns: usize,
    available: Option<u64>,
) -> Result<(), BoardTooLarge> {
    let Widths { left, right, .. } = widths(board);
    let sides = if left == right { &[left][..] } else { &[left, right] };
    let needed = sides.iter().map(|width| Sides::bytes(columns, *width)).sum();
    match available {
        Some(available) if available < needed => {
            Err(BoardTooLarge::Memory { work: format!("counting {board}"), needed, available })
        }
        _ => Ok(()),
    }
}

/// Counts positions as pairs of groups of sides.
fn by_sides(
    board: Board,
    up_to: Tier,
    known: Option<&Orders>,
    counted: Counted,
    store: &(dyn Fn(&Counted) + Sync),
    progress: &dyn Progress,
) -> Result<Counted, BoardTooLarge> {
    let widths = widths(board);
    let columns = column_states(board)?.len();
    refuse_many_states(board, columns)?;
    refuse_what_does_not_fit(board, columns, memory::available())?;
    let found;
    let orders = match known.filter(|orders| orders.widths() == widths) {
        Some(orders) => orders,
        None => {
            found = Orders::new(board, widths, up_to, progress)?;
            &found
        }
    };
    let sides = |width, types: &SideTypes| {
        Sides::new(board, orders.columns(), width, types, up_to, progress)
    };
    let left = sides(widths.left, orders.left());
    let right = (widths.left != widths.right).then(|| sides(widths.right, orders.right()));
    let shared = Shared { board, orders, left: &left, right: right.as_ref(), up_to };
    let todo: Vec<usize> = (0..columns).filter(|id| !counted.is_done[*id]).collect();
    let done = AtomicU64::new((columns - todo.len()) as u64);
    progress.advance(done.load(Ordering::Relaxed), columns as u64);
    let counted = Mutex::new(counted);
    // Centres are so much work that at the end no thread should still have several to do.
    todo.into_par_iter().with_max_len(1).for_each(|id| {
        let totals = positions_beside(&shared, id);
        let mut counted = counted.lock().expect("adding does not panic");
        counted.add(id, totals);
        store(&counted);
        drop(counted);
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1, columns as u64);
    });
    Ok(counted.into_inner().expect("adding does not panic"))
}

/// Counts the positions with the centre column `id`.
fn positions_beside(shared: &Shared, id: usize) -> Totals {
    let mut totals = Totals::new(shared.up_to);
    let Some(centre) = Centre::new(shared, id) else { return totals };
    let mut partners = Partners::new(&centre, Hand::Left);
    let [left_view, right_view] = centre.views();
    let left = SideGroups::new(shared.left, &left_view, centre.room, &centre.left_types);
    let left_by_reach = left.by_reach();
    let pass = Pass::of_left(&centre);
    if shared.right.is_none() {
        let right_by_reach = left_by_reach.mirrored(shared.board.height());
        pass.run(&mut partners, &left, &left_by_reach, &right_by_reach, &mut totals);
        runs::made_from_both_sides(&centre, &mut partners, &left, None, &mut totals);
    } else {
        let mut right =
            SideGroups::new(centre.right_sides(), &right_view, centre.room, centre.right_types());
        pass.run(
            &mut partners,
            &left,
            &left_by_reach,
            &right.by_reach_without_moves(),
            &mut totals,
        );
        // What both halves can have made is mirrored where the columns beside the cut change
        // places.
        right.keep_one_of_mirror_images(id);
        runs::made_from_both_sides(&centre, &mut partners, &left, Some(&right), &mut totals);
        let mut of_right = Partners::new(&centre, Hand::Right);
        let nothing = ByReach::default();
        Pass::of_right(&centre).run(&mut of_right, &right, &nothing, &left_by_reach, &mut totals);
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn boards_that_take_more_memory_than_there_is_are_refused_before_any_work() {
        let board: Board = "32x1".parse().unwrap();
        let refused = |available| refuse_what_does_not_fit(board, 3, available);
        let needed = 8 * (3_u64.pow(15) + 3_u64.pow(16));
        assert_eq!((refused(None), refused(Some(needed))), (Ok(()), Ok(())));
        let error = refused(Some(256 << 20)).unwrap_err();
        let work = "counting 32x1".to_owned();
        assert_eq!(error, BoardTooLarge::Memory { work, needed, available: 256 << 20 });
        assert!(error.to_string().starts_with("counting 32x1 takes about 438 MiB of memory, but "));
    }

    /// The two ways share nothing but the columns.
    #[test]
    fn boards_of_four_columns_are_counted_alike_both_ways() {
        both_ways(1..=6);
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn taller_boards_of_four_columns_are_counted_alike_both_ways() {
        both_ways(7..=8);
    }

    fn both_ways(heights: std::ops::RangeInclusive<u64>) {
        for height in heights {
            let board = Board::new(4, height).unwrap();
            for up_to in [board.last_tier(), Tier(board.last_tier().0 / 2), Tier(1)] {
                let nothing = Counted::nothing(column_states(board).unwrap().len(), up_to);
                let start = Instant::now();
                let by_sides = by_sides(board, up_to, None, nothing, &|_| (), &()).unwrap().totals;
                let of_sides = start.elapsed();
                let across = four_columns::positions(board, up_to, &()).unwrap();
                let of_columns = start.elapsed() - of_sides;
                eprintln!("{board} to {up_to}: {of_sides:?} by sides, {of_columns:?} by columns");
                assert_eq!(across, Some(by_sides), "tiers up to {up_to} of {board}");
            }
        }
    }
}
