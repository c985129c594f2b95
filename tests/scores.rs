//! How soon positions are over, stored in tables: `solve --scores` and `stats --plies`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use strong4::board::{Board, Tier};
use strong4::inside::enumerate::Enumeration;
use strong4::query::Openings;
use tempfile::{TempDir, tempdir};

use crate::files::files_below;
use crate::minimax::cut_off::winner;
use crate::tabulate::{killed_at_random, run, says};

fn strong4(arguments: &str) -> Command {
    let mut command = Command::new(crate::program::PROGRAM);
    command.args(arguments.split_whitespace());
    command
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", says(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A folder with all scores of a board.
fn solved(board: &str) -> TempDir {
    let folder = tempdir().unwrap();
    printed(&run(&format!("solve --board {board} --scores --quiet"), folder.path()));
    folder
}

#[test]
fn scores_in_files_are_those_in_memory() {
    for board in ["4x4", "5x4", "3x6", "7x3", "1x9", "3x2"] {
        let in_memory = strong4(&format!("solve --board {board} --no-tables --scores --json"));
        let in_memory = printed(&{ in_memory }.output().unwrap());
        let folder = tempdir().unwrap();
        let solve = format!("solve --board {board} --scores --json --quiet");
        assert!(printed(&run(&solve, folder.path())) == in_memory, "{board}");
        let stats = run(&format!("stats --board {board} --plies --json"), folder.path());
        assert!(printed(&stats) == in_memory, "{board}");
        // Only tables, manifests and locks remain, and nothing is done again.
        let before = files_below(folder.path());
        assert!(
            before
                .keys()
                .all(|name| name.extension().is_some_and(|end| end == "s4t")
                    || name.ends_with("lock"))
        );
        assert!(printed(&run(&solve, folder.path())) == in_memory);
        assert!(files_below(folder.path()) == before);
        // The outcomes are those of a run without scores.
        let outcomes = tempdir().unwrap();
        printed(&run(&format!("solve --board {board} --quiet"), outcomes.path()));
        assert!(files_below(outcomes.path()).iter().all(|(name, bytes)| before[name] == *bytes));
    }
}

#[test]
fn scores_of_some_tiers_after_others_are_those_of_all() {
    for board in ["5x4", "7x3"] {
        let whole = files_below(solved(board).path());
        let folder = tempdir().unwrap();
        for tiers in ["9..", "5..8", "0..4"] {
            let last = if board == "5x4" { "20" } else { "21" };
            let tiers = if tiers.ends_with('.') { format!("{tiers}{last}") } else { tiers.into() };
            let solve = format!("solve --board {board} --scores --quiet --tiers {tiers}");
            printed(&run(&solve, folder.path()));
        }
        assert!(files_below(folder.path()) == whole, "{board}");
        assert!(!folder.path().join("scratch").exists());
    }
}

#[test]
fn scores_that_are_killed_again_and_again_end_with_the_same_tables() {
    let board = "5x4";
    let start = Instant::now();
    let whole = files_below(solved(board).path());
    let whole_time = start.elapsed();
    let folder = tempdir().unwrap();
    let solve = format!("solve --board {board} --scores");
    let kills = killed_at_random(&solve, folder.path(), whole_time);
    assert!(kills > 1, "{board} was killed {kills} times");
    assert!(files_below(folder.path()) == whole, "{board} after {kills} kills");
}

#[test]
fn processes_that_find_scores_together_make_the_same_tables() {
    let board = "4x4";
    let whole = files_below(solved(board).path());
    for round in 0..4 {
        let folder = tempdir().unwrap();
        let start = |_| {
            thread::sleep(Duration::from_millis(30 * round));
            let mut command =
                strong4(&format!("solve --board {board} --scores --threads 1 --quiet"));
            command.arg("--tables").arg(folder.path());
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        for child in (0..3).map(start).collect::<Vec<_>>() {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", says(&output));
        }
        assert!(files_below(folder.path()) == whole, "round {round}");
        assert!(!folder.path().join("scratch").exists());
    }
}

#[test]
fn missing_and_damaged_scores_are_reported() {
    let folder = solved("5x4");
    let told_with = |code: i32, what: &str| {
        let output = run("stats --board 5x4 --plies", folder.path());
        assert_eq!(output.status.code(), Some(code), "{what}: {}", says(&output));
        assert_eq!(says(&output).lines().count(), 1, "{what}: {}", says(&output));
        says(&output)
    };
    let told = |what: &str| told_with(2, what);
    let file = |name: &str| folder.path().join(name);
    let bytes = |name: &str| fs::read(file(name)).unwrap();
    let three = "scores/tier-03.s4t";
    let sound = bytes(three);
    let plies = 512..512 + 8 * (20 - 3 + 1);
    for at in [0, 14, 18, 56, 70, 509].into_iter().chain(plies) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1;
        fs::write(file(three), damaged).unwrap();
        assert!(told(&format!("byte {at}")).contains(three));
    }
    fs::write(file(three), bytes("scores/tier-04.s4t")).unwrap();
    assert!(told("another tier").contains("expected a table with tier 3, found 4"));
    fs::write(file(three), bytes("tier-03.s4t")).unwrap();
    let said = told("outcomes");
    assert!(said.contains("expected a table of scores, found one of outcomes"), "{said}");
    fs::write(file(three), &sound[..sound.len() - 1]).unwrap();
    assert!(told("cut off").contains("it was cut off"));
    fs::remove_file(file(three)).unwrap();
    let said = told_with(1, "no file");
    assert!(said.contains(three) && said.contains("solve --board 5x4 --scores"), "{said}");
    // The advice in the message helps.
    printed(&run("solve --board 5x4 --scores --quiet", folder.path()));
    assert!(bytes(three) == sound);
    // Tables of scores are not tables of outcomes.
    let output = run("query --board 5x4 1", &file("scores"));
    assert!(!output.status.success(), "{output:?}");
    let output = run("stats --board 5x4", &file("scores"));
    assert!(
        says(&output).contains("expected a table of outcomes, found one of scores"),
        "{output:?}"
    );
}

/// A board with blocks of scores.
const WITH_BLOCKS: &str = "3x8";

#[test]
fn scores_are_the_same_bytes_for_any_kernels_and_threads() {
    let board = WITH_BLOCKS;
    let whole = files_below(solved(board).path());
    assert!(whole[Path::new("scores/tier-03.s4t")].len() > 1000);
    for forms in ["--cpu portable --threads 1", "--cpu avx2 --threads 3"] {
        let folder = tempdir().unwrap();
        let solve = format!("solve --board {board} --scores --quiet {forms}");
        let output = run(&solve, folder.path());
        // Not every machine has every form.
        if !says(&output).contains("--cpu") {
            printed(&output);
            assert!(files_below(folder.path()) == whole, "{forms}");
        }
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn blocks_of_scores_are_the_same_bytes_after_kills() {
    let board = WITH_BLOCKS;
    let start = Instant::now();
    let whole = files_below(solved(board).path());
    let whole_time = start.elapsed();
    let folder = tempdir().unwrap();
    let solve = format!("solve --board {board} --scores");
    let kills = killed_at_random(&solve, folder.path(), whole_time);
    assert!(kills > 1, "{board} was killed {kills} times");
    assert!(files_below(folder.path()) == whole, "{board} after {kills} kills");
}

#[test]
fn plies_are_printed_and_checked() {
    let folder = solved("5x4");
    let stats =
        |arguments: &str| run(&format!("stats --board 5x4 --plies {arguments}"), folder.path());
    let csv = printed(&stats("--csv"));
    assert_eq!(csv, include_str!("../data/plies_5x4.csv"));
    assert!(says(&stats("--check")).contains("all plies of 21 tiers of 5x4 agree"));
    let reference = folder.path().join("reference.csv");
    fs::write(&reference, csv.replace("\n1,0,3\n", "\n1,0,4\n")).unwrap();
    let output = stats(&format!("--csv --check={}", reference.display()));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        says(&output).contains("expected 4 positions with 0 plies to the end, found 3"),
        "{}",
        says(&output)
    );
    assert!(printed(&stats("--svg")).contains("plies to the end, tier by tier</text>"));
    assert!(printed(&stats("")).contains("tier  outcome  plies"));
    // Tables without scores lead to advice.
    let outcomes = tempdir().unwrap();
    printed(&run("solve --board 5x4 --quiet", outcomes.path()));
    let output = run("stats --board 5x4 --plies", outcomes.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(says(&output).contains("solve --board 5x4 --scores"), "{}", says(&output));
}

/// Searches have found the same scores of tiers up to this one, one position after the other;
/// `query::openings` compares them.
const SEARCHED: u8 = 5;

#[test]
fn the_sweep_counts_what_searches_found_in_the_first_tiers() {
    let openings = Openings::built_in(Board::STANDARD).unwrap();
    let known = include_str!("../data/plies_7x6.csv").lines().skip(1).map(|row| {
        let numbers: Vec<u64> = row.split(',').map(|number| number.parse().unwrap()).collect();
        ((numbers[0] as u8, numbers[1] as usize), numbers[2])
    });
    let of_tiers = known.filter(|((tier, _), _)| *tier <= SEARCHED);
    let known: BTreeMap<(u8, usize), u64> = of_tiers.collect();
    let mut found: BTreeMap<(u8, usize), u64> = BTreeMap::new();
    let mut listing = Enumeration::start(Board::STANDARD);
    loop {
        for position in listing.live() {
            let score = openings.score(&position).expect("all positions of the tier").get();
            let plies =
                winner(&position, score).map_or(0, |(_, ply)| ply - listing.tier().stones());
            *found.entry((listing.tier().get(), plies)).or_default() += 1;
        }
        if listing.tier() == Tier::new(SEARCHED).unwrap() || !listing.advance() {
            break;
        }
    }
    assert!(found == known, "{found:?}");
}
