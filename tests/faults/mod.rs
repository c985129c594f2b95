//! Runs of the program with a system call that fails, or stops the program there.
//!
//! `shim.c` is built once, with the C compiler that links the tests, and preloaded. Its first
//! comment lists the calls and what can happen to them. Where there is none, or not Linux, tests
//! end with a remark. Calls that it does not see are left to strace, where that is installed.

#[cfg(unix)]
mod injected;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod races;
#[cfg(unix)]
mod removing;
#[cfg(unix)]
mod special;
#[cfg(target_os = "linux")]
mod straced;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::files::repository;
use crate::program::process;

/// No command of these tests takes a hundredth of this, and no more than a third on a machine whose
/// processors and disk are both busy.
const BOUND: Duration = Duration::from_secs(300);

/// The library to preload; `None`, with a remark, where it cannot be built.
pub fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let shim = SHIM.get_or_init(build).as_deref();
    if shim.is_none() {
        eprintln!("SKIPPED: faults are injected only on Linux, and with a C compiler");
    }
    shim
}

fn build() -> Option<PathBuf> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return None;
    }
    let source = repository("tests/faults/shim.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(folder).unwrap();
    let shim = folder.join("shim.so");
    // Another test program may build it too.
    let ours = folder.join(format!("shim.{}.so", std::process::id()));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(compiler);
    command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]);
    let built = command.arg(&ours).arg(source).arg("-ldl").status().ok()?;
    assert!(built.success(), "tests/faults/shim.c cannot be compiled");
    fs::rename(ours, &shim).unwrap();
    Some(shim)
}

/// What happens at the chosen calls.
#[derive(Clone, Debug)]
pub enum Deed {
    /// They fail with this error: `EIO`.
    Fail(&'static str),
    /// They read or write half of what they could.
    Short,
    /// The program is killed.
    Kill,
    /// The program creates this file, and waits until it has been removed.
    Pause(PathBuf),
}

/// A fault: what happens, and when.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The calls that count, as `FAULT_CALLS` lists them.
    pub calls: &'static str,
    /// Which of them, from 1.
    pub at: usize,
    /// Whether all later ones are met too.
    pub from_then_on: bool,
    pub deed: Deed,
}

impl Fault {
    /// Adds the fault to a command that works below `folder`, which has no links in its path.
    pub fn inject(&self, command: &mut Command, folder: &Path) {
        let deed = match &self.deed {
            Deed::Fail(error) => (*error).to_owned(),
            Deed::Short => "short".to_owned(),
            Deed::Kill => "kill".to_owned(),
            Deed::Pause(file) => format!("pause:{}", file.display()),
        };
        let and_on = if self.from_then_on { "+" } else { "" };
        command
            .env("LD_PRELOAD", shim().expect("the test has asked before"))
            .env("FAULT_FOLDER", folder)
            .env("FAULT_CALLS", self.calls)
            .env("FAULT_AT", format!("{}{and_on}", self.at))
            .env("FAULT_DO", deed);
    }
}

/// The program with these arguments, and one thread so that its calls come in the same order.
pub fn program(args: &[&str]) -> Command {
    let mut command = process();
    command.args(args).current_dir(env!("CARGO_TARGET_TMPDIR")).env("RAYON_NUM_THREADS", "1");
    command
}

/// The calls that count in a run without a fault, one per line: `rename /a/b`.
pub fn traced(mut command: Command, folder: &Path, calls: &str) -> (Ended, Vec<String>) {
    let trace = tempfile::NamedTempFile::new().unwrap();
    command
        .env("LD_PRELOAD", shim().expect("the test has asked before"))
        .env("FAULT_FOLDER", folder)
        .env("FAULT_CALLS", calls)
        .env("FAULT_TRACE", trace.path());
    let ended = run(command);
    let text = fs::read_to_string(trace.path()).unwrap();
    let lines = text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned());
    (ended, lines.collect())
}

/// A run that has ended, or had to be ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` if it had to be.
    pub status: Option<ExitStatus>,
    pub stderr: String,
}

impl Ended {
    /// The exit code; `None` if it was killed by a signal or had to be ended.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }
}

