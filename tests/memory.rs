//! The memory and disk space that a run takes, compared with its estimate, and the memory of commands
//! that have none.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use strong4::board::TierRange;
use strong4::inside::index::Index;
use strong4::inside::sweep::{Extent, Scope};
use tempfile::tempdir;

/// The peak of the resident bytes of a command, sampled every few milliseconds.
fn peak(arguments: &str, mut meanwhile: impl FnMut()) -> u64 {
    let mut command = Command::new(crate::program::PROGRAM);
    let mut child = command.args(arguments.split(' ')).stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
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
        meanwhile();
        thread::sleep(Duration::from_millis(3));
    };
    assert!(status.success() && memory > 0);
    memory
}

/// The peak of resident bytes and of the bytes of working files while a board was solved.
fn peaks(board: &str, tiers: TierRange, threads: usize, tables: &Path) -> (u64, u64) {
    let folder = tables.display();
    let solve = format!(
        "solve --quiet --board {board} --tiers {tiers} --threads {threads} --tables {folder}"
    );
    let (working, mut files) = (tables.join("scratch").join(board), 0);
    let memory = peak(&solve, || {
        let entries = fs::read_dir(&working).into_iter().flatten().flatten();
        files = files.max(entries.filter_map(|e| Some(e.metadata().ok()?.len())).sum::<u64>());
    });
    (memory, files)
}

fn takes_no_more_than_it_said(board: &str, tiers: TierRange) {
    let index = Index::new(board.parse().unwrap()).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt);
    for threads in [1, 2, 16] {
        let folder = tempdir().unwrap();
        let (memory, files) = peaks(board, tiers, threads, folder.path());
        let [waiting, ..] = extent.handoffs(tiers, u64::MAX);
        let said = extent.bytes(tiers, threads) + waiting;
        assert!(memory <= said, "{board} on {threads}: {memory} bytes resident, not {said}");
        let said = extent.start_bytes(tiers, false);
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

/// Sides of wide boards are many, and so are the tiles and rows from which positions are drawn: what
/// is kept of them must be little. On all of 32x1, which takes a minute, it is a fifth of what it
/// was.
#[test]
fn counting_and_sampling_extreme_boards_takes_little_memory() {
    for (command, megabytes) in [
        ("count --board 26x1", 40),
        ("sample --board 8x7 --tiers 20..30", 160),
        ("sample --board 5x11 --tiers 51..54", 600),
    ] {
        let memory = peak(&format!("{command} --quiet"), || ());
        assert!(memory < megabytes * 1_000_000, "{command}: {memory} bytes resident");
    }
}
