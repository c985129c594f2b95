//! `strong4 query` and `show` between other programs: one record per line, as soon as it is known.

use std::io::{BufRead, BufReader, Write, read_to_string};
use std::process::{Child, ChildStdin};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::program::{
    Ran, assert_refused, json_lines, piped, record, signal, strong4, strong4_with_input, with_input,
};

fn start(args: &str) -> (Child, ChildStdin) {
    let mut program = piped(&args.split(' ').collect::<Vec<_>>());
    let input = program.stdin.take().unwrap();
    (program, input)
}

#[test]
fn a_program_that_writes_a_line_and_reads_a_line_is_answered() {
    for args in ["query - --json", "show - --json"] {
        let (mut program, mut input) = start(args);
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
        for moves in ["3145175534244665", "6436777131311127722", "448", "1212121"] {
            writeln!(input, "{moves}").unwrap();
            let record: Json = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            let found = (&record["moves"], record["error"].is_string());
            assert_eq!(found, (&moves.into(), moves == "448"));
        }
        drop(input);
        assert_eq!(program.wait().unwrap().code(), Some(2));
    }
}

/// The empty board of 8x7 takes a search of hours, and a finished game none.
const OVER: &str = "1212121\n";
const ENDLESS: &str = "''\n";

#[cfg(unix)]
#[test]
fn answers_leave_before_a_long_one_and_those_behind_it_are_not_lost() {
    let (mut program, mut input) = start("query - --board 8x7 --threads 2");
    input.write_all([OVER, ENDLESS, OVER].concat().as_bytes()).unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    let over = "1212121: X, the first player, has won";
    assert_eq!(lines.next().unwrap(), over);
    sleep(Duration::from_secs(2));
    signal(&program, "-INT");
    assert!(lines.eq(["'': error: stopped before the answer was known", over]));
    let said = read_to_string(program.stderr.take().unwrap()).unwrap();
    assert_eq!((program.wait().unwrap().code(), said.as_str()), (Some(130), "strong4: stopped\n"));
}

#[cfg(unix)]
#[test]
fn what_was_checked_is_reported_when_it_is_stopped() {
    let (mut program, mut input) = start("query --bulk - --board 8x7 --threads 2");
    // The input stays open.
    input.write_all(b"1212121 -25\n1212121 3\n 0\n").unwrap();
    let mut errors = BufReader::new(program.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(errors.next().unwrap(), "strong4: line 2: 1212121: expected 3, found -25");
    let progress = errors.next().unwrap();
    assert!(progress.starts_with("strong4: checking: 2 positions after 1 s"), "{progress}");
    signal(&program, "-INT");
    let told = read_to_string(program.stdout.take().unwrap()).unwrap();
    assert!(told.starts_with("2 positions, 1 mismatch; "), "{told}");
    assert_eq!(program.wait().unwrap().code(), Some(130));
}

#[test]
fn a_closed_pipe_stops_the_searches_too() {
    let start_time = Instant::now();
    let (mut program, mut input) = start("query - --board 8x7 --threads 2");
    drop(program.stdout.take());
    let _ = input.write_all([ENDLESS, ENDLESS].concat().as_bytes());
    sleep(Duration::from_millis(500));
    drop(program.stderr.take());
    drop(input);
    // Both threads search; nothing can be written before they finish.
    assert!(program.try_wait().unwrap().is_none());
    program.kill().unwrap();
    program.wait().unwrap();
    let (mut program, mut input) = start("query - --board 8x7 --threads 2");
    drop(program.stdout.take());
    let _ = input.write_all([OVER, ENDLESS, ENDLESS].concat().as_bytes());
    assert_eq!(program.wait().unwrap().code(), Some(0));
    assert!(start_time.elapsed() < Duration::from_secs(60));
}

#[test]
fn every_line_has_a_record_in_its_place() {
    let lines = "4453 -2\n''\n448\n# openings\n4 4 5\n4,4,5,3 # again\n{\"moves\":\"44\"}\n";
    let ran = with_input("query - --json", lines);
    let records = json_lines(&ran);
    let moves: Vec<&Json> = records.iter().map(|record| &record["moves"]).collect();
    assert_eq!(json!(moves), json!(["4453", "", "448", null, "4 4 5", "4453", "44"]));
    let errors: Vec<bool> = records.iter().map(|record| record["error"].is_string()).collect();
    assert_eq!(errors, [false, false, true, false, true, false, false]);
    assert_eq!(
        records[2],
        json!({"moves": "448", "error": "move 3 is '8': expected a column from 1 to 7"})
    );
    assert_eq!(records[3], json!({"comment": "# openings"}));
    assert!(records[4]["error"].as_str().unwrap().contains("is ambiguous"));
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            2,
            "strong4: error: 2 of 7 lines could not be answered; the first is line 3: move 3 \
            is '8': expected a column from 1 to 7\n"
        )
    );

    for args in ["query -", "show -"] {
        let ran = with_input(args, lines);
        assert_eq!((ran.stdout.lines().count(), ran.code), (7, 2));
    }
}

