//! An error at the n-th system call of a run, whichever it is.
//!
//! Whatever happens, the command ends soon and with an exit code of its own. If it says that all is
//! well, it is; if not, the same command finishes the work when the fault is over. The tables are
//! then those of a run that nothing has disturbed, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use tempfile::{TempDir, tempdir};

use super::{Deed, Ended, Fault, program, run, shim, traced};
use crate::files::tables_in;

/// What is done, as commands without their board and folder; a fault meets the last one.
#[derive(Clone, Copy)]
pub struct Job {
    board: &'static str,
    before: &'static [&'static str],
    command: &'static str,
}

pub const JOBS: [Job; 7] = [
    Job { board: "3x3", before: &[], command: "solve" },
    Job { board: "3x3", before: &[], command: "solve --scores" },
    Job { board: "4x4", before: &[], command: "solve" },
    Job { board: "3x3", before: &["plan --make --parts 1"], command: "solve --part 1" },
    Job {
        board: "3x3",
        before: &["plan --make --parts 1", "solve --part 1"],
        command: "solve --part tables",
    },
    Job { board: "3x3", before: &["solve"], command: "solve --scores" },
    Job { board: "3x3", before: &["solve --tiers 5..9"], command: "solve --tiers 0..4" },
];

/// Each takes seconds.
const LARGER_JOBS: [Job; 2] = [
    Job { board: "4x4", before: &[], command: "solve --scores" },
    Job { board: "5x4", before: &[], command: "solve" },
];

/// Calls that can fail, with what they may say.
const FAULTS: [(&str, &[&str]); 13] = [
    ("open", &["EIO", "EACCES", "ENOENT", "ESTALE", "EMFILE"]),
    ("opendir", &["EIO", "EACCES", "ENOENT", "ESTALE", "EMFILE"]),
    ("create", &["EIO", "EACCES", "ENOENT", "ENOSPC", "EROFS", "ESTALE"]),
    ("read", &["EIO", "ESTALE", "EINTR"]),
    ("write", &["EIO", "ENOSPC", "EDQUOT", "EFBIG", "EINTR"]),
    ("sync", &["EIO", "ENOSPC"]),
    ("stat", &["EIO", "EACCES", "ENOENT", "ESTALE"]),
    ("rename", &["EIO", "ENOENT", "ENOSPC", "EACCES", "ESTALE"]),
    ("mkdir", &["EIO", "ENOSPC", "EACCES", "EROFS"]),
    ("rmdir", &["EIO", "EBUSY", "ENOTEMPTY"]),
    ("unlink", &["EIO", "EACCES", "ESTALE"]),
    ("lock", &["EIO", "ENOLCK", "EINTR"]),
    ("truncate", &["EIO"]),
];

impl Job {
    fn run(&self, command: &str, tables: &Path) -> Command {
        let args = command.split(' ').chain(["--board", self.board, "--quiet", "--tables"]);
        program(&args.chain([tables.to_str().unwrap()]).collect::<Vec<_>>())
    }

    #[track_caller]
    fn succeeds(&self, command: &str, tables: &Path) {
        let ended = run(self.run(command, tables));
        assert_eq!(ended.code(), Some(0), "{command} of {}: {ended:?}", self.board);
    }

    fn prepare(&self, tables: &Path) {
        self.before.iter().for_each(|command| self.succeeds(command, tables));
    }
}

/// A job, and what it does when nothing disturbs it.
pub struct Trial {
    job: Job,
    folder: TempDir,
    /// The tables in the end.
    expected: BTreeMap<PathBuf, Vec<u8>>,
}

/// Adds a fault to a command that works below a folder.
pub type Inject = fn(&Fault, Command, &Path) -> Command;

fn preloaded(fault: &Fault, mut command: Command, folder: &Path) -> Command {
    fault.inject(&mut command, folder);
    command
}

impl Trial {
    fn new(job: Job) -> Trial {
        let folder = tempdir().unwrap();
        let tables = folder.path().join("undisturbed");
        job.prepare(&tables);
        job.succeeds(job.command, &tables);
        Trial { job, expected: tables_in(&tables), folder }
    }

    /// The job, ready to run, and the folder that it works in.
    pub fn undisturbed(&self) -> (Command, PathBuf) {
        let path = self.folder.path().canonicalize().unwrap();
        let tables = path.join("traced");
        let _ = fs::remove_dir_all(&tables);
        self.job.prepare(&tables);
        (self.job.run(self.job.command, &tables), path)
    }

    /// Every single fault of those that can be preloaded.
    fn faults(&self) -> Vec<Fault> {
        let (command, path) = self.undisturbed();
        let (ended, calls) = traced(command, &path, "all");
        assert_eq!(ended.code(), Some(0), "{ended:?}");
        let number_of =
            |call: &str| calls.iter().filter(|line| line.split(' ').next() == Some(call)).count();
        let mut faults = Vec::new();
        for (call, errors) in FAULTS {
            for at in 1..=number_of(call) {
                let fault = |deed, from_then_on| Fault { calls: call, at, from_then_on, deed };
                for error in errors {
                    faults.push(fault(Deed::Fail(error), false));
                    // What is interrupted is tried again until it is not.
                    if *error != "EINTR" {
                        faults.push(fault(Deed::Fail(error), true));
                    }
                }
                faults.push(fault(Deed::Kill, false));
                if ["read", "write"].contains(&call) {
                    faults.push(fault(Deed::Short, false));
                }
            }
        }
        faults
    }

