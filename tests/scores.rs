//! How soon positions are over, solved for good: `solve --scores` and `stats --plies`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use strong4::board::{Board, Tier};
use strong4::count::enumerate::Enumeration;
use strong4::query::Openings;
use tempfile::{TempDir, tempdir};

use crate::minimax::cut_off::winner;
use crate::tabulate::killed_at_random;

fn strong4(arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("strong4"));
    command.args(arguments.split_whitespace());
    command
}

fn run(arguments: &str, tables: &Path) -> Output {
    strong4(arguments).arg("--tables").arg(tables).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", says(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with all scores of a board.
fn solved(board: &str) -> TempDir {
    let folder = tempdir().unwrap();
    printed(&run(&format!("solve --board {board} --scores --quiet"), folder.path()));
    folder
}

/// All files below a folder but manifests, which tell how long it took.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for path in fs::read_dir(inside).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("manifest.json") {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
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
        // Nothing is left but tables, manifests and locks; nothing is done again.
        let before = files(folder.path());
        assert!(
            before
                .keys()
                .all(|name| name.extension().is_some_and(|end| end == "s4t")
                    || name.ends_with("lock"))
        );
        assert!(printed(&run(&solve, folder.path())) == in_memory);
        assert!(files(folder.path()) == before);
        // The outcomes are those of a run without scores.
        let outcomes = tempdir().unwrap();
        printed(&run(&format!("solve --board {board} --quiet"), outcomes.path()));
        assert!(files(outcomes.path()).iter().all(|(name, bytes)| before[name] == *bytes));
    }
}

#[test]
fn scores_of_some_tiers_after_others_are_those_of_all() {
    for board in ["5x4", "7x3"] {
        let whole = files(solved(board).path());
        let folder = tempdir().unwrap();
        for tiers in ["9..", "5..8", "0..4"] {
            let last = if board == "5x4" { "20" } else { "21" };
            let tiers = if tiers.ends_with('.') { format!("{tiers}{last}") } else { tiers.into() };
            let solve = format!("solve --board {board} --scores --quiet --tiers {tiers}");
            printed(&run(&solve, folder.path()));
        }
        assert!(files(folder.path()) == whole, "{board}");
        assert!(!folder.path().join("scratch").exists());
    }
}

#[test]
fn scores_that_are_killed_again_and_again_end_with_the_same_tables() {
    let board = "5x4";
    let start = Instant::now();
    let whole = files(solved(board).path());
    let whole_time = start.elapsed();
    let folder = tempdir().unwrap();
    let solve = format!("solve --board {board} --scores");
    let kills = killed_at_random(&solve, folder.path(), whole_time);
    assert!(kills > 1, "{board} was killed {kills} times");
    assert!(files(folder.path()) == whole, "{board} after {kills} kills");
}

#[test]
fn scores_that_are_not_there_or_not_sound_are_told() {
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
    let [three, other] = ["cut-10/tier-03.s4t", "cut-12/tier-03.s4t"];
    let sound = bytes(three);
    for at in [0, 14, 28, 56, 70, 509] {
        let mut damaged = sound.clone();
        damaged[at] ^= 1;
        fs::write(file(three), damaged).unwrap();
        assert!(told(&format!("byte {at}")).contains(three));
    }
    fs::write(file(three), bytes(other)).unwrap();
    let said = told("another cut");
    assert!(said.contains("expected a table with end of games 10, found 12"), "{said}");
    fs::write(file(three), bytes("tier-03.s4t")).unwrap();
    let said = told("no cut");
    assert!(said.contains("expected a table with end of games 10, found 20"), "{said}");
    fs::remove_file(file(three)).unwrap();
    let said = told_with(1, "no file");
    assert!(said.contains(three) && said.contains("solve --board 5x4 --scores"), "{said}");
    // Which is what helps.
    printed(&run("solve --board 5x4 --scores --quiet", folder.path()));
    assert!(bytes(three) == sound);
    // The tables of a cut are none of the board.
    let output = run("query --board 5x4 1", &file("cut-10"));
    assert!(!output.status.success(), "{output:?}");
    let output = run("stats --board 5x4", &file("cut-10"));
    assert!(
        says(&output).contains("expected a table with end of games 20, found 10"),
        "{output:?}"
    );
}

#[test]
fn plies_are_told_and_checked() {
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
    // Tables without scores say what to do.
    let outcomes = tempdir().unwrap();
    printed(&run("solve --board 5x4 --quiet", outcomes.path()));
    let output = run("stats --board 5x4 --plies", outcomes.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(says(&output).contains("solve --board 5x4 --scores"), "{}", says(&output));
}

/// Searches found the scores that are built in, one position after the other.
#[test]
fn the_sweep_counts_what_searches_found_in_the_first_tiers() {
    let openings = Openings::built_in(Board::STANDARD).unwrap();
    let known = include_str!("../data/plies_7x6.csv").lines().skip(1).map(|row| {
        let numbers: Vec<u64> = row.split(',').map(|number| number.parse().unwrap()).collect();
        ((numbers[0] as u8, numbers[1] as usize), numbers[2])
    });
    let of_tiers = known.filter(|((tier, _), _)| Tier(*tier) <= openings.last_tier());
    let known: BTreeMap<(u8, usize), u64> = of_tiers.collect();
    let mut found: BTreeMap<(u8, usize), u64> = BTreeMap::new();
    let mut listing = Enumeration::start(Board::STANDARD);
    loop {
        for position in listing.live() {
            let score = openings.score(&position).expect("all positions of the tier").get();
            let plies =
                winner(&position, score).map_or(0, |(_, ply)| ply - listing.tier().stones());
            *found.entry((listing.tier().0, plies)).or_default() += 1;
        }
        if listing.tier() == openings.last_tier() || !listing.advance() {
            break;
        }
    }
    assert!(found == known, "{found:?}");
    assert_eq!(openings.last_tier(), Tier(5));
}
