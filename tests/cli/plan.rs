//! Planned runs: whoever solves the parts, in whatever order and however often, the tables are the
//! same as those of one process.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::files::tables_in;
use crate::program::{assert_refused, solved, started, strong4, strong4_on, succeeds};

/// A board whose run has several batches, in three stages.
const BOARD: &str = "7x4";

/// What one process makes of the board of most tests.
static ALONE: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| alone(BOARD));

fn alone(board: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    tables_in(solved(&format!("--board {board}")).path())
}

/// A folder with a planned run, and its parts.
fn planned(board: &str) -> (TempDir, Vec<Value>) {
    let folder = tempdir().unwrap();
    succeeds(&format!("plan --board {board} --parts 8 --make --quiet"), folder.path());
    let plan = succeeds(&format!("plan --board {board} --json"), folder.path());
    let plan: Value = serde_json::from_str(&plan).unwrap();
    (folder, plan["parts"].as_array().unwrap().clone())
}

/// Puts the tables together, and compares them.
#[track_caller]
fn ends_with(board: &str, folder: &Path, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    succeeds(&format!("solve --board {board} --part tables --quiet"), folder);
    assert!(tables_in(folder) == *expected, "other tables of {board}");
    assert!(!folder.join("run").exists() && !folder.join("scratch").exists());
}

fn number(part: &Value) -> u64 {
    part["part"].as_u64().unwrap()
}

fn part(number: u64) -> String {
    format!("solve --board {BOARD} --part {number} --quiet")
}

#[test]
fn parts_in_another_order_by_other_processors_make_the_same_tables() {
    for board in [BOARD, "5x4", "4x4", "6x4"] {
        let expected = alone(board);
        let (folder, parts) = planned(board);
        assert!(board != BOARD || parts.len() >= 5, "{}", parts.len());
        // From the last one: each is told to wait until all that it needs is there.
        while !parts.iter().rev().fold(true, |all, part| {
            let solve = format!("solve --board {board} --part {} --cpu portable", number(part));
            all & (strong4_on(&solve, folder.path()).code == 0)
        }) {}
        ends_with(board, folder.path(), &expected);
    }
}

#[test]
fn parts_that_are_killed_and_run_twice_at_once_make_the_same_tables() {
    let (folder, parts) = planned(BOARD);
    for (round, number) in parts.iter().map(number).enumerate() {
        let mut killed = started(&part(number), folder.path());
        thread::sleep(Duration::from_millis(150 + 60 * round as u64));
        let mut other = started(&part(number), folder.path());
        killed.kill().unwrap();
        killed.wait().unwrap();
        let mut third = started(&part(number), folder.path());
        assert!(other.wait().unwrap().success() && third.wait().unwrap().success());
        let told = succeeds(&part(number), folder.path());
        assert!(told.starts_with(&format!("part {number} of ")) && told.contains("was done"));
    }
    ends_with(BOARD, folder.path(), &ALONE);
}

#[test]
fn whoever_names_no_part_finishes_a_planned_run() {
    let (folder, _) = planned(BOARD);
    succeeds(&part(1), folder.path());
    let mut others: Vec<Child> =
        (1..3).map(|number| started(&part(number), folder.path())).collect();
    succeeds(&format!("solve --board {BOARD} --quiet"), folder.path());
    assert!(others.iter_mut().all(|other| other.wait().unwrap().success()));
    assert!(tables_in(folder.path()) == *ALONE);
    let told = succeeds(&part(4), folder.path());
    assert_eq!(told, "nothing remains to be done: all tables are there\n");
}

