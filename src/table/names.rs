//! What the files of a folder of tables are called.

use std::path::{Path, PathBuf};

use crate::board::Tier;

/// The table of a tier.
pub fn table_file(folder: &Path, tier: Tier) -> PathBuf {
    folder.join(format!("tier-{:02}.s4t", tier.0))
}

/// The unfinished table of a tier.
pub fn part_file(folder: &Path, tier: Tier) -> PathBuf {
    folder.join(format!("tier-{:02}.part", tier.0))
}
