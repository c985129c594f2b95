//! The page of results gives the numbers of the files in `data`.

use std::collections::BTreeMap;
use std::fs;

use strong4::board::{Board, Outcome, Position, TierRange};
use strong4::sample::Sampler;
use strong4::{Batch, Solver};

use crate::files::repository;
use crate::program::{assert_refused, strong4_with_input};

/// The numbers of a file `data/<kind>_<board>.csv`, line by line, without its header.
fn data(kind: &str, board: &str) -> Vec<Vec<u64>> {
    let text = fs::read_to_string(repository(&format!("data/{kind}_{board}.csv"))).unwrap();
    let numbers = |line: &str| line.split(',').map(|field| field.parse().unwrap()).collect();
    text.lines().skip(1).map(numbers).collect()
}

/// The boards that have a file of this kind, in order of their names.
fn boards(kind: &str) -> Vec<String> {
    let names = fs::read_dir(repository("data")).unwrap().map(|entry| entry.unwrap().file_name());
    let board = |name: String| {
        name.strip_prefix(&format!("{kind}_"))?.strip_suffix(".csv").map(str::to_owned)
    };
    let mut boards: Vec<String> =
        names.filter_map(|name| board(name.into_string().unwrap())).collect();
    boards.sort();
    boards
}

/// The rows of the table on the page whose header begins like this: the text of each field.
fn rows(header: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(repository("docs/results.md")).unwrap();
    let lines = page.lines().skip_while(|line| !line.starts_with(header)).skip(2);
    let fields = |line: &str| {
        let line = line.trim_matches('|').replace(',', "");
        line.split('|').map(|field| field.trim().to_owned()).collect::<Vec<_>>()
    };
    let rows: Vec<_> = lines.take_while(|line| line.starts_with('|')).map(fields).collect();
    assert!(!rows.is_empty(), "no table begins with {header}");
    rows
}

/// The first fields of all rows, in order.
fn named(rows: &[Vec<String>]) -> Vec<String> {
    let mut boards: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
    boards.sort();
    boards
}

fn texts(numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}

/// Live positions of a board by plies to the end; 0 stands for draws.
fn plies(board: &str) -> BTreeMap<u64, u64> {
    let mut positions = BTreeMap::new();
    for line in data("plies", board) {
        *positions.entry(line[1]).or_default() += line[2];
    }
    positions
}

#[test]
fn solved_boards_have_the_outcomes_of_their_files() {
    let rows = rows("| board | positions |");
    assert_eq!(named(&rows), boards("outcomes"));
    for row in rows {
        let tiers = data("outcomes", &row[0]);
        let sum = |column: usize| tiers.iter().map(|tier| tier[column]).sum();
        assert_eq!(row[1..6], texts([5, 1, 2, 3, 4].map(sum)), "{}", row[0]);
        let value = match tiers[0][1..4] {
            [1, 0, 0] => "first player wins",
            [0, 1, 0] => "draw",
            [0, 0, 1] => "second player wins",
            _ => panic!("{}: not one empty board", row[0]),
        };
        assert_eq!(row[6], value, "{}", row[0]);
    }
}

/// What `strong4 stats --atlas data` prints with these further arguments.
fn atlas(arguments: &[&str]) -> String {
    let folder = repository("data");
    let all = [&["stats", "--atlas", folder.to_str().unwrap()], arguments].concat();
    let ran = strong4_with_input(&all, b"");
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
    ran.stdout
}

#[test]
fn the_atlas_has_the_outcomes_of_all_files() {
    let printed = atlas(&["--csv"]);
    let rows: Vec<Vec<String>> =
        printed.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect();
    assert_eq!(named(&rows), boards("outcomes"));
    for row in rows {
        let tiers = data("outcomes", &row[0]);
        let sum = |columns: &dyn Fn(&[u64]) -> u64| tiers.iter().map(|tier| columns(tier)).sum();
        // X moves in even tiers; who is to move has lost the terminal positions.
        let x = sum(&|tier| if tier[0] % 2 == 0 { tier[1] } else { tier[3] + tier[4] });
        let o = sum(&|tier| if tier[0] % 2 == 1 { tier[1] } else { tier[3] + tier[4] });
        let [won, drawn, lost, terminal, total] =
            [1, 2, 3, 4, 5].map(|column: usize| sum(&|tier| tier[column]));
        assert_eq!(x + drawn + o, total, "{}", row[0]);
        let expected = texts([won, drawn, lost, terminal, total, x, o]);
        assert_eq!(row[2..], expected, "{}", row[0]);
        let value = ["win", "draw", "loss"].into_iter().zip(&tiers[0][1..4]);
        let value = value.filter(|(_, positions)| **positions == 1).map(|(value, _)| value);
        assert_eq!([&*row[1]], value.collect::<Vec<_>>()[..], "{}", row[0]);
    }
}

