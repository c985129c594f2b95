//! Solving for good: whatever happens on the way, the tables are the same.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use strong4::board::{Player, Status, is_quiet, validate};
use strong4::index::{Cell, CellOffset, Finder, Index};
use strong4::oracle::Oracle;
use strong4::sweep::{Cpu, Outcomes, Scope};
use strong4::table::Tables;
use strong4::tabulate::HORIZON;
use tempfile::{TempDir, tempdir};

fn strong4(arguments: &str, tables: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("strong4"));
    command.args(arguments.split_whitespace()).arg("--tables").arg(tables);
    command
}

fn run(arguments: &str, tables: &Path) -> Output {
    strong4(arguments, tables).output().unwrap()
}

fn solved(arguments: &str) -> TempDir {
    let folder = tempdir().unwrap();
    let output = run(arguments, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The tables of a folder, byte by byte.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|end| end == "s4t"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    tables.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// What a finished run leaves: tables, a manifest, locks, and what it was told to leave.
fn is_tidy(folder: &Path, working_files: usize) {
    let left = |folder: &Path| fs::read_dir(folder).unwrap().count();
    let board_tables = tables(folder).len();
    assert_eq!(left(folder), board_tables + 3, "tables, manifest, lock, scratch");
    assert_eq!(left(&folder.join("scratch")), working_files + 1);
}

#[test]
fn tables_know_every_cell_that_is_quiet_and_not_near_the_end() {
    for board in ["6x4", "5x4", "4x5", "7x3", "3x6", "2x9"] {
        let folder = solved(&format!("solve --board {board}"));
        is_tidy(folder.path(), 0);
        let index = Index::new(board.parse().unwrap()).unwrap();
        let census = index.census();
        let tables = Tables::open(folder.path(), census);
        let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::EveryCell).unwrap();
        let mut looked_up = 0;
        for tier in index.census().tiers() {
            let beyond = !HORIZON.reaches(index.board(), tier);
            for tile in census.tiles(tier).filter(|_| beyond) {
                let (rows, columns) = (census.tile_rows(tile), census.tile_columns(tile));
                for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                    let cell = Cell { tile, row: row as u32, column: column as u32 };
                    let position = index.unrank(cell);
                    if validate(&position).is_ok() && is_quiet(&position) {
                        looked_up += 1;
                        let expected = outcomes.outcome(cell);
                        assert_eq!(tables.outcome(cell).unwrap(), expected, "{cell:?}");
                    }
                }
            }
        }
        assert!(looked_up > 0, "on {board}");
    }
}

#[test]
fn tables_and_a_little_search_know_every_position() {
    for (board, step) in [("4x4", 1), ("3x6", 1), ("5x4", 23), ("6x4", 1009), ("7x3", 101)] {
        let folder = solved(&format!("solve --board {board}"));
        let index = Index::new(board.parse().unwrap()).unwrap();
        let tables = Tables::open(folder.path(), index.census());
        let finder = Finder::new(index.board()).unwrap();
        let mut oracle = Oracle::new(&finder, &tables);
        let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::EveryCell).unwrap();
        let mut sources = HashSet::new();
        for tier in index.census().tiers() {
            let cells = index.census().stored_cells(tier);
            for offset in (0..cells).step_by(step) {
                let cell = index.cell_at(tier, CellOffset(offset)).unwrap();
                let position = index.unrank(cell);
                if validate(&position).is_ok() && position.status() != Status::Won(Player::First) {
                    let (outcome, source) = oracle.outcome(&position).unwrap();
                    assert_eq!(outcome, outcomes.outcome(cell), "{source:?}\n{position}");
                    let mirrored = oracle.outcome(&position.mirror()).unwrap();
                    assert_eq!(mirrored.0, outcome);
                    sources.insert(std::mem::discriminant(&source));
                }
            }
        }
        assert_eq!(sources.len(), 3, "sight, table and search on {board}");
    }
}

