//! A folder for one file after the other, in memory if the system has such folders.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed with the process.
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

    /// Writes a file there, in place of any with its name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("room for a small file");
        path
    }
}
