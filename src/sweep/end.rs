//! Where games end: at the full board, or cut off after some ply.
//!
//! What is still open when a game is cut off is a draw. So who wins a game that is cut off
//! after ply `E` is who can force a four by then.

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

    /// After this ply, if there are later ones. A cut-off sweep leaves out what the mover wins
    /// at once: there is none that sweeps every cell.
    pub fn cut_off(sizes: &Sizes, ply: Tier) -> Option<End> {
        let is_cut = Tier(0) < ply && ply < sizes.census().board().last_tier();
        let last = Tier(ply.0.checked_sub(1)?);
        (is_cut && sizes.scope() == Scope::InDoubt).then_some(End { ply, last })
    }

    /// The last ply that counts.
    pub fn ply(self) -> Tier {
        self.ply
    }

    /// The tiers of a sweep from here down to this one, or to the last that it has.
    pub fn tiers(self, first: Tier) -> TierRange {
        TierRange::new(first.min(self.last), self.last).expect("a range of one tier at least")
    }

    /// The last tier with cells that a sweep has to solve: of a full board there is nothing to
    /// choose, but before a game is cut off there is one more move.
    pub(crate) fn last(self) -> Tier {
        self.last
    }
}
