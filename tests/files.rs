//! The files of the repository, and what runs leave in folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the repository.
pub fn repository(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(name)
}

/// The tables below a folder, by their names in it.
pub fn tables_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files_below(folder);
    files.retain(|name, _| name.extension().is_some_and(|end| end == "s4t"));
    files
}

/// All files below a folder except manifests, which contain times; by their names in it.
pub fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for path in fs::read_dir(inside).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("manifest.json") {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}
