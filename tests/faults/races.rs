//! Processes that work on the same run, each stopped where it makes, enters or removes folders
//! while another goes on: all of them end well, and leave the tables and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use strong4::inside::random::SplitMix64;
use tempfile::{TempDir, tempdir};

use super::{BOUND, Deed, Fault, program, shim, traced, wait};
use crate::files::files_below;

/// The calls at which a folder can be made, entered, found empty, or removed under another process.
const ON_FOLDERS: &str = "mkdir,rmdir,opendir,lock,create,unlink,rename";

/// How long to wait for a process that may be waiting for one that is stopped.
const MOMENT: Duration = Duration::from_millis(150);

/// A folder, with its real name.
pub fn folder() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    (folder, path)
}

/// What a run has left in a folder: no folder is empty.
pub fn left_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_below(folder);
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        assert!(!entry.is_dir() || !files_below(&entry).is_empty(), "{} is left", entry.display());
    }
    files
}

/// What a single process makes.
pub fn expected(arguments: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let (_folder, path) = folder();
    let tables = path.join("tables");
    let mut child = start(arguments, &tables, None, &path);
    assert!(wait(&mut child).is_some_and(|status| status.success()));
    left_in(&tables)
}

/// Starts `solve`, perhaps to stop at one of the calls.
fn start(arguments: &[&str], tables: &Path, stop: Option<(usize, &Path)>, home: &Path) -> Child {
    let mut command = program(arguments);
    command.arg("--quiet").arg("--tables").arg(tables);
    if let Some((at, file)) = stop {
        let deed = Deed::Pause(file.to_owned());
        Fault { calls: ON_FOLDERS, at, from_then_on: false, deed }.inject(&mut command, tables);
    }
    let said = fs::File::options().create(true).append(true).open(home.join("said")).unwrap();
    command.stdout(Stdio::null()).stderr(said).spawn().unwrap()
}

/// Waits until a process has stopped, or has ended, or has waited for long enough. Whether it has
/// stopped.
fn stops(child: &mut Child, file: &Path, longest: Duration) -> bool {
    let end = Instant::now() + longest;
    while !file.exists() {
        if child.try_wait().unwrap().is_some() || Instant::now() > end {
            return false;
        }
        thread::sleep(Duration::from_micros(500));
    }
    true
}

/// One process is at its call `one`. Another one comes, and gets as far as its call `other`, or to
/// its end. Then the first goes on, and at last the other. Whether both were stopped.
fn meet(
    arguments: &[&str],
    one: usize,
    other: Option<usize>,
    expected: &BTreeMap<PathBuf, Vec<u8>>,
) -> (bool, bool) {
    let (_folder, home) = folder();
    let tables = home.join("tables");
    let [first_file, second_file] = ["first", "second"].map(|name| home.join(name));
    let mut first = start(arguments, &tables, Some((one, &first_file)), &home);
    let first_stops = stops(&mut first, &first_file, BOUND);
    let stop = other.map(|other| (other, second_file.as_path()));
    let mut second = start(arguments, &tables, stop, &home);
    let second_stops = stops(&mut second, &second_file, MOMENT);
    let _ = fs::remove_file(&first_file);
    stops(&mut first, Path::new("never"), MOMENT);
    // It may come to its call only now.
    while stops(&mut second, &second_file, BOUND) {
        fs::remove_file(&second_file).unwrap();
    }
    let ends = [wait(&mut second), wait(&mut first)];
    let said = fs::read_to_string(home.join("said")).unwrap();
    for end in ends {
        let is_well = end.is_some_and(|status| status.success());
        assert!(is_well, "{arguments:?}, {one}, {other:?}: {end:?}: {said}");
    }
    assert!(left_in(&tables) == *expected, "{arguments:?}, {one}, {other:?}");
    (first_stops, second_stops)
}

/// How many of the calls a run makes.
fn calls(arguments: &[&str]) -> usize {
    let (_folder, home) = folder();
    let tables = home.join("tables");
    let mut command = program(arguments);
    command.arg("--quiet").arg("--tables").arg(&tables);
    let (ended, calls) = traced(command, &tables, ON_FOLDERS);
    assert_eq!(ended.code(), Some(0), "{ended:?}");
    calls.len()
}

const OUTCOMES: &[&str] = &["solve", "--board", "3x3"];
const SCORES: &[&str] = &["solve", "--board", "3x3", "--scores"];
const MORE_SCORES: &[&str] = &["solve", "--board", "4x4", "--scores"];

