//! `strong4 stats`: how the positions of each tier end, from the tables.

mod picture;
mod report;

use clap::Args;
use strong4::reference::outcomes::KnownOutcomes;
use strong4::stats::stats;
use strong4::table::Inventory;

use super::check::CheckArg;
use super::output::{Output, say};
use super::tables::{TablesArg, command};
use super::tiers::runs;
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 stats --board 5x4 --check
  strong4 stats --board 5x4 --csv
  strong4 stats --board 5x4 --svg > 5x4.svg";

/// Tell how the positions of each tier end, from the headers of the tables
///
/// How many there are, and what their tables take; how the live ones, in which
/// nobody has four in a row, end for the player to move; and how all end for X,
/// the first player, and for O. In terminal positions the last move made a four.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    check: CheckArg,
}

/// The forms that are not for people, or not to be read.
#[derive(Args)]
#[group(multiple = false)]
struct Form {
    /// Print one JSON object per tier
    #[arg(long)]
    json: bool,
    /// Print comma-separated values with a header, as --check reads them
    #[arg(long)]
    csv: bool,
    /// Print a picture, as SVG: positions per tier, and the shares of outcomes
    #[arg(long)]
    svg: bool,
}

impl Stats {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, folder) = self.tables.resolve()?;
        let built_in = || Ok(KnownOutcomes::built_in(board)?);
        let known = self.check.reference(built_in, |text| KnownOutcomes::parse(board, text))?;
        let stats = stats(&folder, board)?;
        if stats.is_empty() {
            let solve = command("solve", board, &folder);
            let folder = folder.display();
            say(format_args!("there are no tables of {board} in {folder}: {solve} makes them"));
            return Ok(Exit::No);
        }
        let mut out = Output::new();
        match self.form {
            Form { json: true, .. } => stats.iter().try_for_each(|s| out.line(report::json(s)))?,
            Form { csv: true, .. } => report::csv(&stats).iter().try_for_each(|l| out.line(l))?,
            Form { svg: true, .. } => out.line(picture::picture(board, &stats))?,
            _ => report::tables(&stats).iter().try_for_each(|line| out.line(line))?,
        }
        out.finish()?;
        let missing = Inventory::of(&folder, board)?.missing();
        if !missing.is_empty() && !global.quiet {
            say(format_args!("tables of tiers {} are missing, and not counted", runs(&missing)));
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
                "all {tiers} tiers of {board} that are there agree with the reference"
            ));
        }
        Ok(Exit::Fine)
    }
}
