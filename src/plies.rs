//! How soon the positions of a tier are over, counted from games that are
//! [cut off](crate::sweep::End) sooner and sooner.
//!
//! A position that is won if the game is cut off after ply 20, but not if it is after 18, is
//! won with ply 19 or 20: with the one of them that is the winner's.

use crate::board::{Board, OutcomeCounts, Player, Tier};
use crate::sweep::End;

/// The live positions of one tier by how many plies are left, if both play their best: the
/// winner wins as soon as possible, the loser loses as late as possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TierPlies {
    /// Which tier.
    pub tier: Tier,
    /// By plies to the end; at 0 the draws.
    positions: Vec<u64>,
}

/// A later end lets fewer positions be won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tier {tier} of {board} has {before} positions that {winner:?} wins by ply {earlier}, but \
     {after} that are won by ply {later}: this is a mistake in strong4, please report it"
)]
pub struct NotNested {
    /// The board.
    pub board: Board,
    /// The tier.
    pub tier: Tier,
    /// Whose wins they are.
    pub winner: Player,
    /// The earlier end.
    pub earlier: Tier,
    /// Positions won in games with that end.
    pub before: u64,
    /// The later end.
    pub later: Tier,
    /// Positions won in games with that one.
    pub after: u64,
}

impl TierPlies {
    /// From how the positions of a tier end, for the mover, in games with each of these ends:
    /// all that [tell](End::cuts) something of the tier, the earliest first, and the full board.
    pub fn of(
        board: Board,
        tier: Tier,
        ends: impl IntoIterator<Item = (End, OutcomeCounts)>,
    ) -> Result<TierPlies, NotNested> {
        let mut positions = vec![0; board.cells() - tier.stones() + 1];
        let mut earlier = Tier(0);
        let mut before = OutcomeCounts::default();
        for (end, counts) in ends {
            let later = end.ply();
            let mover = tier.mover();
            let won_by =
                [(mover, before.won, counts.won), (mover.other(), before.lost, counts.lost)];
            for (winner, before, after) in won_by {
                let Some(new) = after.checked_sub(before) else {
                    return Err(NotNested { board, tier, winner, earlier, before, later, after });
                };
                if new > 0 {
                    positions[last_ply(winner, later).stones() - tier.stones()] += new;
                }
            }
            positions[0] = counts.drawn;
            (earlier, before) = (later, counts);
        }
        Ok(TierPlies { tier, positions })
    }

    /// Positions with so many plies to the end; with 0, draws.
    pub fn positions(&self, plies: usize) -> u64 {
        self.positions.get(plies).copied().unwrap_or(0)
    }

    /// All numbers of plies that positions have, with those positions. 0 stands for draws.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        self.positions.iter().copied().enumerate().filter(|(_, positions)| *positions > 0)
    }

    /// How the positions end for the mover: won with his own ply, an odd number of plies from
    /// now, or lost with one of the other player.
    pub fn outcomes(&self) -> OutcomeCounts {
        let mut counts = OutcomeCounts { drawn: self.positions[0], ..OutcomeCounts::default() };
        for (plies, positions) in self.iter().filter(|(plies, _)| *plies > 0) {
            if plies % 2 == 1 { counts.won += positions } else { counts.lost += positions }
        }
        counts
    }
}

/// The last ply of a player in games with this end.
fn last_ply(player: Player, end: Tier) -> Tier {
    if end.last_mover() == Some(player) { end } else { Tier(end.0 - 1) }
}
