//! How soon positions are over, stored in tables: `solve --scores` and `stats --plies`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use strong4::board::{Board, Tier};
use strong4::inside::enumerate::Enumeration;
use strong4::query::Openings;
use tempfile::tempdir;

use crate::files::{files_below, tables_in};
use crate::minimax::cut_off::winner;
use crate::program::{solved, strong4, strong4_on, succeeds};
use crate::tabulate::killed_at_random;

#[test]
fn scores_in_files_are_those_in_memory() {
    for board in ["4x4", "5x4", "3x6", "7x3", "1x9", "3x2"] {
        let in_memory = strong4(&format!("solve --board {board} --no-tables --scores --json"));
        assert_eq!(in_memory.code, 0, "{in_memory:?}");
        let folder = tempdir().unwrap();
        let solve = format!("solve --board {board} --scores --json --quiet");
        assert!(succeeds(&solve, folder.path()) == in_memory.stdout, "{board}");
        let stats = format!("stats --board {board} --plies --json");
        assert!(succeeds(&stats, folder.path()) == in_memory.stdout, "{board}");
        // Only tables, manifests and locks remain, and nothing is done again.
        let before = files_below(folder.path());
        let locks = before.keys().filter(|name| name.ends_with("lock")).count();
        assert_eq!(before.len(), tables_in(folder.path()).len() + locks);
        assert!(succeeds(&solve, folder.path()) == in_memory.stdout);
        assert!(files_below(folder.path()) == before);
        // The outcomes are those of a run without scores.
        let outcomes = solved(&format!("--board {board}"));
        assert!(files_below(outcomes.path()).iter().all(|(name, bytes)| before[name] == *bytes));
    }
}

/// The files of a run that finds all scores of a board.
fn whole(board: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(solved(&format!("--board {board} --scores")).path())
}

#[test]
fn scores_of_some_tiers_after_others_are_those_of_all() {
    for (board, parts) in [("5x4", ["9..20", "5..8", "0..4"]), ("7x3", ["9..21", "5..8", "0..4"])] {
        let folder = tempdir().unwrap();
        for tiers in parts {
            let solve = format!("solve --board {board} --scores --quiet --tiers {tiers}");
            succeeds(&solve, folder.path());
        }
        assert!(files_below(folder.path()) == whole(board), "{board}");
        assert!(!folder.path().join("scratch").exists());
    }
}

#[test]
fn scores_that_are_killed_again_and_again_end_with_the_same_tables() {
    killed_runs_end_with_the_same_scores("5x4");
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn blocks_of_scores_are_the_same_bytes_after_kills() {
    killed_runs_end_with_the_same_scores(WITH_BLOCKS);
}

fn killed_runs_end_with_the_same_scores(board: &str) {
    let start = Instant::now();
    let whole = whole(board);
    let whole_time = start.elapsed();
    let folder = tempdir().unwrap();
    let solve = format!("solve --board {board} --scores");
    let kills = killed_at_random(&solve, folder.path(), whole_time);
    assert!(kills > 1, "{board} was killed {kills} times");
    assert!(files_below(folder.path()) == whole, "{board} after {kills} kills");
}

#[test]
fn missing_and_damaged_scores_are_reported() {
    let folder = solved("--board 5x4 --scores");
    let told_with = |code: i32, what: &str| {
        let ran = strong4_on("stats --board 5x4 --plies", folder.path());
        assert_eq!((ran.code, ran.stderr.lines().count()), (code, 1), "{what}: {ran:?}");
        ran.stderr
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
    succeeds("solve --board 5x4 --scores --quiet", folder.path());
    assert!(bytes(three) == sound);
    // Tables of scores are not tables of outcomes.
    assert_ne!(strong4_on("query --board 5x4 1", &file("scores")).code, 0);
    let ran = strong4_on("stats --board 5x4", &file("scores"));
    let why = "expected a table of outcomes, found one of scores";
    assert!(ran.stderr.contains(why), "{ran:?}");
}

/// A board with blocks of scores.
const WITH_BLOCKS: &str = "3x8";

#[test]
fn scores_are_the_same_bytes_for_any_kernels_and_threads() {
    let whole = whole(WITH_BLOCKS);
    assert!(whole[Path::new("scores/tier-03.s4t")].len() > 1000);
    for forms in ["--cpu portable --threads 1", "--cpu avx2 --threads 3"] {
        let folder = tempdir().unwrap();
        let solve = format!("solve --board {WITH_BLOCKS} --scores --quiet {forms}");
        let ran = strong4_on(&solve, folder.path());
        // Not every machine has every form.
        if !ran.stderr.contains("--cpu") {
            assert_eq!(ran.code, 0, "{ran:?}");
            assert!(files_below(folder.path()) == whole, "{forms}");
        }
    }
}

#[test]
fn plies_are_printed_and_checked() {
    let folder = solved("--board 5x4 --scores");
    let stats = |arguments: &str| {
        strong4_on(&format!("stats --board 5x4 --plies {arguments}"), folder.path())
    };
    let csv = stats("--csv").stdout;
    assert_eq!(csv, include_str!("../data/plies_5x4.csv"));
    assert!(stats("--check").stderr.contains("all plies of 21 tiers of 5x4 agree"));
    let reference = folder.path().join("reference.csv");
    fs::write(&reference, csv.replace("\n1,0,3\n", "\n1,0,4\n")).unwrap();
    let ran = stats(&format!("--csv --check={}", reference.display()));
    assert_eq!(ran.code, 1);
    let why = "expected 4 positions with 0 plies to the end, found 3";
    assert!(ran.stderr.contains(why), "{ran:?}");
    assert!(stats("--svg").stdout.contains("plies to the end, tier by tier</text>"));
    assert!(stats("").stdout.contains("tier  outcome  plies"));
    // Tables without scores lead to advice.
    let ran = strong4_on("stats --board 5x4 --plies", solved("--board 5x4").path());
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("solve --board 5x4 --scores"), "{ran:?}");
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
