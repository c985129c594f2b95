//! What happens to the streams: colours, closed pipes, full disks, and Ctrl-C. The further output of
//! `solve` that is interrupted is tested in `tests/tabulate.rs`.

use std::io::{Read, Write, read_to_string};
use std::process::Stdio;

use crate::program::{piped, process, signal, strong4};

#[test]
fn stones_are_coloured_when_asked_for() {
    assert!(strong4("show 44 --color always").stdout.contains("\x1b["));
    let played = strong4("play --as both 12 --color always").stdout;
    assert!(played.contains("(\x1b[1;33mO\x1b[0m)"), "{played}");
    assert!(!strong4("show 44 --color never").stdout.contains("\x1b["));
    assert!(!strong4("show 44").stdout.contains("\x1b["), "a pipe is no terminal");
    for args in ["--help", "solve --help", "conut", "show x"] {
        let ran = strong4(args);
        assert!(!(ran.stdout + &ran.stderr).contains('\x1b'), "{args}");
    }
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_program_well() {
    for args in
        [&["show", "-"][..], &["count", "--tiers", "0..3"], &["index"], &["list"], &["--help"]]
    {
        let mut child = piped(args);
        // Closed before the first byte. A program that waits for its input has written nothing yet,
        // and the others may have been faster.
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all("4453\n".repeat(10_000).as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for args in [
        "count --tiers 0..3",
        "count --tiers 0..3 --json",
        "index",
        "list",
        "show 4",
        "show -",
        "--help",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut child = process()
            .args(args.split(' '))
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"4453\n");
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args}");
        assert!(stderr.starts_with("strong4: error: cannot write to standard output: "));
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_nobody_can_read_do_no_harm() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = process().args(["show", "x"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// Interrupts a command that waits for more input once it has answered a line.
#[cfg(unix)]
fn interrupted(args: &[&str], line: &[u8]) -> (Option<i32>, String) {
    let mut program = piped(args);
    let mut input = program.stdin.take().unwrap();
    input.write_all(line).unwrap();
    // A program that has written something can be interrupted.
    program.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    signal(&program, "-INT");
    let said = read_to_string(program.stderr.take().unwrap()).unwrap();
    drop(input);
    (program.wait().unwrap().code(), said)
}

#[cfg(unix)]
#[test]
fn every_command_says_that_it_was_stopped() {
    for (args, line) in [
        (&["play", "--board", "4x4"][..], &b"h\n"[..]),
        (&["show", "-"], b"4453\n"),
        (&["query", "-", "--quiet"], b"3145175534244665\n"),
    ] {
        let (code, said) = interrupted(args, line);
        assert_eq!((code, said.as_str()), (Some(130), "strong4: stopped\n"), "{args:?}");
    }
}
