//! A solver for a subcommand, with the tables in its folder if there are any.

use std::path::Path;

use strong4::board::Tier;
use strong4::table::table_file;
use strong4::{Solver, SolverError};

use crate::cli::output::say;
use crate::cli::tables::TablesArg;

/// Runs a job with a solver, and reports which tables it lacked, unless `quiet`.
pub fn with_solver<R>(
    arg: &TablesArg,
    quiet: bool,
    work: impl FnOnce(&Solver) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let solver = arg.solver().map_err(|error| match error {
        SolverError::Folder(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    let done = work(&solver)?;
    if let (Some(folder), false) = (solver.folder(), quiet) {
        tell_missing(&solver.missed_tiers(), folder);
    }
    Ok(done)
}

/// Reports the missing tables, on one line.
fn tell_missing(missing: &[Tier], folder: &Path) {
    let files: Vec<String> =
        missing.iter().map(|tier| table_file(folder, *tier).display().to_string()).collect();
    match &files[..] {
        [] => {}
        [file] => say(format_args!("{file} is missing: a search was used instead")),
        files => say(format_args!("{} are missing: a search was used instead", files.join(", "))),
    }
}
