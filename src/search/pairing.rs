//! Bounds that need no search: a player who answers every move.
//!
//! Call the players the *mover*, who is to move, and the *follower*. If every
//! free cell that matters is paired with another one, so that the follower can
//! always answer a move into one cell of a pair with the other, then he has a
//! plan for the rest of the game, and the mover gets at most one cell of each
//! pair. If no four fits into what the mover may get, he can not win.
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
//! This is what players call follow-up or claim-even, and the pairs of contested
//! cells baseinverse. The follower needs nothing else: he is never out of
//! answers, and wins that he has on the way only end the game sooner.

use super::shape::Shape;

/// A position as the rules of this file read it.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    /// The mover's stones.
    pub(super) mover: u64,
    /// The follower's stones.
    pub(super) follower: u64,
    /// Free cells.
    pub(super) free: u64,
    /// Free cells that rest on something.
    pub(super) playable: u64,
}

/// An upper bound on the mover's score, if one of these rules gives one that helps
/// to decide whether it is above `bound`. `left` counts the free cells.
#[inline(always)]
pub(super) fn upper_bound<S: Shape>(
    shape: S,
    sides: Sides,
    follower_wins: u64,
    left: u32,
    bound: i32,
) -> Option<i32> {
    // How bad the rules can say that it is: a threat in the third row of six brings 2.
    if bound < -2 {
        return None;
    }
    let upper = if left.is_multiple_of(2) {
        follow_up(shape, sides)
    } else {
        zugzwang(shape, sides, follower_wins)
    };
    if upper.is_some() || bound <= 0 {
        return upper;
    }
    // Those of the mover's stones that bring a score above the bound.
    let in_time = left.div_ceil(2) - bound as u32;
    no_win_within(shape, sides, in_time).then_some(bound)
}

/// An upper bound on the mover's score where the number of free cells is even.
///
/// All columns are paired from the top. The mover may get the lower cells and
/// some of the contested ones; the follower gets all other upper cells, and wins
/// if they make a four with his stones.
#[inline(always)]
fn follow_up<S: Shape>(shape: S, sides: Sides) -> Option<i32> {
    let Sides { mover, follower, free, playable } = sides;
    let contested = playable & shape.upper();
    let offered = mover | free & !shape.upper();
    if shape.has_four(offered | contested) && four_in_half(shape, offered, contested) {
        return None;
    }
    let claimed = follower | free & shape.upper() & !contested;
    Some(if shape.has_four(claimed) { -1 } else { 0 })
}

/// Can the mover make a four of `offered` and his half of the contested cells?
#[inline(always)]
fn four_in_half<S: Shape>(shape: S, offered: u64, contested: u64) -> bool {
    if shape.has_four(offered) || contested.count_ones() != 2 {
        // More than one pair is rare; he is granted both cells of each.
        return true;
    }
    let one = contested & contested.wrapping_neg();
    shape.has_four(offered | one) || shape.has_four(offered | contested ^ one)
}

/// An upper bound on the mover's score where the number of free cells is odd,
/// and the follower threatens to complete a four in a lower cell.
///
/// ```text
///     6  .     The follower wins at T if the mover plays below it, and waits.
///     5  T     Up to there the column is paired from below T - 1, the others
///     4  m     from the top as ever. Without T - 1 and what is above it the
///     3  f     number of cells is even: in the end nothing is left to the
///     2  m     mover but the cell below T.
///     1  #
/// ```
#[inline(always)]
fn zugzwang<S: Shape>(shape: S, sides: Sides, follower_wins: u64) -> Option<i32> {
    let Sides { mover, free, playable, .. } = sides;
    let upper = shape.upper();
    let mut threats = follower_wins & free & !upper & !playable;
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        threats ^= threat;
        let column = shape.column_of(threat);
        let below = column & (threat - 1);
        let contested = playable & (upper & !column | below & !upper);
        let offered = free & (!upper & !column | below & upper);
        if !shape.has_four(mover | offered | contested) {
            let above = (column ^ below ^ threat).count_ones();
            return Some(-(above as i32 / 2) - 1);
        }
    }
    None
}

/// Is the mover sure not to win with any of his next `stones` stones?
///
/// With an end in sight the follower may also pair a column from its lowest free
/// cell. What is left over is then its top cell, if the number of free cells is
/// odd, and in a *high* column, one that takes the mover all his stones to fill
/// that way, he comes there too late. Low columns with an odd number of free
/// cells are paired from the top, and need to be even in number: one of the
/// high ones makes up for it.
///
/// Cells are sorted by how many stones the mover needs to get there in each
/// column, and a line needs at least the sum over its cells.
#[inline(always)]
fn no_win_within<S: Shape>(shape: S, sides: Sides, stones: u32) -> bool {
    let Sides { mover, playable, .. } = sides;
    let odd = playable & shape.upper();
    let high = odd & shape.lowered(shape.board(), 2 * stones - 2);
    let low = odd ^ high;
    let odd_one_out = low.count_ones() % 2 == 1;
    if odd_one_out && high == 0 {
        return false;
    }
    let contested = low | if odd_one_out { high & high.wrapping_neg() } else { 0 };
    // In the column of a contested cell the follower may have taken that, so
    // that the cell above is open to the mover too.
    let one = playable | contested << 1 & shape.board();
    let two = shape.raised(one & !contested, 2);
    let three = shape.raised(two, 2);
    match stones {
        0 | 1 => shape.winning(mover) & playable == 0,
        2 => shape.winning(mover | one) & one | shape.winning(mover) & two == 0,
        3 => shape.winning(mover | one) & (one | two) | shape.winning(mover) & three == 0,
        4 => {
            let (all, four) = (one | two, shape.raised(three, 2));
            let near = shape.winning(mover | all) & all | shape.winning(mover | one) & three;
            near | shape.winning(mover) & four == 0
        }
        _ => {
            let mut all = one | two | three;
            let mut highest = three;
            while highest != 0 {
                highest = shape.raised(highest, 2);
                all |= highest;
            }
            !shape.has_four(mover | all)
        }
    }
}
