//! The page of results gives the numbers of the files in `data`.

use std::collections::BTreeMap;
use std::fs;

use crate::files::repository;

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

#[test]
fn the_citation_names_this_version() {
    let page = fs::read_to_string(repository("docs/results.md")).unwrap();
    let version = format!("version = {{{}}},", env!("CARGO_PKG_VERSION"));
    assert!(page.contains(&version), "{version}");
}
