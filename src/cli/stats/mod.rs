//! `strong4 stats`: the outcomes of each tier, from the tables; or of all solved boards.

mod atlas;
mod heat;
mod picture;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use strong4::board::{Board, TierRange};
use strong4::count::TierCount;
use strong4::reference::atlas::atlas;
use strong4::reference::outcomes::{KnownOutcomes, OutcomesError};
use strong4::reference::plies::KnownPlies;
use strong4::reference::{Reference, compare};
use strong4::stats::{self, PliesError, TierStats};
use strong4::table::TierCounts;

use super::advice::in_words;
use super::output::{print, say};
use super::{Exit, Global};
use crate::cli::input::args::{CheckArg, TablesArg, runs};
use crate::cli::output::plies;

const EXAMPLES: &str = "\
Examples:
  strong4 stats --board 5x4 --check
  strong4 stats --board 5x4 --csv
  strong4 stats --board 5x4 --svg > 5x4.svg
  strong4 stats --board 5x4 --plies --csv
  strong4 stats --board 5x4 --csv > outcomes_5x4.csv
  strong4 stats --atlas . --svg > atlas.svg";

/// Print the outcomes of each tier, from the headers of the tables
///
/// Prints the number of positions and the size of their tables; the outcomes of
/// live positions, in which nobody has four in a row, for the player to move;
/// and the outcomes of all positions for X, the first player, and O. In terminal
/// positions the last move made a four.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Stats {
    #[command(flatten)]
    tables: TablesArg,
    /// Print how soon positions end instead: the number of wins and losses of the player to
    /// move for each number of plies. Needs the tables of solve --scores
    #[arg(long)]
    plies: bool,
    /// Print the outcomes of many boards instead: of those whose outcomes_WxH.csv, as printed by
    /// --csv, is in DIR
    #[arg(long, value_name = "DIR", conflicts_with_all = ["board", "tables", "plies", "check"])]
    atlas: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    check: CheckArg,
}

/// The formats for programs, and the picture.
#[derive(Args)]
#[group(multiple = false)]
struct Form {
    /// Print one JSON object per tier or board
    #[arg(long)]
    json: bool,
    /// Print comma-separated values with a header, in the form that --check reads
    #[arg(long)]
    csv: bool,
    /// Print a picture, as SVG: positions per tier or board, and the shares of outcomes
    #[arg(long)]
    svg: bool,
}

impl Stats {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        if let Some(folder) = &self.atlas {
            let boards = atlas(folder)?;
            print(match self.form {
                Form { json: true, .. } => boards.iter().map(atlas::to_json).collect(),
                Form { csv: true, .. } => atlas::csv(&boards),
                Form { svg: true, .. } => vec![atlas::picture(&boards)],
                _ => atlas::table(&boards),
            })?;
            return Ok(Exit::Fine);
        }
        let (board, folder, inventory) = self.tables.existing()?;
        if self.plies {
            return self.tell_plies(board, &folder, global);
        }
        let built_in = || Ok(Known::built_in(board)?);
        let outcomes = |text: &str| KnownOutcomes::parse(board, text).map(Known::Outcomes);
        let known = self.check.reference(built_in, outcomes)?;
        let stats = stats::stats(&folder, board)?;
        print(match self.form {
            Form { json: true, .. } => stats.iter().map(report::to_json).collect(),
            Form { csv: true, .. } => report::csv(&stats),
            Form { svg: true, .. } => vec![picture::picture(board, &stats)],
            _ => report::tables(&stats),
        })?;
        let missing = inventory.missing();
        if !missing.is_empty() && !global.quiet {
            say(format_args!("tables of tiers {} are missing and not counted", runs(&missing)));
        }
        let Some(known) = known else { return Ok(Exit::Fine) };
        let wrong = stats.iter().filter_map(|stats| known.difference(board, stats));
        Ok(compared(wrong, global.quiet, || {
            let tiers = stats.len();
            let what = match known {
                Known::Outcomes(_) => "",
                Known::Counts(_) => ", which has only the counts of live and terminal positions",
            };
            format!("all {tiers} available tiers of {board} agree with the reference{what}")
        }))
    }
}