    /// What is wrong with how the program takes a fault; threads have folders of their own.
    fn complaint(&self, fault: &Fault, inject: Inject, thread: usize) -> Option<String> {
        let path = self.folder.path().canonicalize().unwrap();
        let tables = path.join(format!("tables-{thread}"));
        let _ = fs::remove_dir_all(&tables);
        self.job.prepare(&tables);
        let ended = run(inject(fault, self.job.run(self.job.command, &tables), &path));
        let is_killed = matches!(fault.deed, Deed::Kill);
        let complain = |what: &str, ended: &Ended| {
            let Job { board, command, .. } = self.job;
            Some(format!("{command} of {board}, {fault:?}: {what}: {ended:?}"))
        };
        match ended.code() {
            Some(0) if tables_in(&tables) != self.expected => {
                return complain("it says that it is done, and is not", &ended);
            }
            Some(0..=2) => {}
            None if is_killed && ended.status.is_some() => {}
            _ => return complain("how it ended", &ended),
        }
        if ended.stderr.contains("panicked") {
            return complain("it panicked", &ended);
        }
        if ended.code() == Some(2) && ended.stderr.matches("strong4: error: ").count() != 1 {
            return complain("not one error", &ended);
        }
        let again = run(self.job.run(self.job.command, &tables));
        if again.code() != Some(0) {
            return complain("the same command fails after", &again)
                .map(|c| format!("{c}; before {ended:?}"));
        }
        if tables_in(&tables) != self.expected {
            return complain("the tables are others after", &ended);
        }
        if self.job.command != "solve --part 1" {
            let verified = run(self.job.run("verify", &tables));
            if verified.code() != Some(0) && !self.job.command.contains("--tiers") {
                return complain("verify finds fault", &verified);
            }
        }
        None
    }
}

/// Tries some of these faults of each of these jobs, or all, and prints all complaints.
pub fn try_faults(
    jobs: &[Job],
    most: usize,
    faults: impl Fn(&Trial) -> Vec<Fault>,
    inject: Inject,
) {
    let seed: u64 = std::env::var("FAULT_SEED").map_or(0, |seed| seed.parse().unwrap());
    let (mut tried, complaints) = (0, AtomicUsize::new(0));
    for job in jobs {
        let trial = Trial::new(*job);
        let mut faults = faults(&trial);
        faults.sort_by_cached_key(|fault| {
            let mut hasher = DefaultHasher::new();
            (seed, format!("{fault:?}")).hash(&mut hasher);
            hasher.finish()
        });
        faults.truncate(most);
        tried += faults.len();
        let (faults, threads) = (Mutex::new(faults), thread::available_parallelism().unwrap());
        thread::scope(|scope| {
            for number in 0..threads.get() {
                let (trial, faults, complaints) = (&trial, &faults, &complaints);
                scope.spawn(move || {
                    loop {
                        let Some(fault) = faults.lock().unwrap().pop() else { return };
                        if let Some(complaint) = trial.complaint(&fault, inject, number) {
                            complaints.fetch_add(1, Relaxed);
                            println!("{complaint}");
                        }
                    }
                });
            }
        });
    }
    let complaints = complaints.into_inner();
    println!("{tried} faults, {complaints} complaints");
    assert!(tried > 0 && complaints == 0, "{complaints} of {tried} faults");
}

/// The same with those of the faults that can be preloaded.
fn try_preloaded(jobs: &[Job], most: usize, of: impl Fn(&Fault) -> bool) {
    if shim().is_some() {
        let faults = |trial: &Trial| trial.faults().into_iter().filter(&of).collect();
        try_faults(jobs, most, faults, preloaded);
    }
}

/// Some of them; `FAULT_SEED` draws others.
#[test]
fn a_run_survives_a_failing_call() {
    try_preloaded(&JOBS, 8, |_| true);
}

/// Nothing that merely cannot be read is thrown away, and nothing is waited for that cannot come.
#[test]
fn a_run_survives_calls_that_fail_from_then_on() {
    let is_one = |call: &str| ["open", "opendir", "read", "stat", "create"].contains(&call);
    try_preloaded(&JOBS, 16, |fault| fault.from_then_on && is_one(fault.calls));
}

#[test]
#[ignore = "takes a quarter of an hour with TMPDIR in memory, and hours on a slow disk"]
fn a_run_survives_every_failing_call() {
    try_preloaded(&JOBS, usize::MAX, |_| true);
}

#[test]
#[ignore = "takes minutes"]
fn a_larger_run_survives_a_failing_call() {
    try_preloaded(&LARGER_JOBS, 500, |_| true);
}

/// A folder that is there and takes no new file is not one that others have removed: nothing would
/// ever come of waiting for them.
#[test]
fn files_that_can_no_longer_be_made_are_not_waited_for() {
    let is_it = |fault: &Fault| {
        let Deed::Fail("ENOENT") = fault.deed else { return false };
        fault.calls == "create" && fault.from_then_on
    };
    try_preloaded(&JOBS[..2], usize::MAX, is_it);
}

/// A name that is not found for a moment must not end in a manifest that lacks its table.
#[test]
fn names_that_are_no_longer_found_are_no_dead_end() {
    let is_it = |fault: &Fault| {
        let Deed::Fail("ENOENT") = fault.deed else { return false };
        fault.calls == "stat" && fault.from_then_on && fault.at % 15 == 1
    };
    try_preloaded(&JOBS[..1], usize::MAX, is_it);
}
