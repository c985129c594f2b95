//! Solving into tables: whatever happens on the way, the tables are the same.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use strong4::board::{Player, Status, Tier};
use strong4::inside::index::Index;
use strong4::inside::random::SplitMix64;
use strong4::inside::sweep::{Cpu, Outcomes, Scope};
use strong4::inside::table::Tables;
use strong4::inside::tabulate::HORIZON;
use tempfile::tempdir;

use crate::files::tables_in;
use crate::index::cells;
use crate::program::{
    Ran, assert_refused, command, json_lines, signal, solved, started, strong4, strong4_on,
    succeeds,
};
use crate::table::build::probe;

/// Checks what a finished run leaves: tables, a manifest, the lock, and what it was told to keep.
fn is_tidy(folder: &Path, has_start: bool) {
    let found = fs::read_dir(folder).unwrap().count();
    let tables = tables_in(folder).len();
    assert_eq!(found, tables + 2 + usize::from(has_start), "tables, manifest, lock");
    assert_eq!(folder.join("scratch").exists(), has_start);
}

/// The files in a folder of working files.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.file_name().unwrap() != "lock").collect();
    files.sort();
    files
}

/// Starts a run, and kills it once this many batches are done.
fn killed(arguments: &str, folder: &Path, batches: usize) {
    let mut child = started(&format!("{arguments} --checkpoint 0 --quiet"), folder);
    let run = folder.join("run");
    let pieces = || {
        let files = fs::read_dir(&run).into_iter().flatten().flatten();
        files.filter(|file| file.path().extension().is_some_and(|end| end == "piece")).count()
    };
    while !run.join("run.json").exists() || pieces() < batches {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Kills a run at random moments until it ends, where a whole run takes this long. Returns the
/// number of kills.
pub fn killed_at_random(arguments: &str, folder: &Path, whole: Duration) -> u64 {
    let whole = whole.as_millis() as u64;
    let (mut kills, mut random) = (0, SplitMix64(1));
    loop {
        let mut child = started(&format!("{arguments} --checkpoint 0 --quiet"), folder);
        // Later and later, so that it ends on any machine.
        thread::sleep(Duration::from_millis(random.below(whole / 6 + whole / 20 * kills + 1)));
        let finished = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        let status = child.wait().unwrap();
        if finished {
            assert!(status.success());
            return kills;
        }
        kills += 1;
    }
}

#[test]
fn tables_know_every_cell_that_is_quiet_and_not_near_the_end() {
    tables_know_every_cell(["5x4", "7x3", "3x6", "2x9"]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn tables_know_every_cell_of_larger_boards() {
    tables_know_every_cell(["4x5", "6x4"]);
}

fn tables_know_every_cell<const N: usize>(boards: [&str; N]) {
    for board in boards {
        let folder = solved(&format!("--board {board}"));
        is_tidy(folder.path(), false);
        let index = Index::new(board.parse().unwrap()).unwrap();
        let tables = Tables::open(folder.path(), index.census());
        let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::EveryCell).unwrap();
        let mut looked_up = 0;
        let is_stored = |tier: &Tier| !HORIZON.reaches(index.board(), *tier);
        let tiers = index.census().tiers().filter(is_stored);
        for cell in tiers.flat_map(|tier| cells(&index, tier)) {
            let position = index.unrank(cell);
            if position.validate().is_ok() && position.is_quiet() {
                looked_up += 1;
                let expected = outcomes.outcome(cell);
                assert_eq!(tables.outcome(cell).unwrap(), expected, "{cell:?}");
            }
        }
        assert!(looked_up > 0, "on {board}");
    }
}

#[test]
fn tables_and_a_little_search_know_every_position() {
    tables_and_a_little_search_know([("4x4", 1), ("3x6", 1), ("5x4", 23)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn tables_and_a_little_search_know_positions_of_larger_boards() {
    tables_and_a_little_search_know([("6x4", 1009), ("7x3", 101)]);
}

/// Looks up every `step`th cell of each tier.
fn tables_and_a_little_search_know<const N: usize>(boards: [(&str, usize); N]) {
    for (board, step) in boards {
        let folder = solved(&format!("--board {board}"));
        let index = Index::new(board.parse().unwrap()).unwrap();
        let mut probe = probe(index.board(), folder.path());
        let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::EveryCell).unwrap();
        let mut sources = HashSet::new();
        for tier in index.census().tiers() {
            let cells = index.census().stored_cells(tier);
            for offset in (0..cells).step_by(step) {
                let cell = index.cell_at(tier, offset).unwrap();
                let position = index.unrank(cell);
                if position.validate().is_ok() && position.status() != Status::Won(Player::First) {
                    let (outcome, source) = probe.outcome(&position).unwrap();
                    assert_eq!(outcome, outcomes.outcome(cell), "{source:?}\n{position}");
                    let mirrored = probe.outcome(&position.mirror()).unwrap();
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
    tables_are_the_same_however_they_are_made("7x3");
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn tables_of_a_larger_board_are_the_same_for_any_number_of_threads_and_any_processor() {
    tables_are_the_same_however_they_are_made("6x4");
}

fn tables_are_the_same_however_they_are_made(board: &str) {
    let expected = tables_in(solved(&format!("--board {board} --threads 1")).path());
    let cpus = Cpu::all().map(|cpu| format!("--threads 2 --cpu {cpu}"));
    for how in cpus.chain(["--threads 5".to_owned()]) {
        let folder = solved(&format!("--board {board} {how}"));
        assert!(tables_in(folder.path()) == expected, "{board} {how}");
    }
}

#[test]
fn two_runs_make_the_same_tables_as_one() {
    runs_make_the_same_tables_as_one("5x5", 25);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn two_runs_of_an_even_board_make_the_same_tables_as_one() {
    runs_make_the_same_tables_as_one("6x4", 24);
}

fn runs_make_the_same_tables_as_one(board: &str, last: u8) {
    let whole = solved(&format!("--board {board}"));
    let folder = solved(&format!("--board {board} --tiers 9..{last}"));
    is_tidy(folder.path(), true);
    let parts = tables_in(folder.path());
    succeeds(&format!("solve --board {board} --tiers 4..8"), folder.path());
    assert!(parts.iter().all(|(name, bytes)| tables_in(folder.path())[name] == *bytes));
    succeeds(&format!("solve --board {board}"), folder.path());
    assert!(tables_in(folder.path()) == tables_in(whole.path()));
    is_tidy(folder.path(), false);
    // Nothing remains to be done, and nothing is done.
    let lines = succeeds(&format!("solve --board {board} --json"), folder.path());
    assert_eq!(lines.lines().count(), tables_in(whole.path()).len());
}

#[test]
fn tiers_that_follow_from_a_missing_one_name_those_to_ask_for() {
    let folder = tempdir().unwrap();
    let ran = strong4_on("solve --board 6x4 --tiers 0..9", folder.path());
    assert_refused(&ran, "tier 9 follows from tier 10");
    assert_refused(&ran, "the same command with --tiers 0..24");
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_tables() {
    killed_runs_end_with_the_same_tables("7x4", 3);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn a_run_of_a_single_batch_that_is_killed_ends_with_the_same_tables() {
    killed_runs_end_with_the_same_tables("5x5", 0);
}

/// Kills a run when 0, 1 and 2 batches are done, but at most `batches`; then at random.
fn killed_runs_end_with_the_same_tables(board: &str, batches: usize) {
    let arguments = format!("solve --board {board}");
    let start = Instant::now();
    let expected = tables_in(solved(&format!("--board {board}")).path());
    let whole = start.elapsed();
    let folder = tempdir().unwrap();
    for kills in 0..3 {
        killed(&arguments, folder.path(), kills.min(batches));
    }
    let kills = 3 + killed_at_random(&arguments, folder.path(), whole);
    assert!(tables_in(folder.path()) == expected, "{board} after {kills} kills");
    is_tidy(folder.path(), false);
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_what_to_do_and_exits_with_130() {
    let folder = tempdir().unwrap();
    let child = started("solve --board 7x4 --quiet", folder.path());
    while !folder.path().join("run/run.json").exists() {
        thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("strong4: stopped") && said.contains("the same command"), "{said}");
    assert_eq!(said.lines().count(), 1);
    succeeds("solve --board 7x4 --quiet", folder.path());
    assert!(tables_in(folder.path()) == tables_in(solved("--board 7x4").path()));
}

#[test]
fn a_run_that_was_stopped_belongs_to_its_tiers_and_board() {
    let folder = tempdir().unwrap();
    killed("solve --board 7x4", folder.path(), 1);
    for other in ["--board 6x4", "--board 7x4 --tiers 5..28", "--board 7x4 --every-cell"] {
        let ran = strong4_on(&format!("solve {other}"), folder.path());
        assert_refused(&ran, "of 7x4 that does not sweep every cell: finish it with");
        assert_refused(&ran, "finish it with --board 7x4 --tiers 0..28, or drop it");
    }
    // It can be dropped as the messages say.
    fs::remove_file(folder.path().join("run/run.json")).unwrap();
    succeeds("solve --board 6x4", folder.path());
    assert!(tables_in(folder.path()) == tables_in(solved("--board 6x4").path()));
    assert!(!folder.path().join("run").exists());
}

#[test]
fn processes_that_work_on_the_same_run_make_the_same_tables() {
    processes_make_the_same_tables([("7x4", 3)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn more_processes_that_work_on_the_same_run_make_the_same_tables() {
    processes_make_the_same_tables([("7x4", 0), ("6x5", 2)]);
}

fn processes_make_the_same_tables<const N: usize>(boards: [(&str, u64); N]) {
    for (board, kills) in boards {
        let expected = tables_in(solved(&format!("--board {board}")).path());
        let folder = tempdir().unwrap();
        let arguments = format!("solve --board {board} --threads 1 --checkpoint 0 --quiet");
        let start = || started(&arguments, folder.path());
        let mut children: Vec<_> = (0..3).map(|_| start()).collect();
        for kill in 0..kills {
            thread::sleep(Duration::from_millis(120 + 70 * kill));
            let mut child = children.remove(0);
            child.kill().unwrap();
            child.wait().unwrap();
            children.push(start());
        }
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(tables_in(folder.path()) == expected, "{board} after {kills} kills");
        is_tidy(folder.path(), false);
    }
}

#[test]
fn status_shows_the_progress_of_a_run() {
    let folder = tempdir().unwrap();
    killed("solve --board 7x4", folder.path(), 2);
    let json = || json_lines(&strong4_on("status --board 7x4 --json", folder.path())).remove(0);
    let status = json();
    let run_status = &status["run"];
    let number = |name: &str| run_status[name].as_u64().unwrap();
    assert_eq!((&run_status["board"], number("first"), number("last")), (&"7x4".into(), 0, 28));
    assert!(0 < number("cells_done") && number("cells_done") < number("cells"));
    assert!(2 <= number("batches_done") && number("batches_done") < number("batches"));
    assert!(run_status["at_work"].as_array().unwrap().is_empty());
    assert!(number("next_batch") < number("batches"));
    let text = strong4_on("status --board 7x4", folder.path()).stdout;
    assert!(text.contains("run         tiers 0..28: "), "{text}");
    let next = text.lines().last().unwrap().strip_prefix("next        strong4 ").unwrap();
    let ran = strong4(next);
    assert_eq!(ran.code, 0, "{next}: {ran:?}");
    let status = json();
    assert!(status["run"].is_null() && status["missing"].as_array().unwrap().is_empty());
}

#[test]
fn a_run_file_that_was_edited_is_refused() {
    let stopped = tempdir().unwrap();
    killed("solve --board 7x4", stopped.path(), 1);
    let path = stopped.path().join("run/run.json");
    let text = fs::read_to_string(&path).unwrap();
    let edits = [
        ("\"board\": \"7x4\"", "\"board\": \"7x5\""),
        ("\"first\": 0", "\"first\": 1"),
        ("\"last\": 28", "\"last\": 27"),
        ("\"end\": 28", "\"end\": 26"),
        ("false", "true"),
        ("\"batches\": ", "\"batches\": 9999"),
        ("\"cells\": ", "\"cells\": 1"),
        ("\"format\": 1", "\"format\": 7"),
        ("strong4 0", "strong4 9"),
        ("{", "["),
    ];
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let ran = strong4_on("solve --board 7x4", stopped.path());
        assert_eq!(ran.code, 2, "{to}");
        let said = ran.stderr;
        assert!(said.contains("run.json cannot be read: "), "{said}");
        assert!(said.contains("remove it and give the same command again"), "{said}");
        let status = strong4_on("status --board 7x4", stopped.path());
        assert_eq!(status.code, 2, "{status:?}");
    }
}

#[test]
fn a_damaged_start_is_reported_and_never_believed() {
    damage_to_the_start_is_told([(0.5, MANY_TILES)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn damage_at_the_ends_of_a_start_is_reported() {
    damage_to_the_start_is_told([(0.001, MANY_TILES), (0.999, 1)]);
}

/// The bytes of more tiles than stand next to each other without being read: a tile that is won
/// across the centre reads none of those that were handed on to it.
const MANY_TILES: usize = 20_000;

/// Changes bytes at places of a file, given as shares of its length.
fn damage_to_the_start_is_told<const N: usize>(damage: [(f64, usize); N]) {
    let whole = solved("--board 6x4");
    for (place, bytes) in damage {
        let folder = solved("--board 6x4 --tiers 9..24");
        let files = files(&folder.path().join("scratch/6x4"));
        let largest = files.iter().max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
        let content = fs::read(largest).unwrap();
        let mut changed = content.clone();
        let at = (content.len() as f64 * place) as usize;
        changed[at..at + bytes].iter_mut().for_each(|byte| *byte ^= 0x41);
        for harm in [&changed[..], &content[..content.len() / 2], &[]] {
            fs::write(largest, harm).unwrap();
            let ran = strong4_on("solve --board 6x4", folder.path());
            assert_eq!(ran.code, 2);
            assert!(ran.stderr.contains("damaged"), "{}", ran.stderr);
        }
        if files.len() > 1 {
            // A file that belongs to another batch.
            fs::copy(files.iter().find(|file| *file != largest).unwrap(), largest).unwrap();
            let ran = strong4_on("solve --board 6x4", folder.path());
            assert!(ran.stderr.contains("expected a file of batch"), "{}", ran.stderr);
        }
        // Without the file, the message asks for all tiers, and that helps.
        fs::remove_file(largest).unwrap();
        succeeds("solve --board 6x4", folder.path());
        for entry in files.iter().filter(|file| file.exists()) {
            fs::remove_file(entry).unwrap();
        }
        succeeds("solve --board 6x4", folder.path());
        assert!(tables_in(folder.path()) == tables_in(whole.path()));
    }
}

#[test]
fn two_boards_share_a_folder_of_working_files() {
    let scratch = tempdir().unwrap();
    let solve = |arguments: &str, tables: &Path| {
        let scratch = scratch.path().display();
        succeeds(&format!("solve --board {arguments} --scratch {scratch}"), tables)
    };
    let folders = [tempdir().unwrap(), tempdir().unwrap()];
    let boards = [("5x4", "9..20"), ("4x5", "7..20")];
    for ((board, tiers), folder) in boards.iter().zip(&folders) {
        solve(&format!("{board} --tiers {tiers}"), folder.path());
    }
    for ((board, _), folder) in boards.iter().zip(&folders) {
        solve(board, folder.path());
        let whole = solved(&format!("--board {board}"));
        assert!(tables_in(folder.path()) == tables_in(whole.path()));
    }
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0, "nothing remains");
}

#[test]
fn tables_and_working_files_may_be_in_the_same_folder() {
    let expected = tables_in(solved("--board 5x4").path());
    let home = tempdir().unwrap();
    let link = home.path().join("link");
    fs::create_dir(home.path().join("t1")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("t1", &link).unwrap();
    let scratches = ["t1", "./t1", "t1/../t1", "link"];
    for scratch in scratches.into_iter().filter(|name| *name != "link" || link.exists()) {
        let mut solve = command(&["solve", "--board", "5x4", "--tables", "t1"]);
        solve.args(["--scratch", scratch]).current_dir(home.path()).assert().success();
        assert!(tables_in(&home.path().join("t1")) == expected);
        for file in files(&home.path().join("t1")) {
            fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let folder = tempdir().unwrap();
    let ran = strong4_on("solve --board 5x4 --mem 1MiB", folder.path());
    assert_eq!(ran.code, 2);
    assert!(tables_in(folder.path()).is_empty());
    let said = ran.stderr;
    let why = "MiB of memory, and 1.0 MiB may be used: allow it with --mem ";
    assert!(said.contains(why), "{said}");
    assert!(!folder.path().join("run").exists() && !folder.path().join("scratch").exists());
    // The memory that it asks for is enough.
    let enough = said.split_once("--mem ").unwrap().1.split_once(',').unwrap().0;
    succeeds(&format!("solve --board 5x4 --mem {enough}"), folder.path());
    // Folders that do not exist are not created for it.
    let new = folder.path().join("new/tables");
    for refused in ["solve --board 7x5 --mem 1MiB", "solve --board 5x4 --tiers 0..3"] {
        assert_eq!(strong4_on(refused, &new).code, 2, "{refused}");
        assert!(!folder.path().join("new").exists(), "{refused}");
    }
}

/// The line of `status` that begins with this word.
fn status(folder: &Path, word: &str) -> String {
    let said = strong4_on("status", folder).stdout;
    let line = said.lines().find(|line| line.starts_with(word)).unwrap();
    line[word.len()..].trim().to_owned()
}

/// Tables are there, and the manifest does not list them as they are: all commands say so, and
/// `solve` makes it again.
#[test]
fn a_manifest_that_does_not_list_the_tables_is_made_again() {
    let folder = solved("--board 4x4 --scores");
    let expected = tables_in(folder.path());
    for (place, scores) in [("manifest.json", ""), ("scores/manifest.json", " --scores")] {
        let path = folder.path().join(place);
        let sound = fs::read_to_string(&path).unwrap();
        let json: serde_json::Value = serde_json::from_str(&sound).unwrap();
        let with = |change: &dyn Fn(&mut Vec<serde_json::Value>)| {
            let mut json = json.clone();
            change(json["tiers"].as_array_mut().unwrap());
            json.to_string()
        };
        let manifests = [
            with(&|tiers| tiers.clear()),
            with(&|tiers| _ = tiers.remove(0)),
            with(&|tiers| _ = tiers.remove(8)),
            with(&|tiers| _ = tiers.pop()),
            with(&|tiers| tiers[3]["bytes"] = 7.into()),
            "{".to_owned(),
            String::new(),
        ];
        for manifest in manifests {
            fs::write(&path, &manifest).unwrap();
            let next = format!("strong4 solve --board 4x4 --tables {}", folder.path().display());
            assert_eq!(status(folder.path(), "next"), next + scores, "{manifest}");
            assert_eq!(strong4_on("verify", folder.path()).code, 1, "{manifest}");
            let ran = strong4_on("solve --board 4x4 --scores", folder.path());
            assert_eq!(ran.code, 0, "{manifest}: {}", ran.stderr);
            assert!(ran.stderr.contains("manifest.json is made again"), "{}", ran.stderr);
            assert_eq!(strong4_on("verify", folder.path()).code, 0, "{manifest}");
            assert!(status(folder.path(), "next").starts_with("strong4 verify"), "{manifest}");
            assert!(tables_in(folder.path()) == expected, "{manifest}");
        }
        fs::remove_file(&path).unwrap();
        let ran = strong4_on("verify", folder.path());
        assert_eq!(ran.code, 1);
        assert!(ran.stdout.contains("manifest.json: there is no manifest: solve again"), "{ran:?}");
        succeeds("solve --board 4x4 --scores", folder.path());
        succeeds("verify", folder.path());
        // Times are kept where they are known.
        fs::write(&path, with(&|tiers| tiers[9]["seconds"] = 1234.5.into())).unwrap();
        let less = with(&|tiers| {
            tiers[9]["seconds"] = 1234.5.into();
            tiers.remove(2);
        });
        fs::write(&path, less).unwrap();
        strong4_on("solve --board 4x4 --scores --quiet", folder.path());
        assert!(fs::read_to_string(&path).unwrap().contains("\"seconds\": 1234.5"), "{place}");
    }
}

/// What `solve` finds wrong with tables that are there, before it begins the others, and what it says
/// that it has not read.
#[test]
fn tables_that_are_there_are_looked_at() {
    let folder = solved("--board 6x4 --tiers 9..24");
    let path = folder.path().join("tier-09.s4t");
    let sound = fs::read(&path).unwrap();
    let foreign = fs::read(solved("--board 5x4").path().join("tier-09.s4t")).unwrap();
    let solve = || {
        let Ran { code, stderr, .. } = strong4_on("solve --board 6x4", folder.path());
        (code, stderr)
    };
    let with = |at: usize| {
        let mut damaged = sound.clone();
        damaged[at] ^= 1;
        damaged
    };
    let (header, index, last) = (70, 512 + 20, sound.len() - 1);
    for is_complete in [false, true] {
        for damaged in [with(header), with(index), sound[..last].to_vec(), Vec::new()] {
            fs::write(&path, &damaged).unwrap();
            let (code, said) = solve();
            assert_eq!(code, 1, "{said}");
            assert!(said.contains("tier-09.s4t: ") && said.contains("solve again"), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        fs::write(&path, &foreign).unwrap();
        let (code, said) = solve();
        assert!(code == 2 && said.contains("tier-09.s4t: "), "{said}");
        assert!(!folder.path().join("run").exists(), "nothing was begun");
        fs::write(&path, &sound).unwrap();
        if !is_complete {
            assert_eq!(solve().0, 0);
        }
    }
    // Blocks are for `verify` to read.
    fs::write(&path, with(last)).unwrap();
    let (code, said) = solve();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("their blocks were not read: 'strong4 verify --board 6x4"), "{said}");
    assert_eq!(strong4_on("verify", folder.path()).code, 1);
    fs::write(&path, &sound).unwrap();
    assert_eq!(strong4_on("verify", folder.path()).code, 0);
}