/// Every call in `step` of the first process, and of the other, from some place on.
fn meet_everywhere(arguments: &[&str], steps: [usize; 2], seed: usize) {
    if shim().is_none() {
        return;
    }
    let expected = expected(arguments);
    let all = calls(arguments);
    let places: Vec<usize> = (1 + seed % steps[0]..=all).step_by(steps[0]).collect();
    let next = AtomicUsize::new(0);
    let meet_some = || {
        let (mut both, mut pairs) = (0, 0);
        while let Some(one) = places.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
            meet(arguments, one, None, &expected);
            for other in (1 + (seed + one) % steps[1]..=all).step_by(steps[1]) {
                let (first, second) = meet(arguments, one, Some(other), &expected);
                assert!(first, "{arguments:?}: call {one} of {all} never came");
                both += usize::from(second);
                pairs += 1;
            }
        }
        (both, pairs)
    };
    // Most of the time they wait for each other.
    let (both, pairs) = thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(meet_some));
        let sum = |sum: (usize, usize), some: (usize, usize)| (sum.0 + some.0, sum.1 + some.1);
        threads.map(|thread| thread.join().expect("all end well")).into_iter().fold((0, 0), sum)
    });
    assert!(pairs > 5 && both > 0, "{pairs} pairs, {both} of them stopped");
}

#[test]
fn processes_stopped_at_folders_keep_nobody_from_the_end() {
    meet_everywhere(OUTCOMES, [11, 13], 3);
    meet_everywhere(SCORES, [71, 67], 5);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn processes_stopped_at_any_two_folders_keep_nobody_from_the_end() {
    meet_everywhere(OUTCOMES, [1, 1], 0);
    meet_everywhere(SCORES, [5, 17], 0);
    meet_everywhere(MORE_SCORES, [23, 101], 0);
}

/// Four processes start at random times.
fn four(kind: &str, numbers: &mut SplitMix64, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    let (_folder, home) = folder();
    let tables = home.join("tables");
    let whole: &[&str] = &["solve", "--board", "4x4"];
    let commands: [&[&str]; 4] = match kind {
        "outcomes" => [whole; 4],
        "scores" => [MORE_SCORES; 4],
        "both" => [whole, MORE_SCORES, whole, MORE_SCORES],
        _ => {
            let plan = ["plan", "--board", "4x4", "--make"];
            let mut command = program(&plan);
            command.args(["--quiet", "--tables"]).arg(&tables).stdout(Stdio::null());
            assert!(command.status().unwrap().success());
            let part = |part| ["solve", "--board", "4x4", "--part", part];
            let parts = [part("1"), part("1"), part("1"), part("tables")];
            return four_parts(&parts, kind == "joined", &tables, &home, numbers, expected);
        }
    };
    let children = commands.map(|arguments| {
        thread::sleep(Duration::from_millis(numbers.below(60)));
        start(arguments, &tables, None, &home)
    });
    for mut child in children {
        let end = wait(&mut child);
        let said = fs::read_to_string(home.join("said")).unwrap();
        assert!(end.is_some_and(|status| status.success()), "{kind}: {end:?}: {said}");
    }
    assert!(left_in(&tables) == *expected, "{kind}");
}

/// Runs of small boards have a single part, and the tables are refused until it is done; then all
/// are tried again.
fn four_parts(
    parts: &[[&str; 5]; 4],
    is_joined: bool,
    tables: &Path,
    home: &Path,
    numbers: &mut SplitMix64,
    expected: &BTreeMap<PathBuf, Vec<u8>>,
) {
    for _ in 0..10 {
        let mut whole = is_joined;
        let children = parts.map(|arguments| {
            thread::sleep(Duration::from_millis(numbers.below(40)));
            // One of them solves whatever is there to solve.
            let is_whole = std::mem::take(&mut whole);
            start(&arguments[..if is_whole { 3 } else { 5 }], tables, None, home)
        });
        let ends = children.map(|mut child| wait(&mut child).and_then(|status| status.code()));
        let said = fs::read_to_string(home.join("said")).unwrap();
        for line in said.lines() {
            let is_order = line.contains("which is not done");
            assert!(is_order, "{line}");
        }
        fs::write(home.join("said"), "").unwrap();
        if ends.iter().all(|end| *end == Some(0)) {
            assert!(left_in(tables) == *expected, "parts");
            return;
        }
        assert!(ends.iter().all(|end| matches!(end, Some(0 | 2))), "{ends:?}: {said}");
    }
    panic!("the parts do not come to their end");
}

/// Rounds of all kinds at the same time, so that the processors are busy.
fn rounds(of_each_kind: usize) {
    let (outcomes, scores) = (expected(&["solve", "--board", "4x4"]), expected(MORE_SCORES));
    thread::scope(|scope| {
        for (seed, kind) in (1..).zip(["outcomes", "scores", "both", "parts", "joined"]) {
            let has_scores = ["scores", "both"].contains(&kind);
            let expected = if has_scores { &scores } else { &outcomes };
            scope.spawn(move || {
                let mut numbers = SplitMix64(seed);
                (0..of_each_kind).for_each(|_| four(kind, &mut numbers, expected));
            });
        }
    });
}

#[test]
fn processes_that_start_at_any_time_make_the_same_tables() {
    rounds(3);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn processes_that_start_at_any_time_make_the_same_tables_each_of_2000_times() {
    rounds(400);
}
