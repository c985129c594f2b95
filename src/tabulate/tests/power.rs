//! The power goes, at any moment, and the same command comes to the same tables.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::board::{Tier, TierRange};
use crate::files::{Change, Disk, name_of_temporary};

use super::super::Request;
use super::super::run::MOST_WAITING;
use super::model::{Luck, Made, Model, Notes};
use super::{files_below, folder_with, home, is, request, solve, tables, tables_of, watched};

/// Stops a run after its changes, at one of this many of them, in all ways.
fn stop_and_go_on(board: &str, step: usize) {
    let (folder, request) = home(board);
    stop_at_any_time(&request, folder.path(), step);
}

/// The same with a run over the first tiers, after one over the others.
fn stop_the_second_part_and_go_on(board: &str, step: usize) {
    let (folder, whole) = home(board);
    let middle = Tier(whole.board.last_tier().0 / 2);
    let tiers = TierRange::new(middle, whole.board.last_tier()).unwrap();
    solve(&Disk::default(), &Request { tiers, ..whole.clone() }).unwrap();
    assert!(folder.path().join("scratch").exists(), "a tier to start from");
    stop_at_any_time(&whole, folder.path(), step);
}

/// The same with a run whose batches are published only if it cannot be finished.
fn stop_before_anything_is_published(board: &str, step: usize) {
    let (folder, request) = home(board);
    stop_at_any_time(&Request { checkpoint: Duration::MAX, ..request }, folder.path(), step);
}

fn stop_at_any_time(request: &Request, folder: &Path, step: usize) {
    let board = request.board;
    let before = files_below(folder);
    let (made, expected) = watched(request);
    assert!(solved(&made) > 3, "{board} has several batches");
    let is_at_once = request.checkpoint.is_zero();
    assert_eq!(published(&made), if is_at_once { solved(&made) } else { 0 }, "{board}");
    Model::with(before).stop_at_any_time(&made, step, |files, when| {
        let crashed = folder_with(files, folder);
        let request = self::request(&board.to_string(), crashed.path());
        let resumed = solve(&Disk::default(), &request);
        resumed.unwrap_or_else(|error| panic!("{when}: {error}"));
        assert!(tables(&request.tables) == expected, "{when}");
        let left = fs::read_dir(&request.tables).unwrap().count();
        assert_eq!(left, expected.len() + 2, "tables, manifest and lock");
        let kept = &request.scratch;
        assert!(!kept.exists() || fs::read_dir(kept).unwrap().count() == 0, "nothing is kept");
    });
}