#[test]
fn tables_are_the_same_for_any_number_of_threads_and_any_processor() {
    for board in ["6x4", "7x3"] {
        let expected = tables(solved(&format!("solve --board {board} --threads 1")).path());
        let cpus = Cpu::all().map(|cpu| format!("--threads 2 --cpu {}", cpu.form()));
        for how in cpus.chain(["--threads 5".to_owned()]) {
            let folder = solved(&format!("solve --board {board} {how}"));
            assert!(tables(folder.path()) == expected, "{board} {how}");
        }
    }
}

#[test]
fn two_runs_make_the_same_tables_as_one() {
    for (board, last) in [("6x4", 24), ("5x5", 25)] {
        let whole = solved(&format!("solve --board {board}"));
        let folder = solved(&format!("solve --board {board} --tiers 9..{last}"));
        let parts = tables(folder.path());
        let output = run(&format!("solve --board {board} --tiers 4..8"), folder.path());
        assert!(output.status.success(), "{}", says(&output));
        assert!(parts.iter().all(|(name, bytes)| tables(folder.path())[name] == *bytes));
        let output = run(&format!("solve --board {board}"), folder.path());
        assert!(output.status.success(), "{}", says(&output));
        assert!(tables(folder.path()) == tables(whole.path()));
        is_tidy(folder.path(), 0);
        // Nothing is left to be done, and nothing is done.
        let again = run(&format!("solve --board {board} --json"), folder.path());
        assert!(again.status.success());
        let lines = String::from_utf8(again.stdout).unwrap();
        assert_eq!(lines.lines().count(), tables(whole.path()).len());
    }
}