#[test]
fn the_page_and_the_picture_of_the_atlas_are_what_the_program_prints() {
    let page = fs::read_to_string(repository("docs/atlas.md")).unwrap();
    let (_, rest) = page.split_once("$ strong4 stats --atlas data\n").expect("the command");
    let (table, _) = rest.split_once("```").unwrap();
    assert_eq!(table, atlas(&[]));
    let picture = fs::read_to_string(repository("docs/atlas.svg")).unwrap();
    assert!(picture == atlas(&["--svg"]), "docs/atlas.svg is not of data: make outcomes");
}

#[test]
fn folders_that_are_no_atlas_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], expected: &str| {
        let all = [&["stats", "--atlas", folder.path().to_str().unwrap()], arguments].concat();
        assert_refused(&strong4_with_input(&all, b""), expected);
    };
    refused(&[], "has no file outcomes_WxH.csv");
    fs::copy(repository("data/outcomes_4x4.csv"), folder.path().join("outcomes_4x5.csv")).unwrap();
    refused(&["--svg"], "outcomes_4x5.csv: tier 17 is missing, but an atlas needs all tiers");
    fs::write(folder.path().join("outcomes_5x4.csv.new"), "").unwrap();
    fs::remove_file(folder.path().join("outcomes_4x5.csv")).unwrap();
    refused(&["--json"], "outcomes_5x4.csv.new: expected a name like outcomes_7x6.csv");
    refused(&["--plies"], "cannot be used with");
}

#[test]
fn longest_games_are_those_of_the_files() {
    let rows = rows("| board | next stone |");
    assert_eq!(named(&rows), boards("plies"));
    for row in rows {
        let positions = plies(&row[0]);
        let longest = |odd| positions.iter().rev().find(|(plies, _)| *plies % 2 == odd).unwrap();
        let (win, loss) = (longest(1), longest(0));
        let expected = [positions[&1], *win.0, *win.1, *loss.0, *loss.1];
        assert_eq!(row[1..], texts(expected), "{}", row[0]);
    }
}

#[test]
fn plies_of_7x6_are_those_of_the_file() {
    let mut expected = plies("7x6");
    expected.remove(&0);
    let mut shown = BTreeMap::new();
    for row in rows("| plies | won |") {
        let numbers: Vec<u64> = row.iter().filter_map(|field| field.parse().ok()).collect();
        shown.extend(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    }
    assert_eq!(shown, expected);
}

/// No tables of these boards were kept: their outcomes are compared with searches of random
/// positions. Returns how many of the shares of wins, draws and losses in each tier are within two
/// standard deviations, how many there are, and how far away the farthest is.
fn compare_with_searches(board: &str, tiers: &str) -> (usize, usize, f64) {
    const EACH: u64 = 1000;
    let (known, tiers) = (data("outcomes", board), tiers.parse::<TierRange>().unwrap());
    let board: Board = board.parse().unwrap();
    let (solver, sampler) = (Solver::new(board), Sampler::new(board, tiers, 7).unwrap());
    let mut deviations = Vec::new();
    for tier in tiers {
        let draw = |number| *sampler.draw(tier, number).unwrap().position();
        let positions: Vec<Position> = (0..EACH).map(draw).collect();
        let outcomes = solver.outcome_many(&positions, Batch::default()).unwrap();
        let counts = &known[tier.stones()][1..4];
        let live: u64 = counts.iter().sum();
        for (count, outcome) in counts.iter().zip([Outcome::Win, Outcome::Draw, Outcome::Loss]) {
            let share = *count as f64 / live as f64;
            let expected = EACH as f64 * share;
            let found = outcomes.iter().filter(|found| **found == outcome).count() as f64;
            deviations.push((found - expected).abs() / (expected * (1.0 - share)).sqrt());
        }
    }
    let within_two = deviations.iter().filter(|deviation| **deviation < 2.0).count();
    (deviations.len(), within_two, deviations.iter().fold(0.0, |a: f64, b| a.max(*b)))
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn outcomes_of_boards_without_tables_are_as_frequent_as_searches_find() {
    let boards = [
        ("7x7", "15..47", (99, 97)),
        ("8x6", "12..46", (105, 101)),
        ("5x9", "12..43", (96, 90)),
        ("6x8", "14..46", (99, 96)),
    ];
    for (board, tiers, expected) in boards {
        let (shares, within_two, farthest) = compare_with_searches(board, tiers);
        assert_eq!((shares, within_two), expected, "{board}");
        assert!(farthest < 2.9, "{board}: {farthest}");
    }
}
