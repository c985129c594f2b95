//! A disk whose power may go at any moment.
//!
//! A run is watched, every change that it makes. Then the disk is made as it may be if the
//! power had gone after any of these changes: what was synced is there, and of what was not
//! any part, in any order, whole or torn.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::files::{Change, Disk};
use crate::random::SplitMix64;

/// A change that was made.
#[derive(Clone, Debug)]
pub(super) enum Made {
    CreateFolder(PathBuf),
    Create(PathBuf),
    Write { file: PathBuf, at: u64, bytes: Vec<u8> },
    Sync(PathBuf),
    Rename { from: PathBuf, to: PathBuf },
    Remove(PathBuf),
    SyncFolder(PathBuf),
}

/// Notes all changes.
#[derive(Clone, Default)]
pub(super) struct Notes(Arc<Mutex<Vec<Made>>>);

impl Notes {
    /// A disk with every change noted, after something else was done.
    pub(super) fn disk_after(&self, first: impl Fn(Change) + Send + Sync + 'static) -> Disk {
        let notes = self.clone();
        Disk::watched(move |change| {
            first(change);
            notes.note(change);
            Ok(())
        })
    }

    /// A disk with every change noted.
    pub(super) fn disk(&self) -> Disk {
        self.disk_after(|_| {})
    }

    /// All that was noted.
    pub(super) fn take(&self) -> Vec<Made> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    fn note(&self, change: Change) {
        let made = match change {
            Change::CreateFolder(folder) => Made::CreateFolder(folder.into()),
            Change::Create(file) => Made::Create(file.into()),
            Change::Write { file, at, bytes } => {
                Made::Write { file: file.into(), at, bytes: bytes.into() }
            }
            Change::Sync(file) => Made::Sync(file.into()),
            Change::Rename { from, to } => Made::Rename { from: from.into(), to: to.into() },
            Change::Remove(file) => Made::Remove(file.into()),
            Change::SyncFolder(folder) => Made::SyncFolder(folder.into()),
        };
        self.0.lock().unwrap().push(made);
    }
}

/// A file as the disk has it: what is there for certain, and what may be.
#[derive(Clone, Default)]
pub(super) struct Inode {
    synced: Vec<u8>,
    pending: Vec<(u64, Vec<u8>)>,
}

/// A change of a folder that may not have reached the disk.
#[derive(Clone)]
pub(super) enum Entry {
    Folder(PathBuf),
    Link(PathBuf, usize),
    Unlink(PathBuf),
}

/// A disk to which changes are made, and which may stop at any time.
#[derive(Clone, Default)]
pub(super) struct Model {
    inodes: Vec<Inode>,
    /// The names as the running system sees them.
    seen: HashMap<PathBuf, usize>,
    /// The names that are there for certain.
    synced: HashMap<PathBuf, usize>,
    pending: Vec<Entry>,
}

/// How much of what was not synced is there all the same.
#[derive(Clone, Copy, Debug)]
pub(super) enum Luck {
    All,
    None,
    /// Any of it, decided by this seed, torn ones among them.
    Some(u64),
}

impl Luck {
    fn draw(&mut self, of: u64) -> u64 {
        match self {
            Luck::All => of - 1,
            Luck::None => 0,
            Luck::Some(seed) => {
                let mut random = SplitMix64(*seed);
                let drawn = random.below(of);
                *seed = random.0;
                drawn
            }
        }
    }
}

pub(super) fn write(to: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let end = at as usize + bytes.len();
    to.resize(to.len().max(end), 0);
    to[at as usize..end].copy_from_slice(bytes);
}

impl Model {
    /// A disk on which these files have been for long.
    pub(super) fn with(files: BTreeMap<PathBuf, Vec<u8>>) -> Model {
        let mut model = Model::default();
        for (file, synced) in files {
            model.seen.insert(file.clone(), model.inodes.len());
            model.inodes.push(Inode { synced, pending: Vec::new() });
            model.synced = model.seen.clone();
        }
        model
    }

