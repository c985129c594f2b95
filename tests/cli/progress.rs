//! Long-running commands show that they work, and how far they are.

use std::process::{Command, Stdio};

use crate::files::repository;
use crate::program::{command, search_path, strong4_on};

/// The lines on standard error.
fn said(args: &[&str], input: &str) -> Vec<String> {
    let ran = command(args).write_stdin(input).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    said.lines().map(str::to_owned).collect()
}

#[test]
fn a_long_answer_shows_its_progress_after_a_second() {
    for args in [
        &["query", "1", "--board", "8x7", "--limit", "1500ms"][..],
        &["review", "12", "--board", "8x7", "--limit", "700ms"],
    ] {
        let told = said(args, "");
        assert!(told[0].contains(" after 1 s"), "{args:?}: {told:?}");
        assert!(!told[0].contains(" 0 %"), "{args:?}: {told:?}");
        let quiet: Vec<&str> = args.iter().copied().chain(["--quiet"]).collect();
        assert!(said(&quiet, "").is_empty());
    }
}

#[test]
fn known_scores_are_checked_with_their_number_their_rate_and_the_time_to_go() {
    let lines = "1212121 -18\n".repeat(3) + " 1\n";
    let args = ["query", "--bulk", "-", "--board", "8x7", "--limit", "1500ms"];
    let told = said(&args, &lines.replace("-18", "-25"));
    let progress = told.iter().find(|line| line.contains("checking: ")).expect("progress");
    assert!(progress.contains(" after 1 s, ") && progress.contains(" positions/s"), "{progress}");
    assert!(progress.contains(" to go"), "{progress}");
}

/// What a program prints on a terminal with this many columns; `None` without `script`.
fn on_a_terminal(columns: usize, command: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows 30; {command}");
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env("PATH", search_path());
    let ran = terminal.stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// The visible part of each frame: what is drawn between two returns to the start of the line.
fn frames(drawn: &str) -> Vec<String> {
    let lines = drawn.split(['\r', '\n']);
    lines.map(|line| line.replace("\u{1b}[2K", "").trim_end().to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn progress_stays_on_one_line_of_a_narrow_terminal() {
    const LONG: &str = "strong4 query 1 --board 8x7 --limit 1500ms >/dev/null";
    for columns in [30, 60, 120] {
        let Some(drawn) = on_a_terminal(columns, LONG) else { return };
        let frames = frames(&drawn);
        let told: Vec<&String> = frames.iter().filter(|f| f.starts_with("searching")).collect();
        assert!(!told.is_empty(), "{columns}: {drawn:?}");
        assert!(told.iter().all(|frame| frame.chars().count() <= columns), "{columns}: {told:?}");
        assert!(told[0].contains("at the first of"), "{columns}: {told:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn lines_show_progress_on_a_terminal_that_their_answers_do_not_reach() {
    // The first answer is known before the number of lines is.
    let lines = "(printf '1212121\\n1\\n'; sleep 0.3)";
    let asked = &format!("{lines} | strong4 query - --board 8x7 --limit 1500ms");
    let Some(elsewhere) = on_a_terminal(80, &format!("{asked} >/dev/null")) else { return };
    assert!(elsewhere.contains("answering: 50 % after 1 s"), "{elsewhere:?}");
    let reviewed = asked.replace("query", "review").replace("1500ms", "800ms >/dev/null");
    let reviewed = on_a_terminal(80, &reviewed).unwrap();
    assert!(reviewed.contains("reviewing: "), "{reviewed:?}");
    let here = on_a_terminal(80, asked).unwrap();
    assert!(!here.contains("answering") && here.contains("1212121: X, the first"), "{here:?}");
}

#[cfg(unix)]
#[test]
fn the_run_of_the_makefile_ends_with_commands_that_work() {
    // Not every machine has make; with -n it only prints what it would do.
    let Ok(plan) = Command::new("make").args(["-n", "run"]).current_dir(repository("")).output()
    else {
        return;
    };
    let plan = String::from_utf8(plan.stdout).unwrap();
    let echoed: Vec<&str> = plan.lines().filter(|line| line.starts_with("echo")).collect();
    let said = Command::new("sh").args(["-c", &echoed.join("\n")]).output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    let (_, hints) = said.split_once("Now try:\n").expect("a hint");
    assert!(hints.lines().count() >= 3, "{hints}");
    for hint in hints.lines() {
        let typed = hint.trim().split("  ").next().unwrap();
        let args = typed.strip_prefix("target/release/strong4 ").expect(typed);
        let ran = command(&args.split(' ').collect::<Vec<_>>()).write_stdin("").output().unwrap();
        assert!(ran.status.success(), "{typed}: {ran:?}");
    }
}

#[test]
fn scores_have_one_progress_over_all_runs() {
    let folder = tempfile::tempdir().unwrap();
    let solve = "solve --board 6x4 --scores --json --threads 1";
    let events = strong4_on(solve, folder.path()).stderr;
    let events = events.lines().map(|event| serde_json::from_str(event).unwrap());
    let events: Vec<serde_json::Value> = events.collect();
    let of_kind = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
    assert_eq!(of_kind("intend").next().expect("many runs")["runs"], 9);
    // The first line comes after a second: a fast machine may be done by then.
    let mut before = 0;
    for progress in of_kind("progress").filter(|progress| progress["total"] != 0) {
        let number = |name: &str| progress[name].as_u64();
        let first = of_kind("progress").find(|progress| progress["total"] != 0).unwrap();
        assert_eq!(progress["total"], first["total"], "one job: {events:?}");
        assert!(number("done").is_some_and(|done| done >= before), "{events:?}");
        before = number("done").unwrap();
        assert!(number("run").is_none_or(|run| (1..=9).contains(&run)), "{events:?}");
        assert!(progress["run"].is_null() || progress["runs"] == 9, "{events:?}");
    }
}
