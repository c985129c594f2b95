//! How many positions end how.

use crate::board::Player;

use super::kernels::Tally;

/// The live positions of a tier by their outcome for the mover, mirror images
/// counted as two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OutcomeCounts {
    /// The mover wins.
    pub won: u64,
    /// Nobody does.
    pub drawn: u64,
    /// The other player wins.
    pub lost: u64,
}

impl OutcomeCounts {
    pub(super) fn of(tally: Tally, mover: Player) -> OutcomeCounts {
        let Tally { first_wins, first_holds, live } = tally;
        let (won, lost) = match mover {
            Player::First => (first_wins, live - first_holds),
            Player::Second => (live - first_holds, first_wins),
        };
        OutcomeCounts { won, drawn: first_holds - first_wins, lost }
    }

    /// All live positions.
    pub fn live(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}
