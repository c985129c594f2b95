//! Tables of scores are being made, and the disk is full, or the power goes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::board::{Tier, TierRange};
use crate::count::TierCount;
use crate::files::Disk;
use crate::solve::TierSolution;
use crate::table::{Fault, Horizon, Manifest, score_folder};

use super::super::job::Job;
use super::super::scores::tabulate_scores;
use super::super::steps::tabulate_job;
use super::super::{Request, TabulateError, Tabulated, tabulate};
use super::model::{Model, Notes};
use super::{files_below, folder, folder_with, full_after, request, tables};

/// A request with something to store on small boards.
pub(super) fn request_of_scores(board: &str, folder: &Path) -> Request {
    Request { horizon: Some(Horizon(2)), ..request(board, folder) }.with_scores()
}

/// Makes them with tables of scores on this disk, and all else on one that does not fail.
fn make_on(disk: &Disk, request: &Request) -> Result<Tabulated, TabulateError> {
    let sound = Disk::default();
    tabulate_scores(disk, &Job::new(&sound, request, &())?)
}

/// All tables of scores, by name.
fn score_tables(request: &Request) -> BTreeMap<String, Vec<u8>> {
    tables(&score_folder(&request.tables))
}

/// Only tables, manifests and locks remain.
fn is_tidy(request: &Request, tables: usize) {
    let count = |folder: &Path| {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| !path.ends_with("lock")).count()
    };
    assert_eq!(count(&request.tables), tables + 2, "tables, manifest and scores");
    let scores = score_folder(&request.tables);
    assert_eq!(count(&scores), tables + 1, "tables and manifest");
    let listed: Vec<Tier> =
        Manifest::read(&scores).unwrap().tiers.iter().map(|tier| tier.summary.tier).collect();
    assert!(listed.iter().copied().eq((0..tables as u8).map(Tier)), "{listed:?}");
}

#[test]
fn a_disk_that_is_full_leaves_what_scores_are_made_of() {
    let folder = folder();
    let request = request_of_scores("5x3", folder.path());
    let mut refused = 0;
    while let Err(error) = make_on(&full_after(3 * refused), &request) {
        let TabulateError::Table(error) = error else { panic!("{error}") };
        assert!(matches!(error.fault, Fault::DiskFull), "{error}");
        refused += 1;
    }
    assert!(refused > 16, "{refused}");
    is_tidy(&request, 16);
    let (sound, other) = (score_tables(&request), self::folder());
    let request = request_of_scores("5x3", other.path());
    tabulate(&request, &()).unwrap();
    assert!(score_tables(&request) == sound);
}

#[test]
fn numbers_of_positions_that_another_run_has_told_are_used_and_checked() {
    let folder = folder();
    let whole = request("5x3", folder.path());
    let found = tabulate(&whole, &()).unwrap();
    let right: Vec<TierCount> = found.tiers.iter().map(TierSolution::count).collect();
    let made = |ply: u8, counts: Option<&[TierCount]>| {
        let folder = self::folder();
        let tiers = TierRange::new(Tier(0), Tier(ply - 1)).unwrap();
        let request = Request { tiers, cut: Some(Tier(ply)), ..request("5x3", folder.path()) };
        let disk = Disk::default();
        let job = Job::new(&disk, &request, &())?;
        tabulate_job(&match counts {
            Some(counts) => job.with_counts(counts),
            None => job,
        })?;
        Ok::<_, TabulateError>(tables(&request.tables))
    };
    for ply in [8, 10, 14] {
        let counted = made(ply, None).unwrap();
        assert!(made(ply, Some(&right)).unwrap() == counted);
        assert!(made(ply, Some(&right[4..])).unwrap() == counted);
        // They end up in the tables; too few to be right are refused.
        let more = |count: &TierCount| TierCount { terminal: count.terminal + 1, ..*count };
        let more: Vec<TierCount> = right.iter().map(more).collect();
        assert!(made(ply, Some(&more)).unwrap() != counted);
        let none: Vec<TierCount> =
            right.iter().map(|count| TierCount { live: 0, ..*count }).collect();
        let error = made(ply, Some(&none)).unwrap_err();
        assert!(matches!(error, TabulateError::Disagreement(_)), "{error}");
    }
}

fn stop_at_any_time(board: &str, step: usize) {
    let folder = folder();
    let request = request_of_scores(board, folder.path());
    let tables = request.board.cells() + 1;
    assert!(make_on(&full_after(0), &request).is_err());
    let model = Model::with(files_below(folder.path()));
    let notes = Notes::default();
    make_on(&notes.disk(), &request).unwrap();
    let expected = score_tables(&request);
    assert_eq!(expected.len(), tables);
    model.stop_at_any_time(&notes.take(), step, |files, when| {
        let crashed = folder_with(files, folder.path());
        let request = request_of_scores(board, crashed.path());
        let resumed = tabulate(&request, &());
        resumed.unwrap_or_else(|error| panic!("{when}: {error}"));
        assert!(score_tables(&request) == expected, "{when}");
        is_tidy(&request, tables);
    });
}

#[test]
fn whenever_the_power_goes_the_scores_are_the_same() {
    stop_at_any_time("4x3", 5);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn whenever_the_power_goes_the_scores_of_larger_boards_are_the_same() {
    stop_at_any_time("4x3", 1);
    stop_at_any_time("5x3", 2);
}
