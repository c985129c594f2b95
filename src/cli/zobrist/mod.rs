//! `strong4 zobrist`: how often a table that compares only part of a hash errs.

mod plot;
mod report;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use strong4::board::Board;
use strong4::clashes::{
    Clusters, Independence, KeySets, Recipe, Retrievals, Spread, WrongHits, WrongResults, clusters,
    retrievals, spreads, wrong_hits, wrong_results,
};
use strong4::progress::Progress;

use super::interrupt;
use super::output::{cannot_write, print, say};
use super::{Exit, Global};
use crate::cli::output::numbers::whole;
use crate::cli::output::progress::Meter;

const EXAMPLES: &str = "\
Examples:
  strong4 zobrist --runs 100 --json --svg clashes.svg";

/// Measure how often a table takes one position for another: Zobrist's figures of 1970
///
/// With 2^n entries, n + m check bits and 2^n retrievals, the probability of no such error
/// is exp(-2^-m). Prints predicted and measured values for positions of random games: for
/// full tables, for searches, for the successors of two clashing positions, for bad sets of
/// words, and for the remainder of a division instead of a hash.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Zobrist {
    /// Seed of the random words and games
    #[arg(long, value_name = "S", default_value_t = 1,
        value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Number of tables to fill, each with words of its own
    #[arg(long, value_name = "R", default_value_t = 4000,
        value_parser = whole(1..=100_000_000_u64), allow_negative_numbers = true)]
    runs: u64,
    /// Entries of these tables, as a power of two
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = whole(4..=20_u32), allow_negative_numbers = true)]
    bits: u32,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// Draw a picture of predicted and measured values into FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// All measurements, on 7x6.
struct Findings {
    retrievals: Retrievals,
    hits: WrongHits,
    /// With this many check bits.
    results: Vec<(u32, WrongResults)>,
    clusters: Clusters,
    recipes: Vec<RecipeFindings>,
    spreads: Vec<Spread>,
}

/// The measurements of one key set, or of several of one recipe.
struct RecipeFindings {
    name: &'static str,
    all_bits: Independence,
    /// Only the bits used by index and check.
    used_bits: Independence,
    /// Tables, as for the good words; none for the words of the search.
    retrievals: Option<Retrievals>,
    hits: Option<WrongHits>,
}

/// Entries of the table of a search, as a power of two.
const SEARCH_BITS: u32 = 12;
/// Key sets, and the positions searched with each.
const SETS: u64 = 32;
const POSITIONS: usize = 100;
/// Check bits of searches that trust hits without proof.
const BELIEVED: [u32; 7] = [0, 4, 8, 10, 12, 16, 20];
/// Check bits of searches with bad words.
const RECIPE_CHECK: usize = 16;
/// Runs with good words for each run with bad ones.
const RECIPE_RUNS: u64 = 10;
/// Hashes of this many bits clash often enough to be followed.
const CLUSTER_BITS: u32 = 20;
/// Positions to be spread, as a power of two.
const SPREAD_BITS: u32 = 18;

impl Zobrist {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        // A bad file name must be found before the long work, not after it.
        let svg = self.svg.as_deref().map(picture_file).transpose()?;
        let findings = {
            let meter = Meter::start("measuring".to_owned(), global.quiet);
            self.measure(&meter)
        };
        print(if self.json {
            report::json_lines(&findings)
        } else {
            report::lines(self, &findings)
        })?;
        if let (Some(file), Some(mut opened)) = (&self.svg, svg) {
            let picture = plot::plot(&findings);
            let written = opened.set_len(0).and_then(|()| opened.write_all(picture.as_bytes()));
            written.with_context(|| cannot_write(file))?;
            if !global.quiet {
                say(format_args!("picture written to {}", file.display()));
            }
        }
        Ok(Exit::Fine)
    }

    fn measure(&self, meter: &dyn Progress) -> Findings {
        let Zobrist { seed, runs, bits, .. } = *self;
        let board = Board::STANDARD;
        let parts = (4 + BELIEVED.len() + Recipe::ALL.len()) as u64;
        let mut done = 0;
        let mut step = || {
            done += 1;
            meter.advance(done, parts);
        };
        let retrieved = retrievals(board, Recipe::Random, bits, runs, seed);
        step();
        let study = |recipe| {
            let (sets, positions, bits) = (SETS, POSITIONS, SEARCH_BITS);
            KeySets { board, recipe, sets, positions, bits, seed }
        };
        let hits = wrong_hits(&study(Recipe::Random));
        step();
        let results = BELIEVED.map(|check| {
            let results = wrong_results(&study(Recipe::Random), check);
            step();
            (check, results)
        });
        let clusters = clusters(board, CLUSTER_BITS, seed);
        step();
        let mut recipes: Vec<RecipeFindings> = Recipe::ALL
            .into_iter()
            .map(|recipe| {
                let words = recipe.words(board, seed).list(board);
                let findings = RecipeFindings {
                    name: recipe.name(),
                    all_bits: Independence::of(&words, u64::MAX),
                    used_bits: Independence::of(&words, used_mask()),
                    retrievals: Some(retrievals(
                        board,
                        recipe,
                        bits,
                        runs.div_ceil(RECIPE_RUNS),
                        seed,
                    )),
                    hits: Some(wrong_hits(&study(recipe))),
                };
                step();
                findings
            })
            .collect();
        recipes.push(of_the_search(board));
        let spreads = spreads(board, SPREAD_BITS, seed);
        step();
        let results = results.into();
        Findings { retrievals: retrieved, hits, results, clusters, recipes, spreads }
    }
}

/// Opens the file of a picture without changing its content until there is a new one. A new
/// file is removed if the program is stopped before.
fn picture_file(file: &Path) -> anyhow::Result<File> {
    let is_new = !file.exists();
    let opened = File::options().write(true).create(true).truncate(false).open(file);
    let opened = opened.with_context(|| cannot_write(file))?;
    if is_new {
        let file = file.to_owned();
        interrupt::set_last_deed(move || drop(fs::remove_file(file)));
    }
    Ok(opened)
}

/// The bits of index and check of searches with bad words.
fn used_mask() -> u64 {
    (1 << (SEARCH_BITS + RECIPE_CHECK as u32)) - 1
}

/// The words of the search, which needs no check that could err.
fn of_the_search(board: Board) -> RecipeFindings {
    let words = strong4::search::zobrist::Zobrist::new(board).words.list(board);
    RecipeFindings {
        name: "the search's own",
        all_bits: Independence::of(&words, u64::MAX),
        used_bits: Independence::of(&words, used_mask()),
        retrievals: None,
        hits: None,
    }
}
