//! `strong4 list` and `strong4 sample`: all positions of each tier, or random ones, as records.

mod arrays;
mod record;
mod sink;

use std::io::{self, IsTerminal};
use std::ops::Range;

use clap::Args;

use record::{Record, Scores, scores};

use sink::{FormArg, Sink};
use strong4::board::{Board, Moves, Position, TierRange};
use strong4::sample::{Leaving, Listing, SampleError, Sampler};

use super::{Exit, Global};
use crate::cli::input::args::{TablesArg, TiersArg, with_solver};
use crate::cli::input::in_order::{Taker, in_order};
use crate::cli::output::numbers::whole;
use crate::cli::output::progress::Meter;

/// Numbers per batch: finding a position takes no longer than passing it on.
const BATCH: u64 = 16;
/// The same if scores are needed. One may take seconds, and those after it wait.
const SCORED_BATCH: u64 = 1;

/// Which tiers, and what to print about their positions.
#[derive(Args)]
pub(super) struct PositionsArg {
    #[command(flatten)]
    tiers: TiersArg,
    /// Add the exact score of each position, and of each move from it
    #[arg(long)]
    scores: bool,
    #[command(flatten)]
    form: FormArg,
    #[command(flatten)]
    tables: TablesArg,
}

/// A supply of positions: numbers, and the games they stand for.
pub(super) struct Supply<'a> {
    /// One more than the largest number.
    numbers: u64,
    games: Box<Games<'a>>,
}

type Games<'a> = dyn Fn(Range<u64>) -> Result<Vec<Moves>, SampleError> + Sync + 'a;

impl<'a> Supply<'a> {
    pub(super) fn new(
        numbers: u64,
        games: impl Fn(Range<u64>) -> Result<Vec<Moves>, SampleError> + Sync + 'a,
    ) -> Supply<'a> {
        Supply { numbers, games: Box::new(games) }
    }
}

/// Some numbers of one supply among several.
struct Batch {
    supply: usize,
    numbers: Range<u64>,
}

impl PositionsArg {
    /// The requested board and tiers.
    pub(super) fn meant(&self) -> anyhow::Result<(Board, TierRange)> {
        let (board, _) = self.tables.resolve()?;
        Ok((board, self.tiers.of(board)?))
    }

    /// Writes the positions of all supplies, in order. `what` names the job: "sampling".
    pub(super) fn write(
        &self,
        board: Board,
        supplies: &[Supply],
        what: &str,
        global: &Global,
    ) -> anyhow::Result<Exit> {
        let sink = Sink::open(&self.form, board, self.scores)?;
        // Output on the terminal needs no meter; output to a file always has one.
        let unseen = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let quiet = global.quiet || sink.is_printed() && !unseen;
        let meter = Meter::start(format!("{what} {board}"), quiet);
        if self.scores {
            with_solver(&self.tables, global.quiet, |solver| {
                let score = |position: &Position| Ok(Some(scores(solver, position)?));
                pour(supplies, SCORED_BATCH, score, sink, &meter)
            })?;
        } else {
            pour(supplies, BATCH, |_| Ok(None), sink, &meter)?;
        }
        Ok(Exit::Fine)
    }
}

/// Makes records on all threads, `batch` numbers at a time, and passes them to the sink in
/// order.
fn pour(
    supplies: &[Supply],
    batch: u64,
    score: impl Fn(&Position) -> anyhow::Result<Option<Scores>> + Sync,
    sink: Sink,
    meter: &Meter,
) -> anyhow::Result<()> {
    let mut filling = Filling { sink, broken: false };
    let work = |batch: &Batch| {
        let games = (supplies[batch.supply].games)(batch.numbers.clone())?;
        let record = |game: Moves| {
            let scores = score(game.position())?;
            Ok(Record { game, scores })
        };
        games.into_iter().map(record).collect::<anyhow::Result<Vec<Record>>>()
    };
    in_order(batches(supplies, batch), work, &mut filling, meter)?;
    filling.sink.finish()
}

/// All numbers of all supplies in order, `size` at a time.
fn batches(
    supplies: &[Supply],
    size: u64,
) -> impl Iterator<Item = io::Result<Batch>> + Send + 'static {
    let numbers: Vec<u64> = supplies.iter().map(|supply| supply.numbers).collect();
    let mut before = 0;
    let starts = numbers.iter().map(|numbers| {
        let start = before;
        before += numbers.div_ceil(size);
        start
    });
    let starts: Vec<u64> = starts.collect();
    (0..before as usize).map(move |batch| {
        // The last supply that starts here: empty supplies come before it.
        let supply = starts.partition_point(|start| *start <= batch as u64) - 1;
        let first = (batch as u64 - starts[supply]) * size;
        Ok(Batch { supply, numbers: first..(first + size).min(numbers[supply]) })
    })
}

/// Passes records to a sink.
struct Filling {
    sink: Sink,
    /// A record is missing: those after it are useless.
    broken: bool,
}

impl Taker<Batch, anyhow::Result<Vec<Record>>> for Filling {
    fn take(
        &mut self,
        _: &Batch,
        records: Option<anyhow::Result<Vec<Record>>>,
    ) -> anyhow::Result<()> {
        match records.transpose()? {
            Some(records) if !self.broken => records.iter().try_for_each(|r| self.sink.take(r)),
            _ => {
                self.broken = true;
                Ok(())
            }
        }
    }

    fn pause(&mut self) -> anyhow::Result<()> {
        self.sink.pause()
    }

    fn stop(&mut self) -> anyhow::Result<()> {
        self.sink.stop()
    }
}

const LIST_EXAMPLES: &str = "\
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
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct List {
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
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
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

const SAMPLE_EXAMPLES: &str = "\
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
#[command(after_help = SAMPLE_EXAMPLES)]
pub(super) struct Sample {
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
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_all_numbers_in_order() {
        let supplies = [0, 1, 64, 0, 0, 130, 0].map(|numbers| Supply::new(numbers, |_| Ok(vec![])));
        let all = batches(&supplies, 64);
        assert_eq!(all.size_hint(), (5, Some(5)));
        let all: Vec<_> = all.map(|b| b.map(|b| (b.supply, b.numbers)).unwrap()).collect();
        assert_eq!(all, [(1, 0..1), (2, 0..64), (5, 0..64), (5, 64..128), (5, 128..130)]);
        assert_eq!(batches(&[], 1).count(), 0);
    }
}
