//! Where games end: at the full board, or cut off after some ply.
//!
//! A game that is still open when it is cut off is a draw. So a game that is cut off after
//! ply `E` is won by the player who can force a four by then.

use crate::board::{Board, Tier, TierRange};

use super::scope::Scope;
use super::sizes::Sizes;

/// Where games end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct End {
    ply: Tier,
    last: Tier,
}

impl End {
    /// At the full board.
    pub fn full_board(board: Board) -> End {
        let ply = board.last_tier();
        End { ply, last: ply }
    }

    /// After this ply, if there are later ones. A cut-off sweep omits what the mover wins at
    /// once, so it cannot sweep every cell.
    pub fn cut_off(sizes: &Sizes, ply: Tier) -> Option<End> {
        let is_cut = Tier(0) < ply && ply < sizes.census().board().last_tier();
        let last = Tier(ply.0.checked_sub(1)?);
        (is_cut && sizes.scope() == Scope::InDoubt).then_some(End { ply, last })
    }

    /// The last ply that counts.
    pub fn ply(self) -> Tier {
        self.ply
    }

    /// The tiers of a sweep from here down to this one, or to its last one if that is lower.
    pub fn tiers(self, first: Tier) -> TierRange {
        TierRange::new(first.min(self.last), self.last).expect("a range of one tier at least")
    }

    /// The last tier that a sweep has to solve: on a full board there is nothing to choose, but
    /// before a game is cut off there is one more move.
    pub(crate) fn last(self) -> Tier {
        self.last
    }
}
