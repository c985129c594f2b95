//! Who answers: experts that share the folder of tables that was meant, if there is one.

use std::collections::BTreeSet;
use std::path::Path;

use strong4::board::{Board, Tier};
use strong4::index::Finder;
use strong4::oracle::Oracle;
use strong4::query::Expert;
use strong4::table::{Tables, table_file};

use crate::cli::estimate::tell_long_index;
use crate::cli::interrupt::given_up;
use crate::cli::output::say;
use crate::cli::tables::TablesArg;
use crate::cli::workers::Workers;

/// An expert for each thread.
pub type Experts<'a> = Workers<Expert<'a>, Box<dyn Fn() -> Expert<'a> + Sync + 'a>>;

/// Does something with experts on a board, and says which tables they missed, unless
/// it should be `quiet`.
pub fn with_experts<R>(
    arg: &TablesArg,
    quiet: bool,
    work: impl FnOnce(Board, &Experts) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let (board, folder) = arg.find()?;
    let Some(folder) = folder else {
        return work(board, &Workers::new(Box::new(|| Expert::new(board).stopped_by(given_up()))));
    };
    tell_long_index(board, quiet);
    let finder = Finder::new(board)?;
    let tables = Tables::open(&folder, finder.census());
    let expert = || {
        let oracle = Oracle::new(&finder, &tables);
        Expert::new(board).with_tables(oracle).stopped_by(given_up())
    };
    let experts: Experts = Workers::new(Box::new(expert));
    let done = work(board, &experts)?;
    let missed: BTreeSet<Tier> =
        experts.into_inner().iter().flat_map(Expert::missed_tiers).collect();
    if !quiet {
        tell_missing(&missed.into_iter().collect::<Vec<_>>(), &folder);
    }
    Ok(done)
}

/// Says which tables would have been needed, on one line.
fn tell_missing(missing: &[Tier], folder: &Path) {
    let files: Vec<String> =
        missing.iter().map(|tier| table_file(folder, *tier).display().to_string()).collect();
    match &files[..] {
        [] => {}
        [file] => say(format_args!("{file} was needed, and is not there: a search filled in")),
        files => say(format_args!(
            "{} were needed, and are not there: a search filled in",
            files.join(", ")
        )),
    }
}
