//! Two processes put the same tables together, and neither sees the locks of the other: as on a
//! file system that shows those of one machine to no other.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::files::Disk;

use super::super::parts::{begin_plan_of, tabulate_part_of, tabulate_planned_of};
use super::super::{Request, TabulateError};
use super::{files_below, folder, folder_with, is, job, request, tables, tables_of};

/// The disk of a process that is killed after this many changes: it does not even tidy up.
fn killed_after(changes: usize) -> Disk {
    let changes = Mutex::new(changes);
    Disk::watched(move |_| {
        let mut changes = changes.lock().unwrap();
        *changes = changes.checked_sub(1).ok_or(io::ErrorKind::Other)?;
        Ok(())
    })
}

/// What another process comes to, which comes once; not set if it has not come.
type Other<T> = Arc<OnceLock<T>>;

/// A disk on which another process comes before the change with this number.
fn disturbed<T: Send + Sync + 'static>(
    at: usize,
    come: impl Fn() -> T + Send + Sync + 'static,
) -> (Disk, Other<T>) {
    let (changes, other) = (AtomicUsize::new(0), Other::default());
    let seen = other.clone();
    let disk = Disk::watched(move |_| {
        if changes.fetch_add(1, Ordering::Relaxed) == at {
            assert!(seen.set(come()).is_ok(), "it comes once");
        }
        Ok(())
    });
    (disk, other)
}

/// What `solve --part tables` does.
fn put_together(disk: &Disk, request: &Request) -> Result<(), TabulateError> {
    tabulate_planned_of(&job(disk, request, &())).map(|_| ())
}

/// The files of a run whose parts are all done.
fn all_parts_done(board: &str, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (disk, request) = (Disk::default(), request(board, folder));
    let planned = begin_plan_of(&job(&disk, &request, &()), Some(9)).unwrap();
    for part in planned.expect("nothing is done").plan.parts() {
        tabulate_part_of(&job(&disk, &request, &()), part.number).unwrap();
    }
    files_below(folder)
}

/// Whoever comes now finds nothing locked.
fn hide_locks(request: &Request) {
    let working = request.scratch.join(request.board.to_string());
    for folder in [&request.tables, &request.tables.join("run"), &working] {
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
        let locks = files.filter(|file| file.ends_with("lock") || is(file, "claim"));
        locks.for_each(|file| _ = fs::remove_file(file));
    }
}

/// One process is at a change whose number is a multiple of `step`. Now another one comes, and is
/// killed after a multiple of `step_of_other` changes, or ends; then the first goes on.
fn put_together_twice(board: &str, step: usize, step_of_other: usize) {
    let expected = tables_of(board);
    let home = folder();
    let files = all_parts_done(board, home.path());
    let (mut both, mut stopped) = (0, 0);
    for at in (0..).step_by(step) {
        let mut has_come = false;
        for killed_after in (0..).step_by(step_of_other) {
            let home = folder_with(&files, home.path());
            let request = request(board, home.path());
            let of_other = request.clone();
            let (disk, has_ended) = disturbed(at, move || {
                hide_locks(&of_other);
                put_together(&self::killed_after(killed_after), &of_other).is_ok()
            });
            let one = put_together(&disk, &request);
            let harm = format!("{board}, another at change {at}, killed after {killed_after}");
            for (name, table) in tables(&request.tables) {
                assert!(expected[&name] == table, "{harm}: {name}");
            }
            let other = has_ended.get();
            both += usize::from(one.is_ok() && other == Some(&true));
            stopped += usize::from(one.is_err());
            has_come |= other.is_some();
            let again = put_together(&Disk::default(), &request);
            again.unwrap_or_else(|error| panic!("{harm}: {error}"));
            assert!(tables(&request.tables) == expected, "{harm}");
            let left = fs::read_dir(&request.tables).unwrap().count();
            assert_eq!(left, expected.len() + 2, "{harm}: tables, manifest and lock");
            if other != Some(&false) {
                break;
            }
        }
        if !has_come {
            break;
        }
    }
    assert!(both > 5 && stopped > 5, "{board}: both end {both} times, {stopped} stop");
}

#[test]
fn whoever_puts_tables_together_unseen_they_are_the_same() {
    put_together_twice("5x3", 17, 29);
    put_together_twice("4x3", 13, 23);
}

/// Another process, which began earlier, publishes them at any time.
#[test]
fn tables_that_others_publish_meanwhile_are_listed_once() {
    let home = folder();
    let (files, expected) = (all_parts_done("4x3", home.path()), tables_of("4x3"));
    for at in 0.. {
        let home = folder_with(&files, home.path());
        let request = request("4x3", home.path());
        let last = expected.iter().skip(expected.len() / 2);
        let last = last.map(|(name, table)| (request.tables.join(name), table.clone()));
        let last: Vec<(PathBuf, Vec<u8>)> = last.collect();
        let (disk, other) = disturbed(at, move || {
            last.iter().for_each(|(path, table)| fs::write(path, table).unwrap());
        });
        put_together(&disk, &request).unwrap();
        assert!(tables(&request.tables) == expected, "published at change {at}");
        if other.get().is_none() {
            break;
        }
    }
}
