//! `strong4 verify`: checks whether the tables are as they were written, and their values right.

mod report;
mod samples;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use report::Found;
use samples::Samples;
use strong4::board::Tier;
use strong4::files::remove_all;
use strong4::index::Finder;
use strong4::table::{Inventory, Tables, check};
use strong4::verify::{BlockSampling, Deep, DeepListener, DeepRequest, deep, recompute};

use super::advice::{fault_in_words, wrong_in_words};
use super::output::{on_one_line, print, say};
use super::{Exit, Global, interrupt};
use crate::cli::input::args::TablesArg;
use crate::cli::output::numbers::{size, whole};
use crate::cli::output::progress::{Meter, Shown};

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
pub(super) struct Verify {
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
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
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
                .map(report::of_fault)
                .chain(found.wrong_values().map(report::of_wrong_value));
            print(lines.chain([report::of_folder(found)]))
        } else {
            let faults = faults.map(|fault| on_one_line(fault_in_words(fault)));
            let wrong = found.wrong_values().map(|wrong| on_one_line(wrong_in_words(wrong)));
            print(faults.chain(wrong))
        }
    }
}

/// Whether to sweep, and with which resources.
#[derive(Args)]
pub(super) struct SweepArg {
    /// Compare every outcome and count with a new sweep of the board
    #[arg(long, conflicts_with = "samples")]
    deep: bool,
    /// Memory for --deep, such as 8GiB [default: 60 % of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "deep",
        allow_hyphen_values = true)]
    mem: Option<u64>,
    /// Folder of the working files of --deep, if any [default: the folder of the tables]
    #[arg(long, value_name = "DIR", requires = "deep")]
    scratch: Option<PathBuf>,
}

impl SweepArg {
    /// The findings of the sweep, if requested.
    pub(super) fn run(
        &self,
        folder: &Path,
        inventory: &Inventory,
        global: &Global,
    ) -> anyhow::Result<Option<Deep>> {
        if !self.deep {
            return Ok(None);
        }
        let tables = folder.to_owned();
        let scratch = self.scratch.clone().unwrap_or_else(|| tables.clone());
        let request = DeepRequest { tables, scratch, memory: self.mem };
        let shown = Shown { quiet: global.quiet, parts: Some("cells"), ..Shown::default() };
        let what = format!("sweeping {} again", inventory.board);
        Ok(Some(deep(&request, inventory, &Meter::showing(what, shown))?))
    }
}

/// Shows the progress of the sweep, which leaves no files behind when it is stopped.
impl DeepListener for Meter {
    fn writes_to(&self, folder: &Path) {
        let folder = folder.to_owned();
        interrupt::set_last_deed(move || {
            // The sweep may still add a file now and then.
            let _ = (0..100).find(|_| {
                remove_all(&folder);
                !folder.exists()
            });
        });
    }
}
