//! Errors at system calls that the library to preload does not see: the program lists folders and
//! asks how full a disk is without the C library, and the C library starts threads by itself. strace
//! sees all of them, and makes them fail where it is installed.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::injected::{JOBS, Trial, try_faults};
use super::{Deed, Fault, run};

/// Such calls, and those that end in a manifest without tables if they fail late. A call that strace
/// makes fail is not made at all: a file that is not closed would stay locked, so closing is not here.
const FAULTS: [(&str, &[&str]); 6] = [
    ("getdents64", &["EIO", "ESTALE"]),
    ("openat", &["EMFILE"]),
    ("statfs", &["EIO"]),
    ("clone3", &["EAGAIN"]),
    ("statx", &["ENOENT"]),
    ("newfstatat", &["EIO"]),
];

/// Whether strace is there and may trace; with a remark if not.
fn has_strace() -> bool {
    static HAS_IT: OnceLock<bool> = OnceLock::new();
    let has_it = *HAS_IT.get_or_init(|| {
        let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
        traced.is_ok_and(|traced| traced.status.success())
    });
    if !has_it {
        eprintln!("SKIPPED: strace is not installed, or may not trace");
    }
    has_it
}

/// The same command under strace.
fn under_strace(options: &[&str], command: &Command) -> Command {
    let mut traced = Command::new("strace");
    traced.arg("-f").args(options).arg(command.get_program()).args(command.get_args());
    traced.current_dir(command.get_current_dir().expect("the tests give one"));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => traced.env(name, value),
            None => traced.env_remove(name),
        };
    }
    traced
}

fn straced(fault: &Fault, command: Command, _: &Path) -> Command {
    let Fault { calls, at, from_then_on, deed } = fault;
    let Deed::Fail(error) = deed else { panic!("{deed:?} is for the library to preload") };
    let and_on = if *from_then_on { "+" } else { "" };
    let inject = format!("inject={calls}:error={error}:when={at}{and_on}");
    let trace = format!("trace={calls}");
    under_strace(&["-o", "/dev/null", "-e", &trace, "-e", &inject], &command)
}

/// All single faults. strace counts the calls of each thread. Those until the first that names the
/// folder are of the loader of the program.
fn faults(trial: &Trial) -> Vec<Fault> {
    let (command, folder) = trial.undisturbed();
    let log = tempfile::NamedTempFile::new().unwrap();
    let ended = run(under_strace(&["-o", log.path().to_str().unwrap()], &command));
    assert_eq!(ended.code(), Some(0), "{ended:?}");
    let log = fs::read_to_string(log.path()).unwrap();
    let is_loaded =
        |line: &str| line.contains(folder.to_str().unwrap()) && !line.contains("execve(");
    let (mut loading, mut counts) = (true, HashMap::<(&str, &str), usize>::new());
    let mut first = HashMap::<&str, usize>::new();
    for line in log.lines() {
        let (thread, rest) = line.split_once(' ').unwrap();
        loading &= !is_loaded(line);
        if let Some((call, _)) = rest.trim_start().split_once('(') {
            let count = counts.entry((call, thread)).or_default();
            *count += 1;
            if loading {
                first.insert(call, *count);
            }
        }
    }
    let number_of = |call: &str| {
        let of_threads = counts.iter().filter(|((counted, _), _)| *counted == call);
        of_threads.map(|(_, count)| *count).max().unwrap_or(0)
    };
    let mut faults = Vec::new();
    for (call, errors) in FAULTS {
        for at in first.get(call).unwrap_or(&0) + 1..=number_of(call) {
            for (error, from_then_on) in errors.iter().flat_map(|e| [(e, false), (e, true)]) {
                faults.push(Fault { calls: call, at, from_then_on, deed: Deed::Fail(error) });
            }
        }
    }
    faults
}

#[test]
fn a_run_survives_calls_that_fail_below_the_c_library() {
    if has_strace() {
        try_faults(&JOBS, 6, faults, straced);
    }
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn a_run_survives_every_call_that_fails_below_the_c_library() {
    if has_strace() {
        try_faults(&JOBS, usize::MAX, faults, straced);
    }
}

/// On a network file system each look takes its time. So a folder is listed once and a table opened
/// once, whatever is asked.
#[test]
fn calls_that_name_files_are_few() {
    if !has_strace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let tables = folder.path().join("tables");
    let tables = tables.to_str().unwrap();
    let calls = |command: &str| {
        let args = command.split(' ').chain(["--board", "5x5", "--tables", tables]);
        let command = super::program(&args.collect::<Vec<_>>());
        let options = ["-e", "trace=%file", "-o", log.to_str().unwrap()];
        let ended = run(under_strace(&options, &command));
        assert_eq!(ended.code(), Some(0), "{ended:?}");
        let log = fs::read_to_string(&log).unwrap();
        log.lines().filter(|line| line.contains(tables) && !line.contains("execve(")).count()
    };
    assert!(calls("solve") > 100);
    let each = 26;
    for (command, most) in
        [("query --outcome 4", 10), ("query 4", 2 * each + 10), ("solve", 3 * each + 10)]
    {
        let calls = calls(command);
        assert!((2..=most).contains(&calls), "{command}: {calls} calls");
    }
}

/// The faults above happen: a folder that cannot be listed is an error that names it.
#[test]
fn a_folder_that_cannot_be_listed_is_named() {
    if !has_strace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    for command in ["solve", "status", "verify", "query 1", "stats"] {
        let args = command.split(' ').chain(["--board", "3x3", "--tables", tables]);
        let command = super::program(&args.collect::<Vec<_>>());
        let (calls, deed) = ("getdents64", Deed::Fail("EIO"));
        let fault = Fault { calls, at: 1, from_then_on: true, deed };
        let ended = run(straced(&fault, command, folder.path()));
        assert_eq!(ended.code(), Some(2), "{ended:?}");
        assert!(ended.stderr.contains(tables), "{ended:?}");
        assert!(ended.stderr.contains("Input/output error"), "{ended:?}");
    }
}
