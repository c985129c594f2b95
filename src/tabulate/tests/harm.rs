//! Files of a run are removed, cut, exchanged and changed while nobody is at work.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::files::sealed::FileFault;
use crate::files::{Change, Disk};

use super::super::{Request, TabulateError};
use super::{
    files_below, folder_with, full_after, home, is, request, solve, tables, taking_room, watched,
};

/// Goes on as the program says: removes the file that is named. How often that was.
fn continue_as_advised(request: &Request, harm: &str) -> usize {
    for advised in 0..5 {
        let error = match solve(&Disk::default(), request) {
            Ok(()) => return advised,
            Err(error) => error,
        };
        let text = error.to_string();
        let file = match error {
            TabulateError::WorkingFile(error)
                if matches!(error.fault, FileFault::Damaged { .. } | FileFault::Foreign { .. }) =>
            {
                error.file
            }
            TabulateError::RunFile { path, .. } => path,
            other => panic!("{harm}: {other}"),
        };
        fs::remove_file(&file).unwrap_or_else(|error| panic!("{harm}: {text}: {error}"));
    }
    panic!("{harm}: advised again and again");
}

/// The run is stopped after some changes. Then one byte in `step` of its files is changed, and
/// files are cut, removed, and exchanged for one in `others` of the other files. Each time the
/// tables are the same, or an error names the file, and they are the same once it is removed.
fn harm_and_go_on(board: &str, quarters: Range<usize>, step: usize, others: usize) {
    let (made, expected) = watched(&home(board).1);
    let mut advised = 0;
    for quarter in quarters {
        let (home, request) = home(board);
        solve(&full_after(taking_room(&made) * quarter / 4), &request).unwrap_err();
        let files = files_below(home.path());
        let is_sealed = |path: &Path| is(path, "piece") || is(path, "kept");
        let sealed: Vec<_> = files.iter().filter(|(path, _)| is_sealed(path)).collect();
        let mut check = |path: &Path, bytes: Option<&[u8]>, how: &str| {
            let harm = format!("{} {how}", path.display());
            let mut files = files.clone();
            match bytes {
                Some(bytes) => files.insert(path.to_owned(), bytes.to_owned()),
                None => files.remove(path),
            };
            let harmed = folder_with(&files, home.path());
            let request = self::request(board, harmed.path());
            advised += continue_as_advised(&request, &harm);
            assert!(tables(&request.tables) == expected, "{harm}");
        };
        // What becomes of tables is tested with the tables.
        let harmed = files.iter().filter(|(path, _)| !is(path, "s4t"));
        for (number, (path, bytes)) in harmed.enumerate() {
            check(path, None, "removed");
            check(path, Some(&bytes[..bytes.len() / 2]), "cut");
            check(path, Some(&[]), "empty");
            check(path, Some(&[&bytes[..], &[7; 9]].concat()), "longer");
            let others = sealed.iter().skip(number % others).step_by(others);
            for (other, bytes) in others.filter(|(other, _)| *other != path) {
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
    assert!(advised > 0, "some harm is reported");
}

#[test]
fn whatever_becomes_of_the_files_of_a_run_its_tables_are_the_same() {
    harm_and_go_on("4x3", 2..3, 173, 5);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whatever_becomes_of_any_byte_of_the_files_of_a_run_its_tables_are_the_same() {
    harm_and_go_on("4x3", 1..4, 13, 1);
    harm_and_go_on("5x3", 1..4, 311, 1);
}

/// What the others have handed on is gone by then, and must be made again for it.
#[test]
fn a_piece_that_is_lost_at_the_end_is_made_again() {
    let (home, request) = home("5x3");
    // The run does not get so far as to remove its pieces.
    let stopped_at_the_end = Disk::watched(|change| match change {
        Change::Remove(file) if file.ends_with("run.json") => Err(io::ErrorKind::Other.into()),
        _ => Ok(()),
    });
    solve(&stopped_at_the_end, &request).unwrap_err();
    let expected = tables(&request.tables);
    let files = files_below(home.path());
    let pieces: Vec<&PathBuf> = files.keys().filter(|path| is(path, "piece")).collect();
    assert!(pieces.len() > 5 && files.keys().all(|path| !path.to_string_lossy().contains(".kept")));
    for (piece, other) in pieces.iter().zip(pieces.iter().skip(2)) {
        let mut files = files.clone();
        for lost in ["tier-03.s4t", "manifest.json"] {
            files.remove(&request.tables.join(lost)).unwrap();
        }
        files.remove(*piece);
        files.remove(*other);
        let harmed = folder_with(&files, home.path());
        let request = self::request("5x3", harmed.path());
        solve(&Disk::default(), &request).unwrap();
        assert!(tables(&request.tables) == expected, "without {}", piece.display());
    }
}