impl Stats {
    fn tell_plies(&self, board: Board, folder: &Path, global: &Global) -> anyhow::Result<Exit> {
        let built_in = || Ok(KnownPlies::built_in(board)?);
        let known = self.check.reference(built_in, |text: &str| KnownPlies::parse(board, text))?;
        let tiers = match stats::plies(folder, board) {
            Err(error @ PliesError::NoScores { .. }) => {
                say(format_args!("{}", in_words(&error.into())));
                return Ok(Exit::No);
            }
            tiers => tiers?,
        };
        print(match self.form {
            Form { json: true, .. } => tiers.iter().map(plies::to_json).collect(),
            Form { csv: true, .. } => plies::csv(&tiers),
            Form { svg: true, .. } => vec![heat::picture(board, &tiers)],
            _ => plies::table(&tiers),
        })?;
        let Some(known) = known else { return Ok(Exit::Fine) };
        let wrong = tiers.iter().filter_map(|tier| known.compare(tier).err());
        Ok(compared(wrong.map(|wrong| wrong.to_string()), global.quiet, || {
            let compared = tiers.iter().filter(|tier| known.knows(tier.tier)).count();
            format!("all plies of {compared} tiers of {board} agree with the reference")
        }))
    }
}

/// Reports the differences from a reference, or that there are none.
fn compared(
    wrong: impl Iterator<Item = String>,
    quiet: bool,
    agreement: impl Fn() -> String,
) -> Exit {
    let wrong: Vec<String> = wrong.collect();
    wrong.iter().for_each(|wrong| say(format_args!("{wrong}")));
    if !wrong.is_empty() {
        return Exit::No;
    }
    if !quiet {
        say(format_args!("{}", agreement()));
    }
    Exit::Fine
}

/// The reference for a board: the outcomes of its positions, or only their number.
enum Known {
    Outcomes(KnownOutcomes),
    Counts(Vec<TierCount>),
}

impl Known {
    /// The built-in reference.
    fn built_in(board: Board) -> Result<Known, OutcomesError> {
        KnownOutcomes::built_in(board).map(Known::Outcomes).or_else(|none| {
            let reference = Reference::built_in();
            let counts = reference.get(board, TierRange::all(board)).map_err(|_| none)?;
            Ok(Known::Counts(counts.to_vec()))
        })
    }

    /// How a tier differs.
    fn difference(&self, board: Board, stats: &TierStats) -> Option<String> {
        match self {
            Known::Outcomes(outcomes) => {
                outcomes.compare(stats.tier, stats.counts).err().map(|wrong| wrong.to_string())
            }
            Known::Counts(counts) => {
                let TierCounts { won, drawn, lost, terminal } = stats.counts;
                let found = TierCount { tier: stats.tier, live: won + drawn + lost, terminal };
                let expected = counts.iter().filter(|count| count.tier == stats.tier);
                let expected: Vec<TierCount> = expected.copied().collect();
                compare(board, &expected, &[found]).err().map(|wrong| wrong.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;

    #[test]
    fn where_only_counts_are_known_they_are_compared() {
        let board: Board = "5x3".parse().unwrap();
        let known = Known::built_in(board).unwrap();
        assert!(matches!(known, Known::Counts(_)));
        let difference = |won, terminal| {
            let counts = TierCounts { won, drawn: 15, lost: 0, terminal };
            known.difference(
                board,
                &TierStats { tier: Tier::new(2).unwrap(), counts, bytes: 0, seconds: None },
            )
        };
        assert_eq!(difference(10, 0), None);
        let expected = "tier 2 of 5x3 differs from the reference: expected 25 live";
        assert!(difference(11, 0).unwrap().starts_with(expected));
        assert!(difference(10, 1).unwrap().starts_with(expected));
        assert!(Known::built_in("8x7".parse().unwrap()).is_err());
    }
}
