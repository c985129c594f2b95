//! `strong4 verify --deep`: compares the tables with a new sweep.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use strong4::progress::Progress;
use strong4::table::Inventory;
use strong4::verify::{Deep, DeepListener, DeepRequest, deep};

use crate::cli::Global;
use crate::cli::interrupt;
use crate::cli::numbers::size;
use crate::cli::progress::{Meter, Shown};

/// Whether to sweep, and with which resources.
#[derive(Args)]
pub struct SweepArg {
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
    pub fn run(
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
        let listener = Listening(Meter::showing(what, shown));
        Ok(Some(deep(&request, inventory, &listener)?))
    }
}

/// Shows the progress of the sweep, and leaves no files behind when it is stopped.
struct Listening(Meter);

impl Progress for Listening {
    fn advance(&self, done: u64, total: u64) {
        self.0.advance(done, total);
    }

    fn prepare(&self, what: &'static str, done: u64, total: u64) {
        self.0.prepare(what, done, total);
    }
}

impl DeepListener for Listening {
    fn writes_to(&self, folder: &Path) {
        let folder = folder.to_owned();
        interrupt::set_last_deed(move || {
            let _ = fs::remove_dir_all(folder);
        });
    }
}
