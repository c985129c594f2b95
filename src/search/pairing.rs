//! Bounds that need no search: a player who can answer every move.
//!
//! Call the players the *mover*, who is to move, and the *follower*. Suppose every free cell that
//! matters is paired with another one, so that the follower can always answer a move into one cell
//! of a pair with the other. Then the follower has a plan for the rest of the game, and the mover
//! gets at most one cell of each pair. If no four fits into what the mover may get, the mover
//! cannot win.
//!
//! ```text
//!     6  f f . .     The mover (m) is offered the lower cell of each pair, the
//!     5  m m f f     follower (f) answers on top of it. A column with an odd
//!     4  f f m m     number of free cells leaves one over, its lowest: the
//!     3  m m f c     *contested* cells (c) are paired with each other, and the
//!     2  # f m #     mover gets one of two.
//!     1  # m # #     Pairs are counted from the top: see `Shape::upper`.
//! ```
//!
//! Players call this follow-up or claim-even, and the pairs of contested cells baseinverse. The
//! follower needs nothing else: they always have an answer, and winning on the way only ends the
//! game sooner.
//!
//! If they threaten to complete a four in a cell that the plan gives them, it gives them more:
//!
//! ```text
//!     6  x     The follower wins at T. The mover may not play below it, and never
//!     5  x     gets the cells above it (x): fours need other cells. The column
//!     4  T     stays as it is to the end, when the mover has no other move than
//!     3  .     to play below T. So the cells that are *kept* free also say how
//!     2  #     late the mover loses.
//!     1  #
//! ```

use super::shape::Shape;

/// A position as the rules of this file see it.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    /// The mover's stones.
    pub(super) mover: u64,
    /// The follower's stones.
    pub(super) follower: u64,
    /// Free cells in which the follower completes a four.
    pub(super) follower_wins: u64,
    /// Free cells.
    pub(super) free: u64,
    /// Free cells that rest on something.
    pub(super) playable: u64,
}

/// An upper bound on the mover's score, if one of these rules gives one that is not above `bound`.
/// `empty` counts the free cells.
///
/// The mover must not be able to win at once, and must have enough stones for a score above
/// `bound`.
#[inline(always)]
pub(super) fn upper_bound<S: Shape>(shape: S, sides: Sides, empty: u32, bound: i32) -> Option<i32> {
    let upper = if empty.is_multiple_of(2) {
        follow_up(shape, sides, bound)
    } else {
        zugzwang(shape, sides, bound)
    };
    if upper.is_some() || bound <= 0 {
        return upper;
    }
    // The number of stones with which the mover can score above the bound.
    let in_time = empty.div_ceil(2) - bound as u32;
    no_win_within(shape, sides, in_time).then_some(bound)
}

/// An upper bound on the mover's score if the number of free cells is even.
///
/// All columns are paired from the top. The mover may get the lower cells and some of the contested
/// ones. The follower gets all other upper cells, and wins if they make a four with the follower's
/// stones.
#[inline(always)]
fn follow_up<S: Shape>(shape: S, sides: Sides, bound: i32) -> Option<i32> {
    let Sides { mover, follower, follower_wins, free, playable } = sides;
    let upper = shape.upper;
    let contested = playable & upper;
    let threats = follower_wins & upper & !playable;
    let above = above(shape, threats);
    let lost = if threats == 0 { -1 } else { lost_with_kept(above | threats | threats >> 1) };
    if lost > bound {
        return None;
    }
    let offered = mover | free & !upper & !above;
    if shape.has_four(offered | contested) && four_in_half(shape, offered, contested) {
        return None;
    }
    let wins = threats != 0 || shape.has_four(follower | free & upper & !playable);
    let score = if wins { lost } else { 0 };
    (score <= bound).then_some(score)
}

