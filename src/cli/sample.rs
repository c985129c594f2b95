//! `strong4 sample`: random positions of each tier.

use std::ops::Range;

use clap::Args;
use strong4::sample::Sampler;

use super::numbers::whole;
use super::positions::{PositionsArg, Supply};
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 sample --tiers 8..20 --count 100
  strong4 sample --tiers 30 --count 5 --seed 2 --scores --json
  strong4 sample --board 5x4 --count 50 --scores --output 5x4.npz";

/// Draw random positions of each tier, all equally likely
///
/// The positions are live: a game can reach them, and nobody has four in a row. N positions of
/// each tier are drawn with replacement, so a position can repeat. Each comes with one of the
/// games that lead to it. The same seed draws the same positions, and a larger N begins with
/// them. A .npz file has the arrays keys, tiers and stones (a bitboard for each player), and
/// with --scores also scores and move_scores, with -128 where a column is full.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Sample {
    /// Draw N positions of each tier
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=MOST),
        allow_negative_numbers = true)]
    count: u64,
    /// Seed of the random draws
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0..=u64::MAX),
        allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    positions: PositionsArg,
}

/// A larger sample would fill any disk.
const MOST: u64 = 1_000_000_000_000;

impl Sample {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, tiers) = self.positions.meant()?;
        let sampler = &Sampler::new(board, tiers, self.seed)?;
        let supply = |tier| {
            let games = move |numbers: Range<u64>| numbers.map(|n| sampler.draw(tier, n)).collect();
            Supply::new(self.count, games)
        };
        let supplies: Vec<Supply> = tiers.iter().map(supply).collect();
        self.positions.write(board, &supplies, "sampling", global)
    }
}
