//! Limits of the machine: on threads, on memory and on the size of files; and a clock that has not
//! been set.

use std::process::Command;

use super::{Deed, Ended, Fault, program, run, shim};
use crate::program::PROGRAM;

/// One line that names the fault, and the exit code of failed input or output.
#[track_caller]
fn assert_refused(ended: &Ended, words: &str) {
    assert_eq!(ended.code(), Some(2), "{words}: {ended:?}");
    assert_eq!(ended.stderr.matches('\n').count(), 1, "{words}: {ended:?}");
    assert!(ended.stderr.contains(words), "{words}: {ended:?}");
}

#[test]
fn threads_that_cannot_start_are_an_error() {
    if shim().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let tables = tables.to_str().unwrap();
    assert_eq!(run(program(&["solve", "--board", "3x3", "--tables", tables])).code(), Some(0));
    let others = folder.path().join("others");
    let others = others.to_str().unwrap();
    for args in [
        &["solve", "--board", "3x3", "--quiet", "--tables", others][..],
        &["solve", "--board", "3x3", "--quiet", "--scores", "--tables", others],
        &["verify", "--board", "3x3", "--quiet", "--tables", tables],
        &["query", "--board", "3x3", "--quiet", "1", "--tables", tables],
        &["query", "-"],
        &["sample", "--board", "4x4", "--tiers", "8", "--count", "10", "--scores"],
        &["count", "--board", "4x4"],
        &["serve", "--listen", "127.0.0.1:0"],
    ] {
        // Ctrl-C is waited for in the first thread, and the work begins with the second.
        for at in 1..=6 {
            let mut command = program(args);
            Fault { calls: "thread", at, from_then_on: true, deed: Deed::Fail("EAGAIN") }
                .inject(&mut command, folder.path());
            // A server that has all its threads goes on for ever.
            if args[0] == "serve" && at == 6 {
                continue;
            }
            let ended = run(command);
            if ended.code() != Some(0) || at <= 2 {
                assert_refused(&ended, "cannot start ");
                assert!(ended.stderr.contains("Resource temporarily unavailable"), "{ended:?}");
            }
        }
    }
}

/// The program under a limit of the shell.
fn limited(limit: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]);
    command.arg(PROGRAM).args(args);
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("RAYON_NUM_THREADS", "2");
    command
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_like_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let args = ["solve", "--board", "4x4", "--quiet", "--tables", tables.to_str().unwrap()];
    let ended = run(limited("-f 4", &args));
    assert_refused(&ended, "raise the limit on the size of files, shown by 'ulimit -f'");
    let ended = run(program(&args));
    assert_eq!(ended.code(), Some(0), "{ended:?}");

    let rows = folder.path().join("rows.npz");
    let rows = rows.to_str().unwrap();
    let args = ["sample", "--board", "4x4", "--tiers", "8", "--count", "9000", "--output", rows];
    assert_refused(&run(limited("-f 4", &args)), "File too large");
}

/// Linux reserves more than is used, so a limit refuses what would do without one. Whether it is
/// found in time depends on the command: those that know what they need refuse at once.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_memory_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let tables = tables.to_str().unwrap();
    let commands: [&[&str]; 5] = [
        &["solve", "--board", "4x3", "--quiet", "--tables", tables],
        // Told that there is enough memory.
        &["solve", "--board", "5x4", "--quiet", "--mem", "8GiB", "--tables", tables],
        &["query", "--quiet", "3145175534244665"],
        &["count", "--quiet", "--board", "5x4"],
        &["sample", "--quiet", "--board", "5x4", "--count", "100"],
    ];
    let mut run_out = 0;
    for args in commands {
        for mebibytes in (28..420).step_by(16) {
            let ended = run(limited(&format!("-v {}", 1024 * mebibytes), args));
            let what = format!("{mebibytes} MiB, {args:?}: {ended:?}");
            match ended.code() {
                Some(0) => assert_eq!(ended.stderr, "", "{what}"),
                Some(2) => {
                    let is = |words| ended.stderr.contains(words);
                    run_out += usize::from(is("there is not enough memory"));
                    let refusals = ["not enough memory", "cannot start ", " of memory, "];
                    assert!(refusals.into_iter().any(is), "{what}");
                    assert_eq!(ended.stderr.matches('\n').count(), 1, "{what}");
                }
                _ => panic!("{what}"),
            }
            let _ = std::fs::remove_dir_all(tables);
        }
    }
    assert!(run_out > 0, "memory never ran out on the way");
}

/// The standard library panics there, so folders are listed without it.
#[test]
fn a_folder_that_cannot_be_closed_is_no_panic() {
    if shim().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let tables = folder.join("tables");
    let tables = tables.to_str().unwrap();
    for args in [
        &["solve", "--board", "3x3", "--scores", "--quiet", "--tables", tables][..],
        &["verify", "--quiet", "--deep", "--tables", tables],
        &["status", "--tables", tables],
    ] {
        let mut command = program(args);
        Fault { calls: "closedir", at: 1, from_then_on: true, deed: Deed::Fail("EIO") }
            .inject(&mut command, &folder);
        let ended = run(command);
        assert_eq!((ended.code(), ended.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// Without a battery, a clock may begin at any time.
#[test]
fn a_server_whose_clock_is_not_set_does_not_start() {
    let Some(shim) = shim() else { return };
    for clock in ["-86400", "253402300800"] {
        let mut command = program(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("LD_PRELOAD", shim).env("FAULT_CLOCK", clock);
        assert_refused(&run(command), "the clock is before 1970 or after 9999");
    }
    // Other commands do not care.
    for args in [&["query", "44"][..], &["show", "44"]] {
        let mut command = program(args);
        command.env("LD_PRELOAD", shim).env("FAULT_CLOCK", "-86400");
        assert_eq!(run(command).code(), Some(0), "{args:?}");
    }
}