    pub(super) fn make(&mut self, change: &Made) {
        match change {
            Made::CreateFolder(folder) => self.pending.push(Entry::Folder(folder.clone())),
            Made::Create(file) => {
                // Truncated: of what was there, nothing can be relied upon.
                self.inodes.push(Inode::default());
                let inode = self.inodes.len() - 1;
                self.seen.insert(file.clone(), inode);
                self.pending.push(Entry::Link(file.clone(), inode));
            }
            Made::Write { file, at, bytes } => {
                self.inodes[self.seen[file]].pending.push((*at, bytes.clone()));
            }
            Made::Sync(file) => {
                let inode = &mut self.inodes[self.seen[file]];
                for (at, bytes) in inode.pending.drain(..) {
                    write(&mut inode.synced, at, &bytes);
                }
            }
            Made::Rename { from, to } => {
                let inode = self.seen.remove(from).unwrap();
                self.seen.insert(to.clone(), inode);
                self.pending.push(Entry::Link(to.clone(), inode));
                self.pending.push(Entry::Unlink(from.clone()));
            }
            Made::Remove(file) => {
                if self.seen.remove(file).is_some() {
                    self.pending.push(Entry::Unlink(file.clone()));
                }
            }
            Made::SyncFolder(folder) => {
                let of_folder = |entry: &Entry| match entry {
                    Entry::Folder(path) | Entry::Link(path, _) | Entry::Unlink(path) => {
                        path.parent() == Some(folder)
                    }
                };
                for entry in self.pending.extract_if(.., |entry| of_folder(entry)) {
                    match entry {
                        Entry::Folder(_) => None,
                        Entry::Link(file, inode) => self.synced.insert(file, inode),
                        Entry::Unlink(file) => self.synced.remove(&file),
                    };
                }
            }
        }
    }

    /// Makes these changes, and calls `each` with the files that are there if the power goes after
    /// every `step`th of them.
    pub(super) fn stop_at_any_time(
        mut self,
        made: &[Made],
        step: usize,
        each: impl Fn(&BTreeMap<PathBuf, Vec<u8>>, fmt::Arguments),
    ) {
        for (number, change) in made.iter().enumerate() {
            self.make(change);
            // Files are made, synced and renamed rarely, and written all the time.
            let is_write = matches!(change, Made::Write { .. });
            if number % if is_write { 8 * step } else { step } != 0 {
                continue;
            }
            let seed = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(number as u64 + 1);
            for luck in [Luck::All, Luck::None, Luck::Some(seed), Luck::Some(seed >> 1)] {
                let files = self.after_a_crash(luck);
                each(&files, format_args!("{number}, {change:?}, {luck:?}"));
            }
        }
    }

    /// The files that are there if the power goes now.
    pub(super) fn after_a_crash(&self, mut luck: Luck) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut names = self.synced.clone();
        let mut lost_folders = Vec::new();
        for entry in &self.pending {
            let is_there = luck.draw(2) == 1;
            match entry {
                Entry::Folder(folder) if !is_there => lost_folders.push(folder),
                Entry::Link(file, inode) if is_there => _ = names.insert(file.clone(), *inode),
                Entry::Unlink(file) if is_there => _ = names.remove(file),
                _ => {}
            }
        }
        names.retain(|file, _| !lost_folders.iter().any(|folder| file.starts_with(folder)));
        let mut content = |inode: usize| {
            let mut content = self.inodes[inode].synced.clone();
            for (at, bytes) in &self.inodes[inode].pending {
                match luck.draw(3) {
                    0 => {}
                    1 => write(&mut content, *at, &bytes[..bytes.len() / 2]),
                    _ => write(&mut content, *at, bytes),
                }
            }
            content
        };
        // In a fixed order, so that the same seed has the same luck.
        let names: BTreeMap<PathBuf, usize> = names.into_iter().collect();
        names.into_iter().map(|(file, inode)| (file, content(inode))).collect()
    }
}
