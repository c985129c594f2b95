//! Runs of the program, and their results.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_strong4");

/// The result of a run of the program.
#[derive(PartialEq, Eq, Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// What a command prints that succeeds without a remark.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{self:?}");
        self.stdout
    }
}

/// The program in a folder without tables.
pub fn process() -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env_remove("NO_COLOR");
    command
}

/// The same with these arguments, to be run to its end.
pub fn command(args: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::from_std(process());
    command.args(args);
    command
}

pub fn strong4_with_input(args: &[&str], stdin: &[u8]) -> Ran {
    let output = command(args).write_stdin(stdin).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    // A slow machine reports its progress, which is not part of any answer.
    let remarks = stderr.split_inclusive('\n').filter(|line| !tells_progress(line));
    Ran {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: remarks.collect(),
    }
}

/// Words separated by single spaces, as a shell without quotes would see them.
pub fn strong4(args: &str) -> Ran {
    with_input(args, "")
}

/// The same with this text on standard input.
pub fn with_input(args: &str, input: impl AsRef<[u8]>) -> Ran {
    strong4_with_input(&args.split(' ').collect::<Vec<_>>(), input.as_ref())
}

/// The first record that a command prints.
#[track_caller]
pub fn record(args: &str) -> Value {
    json_lines(&strong4(args)).swap_remove(0)
}

/// A command on the tables in a folder.
pub fn strong4_on(args: &str, tables: &Path) -> Ran {
    let tables = ["--tables", tables.to_str().unwrap()];
    strong4_with_input(&args.split_whitespace().chain(tables).collect::<Vec<_>>(), b"")
}

/// The same for one that succeeds. Returns what it prints.
#[track_caller]
pub fn succeeds(args: &str, tables: &Path) -> String {
    let ran = strong4_on(args, tables);
    assert_eq!(ran.code, 0, "{args}: {ran:?}");
    ran.stdout
}

/// A folder with the tables that `solve` makes with these arguments.
#[track_caller]
pub fn solved(args: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&format!("solve --quiet {args}"), folder.path());
    folder
}

/// Starts a command on the tables in a folder, to be killed or to work together with others.
pub fn started(args: &str, tables: &Path) -> Child {
    let mut command = process();
    command.args(args.split_whitespace()).arg("--tables").arg(tables);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts the program with a pipe for each of its streams.
pub fn piped(args: &[&str]) -> Child {
    piped_in(Path::new(env!("CARGO_TARGET_TMPDIR")), args)
}

/// The same in this folder.
pub fn piped_in(folder: &Path, args: &[&str]) -> Child {
    let mut command = process();
    command.args(args).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends a signal, such as `-INT`.
#[cfg(unix)]
pub fn signal(program: &Child, signal: &str) {
    let kill = Command::new("kill").args([signal, &program.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

/// `PATH`, with the folder of the program before all others.
pub fn search_path() -> String {
    let programs = Path::new(PROGRAM).parent().unwrap().display();
    format!("{programs}:{}", std::env::var("PATH").unwrap_or_default())
}

pub fn json_lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[track_caller]
pub fn assert_refused(ran: &Ran, what_was_wrong: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert_eq!(ran.stderr.matches('\n').count(), 1, "one line: {ran:?}");
    assert!(ran.stderr.starts_with("strong4: error: "), "{ran:?}");
    assert!(ran.stderr.contains(what_was_wrong), "{ran:?}");
}

/// `strong4: counting 7x6: 12 % after 3 s, 9 s to go`.
fn tells_progress(line: &str) -> bool {
    let (_, after) = line.split_once(" after ").unwrap_or_default();
    after.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" s")
}
