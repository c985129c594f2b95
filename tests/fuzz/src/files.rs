//! A folder for one file after the other, in memory where the system has such folders.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that goes when the process does.
pub struct Folder(tempfile::TempDir);

impl Default for Folder {
    fn default() -> Folder {
        let memory = Path::new("/dev/shm");
        let folder =
            if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        Folder(folder.expect("a place for files"))
    }
}

impl Folder {
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Puts a file there, in place of the one that had its name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("room for a small file");
        path
    }
}
