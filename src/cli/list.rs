//! `strong4 list`: all positions of each tier.

use clap::Args;
use strong4::sample::{Leaving, Listing};

use super::positions::{PositionsArg, Supply};
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 list --tiers 0..4
  strong4 list --board 4x4 --tiers 8 --scores --json
  strong4 list --tiers 8 --unforced --fold-mirrors --scores --output classical.csv";

/// List all positions of each tier
///
/// The positions are live: a game can reach them, and nobody has four in a row. They come
/// tier by tier, each with one of the games that lead to it. Within a tier they always have
/// the order of the index. Lines are written as positions are found, using little memory;
/// arrays (.npy, .npz) are collected in memory first. A .npz file has the arrays keys, tiers
/// and stones (a bitboard for each player), and with --scores also scores and move_scores,
/// with -128 where a column is full.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct List {
    /// Omit positions in which either player could make a four with one stone
    #[arg(long)]
    unforced: bool,
    /// List only one of a position and its mirror image: the one with the smaller key
    #[arg(long)]
    fold_mirrors: bool,
    #[command(flatten)]
    positions: PositionsArg,
}

impl List {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, tiers) = self.positions.meant()?;
        let leaving = Leaving { forced: self.unforced, mirror_images: self.fold_mirrors };
        let listing = &Listing::new(board, tiers, leaving)?;
        let supply = |tier| {
            let games = move |cells| Ok(listing.within(tier, cells).collect());
            Supply::new(listing.cells(tier), games)
        };
        let supplies: Vec<Supply> = tiers.iter().map(supply).collect();
        self.positions.write(board, &supplies, "listing", global)
    }
}
