//! What a table says of its tier: how positions end, in four numbers, and the digest of the table.

use std::fmt;

use crate::board::{OutcomeCounts, Tier};

use super::digest::Digest;

/// How the positions of a tier end, for the mover; mirror images count separately.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TierCounts {
    /// Live positions that the mover wins.
    pub won: u64,
    /// Live positions that are drawn.
    pub drawn: u64,
    /// Live positions that the other player wins.
    pub lost: u64,
    /// Positions whose last move made a four.
    pub terminal: u64,
}

/// A summary of a finished table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSummary {
    /// The tier.
    pub tier: Tier,
    /// Bytes of the file.
    pub bytes: u64,
    /// The digest, which the table of the previous tier names.
    pub digest: Digest,
    /// How the positions of the tier end.
    pub counts: TierCounts,
}

impl TierCounts {
    /// The counts of live positions by their outcome, and of terminal ones.
    pub fn new(live: OutcomeCounts, terminal: u64) -> TierCounts {
        let OutcomeCounts { won, drawn, lost } = live;
        TierCounts { won, drawn, lost, terminal }
    }

    /// The live positions.
    pub fn live(&self) -> OutcomeCounts {
        let TierCounts { won, drawn, lost, .. } = *self;
        OutcomeCounts { won, drawn, lost }
    }

    /// The number of all positions of the tier, unless it overflows.
    pub fn checked_total(&self) -> Option<u64> {
        self.won.checked_add(self.drawn)?.checked_add(self.lost)?.checked_add(self.terminal)
    }

    /// The number of all positions of the tier.
    pub fn total(&self) -> u64 {
        self.checked_total().expect("no board has 2^64 positions")
    }
}

impl fmt::Display for TierCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TierCounts { won, drawn, lost, terminal } = self;
        write!(f, "{won} won, {drawn} drawn, {lost} lost and {terminal} terminal")
    }
}
