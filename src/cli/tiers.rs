//! Tiers as users type them, and as messages print them.

use anyhow::Context;
use clap::Args;
use strong4::board::{Board, Tier, TierRange};

use super::numbers::ranges;

/// The tiers that a subcommand works on.
#[derive(Args)]
pub struct TiersArg {
    /// Tiers from A to B, both included, or a single one [default: all of the board]
    #[arg(long, value_name = "A..B")]
    tiers: Option<TierRange>,
}

impl TiersArg {
    /// The requested tiers, if the board has them.
    pub fn of(&self, board: Board) -> anyhow::Result<TierRange> {
        self.tiers.unwrap_or(TierRange::all(board)).within(board).context("--tiers")
    }
}

/// Tiers in order, with runs abbreviated as users type them: `0..4, 7`.
pub fn runs(tiers: &[Tier]) -> String {
    ranges(&tiers.iter().map(|tier| tier.stones()).collect::<Vec<usize>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_tiers_are_shortened() {
        for (tiers, text) in [(&[][..], ""), (&[3], "3"), (&[0, 1, 2, 5, 7, 8], "0..2, 5, 7..8")] {
            let tiers: Vec<Tier> =
                tiers.iter().copied().map(|stones| Tier::new(stones).unwrap()).collect();
            assert_eq!(runs(&tiers), text);
        }
    }
}
