//! `strong4 verify --samples`: whether the values in the tables are right.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use strong4::board::{Board, Tier, TierRange};
use strong4::index::Finder;
use strong4::progress::Progress;
use strong4::table::{Inventory, Tables};
use strong4::verify::{Sampling, TierReport, sample};

use super::report::{of_difference, of_fault, of_tier};
use crate::cli::advice::{command, fault_in_words};
use crate::cli::input::args::runs;
use crate::cli::output::numbers::{duration, grouped, whole};
use crate::cli::output::progress::Meter;
use crate::cli::output::table::summed;
use crate::cli::output::{Output, on_one_line, say};
use crate::cli::{Exit, Global};

/// Which positions to check, and for how long.
#[derive(Args)]
#[command(next_help_heading = "Samples")]
pub(super) struct Samples {
    /// Draw N positions of each tier, and a quarter as many with stones in few columns
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_u32),
        allow_negative_numbers = true)]
    samples: Option<u32>,
    /// Seed of the random draws of positions or blocks
    #[arg(long, value_name = "S", default_value_t = 1,
        value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Only these tiers, such as 8..20
    #[arg(long, value_name = "A..B", requires = "samples")]
    tiers: Option<TierRange>,
    /// Time limit for each of the two searches per tier, such as 30s or 2m; positions not
    /// solved by then are given up. Drawing positions and comparing them with their moves
    /// is not limited, and takes longer the larger N is
    #[arg(long, value_name = "TIME", default_value = "5s", requires = "samples",
        value_parser = duration, allow_hyphen_values = true)]
    limit: Duration,
}

impl Samples {
    /// The seed of all draws.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The request for samples, if any.
    pub(super) fn sampling(&self) -> Option<Sampling> {
        let samples = self.samples? as usize;
        Some(Sampling { samples, seed: self.seed, limit: self.limit })
    }

    pub(super) fn run(
        &self,
        board: Board,
        folder: &Path,
        inventory: &Inventory,
        sampling: Sampling,
        json: bool,
        global: &Global,
    ) -> anyhow::Result<Exit> {
        let asked = match self.tiers {
            Some(tiers) => tiers.within(board).context("--tiers")?,
            None => TierRange::all(board),
        };
        let missing = inventory.missing();
        let (absent, tiers): (Vec<Tier>, Vec<Tier>) =
            asked.iter().partition(|tier| missing.contains(tier));
        if tiers.is_empty() {
            let solve = command("solve", board, folder);
            let folder = folder.display();
            say(format_args!(
                "there are no tables of tiers {asked} of {board} in {folder}: {solve} makes them"
            ));
            return Ok(Exit::No);
        }
        let finder = Arc::new(Finder::new(board)?);
        let tables = Arc::new(Tables::open(folder, finder.census()));
        let mut out = Output::new();
        let mut reports = Vec::new();
        {
            let meter = Meter::start(format!("sampling {board}"), global.quiet);
            for (done, tier) in tiers.iter().enumerate() {
                meter.advance(done as u64, tiers.len() as u64);
                let report = sample(&finder, &tables, *tier, sampling);
                print(&report, json, &mut out)?;
                reports.push(report);
            }
        }
        if !json {
            for line in table(&reports) {
                out.line(line)?;
            }
        }
        out.finish()?;
        if !global.quiet {
            remarks(board, &absent, &reports);
        }
        let sound = reports.iter().all(|report| report.findings.is_empty());
        // Tiers that were requested by name must exist.
        let complete = self.tiers.is_none() || absent.is_empty();
        Ok(if sound && complete { Exit::Fine } else { Exit::No })
    }
}

/// Prints the faults of a tier; as JSON also its results.
fn print(report: &TierReport, json: bool, out: &mut Output) -> anyhow::Result<()> {
    let findings = &report.findings;
    if json {
        for difference in &findings.differences {
            out.line(of_difference(difference))?;
        }
        for fault in &findings.faults {
            out.line(of_fault(fault))?;
        }
        out.line(of_tier(report))?;
    } else {
        for difference in &findings.differences {
            out.line(difference.position)?;
            out.line(difference)?;
            out.line("")?;
        }
        if findings.more_differences > 0 {
            let more = grouped(findings.more_differences);
            out.line(format_args!("tier {}: {more} more differences\n", report.tier))?;
        }
        for fault in &findings.faults {
            out.line(on_one_line(fault_in_words(fault)))?;
        }
        if findings.more_faults > 0 {
            let more = grouped(findings.more_faults);
            out.line(format_args!("tier {}: {more} more faults", report.tier))?;
        }
    }
    out.flush()
}

/// A row per tier, with the sums below.
fn table(reports: &[TierReport]) -> Vec<String> {
    let head = [
        "tier",
        "drawn",
        "narrow",
        "stored",
        "search",
        "given up",
        "proofs",
        "given up",
        "scores",
        "given up",
        "consistent",
        "stored",
        "nodes",
        "seconds",
        "wrong",
    ];
    summed(
        head,
        reports,
        |report| report.tier.to_string(),
        |name, reports| {
            let sum = |part: fn(&TierReport) -> u64| grouped(reports.iter().map(part).sum());
            let time: Duration = reports.iter().map(|report| report.time).sum();
            [
                name,
                sum(|r| r.samples as u64),
                sum(|r| r.few_columns as u64),
                sum(|r| r.stored as u64),
                sum(|r| r.search.answered as u64),
                sum(|r| r.search.given_up as u64),
                sum(|r| r.proofs.answered as u64),
                sum(|r| r.proofs.given_up as u64),
                sum(|r| r.scores.answered as u64),
                sum(|r| r.scores.given_up as u64),
                sum(|r| r.consistent),
                sum(|r| r.consistent_stored),
                sum(|r| r.search.nodes + r.proofs.nodes + r.scores.nodes),
                format!("{:.1}", time.as_secs_f64()),
                sum(wrong),
            ]
        },
    )
}

/// How many values or files are wrong.
fn wrong(report: &TierReport) -> u64 {
    report.findings.differences() + report.findings.faults()
}

/// Prints what was not checked, and a summary.
fn remarks(board: Board, absent: &[Tier], reports: &[TierReport]) {
    if !absent.is_empty() {
        say(format_args!("not sampled, because their tables are missing: tiers {}", runs(absent)));
    }
    for report in reports {
        let untold = report.unknown as u64 + report.consistent_unknown;
        if untold > 0 {
            let (tier, untold) = (report.tier, grouped(untold));
            say(format_args!(
                "tier {tier}: {untold} positions not compared, because a table they need is \
                 missing or damaged"
            ));
        }
    }
    let all = |count: fn(&TierReport) -> u64| reports.iter().map(count).sum::<u64>();
    let wrong = all(wrong);
    let stored =
        all(|report| report.stored as u64 + report.consistent_stored + report.scored as u64);
    let stored = grouped(stored);
    let tiers = match reports.len() {
        1 => "1 tier".to_owned(),
        tiers => format!("{tiers} tiers"),
    };
    if wrong == 0 {
        let others = match reports.iter().all(|report| report.complete) {
            true => "",
            false => "; other positions were not compared",
        };
        say(format_args!(
            "{tiers} of {board}: no difference, {stored} of the values from stored cells{others}"
        ));
    } else {
        say(format_args!("{tiers} of {board}: {} differences or faults", grouped(wrong)));
    }
}
