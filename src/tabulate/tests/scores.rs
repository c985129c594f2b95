//! Tables of scores are being made, and the disk is full, or the power goes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::board::Tier;
use crate::files::Disk;
use crate::table::{Fault, Horizon, Manifest, score_folder};

use super::super::scores::tabulate_scores_on;
use super::super::{Request, TabulateError, tabulate_scores};
use super::model::{Luck, Made, Model, Notes};
use super::{Full, files_below, folder, folder_with, request};

/// A request with something to store on small boards.
fn request_of_scores(board: &str, folder: &Path) -> Request {
    Request { horizon: Some(Horizon(2)), ..request(board, folder) }
}

/// All tables of scores, by name.
fn score_tables(request: &Request) -> BTreeMap<String, Vec<u8>> {
    let files =
        fs::read_dir(score_folder(&request.tables)).unwrap().map(|file| file.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|end| end == "s4t"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    tables.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

fn full_after(request: &Request, changes: usize) -> Result<(), TabulateError> {
    let disk = Disk::watched(Arc::new(Full(Mutex::new(changes))));
    tabulate_scores_on(&disk, request, &()).map(|_| ())
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
    while let Err(error) = full_after(&request, 3 * refused) {
        let TabulateError::Table(error) = error else { panic!("{error}") };
        assert!(matches!(error.fault, Fault::DiskFull), "{error}");
        refused += 1;
    }
    assert!(refused > 16, "{refused}");
    is_tidy(&request, 16);
    let (sound, other) = (score_tables(&request), self::folder());
    let request = request_of_scores("5x3", other.path());
    tabulate_scores(&request, &()).unwrap();
    assert!(score_tables(&request) == sound);
}

fn stop_at_any_time(board: &str, step: usize) {
    let folder = folder();
    let request = request_of_scores(board, folder.path());
    let tables = request.board.cells() + 1;
    assert!(full_after(&request, 0).is_err());
    let mut model = Model::with(files_below(folder.path()));
    let notes = Arc::new(Notes::default());
    tabulate_scores_on(&Disk::watched(notes.clone()), &request, &()).unwrap();
    let expected = score_tables(&request);
    assert_eq!(expected.len(), tables);
    for (number, change) in notes.take().iter().enumerate() {
        model.make(change);
        let is_write = matches!(change, Made::Write { .. });
        if number % if is_write { 8 * step } else { step } != 0 {
            continue;
        }
        for luck in [Luck::All, Luck::None, Luck::Some(number as u64 + 1)] {
            let crashed = folder_with(&model.after_a_crash(luck), folder.path());
            let request = request_of_scores(board, crashed.path());
            let resumed = tabulate_scores(&request, &());
            resumed.unwrap_or_else(|error| panic!("{number}, {change:?}, {luck:?}: {error}"));
            assert!(score_tables(&request) == expected, "{number}, {change:?}, {luck:?}");
            is_tidy(&request, tables);
        }
    }
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
