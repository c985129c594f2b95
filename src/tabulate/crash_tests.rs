//! What is left of a run when the power goes, at any moment, goes on to the same tables.
//!
//! A run is watched, every change that it makes to the disk. Then the disk is made as it may
//! be if the power had gone after any of these changes: what was synced is there, and of what
//! was not any part, in any order, whole or torn. From each of these disks the same command
//! must come to the same tables.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::board::{Board, Tier, TierRange};
use crate::disk::{Change, Disk, Watcher};
use crate::sweep::{Cpu, Scope};

use super::{Request, TabulateError, tabulate_on};

/// So many cells make a batch here: several batches, several centres in some of them.
const BATCH_CELLS: u64 = 300;

fn request(board: &str, folder: &Path) -> Request {
    let board: Board = board.parse().unwrap();
    Request {
        board,
        tiers: TierRange::all(board),
        tables: folder.join("tables"),
        scratch: folder.join("scratch"),
        memory: Some(1 << 40),
        cpu: Cpu::widest(),
        scope: Scope::InDoubt,
    }
}

/// All tables of a folder, by name.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder.join("tables")).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|end| end == "s4t"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    tables.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// A change that was made.
#[derive(Clone, Debug)]
enum Made {
    Create(PathBuf),
    Write { file: PathBuf, at: u64, bytes: Vec<u8> },
    Sync(PathBuf),
    Rename { from: PathBuf, to: PathBuf },
    Remove(PathBuf),
    SyncFolder(PathBuf),
}

/// Notes all changes.
#[derive(Debug, Default)]
struct Notes(Mutex<Vec<Made>>);

impl Watcher for Notes {
    fn before(&self, change: Change) -> io::Result<()> {
        let made = match change {
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
        Ok(())
    }
}

/// A file as the disk has it: what is there for certain, and what may be.
#[derive(Clone, Default)]
struct Inode {
    synced: Vec<u8>,
    pending: Vec<(u64, Vec<u8>)>,
}

/// A change of a folder that may not have reached the disk.
#[derive(Clone)]
enum Entry {
    Link(PathBuf, usize),
    Unlink(PathBuf),
}

/// A disk to which changes are made, and which may stop at any time.
#[derive(Clone, Default)]
struct Model {
    inodes: Vec<Inode>,
    /// The names as the running system sees them.
    seen: HashMap<PathBuf, usize>,
    /// The names that are there for certain.
    synced: HashMap<PathBuf, usize>,
    pending: Vec<Entry>,
}

/// How much of what was not synced is there all the same.
#[derive(Clone, Copy, Debug)]
enum Luck {
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
                *seed ^= *seed << 13;
                *seed ^= *seed >> 7;
                *seed ^= *seed << 17;
                *seed % of
            }
        }
    }
}

fn write(to: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let end = at as usize + bytes.len();
    to.resize(to.len().max(end), 0);
    to[at as usize..end].copy_from_slice(bytes);
}

impl Model {
    /// A disk on which these files have been for long.
    fn with(files: BTreeMap<PathBuf, Vec<u8>>) -> Model {
        let mut model = Model::default();
        for (file, synced) in files {
            model.seen.insert(file.clone(), model.inodes.len());
            model.inodes.push(Inode { synced, pending: Vec::new() });
            model.synced = model.seen.clone();
        }
        model
    }

    fn make(&mut self, change: &Made) {
        match change {
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
                    Entry::Link(file, _) | Entry::Unlink(file) => file.parent() == Some(folder),
                };
                for entry in self.pending.extract_if(.., |entry| of_folder(entry)) {
                    match entry {
                        Entry::Link(file, inode) => self.synced.insert(file, inode),
                        Entry::Unlink(file) => self.synced.remove(&file),
                    };
                }
            }
        }
    }

    /// The files that are there if the power goes now.
    fn after_a_crash(&self, mut luck: Luck) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut names = self.synced.clone();
        for entry in &self.pending {
            if luck.draw(2) == 1 {
                match entry {
                    Entry::Link(file, inode) => names.insert(file.clone(), *inode),
                    Entry::Unlink(file) => names.remove(file),
                };
            }
        }
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

fn solve(disk: &Disk, request: &Request) -> Result<(), TabulateError> {
    tabulate_on(disk, request, Some(BATCH_CELLS), &()).map(|_| ())
}

