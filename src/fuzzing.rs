//! The private readers of bytes, one function for each, for the targets of `tests/fuzz`.
//!
//! This is only here if the library is built to be fuzzed. Each function reads all that can
//! be read, as the program would, and panics if what comes out is not consistent.

use std::path::Path;

use crate::index::Census;
use crate::{sweep, table, tabulate};

/// Reads a manifest; `false` if it is refused.
pub fn manifest(text: &str) -> bool {
    table::fuzz_manifest(text)
}

/// Reads a run file, as it is and with the right checksum; `false` if both are refused.
pub fn run_file(text: &str) -> bool {
    tabulate::fuzz_run_file(text)
}

/// Reads what a batch hands on: label, seal, directory, and all blocks.
pub fn kept(file: &Path, census: &Census, batch: usize) -> Result<(), sweep::WorkingFileError> {
    sweep::fuzz_kept(file, census, batch)
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

/// A sweep in batches of this many cells at least: small boards have several, which hand on.
pub fn in_batches(extent: sweep::Extent<'_>, cells: u64) -> sweep::Extent<'_> {
    extent.with_batches_of(cells)
}
