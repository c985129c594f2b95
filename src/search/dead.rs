//! Stones whose colour no longer matters.
//!
//! A line is *open* for a player if it holds a free cell and no stone of the other player. A stone
//! on no open line of its player is *dead*: it only blocks. If there is nothing that it alone
//! blocks, it may as well belong to the other player, and positions that differ only in such stones
//! have the same value.

use super::shape::Shape;

/// Stones of the first player that can all be turned into the second's together without opening or
/// closing a line for anyone.
///
/// Turning dead stones closes no line of the first player. It would open a line for the second
/// player if only turned stones block it. So dead stones on lines of otherwise only the second
/// player's stones, free cells and dead stones stay as they are, and every other line keeps the
/// stone that blocks it.
#[inline(always)]
pub(super) fn colourless<S: Shape>(shape: S, first: u64, second: u64, free: u64) -> u64 {
    let dead = first & !shape.cells_of_open_fours(first | free, free);
    dead & !shape.cells_of_open_fours(second | free | dead, free)
}
