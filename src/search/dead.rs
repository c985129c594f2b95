//! Stones whose colour has ceased to matter.
//!
//! A line is *open* for a player if it holds no stone of the other, and a free
//! cell. A stone that no open line of its player passes through is *dead*: it
//! only blocks. If there is nothing that it alone blocks it may as well belong to the
//! other player, and positions that differ in such stones share their value.

use super::shape::Shape;

/// Stones of the first player that can turn into the second's, all together,
/// without opening or closing a line for anyone.
///
/// Turning dead stones closes no line of the first player. It would open
/// a line for the second player if all that blocks it are stones that turn: those
/// in lines made of the second player's stones, free cells and dead stones stay
/// as they are, and then every other line keeps the stone that blocks it.
#[inline(always)]
pub(super) fn colourless<S: Shape>(shape: S, first: u64, second: u64, free: u64) -> u64 {
    let dead = first & !shape.cells_of_open_fours(first | free, free);
    dead & !shape.cells_of_open_fours(second | free | dead, free)
}
