//! How soon the positions of a tier are over, counted from games that are [cut
//! off](crate::sweep::End) sooner and sooner.
//!
//! ```text
//!     cut off after ply        8       10       12     …     full board
//!     first player wins by     7        9       11
//!     second player wins by    8       10       12
//! ```
//!
//! A position that is won if the game is cut off after ply 20, but not if it is cut off after ply
//! 18, is won with ply 19 or 20, whichever is the winner's.

use crate::board::{Board, OutcomeCounts, Player, Tier};

/// The live positions of one tier by the number of plies to the end, if both play their best: the
/// winner wins as soon as possible, and the loser loses as late as possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TierPlies {
    /// Which tier.
    pub tier: Tier,
    /// Indexed by plies to the end; index 0 counts the draws.
    positions: Vec<u64>,
}

/// Counts for two ends of games contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tier {tier} of {board} has {before} positions that {what} in games that end at ply {earlier}, \
     but {after} in those that end at ply {later}"
)]
pub struct NotNested {
    /// The board.
    pub board: Board,
    /// The tier.
    pub tier: Tier,
    /// What was counted: a later end has at least as many wins of either player, and equally many
    /// live positions.
    pub what: &'static str,
    /// The earlier end.
    pub earlier: Tier,
    /// The count for the earlier end.
    pub before: u64,
    /// The later end.
    pub later: Tier,
    /// The count for the later end.
    pub after: u64,
}

impl TierPlies {
    /// Computed from how the positions of a tier end, for the mover, in games that end at each of
    /// these plies: all [cuts] that matter for the tier, and the full board.
    pub fn of(
        board: Board,
        tier: Tier,
        ends: impl IntoIterator<Item = (Tier, OutcomeCounts)>,
    ) -> Result<TierPlies, NotNested> {
        let mut positions = vec![0; board.cells().saturating_sub(tier.stones()) + 1];
        let mut known: Option<(Tier, OutcomeCounts)> = None;
        for (later, counts) in ends {
            let none_decided = OutcomeCounts { drawn: counts.total(), ..OutcomeCounts::default() };
            let (earlier, before) = known.unwrap_or((Tier(0), none_decided));
            let differ = |what, before, after| NotNested {
                board,
                tier,
                what,
                earlier,
                before,
                later,
                after,
            };
            if counts.total() != before.total() {
                return Err(differ("are live", before.total(), counts.total()));
            }
            let mover = tier.mover();
            let decided = [
                (mover, "the mover wins", before.won, counts.won),
                (mover.other(), "the mover loses", before.lost, counts.lost),
            ];
            for (winner, what, before, after) in decided {
                let plies = last_ply(winner, later).stones().saturating_sub(tier.stones());
                let new = after.checked_sub(before).ok_or(differ(what, before, after))?;
                match positions.get_mut(plies).filter(|_| plies > 0) {
                    Some(positions) => *positions += new,
                    None if new == 0 => {}
                    None => return Err(differ(what, before, after)),
                }
            }
            positions[0] = counts.drawn;
            known = Some((later, counts));
        }
        Ok(TierPlies { tier, positions })
    }

    /// The tier with these numbers of positions by plies to the end, where index 0 counts the
    /// draws; `None` if the sum overflows.
    pub(crate) fn new(tier: Tier, positions: impl IntoIterator<Item = u64>) -> Option<TierPlies> {
        let positions: Vec<u64> = positions.into_iter().collect();
        positions.iter().try_fold(0u64, |sum, positions| sum.checked_add(*positions))?;
        Some(TierPlies { tier, positions })
    }

    /// Positions with this many plies to the end; with 0, draws.
    pub fn positions(&self, plies: usize) -> u64 {
        self.positions.get(plies).copied().unwrap_or(0)
    }

    /// All plies to the end that occur, each with its number of positions. 0 stands for draws.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        self.positions.iter().copied().enumerate().filter(|(_, positions)| *positions > 0)
    }

    /// How the positions end for the mover. An odd number of plies to the end is a win, because the
    /// mover makes the last one; an even number is a loss.
    pub fn outcomes(&self) -> OutcomeCounts {
        let mut counts = OutcomeCounts { drawn: self.positions[0], ..OutcomeCounts::default() };
        for (plies, positions) in self.iter().filter(|(plies, _)| *plies > 0) {
            if plies % 2 == 1 { counts.won += positions } else { counts.lost += positions }
        }
        counts
    }
}

/// The plies after which games are cut off to find out how soon the positions of this tier and of
/// later ones are over, the earliest first.
///
/// The first player makes the odd plies, so each player has one ply between two even cuts. Nobody
/// can have won before the eighth.
pub fn cuts(board: Board, tier: Tier) -> impl DoubleEndedIterator<Item = Tier> {
    let even = (FIRST_CUT..board.last_tier().0).step_by(2).map(Tier);
    even.filter(move |ply| *ply > tier)
}

/// The first of these plies.
const FIRST_CUT: u8 = 8;

/// The last ply of a player in games with this end.
pub(crate) fn last_ply(player: Player, end: Tier) -> Tier {
    if end.last_mover() == Some(player) { end } else { Tier(end.0.saturating_sub(1)) }
}
