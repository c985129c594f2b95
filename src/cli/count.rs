//! `strong4 count`: how many positions each tier has.

use clap::Args;
use strong4::board::Board;
use strong4::count::{TierCount, count};
use strong4::reference::{HEADER, Reference, compare};

use super::input::args::{BoardArg, CheckArg, TiersArg};
use super::output::numbers::grouped;
use super::output::progress::Meter;
use super::output::table::summed;
use super::output::{self, json, print, record, say};
use super::solve::estimate::tell_long_count;
use super::{Exit, Global};
use strong4::query::JsonInteger;

const EXAMPLES: &str = "\
Examples:
  strong4 count --board 5x4
  strong4 count --tiers 0..10 --check
  strong4 count                           # all of 7x6: some seconds
  strong4 count --board 4x4 --csv";

/// Count the positions of each tier
///
/// A tier is all positions with the same number of stones. In live positions
/// nobody has four in a row; in terminal ones the last move made a four.
/// Positions that no game reaches are not counted.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Count {
    #[command(flatten)]
    board: BoardArg,
    #[command(flatten)]
    tiers: TiersArg,
    /// Print one JSON object per tier
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a header, in the form that --check reads
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    check: CheckArg,
}

impl Count {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tiers = self.tiers.of(board)?;
        // Refusals come before the work.
        let reference = self.check.reference(|| Ok(Reference::built_in()), Reference::parse)?;
        let expected = match &reference {
            None => None,
            Some(reference) => Some(reference.get(board, tiers)?),
        };
        tell_long_count(board, tiers.last(), global.quiet);
        let counts = {
            let meter = Meter::start(format!("counting {board}"), global.quiet);
            count(board, tiers, &meter)?
        };
        print(if self.json {
            counts.iter().map(to_json).collect()
        } else if self.csv {
            csv(board, &counts)
        } else {
            table(&counts)
        })?;
        let Some(expected) = expected else { return Ok(Exit::Fine) };
        if let Err(mismatch) = compare(board, expected, &counts) {
            say(format_args!("{mismatch}"));
            return Ok(Exit::No);
        }
        if !global.quiet {
            match counts.len() {
                1 => say(format_args!("tier {tiers} of {board} agrees with the reference")),
                n => say(format_args!("all {n} tiers of {board} agree with the reference")),
            }
        }
        Ok(Exit::Fine)
    }
}

fn to_json(count: &TierCount) -> String {
    let TierCount { tier, live, terminal } = *count;
    let [live, terminal, total] = [live, terminal, count.total()].map(JsonInteger::from);
    json(&record! { tier: tier.get(), live, terminal, total })
}

/// A header and a row for each tier, in the form that `--check` reads.
fn csv(board: Board, counts: &[TierCount]) -> Vec<String> {
    let row = |count: &TierCount| {
        let TierCount { tier, live, terminal } = *count;
        let (board, tier, total) = (board.to_string(), tier.get(), count.total());
        record! { board, tier, live, terminal, total }
    };
    output::csv(HEADER, counts.iter().map(row))
}

fn table(counts: &[TierCount]) -> Vec<String> {
    let head = ["tier", "live", "terminal", "total"];
    let name = |count: &TierCount| count.tier.to_string();
    summed(head, counts, name, |name, counts| {
        let sum = |part: fn(&TierCount) -> u64| grouped(counts.iter().map(part).sum());
        [name, sum(|c| c.live), sum(|c| c.terminal), sum(TierCount::total)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;

    #[test]
    fn programs_get_large_numbers_as_they_are() {
        let count = TierCount { tier: Tier::new(30).unwrap(), live: 1 << 53, terminal: 1 };
        assert_eq!(
            to_json(&count),
            "{\"tier\":30,\"live\":9007199254740992,\"terminal\":1,\
             \"total\":\"9007199254740993\"}"
        );
    }
}