/// Whoever adds an empty line to a file has not asked for the empty board.
#[test]
fn an_empty_line_is_an_error_and_two_quotes_are_the_empty_board() {
    let expected = "an empty line: expected moves, or '' for the empty board";
    let said = format!("strong4: error: line 2: {expected}\n");
    for blank in ["", "  ", "\r"] {
        let lines = format!("4453\n{blank}\n'' 1\n");
        for command in ["query -", "show -", "review -"] {
            let ran = with_input(command, &lines);
            assert_eq!((ran.code, ran.stderr.as_str()), (2, said.as_str()), "{command} {blank:?}");
            let text: Vec<&str> = ran.stdout.lines().collect();
            assert_eq!((text.len(), text[1]), (3, format!("error: {expected}").as_str()));
            assert!(text[2].starts_with("'': "), "{text:?}");
            let records = json_lines(&with_input(&format!("{command} --json"), &lines));
            let errors: Vec<&Json> = records.iter().map(|record| &record["error"]).collect();
            assert_eq!(json!(errors), json!([null, expected, null]), "{command} {blank:?}");
            assert_eq!(records[2]["moves"], "");
        }
        let rows = with_input("query - --csv", &lines).stdout;
        assert!(rows.lines().nth(2).unwrap().ends_with(&format!(",\"{expected}\"")), "{rows}");
        let keys = with_input("query --key - --json", format!("{blank}\n"));
        assert_eq!(json_lines(&keys)[0]["error"], "an empty line: expected a key");
        let bulk = with_input("query --bulk -", format!("{blank}\n'' 1\n"));
        assert!(bulk.stdout.starts_with("1 position, 0 mismatches; "), "{bulk:?}");
        let why = "line 1: an empty line: expected <moves> <score>";
        assert!(bulk.code == 2 && bulk.stderr.contains(why), "{bulk:?}");
    }
}

#[test]
fn csv_has_a_header_and_a_row_for_each_line() {
    let ran = with_input("query - --csv", "3145175534244665\n448\n1212121\n# a comment\n");
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        rows[0].join(","),
        "moves,key,category,plies,score,lower,upper,move1,move2,move3,move4,move5,move6,move7,best,\
         line,source,micros,error"
    );
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{}", ran.stdout);
    assert_eq!(rows[1][..7], ["3145175534244665", "8974910996869", "win", "15", "6", "6", "6"]);
    assert_eq!(
        rows[1][7..17],
        ["-11", "-12", "6", "-11", "-11", "-10", "-12", "3", "335243666674737", "search"]
    );
    assert_eq!(
        (rows[2][0], rows[2][1], rows[2][18]),
        ("448", "", "move 3 is '8': expected a column from 1 to 7")
    );
    assert_eq!((rows[3][2], rows[3][3], rows[3][4], rows[3][14]), ("over", "0", "-18", ""));
    assert_eq!((rows[4][0], rows[4][1..].concat().as_str()), ("# a comment", ""));
    let one = strong4("query 3145175534244665 --csv");
    assert_eq!(one.stdout.lines().count(), 2);
    assert_refused(&strong4("query 44 --csv --json"), "cannot be used with");
}

#[test]
fn keys_and_records_are_read_as_they_come_out() {
    let games = "3145175534244665\n4453\n1212121\n";
    let shown = with_input("show - --json", games).stdout;
    let first = with_input("query - --json", games);
    let key = |record: &Json| record["key"].to_string();
    let keys: Vec<String> = json_lines(&first).iter().map(key).collect();
    let scores = |ran: &Ran| json_lines(ran).iter().map(|r| r["score"].clone()).collect::<Vec<_>>();
    for (args, input) in [
        ("query - --json", first.stdout.as_str()),
        ("query - --json", &shown),
        ("query --key - --json", &keys.join(" -2 # known\n")),
        ("query --key - --json", &shown.replace("\"moves\"", "\"other\"")),
    ] {
        let again = with_input(args, input);
        assert_eq!((scores(&again), again.code), (scores(&first), 0), "{args}: {input}");
    }
    let shown_again = with_input("show --key - --json", keys.join("\n"));
    assert_eq!(json_lines(&shown_again).iter().map(key).collect::<Vec<_>>(), keys);
    let bad = with_input("query --key - --json", "7\n\n");
    assert_eq!((json_lines(&bad).len(), bad.code), (2, 2));
}

