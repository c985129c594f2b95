//! Which process removes the folders of a run, and when.

use std::fs;

use crate::files::Disk;
use crate::table::FolderLock;

use super::super::folders::remove_folders;
use super::super::{Request, tabulate};
use super::{home, job, solve};

/// Removes the folders of a run, as a process does that leaves.
fn remove(request: &Request) {
    remove_folders(&job(&Disk::default(), request, &()));
}

/// Folders as a killed process leaves them.
fn leave(request: &Request) {
    let kept = request.scratch.join(request.board.to_string());
    for folder in [&request.tables.join("run"), &kept] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(request.tables.join("run/000.claim"), "").unwrap();
    fs::write(kept.join("lock"), "").unwrap();
}

fn are_there(request: &Request) -> [bool; 2] {
    [request.tables.join("run"), request.scratch.join(request.board.to_string())]
        .map(|folder| folder.exists())
}

#[test]
fn folders_are_removed_by_whoever_leaves_last() {
    let (_folder, whole) = home("3x3");
    let request = Request { scratch: whole.tables.join("scratch"), ..whole };
    solve(&Disk::default(), &request).unwrap();
    assert_eq!(are_there(&request), [false; 2]);
    assert!(!request.scratch.exists());
    leave(&request);
    let another = FolderLock::join(&request.tables).unwrap().expect("nobody is alone there");
    remove(&request);
    assert_eq!(are_there(&request), [true; 2], "somebody may enter them");
    drop(another);
    remove(&request);
    assert_eq!(are_there(&request), [false; 2]);
    assert!(!request.scratch.exists());
}

#[test]
fn folders_with_something_in_them_stay() {
    let (_folder, request) = home("3x3");
    solve(&Disk::default(), &request).unwrap();
    leave(&request);
    for file in [request.tables.join("run/notes"), request.scratch.join("3x3/notes")] {
        fs::write(file, "of the user").unwrap();
    }
    remove(&request);
    assert_eq!(are_there(&request), [true; 2]);
    // A folder of working files that the user has chosen is the user's, too.
    fs::remove_file(request.scratch.join("3x3/notes")).unwrap();
    remove(&request);
    assert_eq!(are_there(&request), [true, false]);
    assert!(request.scratch.exists());
}

#[test]
fn working_files_that_another_run_uses_stay() {
    let (_folder, request) = home("3x3");
    solve(&Disk::default(), &request).unwrap();
    leave(&request);
    let of_another = FolderLock::take(&request.scratch.join("3x3")).unwrap();
    remove(&request);
    assert_eq!(are_there(&request), [false, true]);
    drop(of_another);
    remove(&request);
    assert_eq!(are_there(&request), [false; 2]);
}

/// A process that found scores was killed before it removed the last of what they came from.
#[test]
fn what_is_left_of_cuts_is_removed_with_the_rest() {
    let (_folder, request) = home("3x3");
    let request = request.with_scores();
    tabulate(&request, &()).unwrap();
    let cut = request.tables.join("cut-08");
    fs::create_dir_all(cut.join("run")).unwrap();
    fs::write(cut.join("run/000.piece"), "").unwrap();
    fs::write(cut.join("tier-03.s4t"), "").unwrap();
    fs::create_dir_all(request.scratch.join("cut-08/3x3")).unwrap();
    tabulate(&request, &()).unwrap();
    assert!(!cut.exists() && !request.scratch.join("cut-08").exists());
}
