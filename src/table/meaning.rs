//! What is in a cell says.

use crate::board::{Board, Outcome, Player, Tier};

/// The outcome for the mover of a tier, if the first player wins or not, and holds or not;
/// nothing if he wins and does not even hold.
pub(super) fn outcome_in(bits: [bool; 2], tier: Tier) -> Option<Outcome> {
    let first = match bits {
        [true, true] => Outcome::Win,
        [false, true] => Outcome::Draw,
        [false, false] => Outcome::Loss,
        [true, false] => return None,
    };
    Some(if tier.mover() == Player::First { first } else { first.for_other() })
}

/// The two bits for an outcome for the mover of a tier.
pub(super) fn bits_of(outcome: Outcome, tier: Tier) -> [bool; 2] {
    let first = if tier.mover() == Player::First { outcome } else { outcome.for_other() };
    [first == Outcome::Win, first != Outcome::Loss]
}

/// How a game ends for the mover of a tier, and after how many plies, if somebody wins with this
/// ply, or nobody, which is ply 0. Nothing if it comes no later than the tier, or after the board
/// is full; but for the next one, which stands for never.
pub(super) fn ending_in(ply: u8, board: Board, tier: Tier) -> Option<(Outcome, usize)> {
    let ply = usize::from(ply);
    if ply == 0 {
        return Some((Outcome::Draw, 0));
    }
    let plies =
        ply.checked_sub(tier.stones()).filter(|plies| *plies > 0 && ply <= board.cells() + 1)?;
    Some((if plies % 2 == 1 { Outcome::Win } else { Outcome::Loss }, plies))
}
