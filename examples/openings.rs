//! Writes the openings that are built into the program, from the tables of a board.
//!
//! ```text
//!     cargo run --release --example openings -- tables/7x6 1 data/openings_7x6.bin
//! ```
//!
//! writes the scores of tiers 0 and 1. Only the last tier is searched, guided by the
//! tables; those before it follow. How far it is, it tells on standard error.

use std::path::Path;

use anyhow::{Context, bail};
use strong4::board::Tier;
use strong4::index::Finder;
use strong4::oracle::Oracle;
use strong4::query::{Expert, Openings};
use strong4::table::{Tables, board_of};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, last, file] = &arguments[..] else {
        bail!("expected a folder of tables, the last tier, and a file to write");
    };
    let folder = Path::new(folder);
    let board = board_of(folder).context("expected a folder of tables")?;
    let last = Tier(last.parse().context("expected a tier")?);
    let finder = Finder::new(board)?;
    let tables = Tables::open(folder, finder.census());
    let oracle = Oracle::new(&finder, &tables);
    let mut expert = Expert::new(board).without_openings().with_tables(oracle);
    let bytes = Openings::build(&mut expert, last, |done, all| {
        if done % 10 == 0 {
            eprintln!("{done} of {all}");
        }
    })?;
    std::fs::write(file, bytes).with_context(|| file.clone())
}
