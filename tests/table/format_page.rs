//! What docs/table-format.md says of single positions and of 7x6, against the reader that was
//! written from it, and against the program.
//!
//! `tests/documents.rs` runs the commands of the page; here its numbers are found another way.

use strong4::board::{Board, Moves};
use strong4::inside::index::Census;
use strong4::inside::table::{Content, Horizon, Layout};
use strong4::inside::tabulate::{HORIZON, tabulate};

use super::build::request;
use super::by_the_book::{Book, open_all};

const PAGE: &str = include_str!("../../docs/table-format.md");

/// The lines of a table of the page whose head begins like this, as numbers.
fn numbers_below(head: &str) -> Vec<Vec<u64>> {
    let lines = PAGE.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let cells = |line: &str| -> Vec<u64> {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace(',', ""));
        // The last line begins with a word.
        cells.map(|cell| cell.parse().unwrap_or(0)).collect()
    };
    lines.take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn totals_of_the_format_page() {
    let census = Census::new(Board::STANDARD).unwrap();
    assert_eq!((census.centres().len(), census.rows()), (103, 49_041_161));
    let mut expected = Vec::new();
    for tier in census.tiers() {
        let blocks = |horizon, content| Layout::with(&census, tier, horizon, content).blocks();
        let outcomes = blocks(HORIZON, Content::OUTCOMES);
        let scores = blocks(Horizon::OF_SCORES, Content::Scores);
        if outcomes > 0 {
            expected.push(vec![
                tier.get().into(),
                census.tiles(tier).count() as u64,
                outcomes,
                scores,
            ]);
        }
    }
    let sums: Vec<u64> = (0..4).map(|at| expected.iter().map(|row| row[at]).sum()).collect();
    assert_eq!(sums[2], 2_676_161, "as many as verify reads: see the README");
    expected.push(vec![0, sums[1], sums[2], sums[3]]);
    assert_eq!(numbers_below("| tier | tiles | blocks"), expected);
}

/// The worked positions of a board: their moves, and the lines that are shown for them.
fn worked(board: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let shown = PAGE.split("$ strong4 show ").skip(1).map(|block| {
        let (command, rest) = block.split_once('\n').unwrap();
        (command, rest.lines().take_while(|line| !line.starts_with(['$', '`'])).collect())
    });
    let shown = shown.filter(|(command, _)| !command.contains("grep"));
    let of_board = |command: &str| match command.split_once("--board ") {
        Some((_, rest)) => rest.starts_with(board),
        None => board == "7x6",
    };
    shown
        .filter(|(command, _)| of_board(command))
        .map(|(command, lines)| (command.split(' ').next().unwrap(), lines))
        .collect()
}

#[test]
fn worked_positions_are_found_by_the_book() {
    let (board, folder) = ("5x5".parse().unwrap(), tempfile::tempdir().unwrap());
    tabulate(&request(board, folder.path()), &()).unwrap();
    let book = Book::new(board);
    let mut tables = open_all(&book, folder.path(), 0);
    let positions = worked("5x5");
    assert_eq!(positions.len(), 3);
    for (moves, lines) in positions {
        let position = *Moves::parse(board, moves).unwrap().position();
        let (tile, row, column, mirrored) = book.stored(&position);
        let table = tables.get_mut(&position.tier().stones()).unwrap();
        let (block, [wins, holds], bit) = table.place(tile, row, column);
        let bits = table.bits(tile, row, column).map(u8::from);
        let image = if mirrored { "the mirror image" } else { "the position itself" };
        let (centre, left, right) = tile;
        for line in [
            format!("image    {image}"),
            format!("tile     centre {centre}, left class {left:?}, right class {right:?}"),
            format!("cell     row {row}, column {column}"),
        ] {
            assert!(lines.contains(&&*line), "{moves}: {line}");
        }
        for (begin, end) in [
            (
                format!("outcome  block {block} ("),
                format!(": bit {bit} of bytes {wins} and {holds}"),
            ),
            (format!("bits     {} {}: ", bits[0], bits[1]), String::new()),
        ] {
            let is_there = |line: &&str| line.starts_with(&begin) && line.ends_with(&end);
            assert!(lines.iter().any(is_there), "{moves}: {begin}…{end}");
        }
    }
}
