//! What a finished run leaves where names cannot be removed, or nothing can be written.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::races::{expected, folder, left_in};
use super::{Deed, Fault, program, run, shim, traced};

fn solve(board: &str, tables: &Path) -> Command {
    let mut command = program(&["solve", "--board", board, "--scores", "--quiet", "--tables"]);
    command.arg(tables);
    command
}

/// One name cannot be removed, once. Whoever says that all is well has left nothing behind, and
/// whoever does not says what to do.
#[test]
fn a_name_that_cannot_be_removed_once_is_removed_later() {
    every_name("3x3", 3);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn any_name_that_cannot_be_removed_once_is_removed_later() {
    every_name("3x3", 1);
    every_name("4x4", 7);
}

/// One in `step` of the names that a run removes.
fn every_name(board: &str, step: usize) {
    if shim().is_none() {
        return;
    }
    let expected = expected(&["solve", "--board", board, "--scores"]);
    let (_home, home) = folder();
    let tables = home.join("tables");
    let removals = traced(solve(board, &tables), &tables, "unlink,rmdir").1.len();
    assert!(removals > 20, "{removals}");
    let mut told = 0;
    for (number, at) in (1..=removals).rev().step_by(step).enumerate() {
        fs::remove_dir_all(&tables).unwrap();
        let error = ["EIO", "ESTALE", "EBUSY"][number % 3];
        let mut command = solve(board, &tables);
        Fault { calls: "unlink,rmdir", at, from_then_on: false, deed: Deed::Fail(error) }
            .inject(&mut command, &tables);
        let ended = run(command);
        if ended.code() != Some(0) {
            told += 1;
            assert_eq!(ended.code(), Some(2), "{at}, {error}: {ended:?}");
            assert!(ended.stderr.contains("cannot remove"), "{at}, {error}: {ended:?}");
            let again = run(solve(board, &tables));
            assert_eq!(again.code(), Some(0), "{at}, {error}: {again:?}");
        }
        assert!(left_in(&tables) == expected, "{at}, {error}");
    }
    assert!(told > 0);
}

/// As on a file system that is mounted to be read: complete tables need nothing written.
#[test]
fn complete_tables_that_cannot_be_changed_are_reported() {
    if shim().is_none() {
        return;
    }
    let (_home, home) = folder();
    let tables = home.join("tables");
    assert_eq!(run(solve("3x3", &tables)).code(), Some(0));
    let before = left_in(&tables);
    for scores in [&["--scores"][..], &[]] {
        let mut command = program(&["solve", "--board", "3x3", "--tables"]);
        command.arg(&tables).args(scores);
        let calls = "create,write,truncate,rename,mkdir,rmdir,unlink";
        Fault { calls, at: 1, from_then_on: true, deed: Deed::Fail("EROFS") }
            .inject(&mut command, &home);
        let ended = run(command);
        assert_eq!(ended.code(), Some(0), "{scores:?}: {ended:?}");
        assert!(ended.stderr.contains("all tables were there"), "{scores:?}: {ended:?}");
    }
    assert!(left_in(&tables) == before);
}
