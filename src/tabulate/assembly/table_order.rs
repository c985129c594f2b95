//! The order of blocks in tables.
//!
//! On boards of odd width it is that of the batches. Boards of even width are solved in an order
//! that keeps few files at a time, and their tables start with the centres that have the most
//! stones; those with equally many keep their order:
//!
//! ```text
//!     pieces     one batch after the other, a run of blocks of each tier for each centre
//!     tables     for each tier: by stones of the centre, then by number of the block
//! ```
//!
//! So all runs of blocks are listed, sorted, and read one by one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::board::{Tier, TierRange};
use crate::files::sealed::WorkingFileError;
use crate::index::Census;
use crate::sweep::Schedule;
use crate::table::Layouts;

use super::super::error::TabulateError;
use super::super::pieces::{BlockRun, Piece};
use super::Assembly;

/// Pieces that are open at a time.
const MOST_OPEN: usize = 256;

/// Where the blocks of each centre begin in each tier.
struct Centres {
    first: Tier,
    /// By tier, for each centre its first block and its stones.
    starts: Vec<Vec<(u64, usize)>>,
}

impl Centres {
    fn new(census: &Census, layouts: &Layouts, tiers: TierRange) -> Centres {
        let of_tier = |tier| {
            let mut tiles: Vec<_> = layouts.of(tier).tiles().collect();
            tiles.dedup_by_key(|(tile, _)| tile.centre);
            let stones = |centre| census.centre_class(centre).stones();
            tiles.iter().map(|(tile, blocks)| (blocks.first().0, stones(tile.centre))).collect()
        };
        Centres { first: tiers.first(), starts: tiers.iter().map(of_tier).collect() }
    }

    /// The place of a run among all.
    fn place(&self, run: &BlockRun) -> (Reverse<Tier>, Reverse<usize>, u64) {
        let starts = &self.starts[run.tier.stones() - self.first.stones()];
        let centre = starts.partition_point(|(first, _)| *first <= run.first.0);
        let stones = centre.checked_sub(1).map_or(0, |centre| starts[centre].1);
        (Reverse(run.tier), Reverse(stones), run.first.0)
    }
}

/// The runs of blocks of all tables, each with the batch that made it: table after table, from the
/// last tier down, and in each as its blocks are ordered.
pub(in crate::tabulate) struct RunsInOrder<P> {
    runs: Vec<(usize, BlockRun)>,
    piece: P,
    open: BTreeMap<usize, Piece>,
}

impl<P: Fn(usize) -> Result<Piece, WorkingFileError>> RunsInOrder<P> {
    /// Those of the pieces of all batches.
    pub(crate) fn new(
        census: &Census,
        layouts: &Layouts,
        tiers: TierRange,
        schedule: &Schedule,
        piece: P,
    ) -> Result<RunsInOrder<P>, TabulateError> {
        let mut runs: Vec<(usize, BlockRun)> = Vec::new();
        for batch in 0..schedule.batches().len() {
            runs.extend(piece(batch)?.runs()?.into_iter().map(|run| (batch, run)));
        }
        if schedule.is_in_table_order() {
            runs.sort_by_key(|(_, run)| Reverse(run.tier));
        } else {
            let centres = Centres::new(census, layouts, tiers);
            runs.sort_by_cached_key(|(_, run)| centres.place(run));
        }
        Ok(RunsInOrder { runs, piece, open: BTreeMap::new() })
    }

    /// Adds those of a tier to its table.
    pub(crate) fn add(&mut self, tier: Tier, assembly: &mut Assembly) -> Result<(), TabulateError> {
        let start = self.runs.partition_point(|(_, run)| run.tier > tier);
        let of_tier = self.runs[start..].iter().take_while(|(_, run)| run.tier == tier);
        for (batch, run) in of_tier {
            if !self.open.contains_key(batch) {
                if self.open.len() >= MOST_OPEN {
                    // Runs come in rounds over the batches: the last one is needed latest.
                    self.open.pop_last();
                }
                self.open.insert(*batch, (self.piece)(*batch)?);
            }
            assembly.append(&self.open[batch], run)?;
        }
        Ok(())
    }
}
