//! The power goes, at any moment, and the same command comes to the same tables.

use std::fs;
use std::path::Path;

use crate::board::{Tier, TierRange};
use crate::disk::Disk;

use super::super::Request;
use super::model::{Luck, Made, Model};
use super::{files_below, folder, folder_with, request, solve, tables, watched};

/// Stops a run after its changes, at one of this many of them, in all ways.
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
    stop_and_go_on("5x3", 3);
    stop_and_go_on("6x2", 2);
    stop_the_second_part_and_go_on("4x3", 2);
    stop_the_second_part_and_go_on("5x3", 11);
    stop_and_go_on("4x4", 17);
}
