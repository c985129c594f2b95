//! `strong4 stats`: how the positions of each tier end, from the tables.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use strong4::board::Board;
use strong4::reference::outcomes::{HEADER, KnownOutcomes};
use strong4::stats::{Shares, TierStats, stats};

use super::numbers::grouped;
use super::output::{Output, say};
use super::table::aligned;
use super::tables::TablesArg;
use super::{Exit, Global};

/// Tell how the positions of each tier end, from the headers of the tables
///
/// Twice: for the player to move, and for the first player, X. In terminal
/// positions the last move made a four, so the player to move has lost.
#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object per tier
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a header, as --check reads them
    #[arg(long)]
    csv: bool,
    /// Compare with the known outcomes, built in or in FILE; exit code 1 on a difference
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    check: Option<Option<PathBuf>>,
}

/// One tier, as JSON; `seconds` is null where no manifest tells.
#[derive(Serialize)]
struct TierRecord {
    tier: u8,
    won: u64,
    drawn: u64,
    lost: u64,
    terminal: u64,
    total: u64,
    seconds: Option<f64>,
    bytes: u64,
}

impl Stats {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, folder) = self.tables.resolve();
        let known = self.check.as_ref().map(|file| known(board, file.as_deref())).transpose()?;
        let stats = stats(&folder, board)?;
        self.print(&stats)?;
        if stats.is_empty() {
            say(format_args!("there are no tables of {board} in {}", folder.display()));
            return Ok(Exit::No);
        }
        let Some(known) = known else { return Ok(Exit::Fine) };
        let wrong: Vec<_> = stats
            .iter()
            .filter_map(|stats| known.compare(stats.tier, stats.counts).err())
            .collect();
        wrong.iter().for_each(|wrong| say(format_args!("{wrong}")));
        if !wrong.is_empty() {
            return Ok(Exit::No);
        }
        if !global.quiet {
            let tiers = stats.len();
            say(format_args!(
                "all tiers of {board} that are there, {tiers}, agree with the reference"
            ));
        }
        Ok(Exit::Fine)
    }

    fn print(&self, stats: &[TierStats]) -> anyhow::Result<()> {
        let mut out = Output::new();
        if self.json {
            for stats in stats {
                out.line(json(stats)?)?;
            }
        } else if self.csv {
            out.line(HEADER)?;
            for stats in stats {
                out.line(csv(stats))?;
            }
        } else if !stats.is_empty() {
            for line in tables(stats) {
                out.line(line)?;
            }
        }
        out.finish()
    }
}

fn known(board: Board, file: Option<&Path>) -> anyhow::Result<KnownOutcomes> {
    let Some(file) = file else { return Ok(KnownOutcomes::embedded(board)?) };
    let name = || format!("can not read the reference {}", file.display());
    let text = fs::read_to_string(file).with_context(name)?;
    KnownOutcomes::parse(board, &text).with_context(name)
}

fn json(stats: &TierStats) -> serde_json::Result<String> {
    let counts = stats.counts;
    serde_json::to_string(&TierRecord {
        tier: stats.tier.0,
        won: counts.won,
        drawn: counts.drawn,
        lost: counts.lost,
        terminal: counts.terminal,
        total: counts.total(),
        seconds: stats.seconds,
        bytes: stats.bytes,
    })
}

fn csv(stats: &TierStats) -> String {
    let counts = stats.counts;
    let numbers = [counts.won, counts.drawn, counts.lost, counts.terminal, counts.total()];
    format!("{},{}", stats.tier, numbers.map(|number| number.to_string()).join(","))
}

/// A table for the mover, and one for the first player.
fn tables(stats: &[TierStats]) -> Vec<String> {
    let names = ["tier", "won", "drawn", "lost", "terminal", "total", "bytes", "seconds"];
    let mover = table(names, stats, |stats| {
        let (live, counts) = (stats.live(), stats.counts);
        [live.won, live.drawn, live.lost, counts.terminal, counts.total(), stats.bytes]
    });
    let names = ["tier", "X wins", "draw", "O wins", "X wins", "O wins", "total", ""];
    let first = table(names, stats, |stats| {
        let [live, all] = [stats.live(), stats.all()].map(|shares| stats.for_first(shares));
        let Shares { won, drawn, lost } = live;
        [won, drawn, lost, all.won, all.lost, stats.counts.total()]
    });
    let mut lines = vec!["Live positions, for the player to move:".to_owned()];
    lines.extend(mover);
    lines.push(String::new());
    lines.push("Live positions by who wins, then with the terminal ones:".to_owned());
    lines.extend(first.into_iter().map(|line| line.trim_end().to_owned()));
    lines
}

/// A row for each tier, and the sums below if there is something to add up. The
/// last column is that of the seconds, unless it has no name.
fn table(
    names: [&str; 8],
    stats: &[TierStats],
    numbers: fn(&TierStats) -> [u64; 6],
) -> Vec<String> {
    let row = |name: String, numbers: [u64; 6], seconds: Option<f64>| {
        let [a, b, c, d, e, f] = numbers.map(grouped);
        let seconds = match seconds {
            _ if names[7].is_empty() => String::new(),
            None => "?".to_owned(),
            Some(seconds) => format!("{seconds:.3}"),
        };
        [name, a, b, c, d, e, f, seconds]
    };
    let mut rows = vec![names.map(str::to_owned)];
    rows.extend(stats.iter().map(|s| row(s.tier.to_string(), numbers(s), s.seconds)));
    if stats.len() > 1 {
        let sums = std::array::from_fn(|column| stats.iter().map(|s| numbers(s)[column]).sum());
        let seconds = stats.iter().map(|stats| stats.seconds).sum();
        rows.push(row("sum".to_owned(), sums, seconds));
    }
    aligned(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;
    use strong4::table::TierCounts;

    fn two() -> [TierStats; 2] {
        let counts = TierCounts { won: 1000, drawn: 2, lost: 3, terminal: 40 };
        let stats = |tier, seconds| TierStats { tier: Tier(tier), counts, bytes: 512, seconds };
        [stats(8, Some(0.25)), stats(9, None)]
    }

    #[test]
    fn both_views_are_aligned_and_summed() {
        assert_eq!(
            tables(&two()),
            [
                "Live positions, for the player to move:",
                "tier    won  drawn  lost  terminal  total  bytes  seconds",
                "   8  1,000      2     3        40  1,045    512    0.250",
                "   9  1,000      2     3        40  1,045    512        ?",
                " sum  2,000      4     6        80  2,090  1,024        ?",
                "",
                "Live positions by who wins, then with the terminal ones:",
                "tier  X wins  draw  O wins  X wins  O wins  total",
                "   8   1,000     2       3   1,000      43  1,045",
                "   9       3     2   1,000      43   1,000  1,045",
                " sum   1,003     4   1,003   1,043   1,043  2,090",
            ]
        );
        assert_eq!(tables(&two()[..1]).len(), 7);
    }

    #[test]
    fn programs_read_the_same_numbers() {
        let [tier, unknown] = two();
        assert_eq!(csv(&tier), "8,1000,2,3,40,1045");
        let json = json(&unknown).unwrap();
        assert_eq!(
            json,
            r#"{"tier":9,"won":1000,"drawn":2,"lost":3,"terminal":40,"total":1045,"seconds":null,"bytes":512}"#
        );
    }
}