/// Whether the mover can make a four of `offered` and half of the contested cells.
#[inline(always)]
fn four_in_half<S: Shape>(shape: S, offered: u64, contested: u64) -> bool {
    if shape.has_four(offered) || contested.count_ones() != 2 {
        // More than one pair is rare, so the mover is granted both cells of each.
        return true;
    }
    let one = contested & contested.wrapping_neg();
    shape.has_four(offered | one) || shape.has_four(offered | contested ^ one)
}

/// The mover's score if these cells are free when the mover must play into them, and the reply on
/// top of the next stone ends the game.
#[inline(always)]
fn lost_with_kept(kept: u64) -> i32 {
    -((kept.count_ones() / 2) as i32)
}

/// An upper bound on the mover's score if the number of free cells is odd and the follower
/// threatens to complete a four in a lower cell.
///
/// ```text
///     6  .     The follower wins at T if the mover plays below it, and waits.
///     5  T     Up to there the column is paired from below T - 1, the others
///     4  m     from the top as before. Without T - 1 and the cells above it,
///     3  f     the number of cells is even, so in the end the mover has only
///     2  m     the cell below T.
///     1  #
/// ```
#[inline(always)]
fn zugzwang<S: Shape>(shape: S, sides: Sides, bound: i32) -> Option<i32> {
    let Sides { mover, follower_wins, free, playable, .. } = sides;
    let upper = shape.upper;
    let mut threats = follower_wins & !upper & !playable;
    if threats == 0 {
        return None;
    }
    // The cells that the follower claims in other columns.
    let others = follower_wins & upper & !playable;
    let above_others = above(shape, others);
    let kept_by_others = above_others | others | others >> 1;
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        threats ^= threat;
        let column = shape.column_of(threat);
        let below = column & (threat - 1);
        let lost = lost_with_kept(kept_by_others & !column | column ^ below | threat >> 1);
        if lost > bound {
            continue;
        }
        let contested = playable & (upper & !column | below & !upper);
        let offered = free & (!upper & !column & !above_others | below & upper);
        if !shape.has_four(mover | offered | contested) {
            return Some(lost);
        }
    }
    None
}

/// Whether the mover is sure not to win with any of the next `stones` stones.
///
/// With an end in sight, the follower may also pair a column from its lowest free cell. If the
/// number of free cells is odd, that leaves over its top cell. In a *high* column, one that takes
/// the mover all these stones to fill that way, the mover gets there too late. Low columns with an
/// odd number of free cells are paired from the top, and their number must be even; one of the high
/// ones makes up for it.
///
/// Cells are sorted by how many stones the mover needs to get there in each column, and a line
/// needs at least the sum over its cells.
#[inline(always)]
fn no_win_within<S: Shape>(shape: S, sides: Sides, stones: u32) -> bool {
    let Sides { mover, follower_wins, free, playable, .. } = sides;
    let odd = playable & shape.upper;
    let high = odd & shape.lowered(shape.board, 2 * stones - 2);
    let low = odd ^ high;
    let odd_one_out = low.count_ones() % 2 == 1;
    if odd_one_out && high == 0 {
        return false;
    }
    let contested = low | if odd_one_out { high & high.wrapping_neg() } else { 0 };
    let threats = follower_wins & !playable;
    let reached = if threats == 0 {
        !0
    } else {
        let offered = free & !shape.upper ^ above(shape, high & !contested);
        !above(shape, threats & !offered)
    };
    // In the column of a contested cell, the follower may have taken that cell, so the cell above
    // it is open to the mover too.
    let one = playable | contested << 1 & shape.board;
    let two = shape.raised(one & !contested, 2) & reached;
    let three = shape.raised(two, 2) & reached;
    match stones {
        0 | 1 => shape.winning(mover) & playable == 0,
        2 => shape.winning(mover | one) & one | shape.winning(mover) & two == 0,
        3 => shape.winning(mover | one) & (one | two) | shape.winning(mover) & three == 0,
        4 => {
            let (all, four) = (one | two, shape.raised(three, 2) & reached);
            let near = shape.winning(mover | all) & all | shape.winning(mover | one) & three;
            near | shape.winning(mover) & four == 0
        }
        _ => {
            let mut all = one | two | three;
            let mut highest = three;
            while highest != 0 {
                highest = shape.raised(highest, 2) & reached;
                all |= highest;
            }
            !shape.has_four(mover | all)
        }
    }
}

