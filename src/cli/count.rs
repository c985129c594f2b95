//! `strong4 count`: how many positions each tier has.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use strong4::board::{Board, TierRange};
use strong4::count::{TierCount, count};
use strong4::reference::{HEADER, Reference, compare};

use super::numbers::grouped;
use super::output::{Output, say};
use super::progress::Meter;
use super::table::aligned;
use super::{BoardArg, Exit, Global};

/// Count the positions of each tier
///
/// A tier is all positions with the same number of stones: the live ones, in
/// which nobody has four in a row, and the terminal ones, in which the last
/// move made a four. Positions that no game reaches are not counted.
#[derive(Args)]
pub struct Count {
    #[command(flatten)]
    board: BoardArg,
    /// Tiers from A to B, both included, or a single one [default: all of the board]
    #[arg(long, value_name = "A..B")]
    tiers: Option<TierRange>,
    /// Print one JSON object per tier
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a header, as --check reads them
    #[arg(long)]
    csv: bool,
    /// Compare with the known counts, built in or in FILE; exit code 1 on a difference
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    check: Option<Option<PathBuf>>,
}

/// One tier, as JSON.
#[derive(Serialize)]
struct TierRecord {
    tier: u8,
    live: u64,
    terminal: u64,
    total: u64,
}

impl Count {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tiers = self.tiers.unwrap_or(TierRange::all(board)).within(board).context("--tiers")?;
        // What can be refused is refused before the work.
        let expected = match &self.check {
            None => None,
            Some(file) => Some(reference(file.as_deref())?.get(board, tiers)?.to_vec()),
        };
        let counts = {
            let meter = Meter::start(format!("counting {board}"), global.quiet);
            count(board, tiers, &meter)?
        };
        self.print(&counts)?;
        let Some(expected) = expected else { return Ok(Exit::Fine) };
        if let Err(mismatch) = compare(board, &expected, &counts) {
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

    fn print(&self, counts: &[TierCount]) -> anyhow::Result<()> {
        let mut out = Output::new();
        if self.json {
            for count in counts {
                out.line(json(count)?)?;
            }
        } else if self.csv {
            out.line(HEADER)?;
            for count in counts {
                out.line(csv(self.board.board, count))?;
            }
        } else {
            for row in table(counts) {
                out.line(row)?;
            }
        }
        out.finish()
    }
}

fn reference(file: Option<&Path>) -> anyhow::Result<Reference> {
    let Some(file) = file else { return Ok(Reference::embedded()) };
    let name = || format!("can not read the reference {}", file.display());
    let text = fs::read_to_string(file).with_context(name)?;
    Reference::parse(&text).with_context(name)
}

fn json(count: &TierCount) -> serde_json::Result<String> {
    let TierCount { tier, live, terminal } = *count;
    serde_json::to_string(&TierRecord { tier: tier.0, live, terminal, total: count.total() })
}

fn csv(board: Board, count: &TierCount) -> String {
    format!("{board},{},{},{},{}", count.tier, count.live, count.terminal, count.total())
}

/// A row for each tier, and the sums below if there is something to add up.
fn table(counts: &[TierCount]) -> Vec<String> {
    let row = |name: String, live, terminal| {
        [name, grouped(live), grouped(terminal), grouped(live + terminal)]
    };
    let mut rows = vec![["tier", "live", "terminal", "total"].map(str::to_owned)];
    rows.extend(counts.iter().map(|c| row(c.tier.to_string(), c.live, c.terminal)));
    if counts.len() > 1 {
        let sum = |part: fn(&TierCount) -> u64| counts.iter().map(part).sum();
        rows.push(row("sum".to_owned(), sum(|c| c.live), sum(|c| c.terminal)));
    }
    aligned(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;

    #[test]
    fn tables_are_aligned_and_summed() {
        let counts = [
            TierCount { tier: Tier(7), live: 54_131, terminal: 728 },
            TierCount { tier: Tier(10), live: 1_618_398, terminal: 44_225 },
        ];
        assert_eq!(
            table(&counts),
            [
                "tier       live  terminal      total",
                "   7     54,131       728     54,859",
                "  10  1,618,398    44,225  1,662,623",
                " sum  1,672,529    44,953  1,717,482",
            ]
        );
        assert_eq!(table(&counts[..1]).len(), 2);
    }
}
