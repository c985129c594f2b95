//! `strong4 verify`: are the tables as they were written, and are their values right?

mod found;
mod record;
mod samples;
mod sweep;

use std::sync::Arc;

use clap::Args;
use strong4::board::Tier;
use strong4::index::Finder;
use strong4::table::{Tables, check};
use strong4::verify::{BlockSampling, recompute};

use found::Found;
use samples::Samples;
use sweep::SweepArg;

use super::advice::fault_in_words;
use super::numbers::whole;
use super::output::{on_one_line, print, say};
use super::progress::Meter;
use super::tables::TablesArg;
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 verify --board 5x4
  strong4 verify --tables target/5x5 --json
  strong4 verify --board 5x4 --deep
  strong4 verify --board 5x4 --samples 20";

/// Check every byte of the tables, and whether their values are right
///
/// Reads every block, compares checksums, digests and the manifest, and recomputes some
/// blocks of each table from the next one. With --deep it also compares every outcome with
/// a new sweep, which takes about as long as solving the board. With --samples it instead
/// compares random positions with two searches that read no tables, and many more with
/// their moves. Prints one line per fault or difference; exit code 1 if there is any.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object per fault, and one for the folder; with --samples, one per
    /// difference, fault and tier
    #[arg(long)]
    json: bool,
    /// Recompute N blocks of each table, or all if it has fewer
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "samples",
        value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    blocks: u32,
    #[command(flatten)]
    sweep: SweepArg,
    #[command(flatten)]
    samples: Samples,
}

impl Verify {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, folder, inventory) = self.tables.existing()?;
        if let Some(sampling) = self.samples.sampling() {
            return self.samples.run(board, &folder, &inventory, sampling, self.json, global);
        }
        let finder = Arc::new(Finder::new(board)?);
        let checked = {
            let meter = Meter::start(format!("verifying {board}"), global.quiet);
            check(&folder, finder.census(), &meter)?
        };
        let recomputed = {
            let meter = Meter::start(format!("recomputing blocks of {board}"), global.quiet);
            let tables = Arc::new(Tables::open(&folder, finder.census()));
            let tiers: Vec<Tier> = inventory.tables.iter().map(|table| table.tier).collect();
            let sampling =
                BlockSampling { blocks: self.blocks as usize, seed: self.samples.seed() };
            recompute(&finder, &tables, &tiers, sampling, &meter)
        };
        let deep = self.sweep.run(&folder, &inventory, global)?;
        let found = Found { board, checked, recomputed, deep };
        self.print(&found)?;
        if !global.quiet {
            found.remarks().into_iter().for_each(|remark| say(format_args!("{remark}")));
        }
        Ok(if found.is_sound() { Exit::Fine } else { Exit::No })
    }

    /// Prints the faults; as JSON also a summary.
    fn print(&self, found: &Found) -> anyhow::Result<()> {
        let faults = found.checked.faults.iter();
        if self.json {
            let lines = faults
                .map(record::of_fault)
                .chain(found.wrong_values().map(record::of_wrong_value));
            print(lines.chain([record::of_folder(found)]))
        } else {
            let faults = faults.map(|fault| on_one_line(fault_in_words(fault)));
            print(faults.chain(found.wrong_values().map(on_one_line)))
        }
    }
}