/// The cells above any of `cells`.
#[inline(always)]
fn above<S: Shape>(shape: S, cells: u64) -> u64 {
    let mut all = shape.raised(cells, 1);
    let mut rows = 1;
    while rows + 1 < shape.column_bits {
        all |= shape.raised(all, rows);
        rows *= 2;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::{Board, Position, Status};
    use crate::random::SplitMix64;
    use crate::search::shape::AnyShape;

    /// The score of every open position that games reach from here, by plain minimax.
    fn minimax(position: &Position, memo: &mut HashMap<Position, i32>) -> i32 {
        let empty = (position.board().cells() - position.tier().stones()) as i32;
        if let Status::Won(_) = position.status() {
            return -(empty / 2) - 1;
        }
        if let Some(score) = memo.get(position) {
            return *score;
        }
        let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
        let score = children.iter().map(|child| -minimax(child, memo)).max().unwrap_or(0);
        memo.insert(*position, score);
        score
    }

    /// Checks every bound that the rules give, whatever the question. Returns the number of bounds.
    fn no_score_is_above_its_bound(scores: &HashMap<Position, i32>) -> usize {
        let mut given = 0;
        for (position, score) in scores {
            let board = position.board();
            let shape = AnyShape::new(board);
            let empty = (board.cells() - position.tier().stones()) as u32;
            let occupied = position.occupied();
            let mover = position.stones(position.mover());
            let free = board.mask() & !occupied;
            let playable = occupied.wrapping_add(shape.bottom) & board.mask();
            let follower = mover ^ occupied;
            let follower_wins = shape.winning(follower) & free;
            if empty == 0 || shape.winning(mover) & playable != 0 {
                continue;
            }
            let sides = Sides { mover, follower, follower_wins, free, playable };
            for bound in -(empty as i32) / 2 - 1..empty.div_ceil(2) as i32 {
                if let Some(upper) = upper_bound(shape, sides, empty, bound) {
                    assert!(upper <= bound);
                    assert!(
                        *score <= upper,
                        "{score}, not {upper}, asked for {bound}:\n{position}"
                    );
                    given += 1;
                }
            }
        }
        given
    }

    #[test]
    fn all_bounds_on_whole_boards_hold() {
        bounds_hold(&["1x5", "4x3", "5x3", "6x2", "4x4"]);
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn all_bounds_on_whole_larger_boards_hold() {
        bounds_hold(&["4x5", "5x4", "3x7", "6x3"]);
    }

    fn bounds_hold(names: &[&str]) {
        for name in names {
            let board: Board = name.parse().expect("a board");
            let mut scores = HashMap::new();
            minimax(&Position::empty(board), &mut scores);
            assert!(no_score_is_above_its_bound(&scores) > 0, "{name}");
        }
    }

    #[test]
    fn all_bounds_on_late_positions_of_larger_boards_hold() {
        let mut random = SplitMix64(5);
        for name in ["7x6", "5x6", "6x7", "4x8", "8x7", "5x9", "4x12"] {
            let board: Board = name.parse().expect("a board");
            let mut met = 0;
            while met < 60 {
                let empty = 8 + (random.word() % 6) as usize;
                let mut position = Position::empty(board);
                while board.cells() - position.tier().stones() > empty {
                    let children: Vec<_> = position.children().collect();
                    if children.is_empty() {
                        break;
                    }
                    position = children[random.word() as usize % children.len()].1;
                }
                if position.status() == Status::Open {
                    let mut scores = HashMap::new();
                    minimax(&position, &mut scores);
                    no_score_is_above_its_bound(&scores);
                    met += 1;
                }
            }
        }
    }
}