#[test]
fn tiers_that_follow_from_a_missing_one_name_those_to_ask_for() {
    let folder = tempdir().unwrap();
    let output = run("solve --board 6x4 --tiers 0..9", folder.path());
    assert_eq!(output.status.code(), Some(2));
    let said = says(&output);
    assert!(said.contains("tier 9 follows from tier 10"), "{said}");
    assert!(said.contains("the same command with --tiers 0..24"), "{said}");
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_tables() {
    for (board, most) in [("6x4", 60), ("7x4", 900), ("5x5", 60)] {
        let expected = tables(solved(&format!("solve --board {board}")).path());
        let folder = tempdir().unwrap();
        let (mut kills, mut seed) = (0, 0x9e37_79b9_7f4a_7c15u64);
        loop {
            let mut command = strong4(&format!("solve --board {board} --quiet"), folder.path());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            // Later and later, so that it comes to an end on any machine.
            thread::sleep(Duration::from_millis(seed % (most + 40 * kills)));
            let finished = child.try_wait().unwrap().is_some();
            let _ = child.kill();
            let status = child.wait().unwrap();
            if finished {
                assert!(status.success());
                break;
            }
            kills += 1;
        }
        assert!(tables(folder.path()) == expected, "{board} after {kills} kills");
        is_tidy(folder.path(), 0);
        assert!(kills >= 3, "{board} was killed {kills} times only");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_what_to_do_and_leaves_with_130() {
    let folder = tempdir().unwrap();
    let mut child = strong4("solve --board 7x4 --quiet", folder.path());
    let child = child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path().join("scratch/solving.json").exists() {
        thread::sleep(Duration::from_millis(1));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(kill.success());
    assert_eq!(output.status.code(), Some(130));
    let said = says(&output);
    assert!(said.starts_with("strong4: stopped") && said.contains("the same command"), "{said}");
    assert_eq!(said.lines().count(), 1);
    let output = run("solve --board 7x4 --quiet", folder.path());
    assert!(output.status.success(), "{}", says(&output));
    assert!(tables(folder.path()) == tables(solved("solve --board 7x4").path()));
}

#[test]
fn a_run_that_was_stopped_belongs_to_its_tiers_and_board() {
    let folder = tempdir().unwrap();
    let scratch = folder.path().join("scratch");
    let mut child = strong4("solve --board 7x4 --quiet", folder.path());
    let mut child = child.stdout(Stdio::null()).spawn().unwrap();
    while !scratch.join("solving.json").exists() {
        thread::sleep(Duration::from_millis(1));
    }
    let second = run("solve --board 7x4", folder.path());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(says(&second).contains("another"), "{}", says(&second));

    for other in ["solve --board 6x4", "solve --board 7x4 --tiers 5..28"] {
        let output = run(other, folder.path());
        assert_eq!(output.status.code(), Some(2), "{other}");
        let said = says(&output);
        assert!(said.contains("finish it with --board 7x4 --tiers 0..28"), "{said}");
    }
    fs::write(scratch.join("solving.json"), "{").unwrap();
    let output = run("solve --board 6x4", folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("solving.json can not be read"), "{}", says(&output));

    // It can be dropped as the messages say.
    fs::remove_file(scratch.join("solving.json")).unwrap();
    let output = run("solve --board 6x4", folder.path());
    assert!(output.status.success(), "{}", says(&output));
    assert!(tables(folder.path()) == tables(solved("solve --board 6x4").path()));
    assert_eq!(fs::read_dir(scratch).unwrap().count(), 1, "the lock");
}

#[test]
fn working_files_that_are_damaged_are_told_and_never_believed() {
    let whole = solved("solve --board 6x4");
    for (place, bytes) in [(0.1, 1), (0.5, 3), (0.9, 2), (0.999, 1)] {
        let folder = solved("solve --board 6x4 --tiers 9..24");
        let scratch = folder.path().join("scratch");
        let files = fs::read_dir(&scratch).unwrap().map(|entry| entry.unwrap().path());
        let largest = files.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
        let mut content = fs::read(&largest).unwrap();
        let at = (content.len() as f64 * place) as usize;
        content[at..at + bytes].iter_mut().for_each(|byte| *byte ^= 0x41);
        fs::write(&largest, &content).unwrap();
        let output = run("solve --board 6x4", folder.path());
        if output.status.success() {
            assert!(tables(folder.path()) == tables(whole.path()));
        } else {
            assert_eq!(output.status.code(), Some(2));
            assert!(says(&output).contains("damaged"), "{}", says(&output));
        }
        fs::write(&largest, &content[..content.len() / 2]).unwrap();
        let output = run("solve --board 6x4", folder.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(says(&output).contains("damaged"), "{}", says(&output));
        fs::remove_file(&largest).unwrap();
        let output = run("solve --board 6x4", folder.path());
        assert!(output.status.success() || says(&output).contains("damaged"), "{}", says(&output));
        // What the message says helps.
        for entry in fs::read_dir(&scratch).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.ends_with("solving.json") || entry.extension().is_some_and(|e| e == "kept") {
                fs::remove_file(entry).unwrap();
            }
        }
        let output = run("solve --board 6x4", folder.path());
        assert!(output.status.success(), "{}", says(&output));
        assert!(tables(folder.path()) == tables(whole.path()));
    }
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let folder = tempdir().unwrap();
    let output = run("solve --board 5x4 --mem 1MiB", folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(tables(folder.path()).is_empty());
    let said = says(&output);
    assert!(
        said.contains("MiB of memory, and 1.0 MiB may be used: allow it with --mem "),
        "{said}"
    );
    // As much as it asks for is enough.
    let enough = said.split_once("--mem ").unwrap().1.split_once(',').unwrap().0;
    let output = run(&format!("solve --board 5x4 --mem {enough}"), folder.path());
    assert!(output.status.success(), "{}", says(&output));
    // Folders that are not there are not made for it.
    let new = folder.path().join("new/tables");
    for refused in ["solve --board 7x5 --mem 1MiB", "solve --board 5x4 --tiers 0..3"] {
        assert_eq!(run(refused, &new).status.code(), Some(2), "{refused}");
        assert!(!folder.path().join("new").exists(), "{refused}");
    }
}

#[test]
fn a_manifest_that_was_removed_is_made_again() {
    let folder = solved("solve --board 4x4");
    let manifest = folder.path().join("manifest.json");
    fs::remove_file(&manifest).unwrap();
    let output = run("verify", folder.path());
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("manifest.json: there is no manifest: solve again"), "{said}");
    assert_eq!(run("solve --board 4x4", folder.path()).status.code(), Some(0));
    assert_eq!(run("verify", folder.path()).status.code(), Some(0));
}
