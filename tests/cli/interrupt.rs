//! Ctrl-C: one line, exit code 130. The further output of `solve` is tested in `tests/tabulate.rs`.
#![cfg(unix)]

use crate::program::process;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Interrupts a command that waits for more input once it has answered a line.
fn interrupted(args: &[&str], line: &[u8]) -> (Option<i32>, String) {
    let mut program = process()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    input.write_all(line).unwrap();
    // A program that has written something can be interrupted.
    program.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let kill = Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut said = String::new();
    program.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
    drop(input);
    (program.wait().unwrap().code(), said)
}

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
