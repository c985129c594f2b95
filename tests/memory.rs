//! The memory and disk space that a run takes, compared with its estimate.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use strong4::board::TierRange;
use strong4::index::Index;
use strong4::sweep::{Extent, Scope};
use tempfile::tempdir;

/// The peak of resident bytes and of the bytes of working files while a board was solved, sampled
/// every few milliseconds.
fn peaks(board: &str, tiers: TierRange, threads: usize, tables: &Path) -> (u64, u64) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("strong4"));
    command.args(["solve", "--quiet", "--board", board, "--tiers", &tiers.to_string()]);
    command.args(["--threads", &threads.to_string()]);
    let mut child = command.arg("--tables").arg(tables).stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let (mut memory, mut files) = (0, 0);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        // For a moment the memory of a new process is that of this one.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let text = if text.starts_with("Name:\tstrong4\n") { text } else { String::new() };
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        memory = memory.max(1024 * kilobytes.unwrap_or(0));
        let entries =
            fs::read_dir(tables.join("scratch").join(board)).into_iter().flatten().flatten();
        files = files.max(entries.filter_map(|e| Some(e.metadata().ok()?.len())).sum::<u64>());
        thread::sleep(Duration::from_millis(3));
    };
    assert!(status.success());
    (memory, files)
}

fn takes_no_more_than_it_said(board: &str, tiers: TierRange) {
    let index = Index::new(board.parse().unwrap()).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt);
    for threads in [1, 2, 16] {
        let folder = tempdir().unwrap();
        let (memory, files) = peaks(board, tiers, threads, folder.path());
        assert!(memory > 0);
        let said = extent.bytes(tiers, threads);
        assert!(memory <= said, "{board} on {threads}: {memory} bytes resident, not {said}");
        let said = extent.kept_bytes(tiers, false);
        assert!(files <= said, "{board} on {threads}: {files} bytes of files, not {said}");
    }
}

#[test]
fn a_run_takes_no_more_than_it_said() {
    for board in ["6x4", "7x4"] {
        takes_no_more_than_it_said(board, TierRange::all(board.parse().unwrap()));
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn long_runs_take_no_more_than_they_said() {
    for board in ["8x4", "6x5"] {
        takes_no_more_than_it_said(board, TierRange::all(board.parse().unwrap()));
    }
    // The whole run takes most of an hour.
    takes_no_more_than_it_said("10x4", "36..40".parse().unwrap());
}