/// Runs to the end, and returns all changes with the tables.
fn watched(request: &Request, folder: &Path) -> (Vec<Made>, BTreeMap<String, Vec<u8>>) {
    let notes = Arc::new(Notes::default());
    solve(&Disk::watched(notes.clone()), request).unwrap();
    let made = std::mem::take(&mut *notes.0.lock().unwrap());
    (made, tables(folder))
}

/// A folder with these files, which were in another one.
fn folder_with(files: &BTreeMap<PathBuf, Vec<u8>>, from: &Path) -> tempfile::TempDir {
    let folder = self::folder();
    for (file, content) in files {
        let file = folder.path().join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    folder
}

/// A folder for a run, in memory where there is such a thing: thousands of runs are many
/// syncs.
fn folder() -> tempfile::TempDir {
    let in_memory = Path::new("/dev/shm");
    if in_memory.is_dir() {
        tempfile::tempdir_in(in_memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

/// Stops a run after its changes, at one of so many of them, in all ways.
fn stop_and_go_on(board: &str, step: usize) {
    let folder = folder();
    stop_at_any_time(&request(board, folder.path()), folder.path(), step);
}

/// The same with a run over the first tiers, after one over the others.
fn stop_the_second_part_and_go_on(board: &str, step: usize) {
    let folder = folder();
    let whole = request(board, folder.path());
    let middle = Tier(whole.board.last_tier().0 / 2);
    let tiers = TierRange::new(middle, whole.board.last_tier()).unwrap();
    solve(&Disk::default(), &Request { tiers, ..whole.clone() }).unwrap();
    assert!(folder.path().join("scratch").exists(), "a tier to start from");
    stop_at_any_time(&whole, folder.path(), step);
}

fn stop_at_any_time(request: &Request, folder: &Path, step: usize) {
    let board = request.board;
    let before = files_below(folder);
    let (made, expected) = watched(request, folder);
    let pieces = made.iter().filter(|made| match made {
        Made::Rename { to, .. } => to.extension().is_some_and(|end| end == "piece"),
        _ => false,
    });
    assert!(pieces.count() > 3, "{board} has several batches");
    let mut model = Model::with(before);
    for (number, change) in made.iter().enumerate() {
        model.make(change);
        // Files are made, synced and renamed rarely, and written all the time.
        let is_write = matches!(change, Made::Write { .. });
        if number % if is_write { 8 * step } else { step } != 0 {
            continue;
        }
        let seed = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(number as u64 + 1);
        for luck in [Luck::All, Luck::None, Luck::Some(seed), Luck::Some(seed >> 1)] {
            let files = model.after_a_crash(luck);
            let crashed = folder_with(&files, folder);
            let request = self::request(&board.to_string(), crashed.path());
            let resumed = solve(&Disk::default(), &request);
            resumed.unwrap_or_else(|error| panic!("{number}, {change:?}, {luck:?}: {error}"));
            assert!(tables(crashed.path()) == expected, "{number}, {change:?}, {luck:?}");
            let left = fs::read_dir(crashed.path().join("tables")).unwrap().count();
            assert_eq!(left, expected.len() + 2, "tables, manifest and lock");
            let kept = crashed.path().join("scratch");
            assert!(!kept.exists() || fs::read_dir(kept).unwrap().count() == 0, "nothing is kept");
        }
    }
}

#[test]
fn whenever_the_power_goes_the_tables_are_the_same() {
    stop_and_go_on("4x3", 5);
    stop_and_go_on("5x3", 41);
    stop_the_second_part_and_go_on("4x3", 7);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whenever_the_power_goes_on_larger_boards_the_tables_are_the_same() {
    stop_and_go_on("4x3", 1);
    stop_and_go_on("5x3", 2);
    stop_and_go_on("6x2", 2);
    stop_the_second_part_and_go_on("4x3", 1);
    stop_the_second_part_and_go_on("5x3", 3);
    stop_and_go_on("4x4", 3);
}

/// A disk that is full after so many changes.
#[derive(Debug)]
struct Full(Mutex<usize>);

impl Watcher for Full {
    fn before(&self, change: Change) -> io::Result<()> {
        let mut left = self.0.lock().unwrap();
        match change {
            Change::Create(_) | Change::Write { .. } if *left == 0 => {
                Err(io::ErrorKind::StorageFull.into())
            }
            _ => {
                *left = left.saturating_sub(1);
                Ok(())
            }
        }
    }
}

#[test]
fn a_disk_that_was_full_is_told_and_the_run_goes_on_when_it_is_not() {
    let folder = folder();
    let (made, expected) = watched(&request("5x3", folder.path()), folder.path());
    for tenth in 0..10 {
        let folder = self::folder();
        let request = request("5x3", folder.path());
        let changes = made.len() * tenth / 10;
        let full = Disk::watched(Arc::new(Full(Mutex::new(changes))));
        let error = solve(&full, &request).unwrap_err().to_string();
        assert!(error.contains("the disk is full"), "{error}");
        solve(&Disk::default(), &request).unwrap();
        assert!(tables(folder.path()) == expected, "full after {tenth} tenths");
    }
}

/// Counts the bytes of what batches hand on, and takes its time to sync.
#[derive(Debug, Default)]
struct Slow {
    bytes: Mutex<HashMap<PathBuf, u64>>,
    most: Mutex<u64>,
}

impl Watcher for Slow {
    fn before(&self, change: Change) -> io::Result<()> {
        let mut bytes = self.bytes.lock().unwrap();
        match change {
            Change::Create(file) if file.to_string_lossy().contains(".kept") => {
                bytes.insert(file.into(), 0);
            }
            Change::Write { file, at, bytes: written } => {
                if let Some(length) = bytes.get_mut(file) {
                    *length = (*length).max(at + written.len() as u64);
                }
            }
            Change::Rename { from, to } => {
                if let Some(length) = bytes.remove(from) {
                    bytes.insert(to.into(), length);
                }
            }
            Change::Remove(file) => {
                bytes.remove(file);
            }
            Change::Sync(_) | Change::SyncFolder(_) => {
                drop(bytes);
                std::thread::sleep(std::time::Duration::from_millis(40));
                return Ok(());
            }
            Change::Create(_) => {}
        }
        let mut most = self.most.lock().unwrap();
        *most = (*most).max(bytes.values().sum());
        Ok(())
    }
}

#[test]
fn working_files_take_no_more_than_was_said_however_slow_the_disk_is() {
    for board in ["6x4", "5x5"] {
        let folder = folder();
        let slow = Arc::new(Slow::default());
        let request = request(board, folder.path());
        let cells = 1 << 20;
        tabulate_on(&Disk::watched(slow.clone()), &request, Some(cells), &()).unwrap();
        let index = crate::index::Index::new(request.board).unwrap();
        let extent = crate::sweep::Extent::new(&index, Scope::InDoubt).with_batches_of(cells);
        let (most, said) = (*slow.most.lock().unwrap(), extent.kept_bytes(request.tiers));
        assert!(0 < most && most <= said, "{board}: {most} bytes of files, not {said}");
    }
}

/// Stops a run after so many changes.
fn stopped(request: &Request, changes: usize) {
    let full = Disk::watched(Arc::new(Full(Mutex::new(changes))));
    solve(&full, request).unwrap_err();
}

/// All files below a folder but locks, by their names in it.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for path in fs::read_dir(inside).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("lock") && path.extension().is_none_or(|end| end != "claim") {
                files.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Goes on as errors say: removes the file that is named. How often that was.
fn go_on_as_told(request: &Request, harm: &str) -> usize {
    for told in 0..5 {
        let error = match solve(&Disk::default(), request) {
            Ok(()) => return told,
            Err(error) => error,
        };
        let text = error.to_string();
        assert!(text.contains("remove it and give the same command again"), "{harm}: {text}");
        let file = match error {
            TabulateError::WorkingFile(error) => error.file,
            TabulateError::RunFile { path, .. } => path,
            other => panic!("{harm}: {other}"),
        };
        fs::remove_file(&file).unwrap_or_else(|error| panic!("{harm}: {text}: {error}"));
    }
    panic!("{harm}: told again and again");
}

/// The run is stopped after some changes. Then every so many bytes one of its files is
/// changed; files are cut, exchanged and removed: the tables are the same, or there is an
/// error that names the file, and without it they are.
fn harm_and_go_on(board: &str, quarters: Range<usize>, step: usize) {
    let home = folder();
    let (made, expected) = watched(&request(board, home.path()), home.path());
    let mut told = 0;
    for quarter in quarters {
        let home = folder();
        stopped(&request(board, home.path()), made.len() * quarter / 4);
        let files = files_below(home.path());
        let sealed: Vec<_> = files
            .iter()
            .filter(|(path, _)| path.extension().is_some_and(|end| end == "piece" || end == "kept"))
            .collect();
        let mut check = |path: &Path, bytes: Option<&[u8]>, how: &str| {
            let harm = format!("{} {how}", path.display());
            let mut files = files.clone();
            match bytes {
                Some(bytes) => files.insert(path.to_owned(), bytes.to_owned()),
                None => files.remove(path),
            };
            let harmed = folder_with(&files, home.path());
            told += go_on_as_told(&request(board, harmed.path()), &harm);
            assert!(tables(harmed.path()) == expected, "{harm}");
        };
        for (number, (path, bytes)) in files.iter().enumerate() {
            check(path, None, "removed");
            check(path, Some(&bytes[..bytes.len() / 2]), "cut");
            check(path, Some(&[]), "empty");
            check(path, Some(&[&bytes[..], &[7; 9]].concat()), "longer");
            for (other, bytes) in sealed.iter().filter(|(other, _)| *other != path) {
                check(path, Some(bytes), &format!("replaced by {}", other.display()));
            }
            // Label and seal byte by byte, and places between them.
            let seal = bytes.len().saturating_sub(32);
            let is_outside = |at: usize| at < 64 || at >= seal;
            let all = (0..bytes.len()).filter(|at| at % step == 0 || is_outside(*at));
            // Other bytes of each file, if not all of them.
            for at in all.filter(|at| step == 1 || (at + number) % 5 == 0) {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << (at % 8);
                check(path, Some(&bytes), &format!("with another byte at {at}"));
            }
        }
    }
    assert!(told > 0, "some harm is told");
}

#[test]
fn whatever_becomes_of_the_files_of_a_run_its_tables_are_the_same() {
    harm_and_go_on("4x3", 2..3, 61);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whatever_becomes_of_any_byte_of_the_files_of_a_run_its_tables_are_the_same() {
    harm_and_go_on("4x3", 1..4, 1);
    harm_and_go_on("5x3", 1..4, 11);
}

#[test]
fn whoever_looks_whether_a_folder_is_in_use_keeps_nobody_from_starting() {
    let folder = folder();
    let request = request("3x3", folder.path());
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                crate::table::FolderLock::is_taken(&request.tables);
            }
        });
        for _ in 0..20 {
            solve(&Disk::default(), &request).unwrap();
            fs::remove_dir_all(&request.tables).unwrap();
        }
        over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

/// A run that does not get so far as to remove its pieces.
#[derive(Debug)]
struct StoppedAtTheEnd;

impl Watcher for StoppedAtTheEnd {
    fn before(&self, change: Change) -> io::Result<()> {
        match change {
            Change::Remove(file) if file.ends_with("run.json") => Err(io::ErrorKind::Other.into()),
            _ => Ok(()),
        }
    }
}

/// What the others have handed on is gone by then, and must be made again for it.
#[test]
fn a_piece_that_is_lost_at_the_end_is_made_again() {
    let home = folder();
    let request = request("5x3", home.path());
    solve(&Disk::watched(Arc::new(StoppedAtTheEnd)), &request).unwrap_err();
    let expected = tables(home.path());
    let files = files_below(home.path());
    let pieces = files.keys().filter(|path| path.extension().is_some_and(|end| end == "piece"));
    let pieces: Vec<&PathBuf> = pieces.collect();
    assert!(pieces.len() > 5 && files.keys().all(|path| !path.to_string_lossy().contains(".kept")));
    for (piece, other) in pieces.iter().zip(pieces.iter().skip(2)) {
        let mut files = files.clone();
        for lost in ["tier-03.s4t", "manifest.json"] {
            files.remove(&home.path().join("tables").join(lost)).unwrap();
        }
        files.remove(*piece);
        files.remove(*other);
        let harmed = folder_with(&files, home.path());
        solve(&Disk::default(), &self::request("5x3", harmed.path())).unwrap();
        assert!(tables(harmed.path()) == expected, "without {}", piece.display());
    }
}
