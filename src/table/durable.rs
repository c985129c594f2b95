//! Files that are there whole or not at all, whenever the power goes.
//!
//! What is written under a temporary name, synced, renamed, and whose folder is
//! synced after that, can never be seen half-written under its real name.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::TableError;
use super::error::{OfFile, WRITE};

/// Writes a whole file, in place of the one that was there.
pub(crate) fn replace(file: &Path, content: &[u8]) -> Result<(), TableError> {
    let temporary = with_suffix(file, ".new");
    let written = File::create(&temporary).and_then(|mut new| {
        new.write_all(content)?;
        new.sync_all()
    });
    if written.is_err() {
        // What is left of it is of no use; that it could not be removed matters less.
        let _ = fs::remove_file(&temporary);
    }
    written.of_file(&temporary, WRITE)?;
    rename(&temporary, file)
}

/// Gives a synced file its real name, for good.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), TableError> {
    fs::rename(from, to).of_file(from, "rename")?;
    let folder = to.parent().unwrap_or(Path::new("."));
    sync_folder(folder).of_file(folder, "sync")
}

/// Makes sure that the names in a folder are on the disk.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Windows can not open folders, and has no need to.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
