//! Tables that are cut off while a program has them open: errors, and the program goes on.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{piped, solved, strong4};
use crate::server::Server;

/// Tables of 5x5, and positions of tier 8: one per line, as moves.
fn tables() -> (TempDir, String) {
    let folder = solved("--board 5x5");
    let sample = strong4("sample --board 5x5 --tiers 8 --count 300").stdout;
    let moves = sample.lines().skip(1).map(|line| line.split(',').nth(1).unwrap());
    let moves = moves.map(|moves| format!("{moves}\n")).collect();
    (folder, moves)
}

fn cut_off(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "s4t") {
            let file = File::options().write(true).open(path).unwrap();
            let length = file.metadata().unwrap().len();
            file.set_len(length.min(600)).unwrap();
        }
    }
}

const OVER: &str = "1212121";

/// Some records of these lines are errors that name a table that was cut off; none is anything
/// else but an answer.
fn assert_cut_off(records: &[Value]) {
    let errors: Vec<&str> = records.iter().filter_map(|record| record["error"].as_str()).collect();
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.contains(".s4t: ") && error.contains("it was cut off"), "{error}");
    }
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).expect(line)
}

#[test]
fn a_server_answers_on_when_its_tables_are_cut_off() {
    let (folder, moves) = tables();
    let tables = folder.path().to_str().unwrap();
    let mut server = Server::start(&["--tables", tables]);
    let (first, rest) = moves.split_once('\n').unwrap();
    // The server opens the tables of this position and its moves, and reads a block of each.
    assert_eq!(server.get(&format!("/api/analyze?moves={first}")).status, 200);
    cut_off(folder.path());
    let answers: Vec<Value> = server.post(rest).body.lines().map(json).collect();
    assert_eq!(answers.len(), rest.lines().count());
    assert_cut_off(&answers);
    let bad = rest.lines().zip(&answers).find(|(_, answer)| answer["error"].is_string());
    let reply = server.get(&format!("/api/analyze?moves={}", bad.unwrap().0));
    assert!(reply.status == 500 && reply.error().contains(".s4t: "), "{}", reply.body);
    assert_eq!(server.get(&format!("/api/analyze?moves={OVER}")).json()["category"], "over");
    assert_eq!(server.get("/healthz").status, 200);
    assert!(server.child.try_wait().unwrap().is_none());
}

#[test]
fn a_session_answers_on_when_its_tables_are_cut_off() {
    let (folder, moves) = tables();
    let tables = folder.path().to_str().unwrap();
    let mut session = piped(&["query", "-", "--json", "--quiet", "--tables", tables]);
    let mut input = session.stdin.take().unwrap();
    let mut lines = BufReader::new(session.stdout.take().unwrap()).lines();
    let mut next = || json(&lines.next().unwrap().unwrap());
    let (first, rest) = moves.split_once('\n').unwrap();
    writeln!(input, "{first}").unwrap();
    assert!(next()["error"].is_null());
    cut_off(folder.path());
    write!(input, "{rest}").unwrap();
    let answers: Vec<Value> = rest.lines().map(|_| next()).collect();
    assert_cut_off(&answers);
    writeln!(input, "{OVER}").unwrap();
    assert_eq!(next()["category"], "over");
    drop(input);
    // Tables are at fault.
    assert_eq!(session.wait().unwrap().code(), Some(1));
}