#[test]
fn whenever_the_power_goes_the_tables_are_the_same() {
    stop_and_go_on("4x3", 5);
    stop_and_go_on("5x3", 41);
    stop_the_second_part_and_go_on("4x3", 7);
    stop_before_anything_is_published("5x3", 41);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whenever_the_power_goes_on_larger_boards_the_tables_are_the_same() {
    stop_and_go_on("4x3", 1);
    stop_and_go_on("5x3", 3);
    stop_and_go_on("6x2", 2);
    stop_the_second_part_and_go_on("4x3", 2);
    stop_the_second_part_and_go_on("5x3", 11);
    stop_before_anything_is_published("5x3", 3);
    stop_and_go_on("4x4", 17);
}

/// The power goes while tables are put together: those that are published by then are not made
/// again, nor are positions that were counted.
fn a_stop_loses_few_tables(board: &str) {
    let (home, request) = home(board);
    let (made, expected) = watched(&request);
    let mut model = Model::default();
    let begun = |made: &[Made]| {
        let name = |path: &Path| path.file_stem()?.to_str().map(|name| name.starts_with("tier-"));
        let is_begun =
            |made: &&Made| matches!(made, Made::Create(path) if name(path) == Some(true));
        made.iter().filter(is_begun).count()
    };
    let stored = |made: &[Made]| renamed(made, |to| to.ends_with("counts"));
    let (mut published, mut counted, mut stages) = (0, 0, 0);
    for (number, change) in made.iter().enumerate() {
        model.make(change);
        let Made::Rename { to, .. } = change else { continue };
        let (is_table, is_count) = (is(to, "s4t"), to.ends_with("counts"));
        published += usize::from(is_table);
        counted += usize::from(is_count);
        if !is_table && !is_count {
            continue;
        }
        stages += 1;
        let crashed = folder_with(&model.after_a_crash(Luck::All), home.path());
        let (again, tables) = watched(&self::request(board, crashed.path()));
        assert_eq!(begun(&again), expected.len() - published, "{board}, {number}");
        assert!(counted + stored(&again) <= stored(&made) + 1, "{board}, {number}");
        assert!(tables == expected, "{board}, {number}");
    }
    assert!(published == expected.len() && stages > published, "{board}: {published}, {stages}");
}

#[test]
fn a_stop_while_tables_are_put_together_loses_few_of_them() {
    a_stop_loses_few_tables("4x3");
    a_stop_loses_few_tables("2x5");
    a_stop_loses_few_tables("6x2");
}

/// How many files were renamed to something like this.
fn renamed(made: &[Made], is_one: fn(&Path) -> bool) -> usize {
    made.iter().filter(|made| matches!(made, Made::Rename { to, .. } if is_one(to))).count()
}

/// How many pieces were begun.
fn solved(made: &[Made]) -> usize {
    let is_piece = |path: &Path| {
        let name = path.file_name().and_then(|name| name_of_temporary(name.to_str()?));
        name.is_some_and(|name| name.ends_with(".piece"))
    };
    made.iter().filter(|made| matches!(made, Made::Create(path) if is_piece(path))).count()
}

/// How many pieces were published.
fn published(made: &[Made]) -> usize {
    renamed(made, |to| is(to, "piece"))
}

#[test]
fn if_tables_cannot_be_finished_no_batch_is_lost() {
    let (_home, request) = home("5x3");
    let request = Request { checkpoint: Duration::MAX, ..request };
    let full = Disk::watched(|change| match change {
        Change::Sync(path) if path.to_str().is_some_and(|path| path.contains(".s4t.")) => {
            Err(io::ErrorKind::StorageFull.into())
        }
        _ => Ok(()),
    });
    solve(&full, &request).unwrap_err();
    let (made, tables) = watched(&request);
    assert_eq!(solved(&made), 0);
    assert!(tables == tables_of("5x3"));
}

/// A batch that was done is solved again only if it was among those being published.
fn a_stop_loses_few_batches(board: &str, step: usize) {
    let (home, request) = home(board);
    let notes = Notes::default();
    // It takes its time to sync: batches wait to be published.
    let slow = notes.disk_after(|change| {
        if let Change::Sync(_) | Change::SyncFolder(_) = change {
            thread::sleep(Duration::from_millis(5));
        }
    });
    solve(&slow, &request).unwrap();
    let made = notes.take();
    let batches = published(&made);
    assert!(batches > 3 * MOST_WAITING, "{board} has {batches} batches");
    let mut model = Model::default();
    // Then the tables are put together.
    let solving = |made: &&Made| !matches!(made, Made::Remove(path) if path.ends_with("run.json"));
    let (mut names, mut most_again) = (0, 0);
    for (number, change) in made.iter().take_while(solving).enumerate() {
        model.make(change);
        let is_name = matches!(change, Made::Rename { .. } | Made::Remove(_));
        names += usize::from(is_name);
        if !is_name || names % step != 0 {
            continue;
        }
        for luck in [Luck::All, Luck::None] {
            let crashed = folder_with(&model.after_a_crash(luck), home.path());
            let (again, _) = watched(&self::request(board, crashed.path()));
            let again = published(&again) + published(&made[..=number]) - batches;
            assert!(again <= MOST_WAITING, "{board}, {number}, {luck:?}: {again} done again");
            most_again = most_again.max(again);
        }
    }
    assert!(names > 2 * batches, "pieces, and what they hand on");
    assert!(most_again > 1, "several batches are published together");
}

#[test]
fn however_slow_the_disk_is_a_stop_loses_few_batches() {
    a_stop_loses_few_batches("5x3", 1);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn however_slow_the_disk_is_a_stop_of_larger_boards_loses_few_batches() {
    a_stop_loses_few_batches("6x3", 4);
    a_stop_loses_few_batches("4x4", 3);
}
