//! `strong4 count`: live and terminal positions of every tier. `docs/commands.md` shows its tables and
//! its records.

use std::io::{BufRead, BufReader};

use crate::program::{Ran, assert_refused, json_lines, piped, strong4};

/// Runs a command with `--check=FILE` appended, for a file with this content.
fn checked_with(file: &str, content: &str, args: &str) -> Ran {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, content).unwrap();
    strong4(&format!("{args} --check={}", path.display()))
}

#[test]
fn count_covers_the_whole_board_unless_told_otherwise() {
    let lines = json_lines(&strong4("count --board 4x4 --json"));
    assert_eq!(lines.len(), 17);
    let total: u64 = lines.iter().map(|line| line["total"].as_u64().unwrap()).sum();
    assert_eq!(total, 161_029);
}

#[test]
fn csv_is_what_check_reads() {
    let ran = strong4("count --board 3x3 --csv");
    assert!(ran.stdout.starts_with("board,tier,live,terminal,total\n3x3,0,1,0,1\n3x3,1,3,0,3\n"));
    assert_eq!(checked_with("own.csv", &ran.stdout, "count --board 3x3").code, 0);
}

#[test]
fn check_says_how_many_tiers_agree() {
    let ran = strong4("count --board 4x4 --check");
    assert_eq!(ran.code, 0);
    assert_eq!(ran.stderr, "strong4: all 17 tiers of 4x4 agree with the reference\n");
    let ran = strong4("count --tiers 3 --check");
    assert_eq!(ran.stderr, "strong4: tier 3 of 7x6 agrees with the reference\n");
    assert_eq!(strong4("count --tiers 0..10 --check --quiet").stderr, "");
}

#[test]
fn check_names_the_first_tier_that_differs() {
    let right = strong4("count --board 4x4 --csv").stdout;
    let wrong = right.replace("4x4,3,52,0,52", "4x4,3,51,0,51");
    let ran = checked_with("wrong.csv", &wrong, "count --board 4x4");
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stderr,
        "strong4: tier 3 of 4x4 differs from the reference: \
         expected 51 live + 0 terminal = 51, found 52 live + 0 terminal = 52\n"
    );
    // Only the tiers asked for are compared.
    assert_eq!(checked_with("wrong.csv", &wrong, "count --board 4x4 --tiers 4..16").code, 0);
}

#[test]
fn check_without_a_reference_says_which_there_are() {
    let ran = strong4("count --board 8x7 --tiers 0..3 --check");
    assert_refused(
        &ran,
        "there is no reference for 8x7; the 81 boards that have one are 7x7, 8x6, 6x8, 5x9, ",
    );
    assert!(ran.stderr.ends_with(" and smaller ones\n") && ran.stderr.len() < 150, "{ran:?}");
    assert_refused(&strong4("count --check=no-such-file"), "no-such-file");
    let broken = "board,tier,live,terminal,total\n7x6,0,1,1,1\n";
    let ran = checked_with("broken.csv", broken, "count --tiers 0");
    assert_refused(&ran, "line 2: 1 live and 1 terminal positions are not 1 in total");
}

#[test]
fn a_long_preparation_shows_its_progress() {
    let mut program = piped(&["count", "--board", "3x12"]);
    let lines = BufReader::new(program.stderr.take().unwrap()).lines().map(Result::unwrap);
    let how_far = lines.take(30).find(|line| line.contains(" to go"));
    program.kill().unwrap();
    program.wait().unwrap();
    let how_far = how_far.expect("a line that tells it");
    assert!(how_far.contains("counting 3x12: preparing, sorting sides"), "{how_far}");
    // A few tiers do not take long.
    assert_eq!(strong4("count --board 3x12 --tiers 0..3").stderr, "");
}
