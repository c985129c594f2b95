//! The private readers of bytes, one function for each, for the targets of `tests/fuzz`.
//!
//! This module exists only if the library is built for fuzzing. Each function reads everything that
//! it can, as the program would, and panics if the result is inconsistent.

use std::path::Path;

use crate::index::Census;
use crate::{sweep, table, tabulate};

/// Reads a manifest; `false` if it is refused.
pub fn manifest(text: &str) -> bool {
    table::fuzz_manifest(text)
}

/// Reads a run file, as it is and with a corrected checksum; `false` if both are refused.
pub fn run_file(text: &str) -> bool {
    tabulate::fuzz_run_file(text)
}

/// Reads a plan file; `false` if it is refused.
pub fn plan_file(text: &str) -> bool {
    tabulate::fuzz_plan_file(text)
}

/// Reads what a batch passes on: label, seal, directory, and all blocks.
pub fn kept(file: &Path, census: &Census, batch: usize) -> Result<(), sweep::WorkingFileError> {
    sweep::fuzz_handoffs(file, census, batch)
}

/// Reads a piece of a run over all tiers: label, seal, directory, and all blocks, which go into
/// tables in this folder.
pub fn piece(
    file: &Path,
    census: &Census,
    batch: usize,
    tables: &Path,
) -> Result<(), tabulate::TabulateError> {
    tabulate::fuzz_piece(file, census, batch, tables)
}

/// A sweep in batches of at least this many cells, so that small boards have several.
pub fn in_batches(extent: sweep::Extent, cells: u64) -> sweep::Extent {
    extent.with_batches_of(cells)
}
