//! The meaning of the bits and bytes of a cell.

use crate::board::{Board, Outcome, Player, Tier};

/// The outcome for the mover of a tier, from whether the first player wins and whether he holds;
/// `None` if he wins but does not even hold.
pub(super) fn outcome_in(bits: [bool; 2], tier: Tier) -> Option<Outcome> {
    let first = match bits {
        [true, true] => Outcome::Win,
        [false, true] => Outcome::Draw,
        [false, false] => Outcome::Loss,
        [true, false] => return None,
    };
    Some(if tier.mover() == Player::First { first } else { first.for_other() })
}

/// The two bits of an outcome for the mover of a tier.
pub(super) fn bits_of(outcome: Outcome, tier: Tier) -> [bool; 2] {
    let first = if tier.mover() == Player::First { outcome } else { outcome.for_other() };
    [first == Outcome::Win, first != Outcome::Loss]
}

/// How a game ends for the mover of a tier, and after how many plies. `ply` is the winning ply, or
/// 0 if nobody wins. One ply after the last cell is filled stands for never. `None` if the ply is
/// later than that, or not after the tier.
pub(super) fn ending_in(ply: u8, board: Board, tier: Tier) -> Option<(Outcome, usize)> {
    let ply = usize::from(ply);
    if ply == 0 {
        return Some((Outcome::Draw, 0));
    }
    let plies =
        ply.checked_sub(tier.stones()).filter(|plies| *plies > 0 && ply <= board.cells() + 1)?;
    Some((if plies % 2 == 1 { Outcome::Win } else { Outcome::Loss }, plies))
}