#[test]
fn what_show_draws_is_read() {
    let shown = ["show 4453", "show 44", "query 3145175534244665"].map(|args| strong4(args).stdout);
    let drawn = shown.join("\n");
    let single = with_input("query --board-file - --json", &shown[0]);
    assert_eq!(json_lines(&single)[0]["key"], 4_433_219_977_345_u64);
    for command in ["show", "query"] {
        let many = with_input(&format!("{command} --board-file - --json"), &drawn);
        let keys: Vec<u64> =
            json_lines(&many).iter().map(|record| record["key"].as_u64().unwrap()).collect();
        assert_eq!(keys, [4_433_219_977_345, 4_432_683_090_049, 8_974_910_996_869]);
    }
    let bad = with_input("query --board-file -", format!("{}\nX.....\n", shown[0]));
    assert_eq!((bad.stdout.lines().count(), bad.code), (2, 2));
    assert_eq!(bad.stderr, "strong4: error: drawing 2: the drawing has 1 rows, the board 6\n");
    let nothing = with_input("show --board-file -", "");
    assert_eq!((nothing.stdout.as_str(), nothing.code), ("", 0));

    // A file with one drawing gets the full answer, and its colours do not matter.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drawing");
    let from_file = || strong4(&format!("show --board-file {}", file.display()));
    let colored = strong4("show 4453 --color always").stdout;
    let marked = strong4_with_input(&["play", "4453", "--as", "both"], b"").stdout;
    for drawn in [&shown[0], &colored, marked.split("\n\nmoves").next().unwrap()] {
        std::fs::write(&file, drawn).unwrap();
        assert_eq!(from_file().stdout, shown[0], "{drawn}");
    }
    std::fs::write(&file, "").unwrap();
    assert_refused(&from_file(), "the drawing has 0 rows, the board 6");
}

#[test]
fn a_program_that_draws_and_reads_is_answered() {
    for args in ["query --board-file - --json", "show --board-file -"] {
        let (mut program, mut input) = start(args);
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
        for moves in ["3145175534244665", "6436777131311127722"] {
            input.write_all(strong4(&format!("show {moves}")).stdout.as_bytes()).unwrap();
            let key = record(&format!("show {moves} --json"))["key"].to_string();
            let line = lines.next().unwrap().unwrap();
            assert!(line.contains(&key), "{key}: {line}");
        }
        drop(input);
        assert_eq!(program.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn numbers_that_lose_digits_are_strings() {
    let large = record("show 1212121 --board 8x7 --json");
    let key = large["key"].as_str().unwrap();
    assert!(key.parse::<u64>().unwrap() > 1 << 53, "{key}");
    assert_eq!(record("query 1212121 --board 8x7 --json")["key"], key);
    assert!(record("show 4453 --json")["naive"].is_u64());
    // A number printed as a string is read as one.
    let again = with_input("query - --board 8x7 --json", format!("{{\"key\":\"{key}\"}}\n"));
    assert_eq!(json_lines(&again)[0]["key"], key);
}

#[test]
fn input_that_nobody_asked_to_read_is_not_ignored() {
    let ran = with_input("query", "44\n");
    assert_refused(&ran, "no position given: give moves after the command, '-' to read them");
    let empty = strong4_with_input(&["query", "", "--json"], b"");
    assert_eq!((json_lines(&empty)[0]["score"].clone(), empty.code), (1.into(), 0));
}

#[test]
fn moves_may_stand_apart() {
    let together = strong4("query 445 --outcome").stdout;
    for args in ["query 4 4 5 --outcome", "query 4,4,5 --outcome", "query 4,4 5 --outcome"] {
        assert_eq!(strong4(args).stdout, together, "{args}");
    }
    assert_eq!(strong4("show 4 4 5").stdout, strong4("show 445").stdout);
    assert_refused(&strong4("show 9,10 --board 12x4"), "'10' may be one column or two");
}

#[test]
fn more_fields_are_there_on_request() {
    let more = record("query 4453 --json --with board,drawing");
    assert_eq!(more["board"], "7x6");
    assert!(more["drawing"].as_str().unwrap().ends_with("\n. . O X X . .\n1 2 3 4 5 6 7"));
    assert!(record("query 4453 --json")["board"].is_null());
    assert_refused(&strong4("query 4453 --with board"), "--json");
    let wrong = with_input("query - --json --board 5x4", "{\"moves\":\"1\",\"board\":\"7x6\"}\n");
    assert!(json_lines(&wrong)[0]["error"].as_str().unwrap().contains("give --board 7x6"));
}
