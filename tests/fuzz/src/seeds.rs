//! Sound files and texts to begin with, created when a target starts.

use std::path::{Path, PathBuf};

use strong4::board::{Board, Moves, Tier};
use strong4::fuzzing;
use strong4::inside::index::Index;
use strong4::inside::program::PROGRAM;
use strong4::inside::sweep::{Cpu, End, Extent, FolderSweep, Scope, Start};
use strong4::inside::table::{Horizon, score_folder};
use strong4::inside::tabulate::{Request, tabulate};
use strong4::query::Openings;
use strong4::search::Score;

use crate::files::Folder;
use crate::fit;

#[path = "../../table/build.rs"]
pub mod build;

/// Longer files are slow to process.
const MOST_BYTES: usize = 1 << 13;

/// Puts seeds into the first folder on the command line of the target, unless they are already
/// there.
pub fn plant<S: IntoIterator<Item = Vec<u8>>>(seeds: impl FnOnce() -> S) {
    let folder = std::env::args().skip(1).map(PathBuf::from).find(|argument| argument.is_dir());
    let Some(folder) = folder else { return };
    let path = |number| folder.join(format!("seed-{number:03}"));
    if path(0).exists() {
        return;
    }
    let short = seeds().into_iter().filter(|seed| seed.len() <= MOST_BYTES);
    for (number, seed) in short.enumerate() {
        std::fs::write(path(number), seed).expect("room for a seed");
    }
}

/// Plants texts, each after the number of its board.
pub fn plant_texts(texts: &[(u8, &str)]) {
    plant(|| texts.iter().map(|(board, text)| [&[*board], text.as_bytes()].concat()));
}

fn index(board: &str) -> Index {
    Index::new(board.parse::<Board>().unwrap()).unwrap()
}

/// All files of the tables of some boards.
fn files_of_tables() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (board, horizon) in [("3x3", 1), ("2x3", 1)] {
        let folder = Folder::default();
        build::write_all(folder.path(), &index(board), Horizon(horizon));
        files.extend(all_in(&folder));
    }
    files
}

/// Tables of scores of some boards.
fn tables_of_scores() -> Vec<Vec<u8>> {
    let mut tables = Vec::new();
    for board in ["3x3", "2x3"] {
        let (board, folder): (Board, _) = (board.parse().unwrap(), Folder::default());
        let request = Request {
            horizon: Some(Horizon(1)),
            ..Request::new(board, folder.path()).with_scores()
        };
        tabulate(&request, &()).expect("a small board");
        let files = all_files(&score_folder(folder.path())).into_iter();
        tables.extend(files.filter(|(name, _)| name.ends_with(".s4t")).map(|(_, bytes)| bytes));
    }
    tables
}

fn all_in(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    all_files(folder.path())
}

fn all_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = folder.read_dir().expect("a folder of ours").flatten();
    let file = |entry: std::fs::DirEntry| {
        let bytes = std::fs::read(entry.path()).ok()?;
        Some((entry.file_name().to_string_lossy().into_owned(), bytes))
    };
    let mut files: Vec<_> = entries.filter_map(file).collect();
    files.sort();
    files
}

/// Tables.
pub fn tables() -> impl Iterator<Item = Vec<u8>> {
    let files = files_of_tables().into_iter();
    let outcomes = files.filter(|(name, _)| name.ends_with(".s4t")).map(|(_, bytes)| bytes);
    outcomes.chain(tables_of_scores())
}

/// Manifests.
pub fn manifests() -> impl Iterator<Item = Vec<u8>> {
    let files = files_of_tables().into_iter();
    files.filter(|(name, _)| name == "manifest.json").map(|(_, bytes)| bytes)
}

