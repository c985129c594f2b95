//! `--check`: compares numbers with known ones.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

/// The reference that a subcommand compares its numbers with.
#[derive(Args)]
pub struct CheckArg {
    /// Compare with known numbers: the built-in ones, or those in FILE, as printed by
    /// --csv; exit code 1 on a difference
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    check: Option<Option<PathBuf>>,
}

impl CheckArg {
    /// The requested reference: the built-in one, or that of a file.
    pub fn reference<R, E: Error + Send + Sync + 'static>(
        &self,
        built_in: impl FnOnce() -> anyhow::Result<R>,
        parse: impl FnOnce(&str) -> Result<R, E>,
    ) -> anyhow::Result<Option<R>> {
        let Some(file) = &self.check else { return Ok(None) };
        let Some(file) = file else { return built_in().map(Some) };
        let name = || format!("cannot read the reference {}", file.display());
        let text = fs::read_to_string(file).with_context(name)?;
        parse(&text).map(Some).with_context(name)
    }
}
