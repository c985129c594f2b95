//! Runs with tiny batches on disks that fail: what remains of them leads to the same tables.

mod folders;
mod harm;
mod limits;
mod model;
mod panics;
mod plan;
mod planes;
mod power;
mod progress;
mod scores;
// Windows leaves a lock where it is while it is open, so that nobody can hide it.
#[cfg(unix)]
mod side_by_side;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use tempfile::TempDir;

use crate::files::{Change, Disk};

use super::job::Job;
use super::steps::tabulate_job;
use super::{Listener, Request, TabulateError};
use model::{Made, Notes};

/// Cells of a batch here: small enough for several batches, some of them with several centres.
const BATCH_CELLS: u64 = 600;

fn request(board: &str, folder: &Path) -> Request {
    Request {
        scratch: folder.join("scratch"),
        memory: Some(1 << 40),
        checkpoint: Duration::ZERO,
        ..Request::new(board.parse().unwrap(), folder.join("tables"))
    }
}

/// A new folder, and the request for a run there.
fn home(board: &str) -> (TempDir, Request) {
    let folder = folder();
    let request = request(board, folder.path());
    (folder, request)
}

/// The tables of a board, by name.
fn tables_of(board: &str) -> BTreeMap<String, Vec<u8>> {
    let (_folder, request) = home(board);
    solve(&Disk::default(), &request).unwrap();
    tables(&request.tables)
}

/// All tables in a folder, by name.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let tables = files.filter(|path| is(path, "s4t"));
    tables.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// Whether a name ends like this.
fn is(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|of_path| of_path == end)
}

fn solve(disk: &Disk, request: &Request) -> Result<(), TabulateError> {
    tabulate_job(&job(disk, request, &())).map(|_| ())
}

/// A job with small batches.
fn job<'a>(disk: &'a Disk, request: &'a Request, listener: &'a dyn Listener) -> Job<'a> {
    Job::with_batches_of(Some(BATCH_CELLS), disk, request, listener).unwrap()
}

/// Runs to the end, and returns all changes with the tables.
fn watched(request: &Request) -> (Vec<Made>, BTreeMap<String, Vec<u8>>) {
    let notes = Notes::default();
    solve(&notes.disk(), request).unwrap();
    (notes.take(), tables(&request.tables))
}

/// A folder with these files, which were in another one.
fn folder_with(files: &BTreeMap<PathBuf, Vec<u8>>, from: &Path) -> TempDir {
    let folder = folder();
    for (file, content) in files {
        let file = folder.path().join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    folder
}

/// A folder for a run, in memory where there is such a thing: thousands of runs are many
/// syncs.
fn folder() -> TempDir {
    let in_memory = Path::new("/dev/shm");
    let folder = if in_memory.is_dir() { in_memory } else { &std::env::temp_dir() };
    tempfile::tempdir_in(folder).unwrap()
}

/// All files below a folder but locks, by their names in it.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for path in fs::read_dir(inside).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("lock") && !is(&path, "claim") {
                files.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// A disk that is full after this many files and writes. Nothing else takes room, and how often
/// files are synced and removed before the end differs from run to run.
fn full_after(room: usize) -> Disk {
    let room = Mutex::new(room);
    Disk::watched(move |change| {
        if let Change::Create(_) | Change::Write { .. } = change {
            let mut room = room.lock().unwrap();
            *room = room.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
        }
        Ok(())
    })
}

/// How many files and writes there are among these changes.
fn taking_room(made: &[Made]) -> usize {
    let takes_room = |made: &&Made| matches!(made, Made::Create(_) | Made::Write { .. });
    made.iter().filter(takes_room).count()
}

#[test]
fn whoever_looks_whether_a_folder_is_in_use_keeps_nobody_from_starting() {
    let (_folder, request) = home("3x3");
    std::thread::scope(|scope| {
        let rounds = scope.spawn(|| {
            for _ in 0..20 {
                solve(&Disk::default(), &request).unwrap();
                // Windows keeps a file that is being looked at.
                while let Err(error) = fs::remove_dir_all(&request.tables) {
                    if cfg!(unix) {
                        panic!("{error}");
                    }
                }
            }
        });
        while !rounds.is_finished() {
            crate::table::FolderLock::is_taken(&request.tables).unwrap();
        }
    });
}
