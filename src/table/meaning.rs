//! What the two bits of a cell say.

use crate::board::{Outcome, Player, Tier};

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
