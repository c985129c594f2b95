//! `strong4 sample` and `strong4 list`: positions as records.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{Ran, assert_refused, command, json_lines, piped_in, record, signal, strong4};

/// Runs a command in this folder.
fn run_in(folder: &Path, args: &str) -> Ran {
    let args: Vec<&str> = args.split(' ').collect();
    let output = command(&args).current_dir(folder).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|s| String::from_utf8(s).unwrap());
    Ran { code: output.status.code().expect("no signal"), stdout, stderr }
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn samples_are_as_many_of_each_tier_as_asked_for() {
    let lines = json_lines(&strong4("sample --tiers 18..20 --count 40 --json"));
    assert_eq!(lines.len(), 120);
    for (number, line) in lines.iter().enumerate() {
        let (moves, key) = (line["moves"].as_str().unwrap(), line["key"].as_u64().unwrap());
        assert_eq!(line["tier"], 18 + number / 40);
        assert_eq!(line["tier"], moves.len());
        assert!(line.as_object().unwrap().keys().eq(["key", "moves", "tier"]), "{line}");
        if number % 40 == 0 {
            let shown = record(&format!("show {moves} --json"));
            assert_eq!((&shown["key"], &shown["status"]), (&Value::from(key), &"open".into()));
        }
    }
}

#[test]
fn a_seed_draws_the_same_on_any_number_of_threads() {
    let sample = |more: &str| strong4(&format!("sample --tiers 30..31 --count 50 {more}")).stdout;
    let drawn = sample("--threads 1");
    assert_eq!(sample("--threads 3"), drawn);
    assert_ne!(sample("--seed 2"), drawn);
    let fewer = strong4("sample --tiers 30 --count 20").stdout;
    assert!(drawn.starts_with(&fewer), "{fewer}");
    let scored = sample("--scores --threads 1");
    assert_eq!(sample("--scores --threads 3"), scored);
}

#[test]
fn scores_are_those_of_query() {
    for line in json_lines(&strong4("sample --tiers 28..42 --count 1 --scores --json")) {
        let answer = record(&format!("query {} --json", line["moves"].as_str().unwrap()));
        assert_eq!(line["key"], answer["key"]);
        assert_eq!(line["score"], answer["score"], "{line}");
        let columns = answer["columns"].as_array().unwrap().iter();
        let scores: Vec<Value> =
            columns.map(|c| c.get("score").cloned().unwrap_or_default()).collect();
        let full = answer["category"] == "over";
        assert!(full || line["move_scores"] == Value::from(scores), "{line} {answer}");
    }
}

#[test]
fn scores_are_the_same_with_tables_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let list = "list --board 4x4 --tiers 3..5 --scores";
    let searched = run_in(folder.path(), list).fine();
    assert_eq!(run_in(folder.path(), "solve --board 4x4 --scores --quiet").code, 0);
    assert_eq!(run_in(folder.path(), list).fine(), searched);
}

#[test]
fn lists_have_every_position_once() {
    for (tiers, live) in [("0", 1), ("5", 4263), ("0..7", 76_231)] {
        let listed = strong4(&format!("list --tiers {tiers}")).fine();
        let (head, rows) = listed.split_once('\n').unwrap();
        assert_eq!(head, "tier,moves,key");
        let mut keys: Vec<&str> = rows.lines().map(|row| row.split(',').nth(2).unwrap()).collect();
        assert_eq!(keys.len(), live, "{tiers}");
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), live, "{tiers}");
    }
    // The slow twin counts without visiting.
    let count = record("count --board 5x4 --tiers 9 --json");
    assert_eq!(strong4("list --board 5x4 --tiers 9 --json").stdout.lines().count(), count["live"]);
}

#[test]
fn files_have_the_form_of_their_endings() {
    let folder = tempfile::tempdir().unwrap();
    let list = "list --board 4x4 --tiers 6";
    for (option, file) in [("--csv", "a.csv"), ("--json", "a.jsonl")] {
        let printed = strong4(&format!("{list} {option}"));
        assert_eq!(run_in(folder.path(), &format!("{list} --output {file}")).fine(), "");
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), printed.stdout);
    }
    for file in ["a.npy", "a.npz"] {
        run_in(folder.path(), &format!("{list} --scores --output {file}"));
        let first = fs::read(folder.path().join(file)).unwrap();
        // Existing files are replaced.
        run_in(folder.path(), &format!("{list} --scores --threads 1 --output {file}"));
        assert_eq!(fs::read(folder.path().join(file)).unwrap(), first, "{file}");
    }
    assert_eq!(names_in(folder.path()), ["a.csv", "a.jsonl", "a.npy", "a.npz"]);
    // The keys of a .npy file follow a header of 128 bytes.
    let npy = fs::read(folder.path().join("a.npy")).unwrap();
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00"));
    let keys = npy[128..].chunks(8).map(|key| u64::from_le_bytes(key.try_into().unwrap()));
    let listed = strong4(list).stdout;
    let expected = listed.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().to_owned());
    assert!(keys.map(|key| key.to_string()).eq(expected));
}

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(&strong4("list --output a.txt"), "--output: 'a.txt' has no known format");
    assert_refused(&strong4("list --json --output a.csv"), "cannot be used with");
    assert_refused(&run_in(folder.path(), "list --tiers 3 --output no/a.npz"), "no/a.npz");
    assert_refused(&strong4("sample --tiers 50"), "the last tier of 7x6 is 42");
    assert_refused(&strong4("sample --count 0"), "--count: '0' is invalid");
    fs::create_dir(folder.path().join("a.csv")).unwrap();
    assert_refused(&run_in(folder.path(), "list --tiers 3 --output a.csv"), "a.csv");
    assert_eq!(names_in(folder.path()), ["a.csv"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for form in ["csv", "npz"] {
        let file = format!("a.{form}");
        let args = ["list", "--tiers", "0..20", "--output", &file, "--quiet"];
        let program = piped_in(folder.path(), &args);
        while names_in(folder.path()).is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        // Half a file has another name.
        assert_ne!(names_in(folder.path()), [file]);
        signal(&program, "-INT");
        let output = program.wait_with_output().unwrap();
        let ended = (output.status.code(), &output.stderr[..]);
        assert_eq!(ended, (Some(130), &b"strong4: stopped\n"[..]));
        assert_eq!(names_in(folder.path()), [""; 0], "{form}");
    }
}
