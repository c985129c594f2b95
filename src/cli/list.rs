//! `strong4 list`: all positions of each tier.

use clap::Args;
use strong4::index::Finder;
use strong4::sample::{Leaving, Listing};

use super::estimate::tell_long_index;
use super::positions::{PositionsArg, Source};
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 list --tiers 0..4
  strong4 list --board 4x4 --tiers 8 --scores --json
  strong4 list --tiers 8 --unforced --fold-mirrors --scores --output classical.csv";

/// List all positions of each tier
///
/// The positions are live: a game can reach them, and nobody has four in a row. They come
/// tier by tier, each with a game that leads there, one of many. Within a tier their order
/// is that of the index, and always the same. Lines are written as they are found, in
/// little memory; arrays (.npy, .npz) are put together first. A .npz file has keys, tiers,
/// stones (a bitboard for each player), and with --scores scores and move_scores, -128
/// where a column is full.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct List {
    /// Leave out positions in which either player could make a four with one stone
    #[arg(long)]
    unforced: bool,
    /// Of a position and its mirror image list only the one with the smaller key
    #[arg(long)]
    fold_mirrors: bool,
    #[command(flatten)]
    positions: PositionsArg,
}

impl List {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, tiers) = self.positions.meant()?;
        tell_long_index(board, global.quiet);
        let finder = Finder::new(board)?;
        let leaving = Leaving { forced: self.unforced, mirror_images: self.fold_mirrors };
        let source = |tier| {
            let listing = Listing::new(&finder, tier, leaving);
            Source::new(listing.cells(), move |cells| Ok(listing.within(cells).collect()))
        };
        let sources: Vec<Source> = tiers.iter().map(source).collect();
        self.positions.write(board, &sources, "listing", global)
    }
}
