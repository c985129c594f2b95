//! The tiers that a subcommand works on.

use anyhow::Context;
use clap::Args;
use strong4::board::{Board, TierRange};

/// The tiers that a subcommand works on.
#[derive(Args)]
pub struct TiersArg {
    /// Tiers from A to B, both included, or a single one [default: all of the board]
    #[arg(long, value_name = "A..B")]
    tiers: Option<TierRange>,
}

impl TiersArg {
    /// Those that were meant, if the board has them.
    pub fn of(&self, board: Board) -> anyhow::Result<TierRange> {
        self.tiers.unwrap_or(TierRange::all(board)).within(board).context("--tiers")
    }
}
