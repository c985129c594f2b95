//! The files that sweeps keep in a folder: their names, and what becomes of them.

use std::path::Path;

use crate::board::Tier;
use crate::index::Census;

use super::kept::KeptError;
use super::schedule::batches;

/// Has an earlier sweep kept this tier in a folder, for another one to start from?
pub fn is_kept(census: &Census, folder: &Path, tier: Tier) -> bool {
    (0..batches(census).len()).all(|batch| folder.join(after_name(batch, tier)).exists())
}

/// Removes whatever sweeps that were stopped have kept in a folder.
pub fn clear(folder: &Path) -> Result<(), KeptError> {
    let failed = |source| KeptError::Io { path: folder.to_owned(), source };
    for entry in folder.read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("batch-") && name.ends_with(".kept") {
            std::fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

/// The file of what a batch keeps for later ones.
pub(super) fn kept_name(batch: usize) -> String {
    format!("batch-{batch:03}.kept")
}

/// The file of what a batch keeps of the tier that another sweep starts from.
pub(super) fn after_name(batch: usize, tier: Tier) -> String {
    format!("tier-{:02}-{batch:03}.kept", tier.stones())
}