#[test]
fn what_is_missing_is_named_with_the_command_that_makes_it() {
    let (folder, parts) = planned(BOARD);
    let last = parts.last().unwrap();
    let before = last["needs"][0].as_u64().unwrap();
    let ran = strong4_on(&part(number(last)), folder.path());
    assert_refused(&ran, &format!("part {} needs part {before}, which is not done", number(last)));
    assert!(ran.stderr.contains(".piece is missing: 'strong4 solve --board 7x4 "), "{ran:?}");
    assert!(ran.stderr.ends_with(&format!(" --part {before}' makes it\n")), "{ran:?}");

    parts.iter().for_each(|of| drop(succeeds(&part(number(of)), folder.path())));
    let pieces =
        fs::read_dir(folder.path().join("run")).unwrap().map(|entry| entry.unwrap().path());
    let is_piece = |path: &PathBuf| path.extension().is_some_and(|end| end == "piece");
    let piece = pieces.filter(is_piece).max().unwrap();
    let sound = fs::read(&piece).unwrap();
    fs::remove_file(&piece).unwrap();
    let ran = strong4_on(&format!("solve --board {BOARD} --part tables"), folder.path());
    assert_refused(&ran, &format!("the tables need part {}, which is not done", number(last)));
    assert!(ran.stderr.contains(piece.to_str().unwrap()), "{ran:?}");

    // Half of a piece is no piece, whatever its name.
    fs::write(&piece, &sound[..sound.len() / 2]).unwrap();
    let half = piece.with_extension("piece.0123456789abcdef.new");
    fs::write(&half, &sound[..sound.len() / 2]).unwrap();
    for what in [part(number(last)), format!("solve --board {BOARD} --part tables")] {
        let ran = strong4_on(&what, folder.path());
        assert_refused(&ran, "remove it and give the same command again");
        assert!(ran.stderr.contains(piece.to_str().unwrap()), "{ran:?}");
    }
    fs::remove_file(&piece).unwrap();
    // What it was made of is gone; all is made again by whoever sees to the whole run.
    let ran = strong4_on(&part(number(last)), folder.path());
    assert_refused(&ran, &format!(".kept is lost, which part {before} made: 'strong4 solve"));
    succeeds(&format!("solve --board {BOARD} --quiet"), folder.path());
    assert!(tables_in(folder.path()) == *ALONE);
    assert!(!folder.path().join("run").exists() && !folder.path().join("scratch").exists());
}

/// A process that is killed leaves what it was writing; the next one for that part removes it.
#[test]
fn what_nobody_goes_on_writing_is_removed() {
    // The batch of the first part, as another run shows, and one of another part.
    let (twin, _) = planned(BOARD);
    succeeds(&part(1), twin.path());
    let is_done = |batch: &&u32| twin.path().join(format!("run/{batch:03}.piece")).exists();
    let [ours, others] = [true, false].map(|done| (0..4).find(|batch| is_done(&batch) == done));

    let (folder, _) = planned(BOARD);
    let working = folder.path().join("scratch").join(BOARD);
    let run = folder.path().join("run");
    let left = |batch: Option<u32>| {
        let batch = batch.expect("a batch of this kind");
        [
            run.join(format!("{batch:03}.piece.0123456789abcdef.new")),
            working.join(format!("{batch:03}-004.kept.0123456789abcdef.new")),
        ]
    };
    let (ours, others) = (left(ours), left(others));
    ours.iter().chain(&others).for_each(|file| fs::write(file, "half a file").unwrap());
    succeeds(&part(1), folder.path());
    assert!(ours.iter().all(|file| !file.exists()) && others.iter().all(|file| file.exists()));
}

/// Times of files may be of any clock, and what parts hand on to others may be lost.
#[test]
fn files_that_are_lost_before_they_are_read_are_made_again() {
    let (folder, parts) = planned(BOARD);
    let (last, rest) = parts.split_last().unwrap();
    rest.iter().for_each(|of| drop(succeeds(&part(number(of)), folder.path())));
    let working = folder.path().join("scratch").join(BOARD);
    for file in [&working, &folder.path().join("run")] {
        for (hour, entry) in fs::read_dir(file).unwrap().enumerate() {
            let file = fs::File::options().append(true).open(entry.unwrap().path()).unwrap();
            let time = std::time::UNIX_EPOCH + Duration::from_secs(3600 * hour as u64);
            file.set_modified(time).unwrap();
        }
    }
    let kept = fs::read_dir(&working).unwrap().map(|entry| entry.unwrap().path());
    let kept = kept.filter(|path| path.extension().is_some_and(|end| end == "kept")).max().unwrap();
    fs::remove_file(&kept).unwrap();
    let ran = strong4_on(&part(number(last)), folder.path());
    assert_refused(&ran, kept.to_str().unwrap());
    assert!(ran.stderr.contains(".kept is lost, which part "), "{ran:?}");
    let command = ran.stderr.split('\'').nth(1).unwrap().strip_prefix("strong4 ").unwrap();
    let ran = strong4(command);
    assert!(ran.code == 0 && tables_in(folder.path()) == *ALONE, "{command}: {ran:?}");
}