/// What the batches of some boards pass on.
pub fn kept() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for board in ["4x3", "3x3", "2x5"] {
        let (index, folder) = (index(board), Folder::default());
        let extent = fuzzing::in_batches(Extent::new(index.census(), Scope::InDoubt), 20);
        let (cpu, start) = (Cpu::widest(), Start::AtEnd(End::full_board(index.board())));
        let sweep =
            FolderSweep::new(&extent, cpu, start, Tier::new(0).unwrap(), folder.path(), 0, 0)
                .unwrap();
        let batches = sweep.schedule().batches();
        let mut done = vec![false; batches.len()];
        while let Some(batch) = (0..batches.len())
            .find(|batch| !done[*batch] && batches[*batch].needs.iter().all(|need| done[*need]))
        {
            sweep.solve(batch, &()).unwrap();
            sweep.publish_all(batch).unwrap();
            done[batch] = true;
        }
        files.extend(all_in(&folder).into_iter().map(|(_, bytes)| bytes));
    }
    files
}

/// Two pieces of a run over all tiers of a board, one with two runs of blocks and one with none.
pub fn pieces() -> Vec<Vec<u8>> {
    let board: Board = "5x4".parse().unwrap();
    let tiers = board.cells() + 1;
    let mut label = [0; 64];
    label[..8].copy_from_slice(b"s4sealed");
    label[8] = 1;
    let (width, height, last) = (board.width() as u8, board.height() as u8, board.cells() as u8);
    label[12..20].copy_from_slice(&[3, width, height, 0, last, last, 0, 255]);
    label[24..][..PROGRAM.len()].copy_from_slice(PROGRAM.as_bytes());
    let mut head = 1000u64.to_le_bytes().to_vec();
    head.extend(0.5f64.to_le_bytes());
    for tier in 0..tiers as u64 {
        [tier, 2 * tier, 3 * tier].iter().for_each(|count| head.extend(count.to_le_bytes()));
        head.extend(0.25f64.to_le_bytes());
    }
    let run = |tier: u8, first: u64, start: u64, blocks: &[u32]| {
        let mut run = vec![tier];
        run.extend(first.to_le_bytes());
        run.extend(start.to_le_bytes());
        run.extend((blocks.len() as u32).to_le_bytes());
        blocks.iter().for_each(|length| run.extend([length.to_le_bytes(), [0; 4]].concat()));
        run
    };
    let body = b"blocks of tables";
    let runs = [run(4, 0, 64, &[7, 0, 2]), run(5, 1, 73, &[7])].concat();
    let file = |body: &[u8], runs: &[u8]| {
        let directory = [&head, runs].concat();
        let mut seal = vec![0; 32];
        seal[16..24].copy_from_slice(&(directory.len() as u64).to_le_bytes());
        let mut file = [&label[..], body, &directory, &seal].concat();
        fit::sealed(&mut file, |directory, body| fit::piece(directory, body, tiers));
        file
    };
    vec![file(body, &runs), file(b"", &[])]
}

/// A run file.
pub fn run_files() -> Vec<Vec<u8>> {
    let text = format!(
        r#"{{"format": 1, "program": "{PROGRAM}", "board": "5x4", "first": 0, "last": 20, "end": 20,
        "every_cell": false, "batches": 7, "cells": 12345, "checksum": ""}}"#
    );
    vec![text.into_bytes()]
}

/// A plan file.
pub fn plan_files() -> Vec<Vec<u8>> {
    let text = format!(r#"{{"format": 1, "program": "{PROGRAM}", "parts": 240}}"#);
    vec![text.into_bytes()]
}

/// Openings of a small board, and the first one of 7x6.
pub fn openings() -> Vec<Vec<u8>> {
    let (board, tables): (Board, _) = ("3x3".parse().unwrap(), tables_of_scores());
    // Nobody makes a four there.
    let further = |stones: usize| {
        let moves = "123".repeat(3);
        let game = Moves::parse(board, &moves[..stones]).expect("a game of ours");
        (*game.position(), Score::DRAW)
    };
    vec![
        Openings::to_bytes(board, &tables[..1], [further(2), further(3)]),
        Openings::to_bytes(board, &tables[..3], []),
        Openings::to_bytes(board, &tables[..2], [further(5)]),
    ]
}