/// Runs a command, for no longer than some minutes.
pub fn run(mut command: Command) -> Ended {
    // A file never fills up, as a pipe does.
    let said = tempfile::NamedTempFile::new().unwrap();
    let stream = File::create(said.path()).unwrap();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stream);
    let status = wait(&mut command.spawn().unwrap());
    let stderr = String::from_utf8_lossy(&fs::read(said.path()).unwrap()).into_owned();
    Ended { status, stderr }
}

/// Waits for a process for no longer than some minutes, and kills it then.
pub fn wait(child: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + BOUND;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if Instant::now() > end {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(20));
    }
}

/// Each call and each deed works, so that no test below passes because nothing happened.
#[test]
fn faults_happen() {
    if shim().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let tables = folder.join("tables");
    let solve = || program(&["solve", "--board", "3x3", "--tables", tables.to_str().unwrap()]);
    let (ended, calls) = traced(solve(), &folder, "all");
    assert_eq!(ended.code(), Some(0), "{ended:?}");
    for call in [
        "open", "create", "read", "write", "sync", "stat", "rename", "mkdir", "rmdir", "unlink",
        "lock", "opendir",
    ] {
        let is_there = calls.iter().any(|line| line.split(' ').next() == Some(call));
        assert!(is_there, "{call}");
    }
    fs::remove_dir_all(&tables).unwrap();

    let fault = |calls, at, deed| {
        let mut command = solve();
        Fault { calls, at, from_then_on: false, deed }.inject(&mut command, &folder);
        command
    };
    let ended = run(fault("write", 3, Deed::Fail("ENOSPC")));
    assert_eq!(ended.code(), Some(2), "{ended:?}");
    assert!(ended.stderr.contains("the disk is full"), "{ended:?}");
    let ended = run(fault("sync,rename", 4, Deed::Kill));
    assert!(ended.status.is_some_and(|status| status.code().is_none()), "{ended:?}");
    let ended = run(fault("write", 1, Deed::Short));
    assert_eq!(ended.code(), Some(0), "{ended:?}");
    fs::remove_dir_all(&tables).unwrap();

    let there = folder.join("there");
    let mut paused = fault("rename", 1, Deed::Pause(there.clone()));
    let mut paused = paused.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !there.exists() {
        assert!(paused.try_wait().unwrap().is_none(), "it has ended");
        thread::sleep(Duration::from_millis(1));
    }
    let run = tables.join("run");
    assert!(run.is_dir() && !run.join("run.json").exists());
    fs::remove_file(there).unwrap();
    assert_eq!(wait(&mut paused).and_then(|status| status.code()), Some(0));
}

/// It lists the folder once, and then opens only the tables that it needs.
#[test]
fn a_question_looks_at_the_folder_once_and_opens_only_the_tables_it_needs() {
    if shim().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let tables = folder.to_str().unwrap();
    let solved = run(program(&["solve", "--board", "4x4", "--quiet", "--tables", tables]));
    assert_eq!(solved.code(), Some(0), "{solved:?}");
    let query = program(&["query", "12", "--outcome", "--tables", tables]);
    let (ended, calls) = traced(query, &folder, "open,stat,opendir");
    assert_eq!(ended.code(), Some(0), "{ended:?}");
    let count = |call: &str, name: &str| {
        let line = format!("{call} {}", folder.join(name).display());
        calls.iter().filter(|found| line.trim_end_matches('/') == **found).count()
    };
    assert_eq!((count("opendir", ""), count("open", "manifest.json")), (1, 1), "{calls:#?}");
    // The position itself, its moves, and what these are forced to.
    for tier in 0..=16 {
        let opened = count("open", &format!("tier-{tier:02}.s4t"));
        assert!(opened <= usize::from(tier >= 2), "tier {tier}: {calls:#?}");
    }
    let tables = calls.iter().filter(|call| call.ends_with(".s4t")).count();
    assert!(calls.len() - tables <= 5, "{calls:#?}");
    let opened = calls.iter().filter(|call| call.starts_with("open ")).count();
    assert!(tables <= 5 * (opened - 1), "{calls:#?}");
}