#[test]
fn status_tells_which_parts_are_done_and_what_comes_next() {
    let (folder, parts) = planned(BOARD);
    let status = || {
        let ran = strong4_on(&format!("status --board {BOARD} --json"), folder.path());
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    for done in 0..=parts.len() {
        let status = status();
        let plan = &status["run"]["plan"];
        assert_eq!(plan["done"].as_u64(), Some(done as u64), "{plan}");
        assert_eq!(plan["parts"].as_u64(), Some(parts.len() as u64));
        let (ready, waiting) = (plan["ready"].as_array().unwrap(), plan["waiting"].as_u64());
        assert_eq!(done + ready.len() + waiting.unwrap() as usize, parts.len(), "{plan}");
        let next = status["next"].as_str().unwrap();
        let what = next.rsplit_once(" --part ").unwrap().1;
        assert_eq!(what == "tables", done == parts.len(), "{next}");
        let ran = strong4(next.strip_prefix("strong4 ").unwrap());
        assert_eq!(ran.code, 0, "{next}: {ran:?}");
    }
    assert!(status()["run"].is_null());
    let text = strong4_on(&format!("status --board {BOARD}"), planned(BOARD).0.path()).stdout;
    assert!(text.contains("\nplan        0 of 5 parts done, ready 1..2, 3 waiting\n"), "{text}");
}

/// Three processes at a time, as `make` starts them.
#[cfg(unix)]
#[test]
fn make_solves_a_board_in_a_folder_with_any_name() {
    if Command::new("make").arg("--version").output().is_err() {
        return; // Not every machine has make.
    }
    let home = tempdir().unwrap();
    let folder = home.path().join("it's a $HOME #1");
    let makefile = succeeds(&format!("plan --board {BOARD} --parts 8 --make --quiet"), &folder);
    fs::write(home.path().join("plan.mk"), makefile).unwrap();
    let make = || {
        let mut make = Command::new("make");
        make.args(["--silent", "--jobs", "3", "--file", "plan.mk"]).current_dir(home.path());
        make.env_remove("MAKEFLAGS").output().unwrap()
    };
    let made = make();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(
        String::from_utf8_lossy(&made.stderr).contains("29 tables of 7x4 are as they were written")
    );
    assert!(tables_in(&folder) == *ALONE);
    assert!(make().status.success(), "again, with nothing more to do");
}

/// A script for Slurm is run with an `sbatch` that starts each job at once. The job for the tables
/// does not see the last piece at first, as on a shared disk, and waits with a `sleep` that ends at
/// once.
#[cfg(unix)]
#[test]
fn a_script_for_slurm_submits_every_part_once_and_in_order() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempdir().unwrap();
    let program = |name: &str, text: &str| {
        let file = home.path().join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program(
        "sleep",
        "#!/bin/sh\n\
         [ \"$1\" = 65 ] && mv unseen \"$(cat piece)\" && echo \"$1\" >> slept\n",
    );
    program(
        "sbatch",
        "#!/bin/sh\n\
         cat > job\n\
         for word; do case $word in\n\
             --array=*) array=${word#--array=} ;;\n\
             --mem=*M) SLURM_MEM_PER_NODE=${word#--mem=}; export SLURM_MEM_PER_NODE=${SLURM_MEM_PER_NODE%M} ;;\n\
             --dependency=*) echo \"${word#*=}\" >> dependencies ;;\n\
         esac; done\n\
         for number in $(seq ${array%-*} ${array#*-}); do\n\
             echo $number >> parts\n\
             SLURM_ARRAY_TASK_ID=$number sh ./job >&2 || exit\n\
         done\n\
         [ -n \"$array\" ] || {\n\
             for piece in it*/run/*.piece; do :; done\n\
             echo \"$piece\" > piece && mv \"$piece\" unseen && sh ./job >&2 || exit\n\
         }\n\
         echo $((100 + $(cat parts | wc -l)))\\;cluster\n",
    );
    let folder = home.path().join("it's a \"board\"");
    let script = succeeds(&format!("plan --board {BOARD} --parts 8 --slurm --quiet"), &folder);
    let search = format!("{}:{}", home.path().display(), std::env::var("PATH").unwrap());
    let mut sh = Command::new("sh");
    sh.args(["-c", &script]).current_dir(home.path()).env("PATH", search);
    let ran = sh.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let lines = |name| fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!(lines("parts"), "1\n2\n3\n4\n5\n");
    assert_eq!(lines("slept"), "65\n");
    assert_eq!(lines("dependencies"), "afterok:102\nafterok:104\nafterok:105\n");
    assert!(tables_in(&folder) == *ALONE);
}

#[test]
fn plans_are_made_of_boards_that_no_machine_here_could_solve() {
    for board in ["8x6", "7x7"] {
        let folder = tempdir().unwrap();
        let plan = succeeds(&format!("plan --board {board} --parts 200 --json"), folder.path());
        let plan: Value = serde_json::from_str(&plan).unwrap();
        let parts = plan["parts"].as_array().unwrap();
        assert!((100..300).contains(&parts.len()), "{board}: {} parts", parts.len());
        let (work, path) = (plan["core_seconds"].as_f64(), plan["longest_path"].as_f64());
        assert!(path.unwrap() < work.unwrap() / 7.0, "{board}: {path:?} of {work:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is begun");
    }
}

#[test]
fn what_makes_no_plan_is_refused() {
    let (folder, _) = planned("5x4");
    for (arguments, reason) in [
        ("plan --board 5x4 --parts 0", "expected a whole number from 1 to 1000"),
        ("plan --board 5x4 --parts 1001", "expected a whole number from 1 to 1000"),
        (
            "plan --board 5x4 --parts 3 --make",
            "cuts the run into 8 parts, not 3: leave out --parts",
        ),
        ("plan --board 5x4 --make --slurm", "cannot be used with"),
        ("plan --board 5x4 --make --json", "cannot be used with"),
        ("plan --board 4x4 --make", "unfinished run over tiers 0..20 of 5x4"),
        ("solve --board 5x4 --part 2", "the run has parts 1 to 1, and no part 2"),
        ("solve --board 5x4 --part 0", "'0' is not a part"),
        ("solve --board 5x4 --part -1", "'-1' is not a part"),
        ("solve --board 5x4 --part all", "'all' is not a part"),
        ("solve --board 5x4 --part 1 --scores", "cannot be used with"),
        ("solve --board 5x4 --part 1 --mem 1MiB", "of memory, and 1.0 MiB may be used"),
    ] {
        assert_refused(&strong4_on(arguments, folder.path()), reason);
    }
    let other = tempdir().unwrap();
    for what in ["1", "tables"] {
        let ran = strong4_on(&format!("solve --board 5x4 --part {what}"), other.path());
        assert_refused(&ran, "no run over 5x4 is planned in ");
    }
    let plan = folder.path().join("run/plan.json");
    fs::write(&plan, "{}").unwrap();
    for what in ["solve --board 5x4 --part 1", "status --board 5x4", "plan --board 5x4 --slurm"] {
        assert_refused(&strong4_on(what, folder.path()), "plan.json cannot be read: ");
    }
    fs::remove_file(&plan).unwrap();
    succeeds("plan --board 5x4 --parts 2 --slurm --quiet", folder.path());
    succeeds("solve --board 5x4 --quiet", folder.path());
    let told = succeeds("plan --board 5x4 --slurm --quiet", folder.path());
    assert_eq!(told, "# All tables are there.\n");
}
