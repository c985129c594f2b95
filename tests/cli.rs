//! The program as its users meet it: arguments and standard input in; standard
//! output, standard error and an exit code out.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run of the program left behind.
#[derive(Debug)]
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn command(args: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_strong4"));
    command.args(args).env_remove("NO_COLOR");
    command
}

fn strong4_with_input(args: &[&str], stdin: &[u8]) -> Ran {
    let output = command(args).write_stdin(stdin).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    // A slow machine tells how far it is, which is no part of any answer.
    let remarks = stderr.split_inclusive('\n').filter(|line| !line.contains(" % after "));
    Ran {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: remarks.collect(),
    }
}

/// Words separated by single spaces, as a shell without quotes would see them.
fn strong4(args: &str) -> Ran {
    strong4_with_input(&args.split(' ').collect::<Vec<_>>(), b"")
}

/// The same with `--check=FILE` behind, for a file with this content.
fn checked_with(file: &str, content: &str, args: &str) -> Ran {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, content).unwrap();
    let check = format!("--check={}", path.display());
    let args: Vec<&str> = args.split(' ').chain([check.as_str()]).collect();
    strong4_with_input(&args, b"")
}

fn json_lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[track_caller]
fn assert_refused(ran: &Ran, what_was_wrong: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert_eq!(ran.stderr.matches('\n').count(), 1, "one line: {ran:?}");
    assert!(ran.stderr.starts_with("strong4: error: "), "{ran:?}");
    assert!(ran.stderr.contains(what_was_wrong), "{ran:?}");
}

#[test]
fn count_prints_an_aligned_table_with_sums() {
    let ran = strong4("count --tiers 6..8");
    assert_eq!(
        ran.stdout,
        "tier     live  terminal    total\n\
        \x20  6   16,422         0   16,422\n\
        \x20  7   54,131       728   54,859\n\
        \x20  8  182,383     1,892  184,275\n\
        \x20sum  252,936     2,620  255,556\n"
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn one_tier_has_no_sum() {
    let ran = strong4("count --tiers 5");
    assert_eq!(ran.stdout, "tier   live  terminal  total\n   5  4,263         0  4,263\n");
}

#[test]
fn count_covers_the_whole_board_unless_told_otherwise() {
    let ran = strong4("count --board 4x4 --json");
    let lines = json_lines(&ran);
    assert_eq!(lines.len(), 17);
    let total: u64 = lines.iter().map(|line| line["total"].as_u64().unwrap()).sum();
    assert_eq!(total, 161_029);
}

#[test]
fn count_prints_json_with_exactly_these_keys() {
    let ran = strong4("count --tiers 0..10 --json");
    let totals = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623];
    for ((tier, expected), line) in totals.iter().enumerate().zip(json_lines(&ran)) {
        let object = line.as_object().unwrap();
        assert!(object.keys().eq(["live", "terminal", "tier", "total"]), "{line}");
        assert_eq!(object["tier"], tier);
        assert_eq!(object["total"], *expected);
        let part = |name: &str| object[name].as_u64().unwrap();
        assert_eq!(part("live") + part("terminal"), part("total"));
    }
    assert_eq!(ran.stdout.lines().count(), totals.len());
}

#[test]
fn csv_is_what_check_reads() {
    let ran = strong4("count --board 3x3 --csv");
    assert!(ran.stdout.starts_with("board,tier,live,terminal,total\n3x3,0,1,0,1\n3x3,1,3,0,3\n"));
    assert_eq!(checked_with("own.csv", &ran.stdout, "count --board 3x3").code, 0);
}

#[test]
fn check_says_how_many_tiers_agree() {
    let ran = strong4("count --board 4x4 --check");
    assert_eq!(ran.code, 0);
    assert_eq!(ran.stderr, "strong4: all 17 tiers of 4x4 agree with the reference\n");
    let ran = strong4("count --tiers 3 --check");
    assert_eq!(ran.stderr, "strong4: tier 3 of 7x6 agrees with the reference\n");
    assert_eq!(strong4("count --tiers 0..10 --check --quiet").stderr, "");
}

#[test]
fn check_names_the_first_tier_that_differs() {
    let right = strong4("count --board 4x4 --csv").stdout;
    let wrong = right.replace("4x4,3,52,0,52", "4x4,3,51,0,51");
    let ran = checked_with("wrong.csv", &wrong, "count --board 4x4");
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stderr,
        "strong4: tier 3 of 4x4 differs from the reference: \
         expected 51 live + 0 terminal = 51, found 52 live + 0 terminal = 52\n"
    );
    // Only the tiers asked for are compared.
    assert_eq!(checked_with("wrong.csv", &wrong, "count --board 4x4 --tiers 4..16").code, 0);
}

#[test]
fn check_without_a_reference_says_which_there_are() {
    let ran = strong4("count --board 8x7 --tiers 0..3 --check");
    assert_refused(&ran, "there is no reference for 8x7; the 76 boards that have one are 4x11, ");
    assert!(ran.stderr.ends_with(" and smaller ones\n") && ran.stderr.len() < 150, "{ran:?}");
    assert_refused(&strong4("count --check=no-such-file"), "no-such-file");
    let broken = "board,tier,live,terminal,total\n7x6,0,1,1,1\n";
    let ran = checked_with("broken.csv", broken, "count --tiers 0");
    assert_refused(&ran, "line 2: 1 live and 1 terminal positions are not 1 in total");
}

#[test]
fn show_draws_the_position_and_tells_its_codes() {
    let ran = strong4("show 222 --board 4x3");
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stdout,
        ". X . .\n\
         . O . .\n\
         . X . .\n\
         1 2 3 4\n\
         \n\
         O, the second player, is to move\n\
         board    4x3\n\
         tier     3\n\
         key      4529 (guard form, 16 bits)\n\
         columns  1 1101 1 1 (marker form, top to bottom)\n\
         naive    432 (3^12 codes, 20 bits)\n"
    );
    assert_eq!(strong4("show --key 4529 --board 4x3").stdout, ran.stdout);
}

#[test]
fn show_prints_json_with_exactly_these_keys() {
    let ran = strong4("show 4453 --json");
    let object = &json_lines(&ran)[0];
    let keys = ["board", "key", "mover", "moves", "naive", "status", "tier"];
    assert!(object.as_object().unwrap().keys().eq(keys));
    assert_eq!(object["moves"], "4453");
    assert_eq!(object["board"], "7x6");
    assert_eq!(object["tier"], 4);
    assert_eq!(object["mover"], "first");
    assert_eq!(object["status"], "open");
    assert_eq!(object["naive"], 285_142_542_786u64);

    let by_key = strong4(&format!("show --json --key {}", object["key"]));
    let by_key = &json_lines(&by_key)[0];
    assert_eq!(by_key["moves"], Value::Null);
    assert_eq!((&by_key["key"], &by_key["tier"]), (&object["key"], &object["tier"]));
}

#[test]
fn show_says_how_a_game_ended() {
    let status = |args| json_lines(&strong4(args))[0]["status"].clone();
    assert_eq!(status("show 1212121 --json"), "won");
    assert_eq!(status("show 1221 --board 2x2 --json"), "full");
    assert!(strong4("show 1212121").stdout.contains("X, the first player, has won\n"));
    assert!(strong4("show 1221 --board 2x2").stdout.contains("nobody has won\n"));
}

#[test]
fn no_moves_are_the_empty_board() {
    let ran = strong4_with_input(&["show", "", "--json"], b"");
    assert_eq!(json_lines(&ran)[0]["tier"], 0);
}

#[test]
fn stones_are_coloured_when_asked_for() {
    assert!(strong4("show 44 --color always").stdout.contains("\x1b["));
    assert!(!strong4("show 44 --color never").stdout.contains("\x1b["));
    assert!(!strong4("show 44").stdout.contains("\x1b["), "a pipe is no terminal");
    for args in ["--help", "solve --help", "conut", "show x"] {
        let ran = strong4(args);
        assert!(!(ran.stdout + &ran.stderr).contains('\x1b'), "{args}");
    }
}

#[test]
fn lines_on_standard_input_are_answered_one_by_one() {
    let ran = strong4_with_input(&["show", "-", "--json"], b"4\n\n44\r\n4453");
    let moves: Vec<Value> = json_lines(&ran).iter().map(|line| line["moves"].clone()).collect();
    assert_eq!(moves, ["4", "", "44", "4453"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let ran = strong4_with_input(&["show", "-"], b"44\n1212121\n");
    assert_eq!(ran.stdout.lines().count(), 2);
    assert!(ran.stdout.starts_with("44: tier 2, X, the first player, is to move, key "));
}

#[test]
fn index_tells_the_size_of_tiers_and_of_what_they_are_made_of() {
    let ran = strong4("index --tiers 3..4");
    assert_eq!(
        ran.stdout,
        "board          7x6, cut 3 + 1 + 3\n\
         column states  103\n\
         centres        103\n\
         rows           49,041,161, over all centres\n\
         classes        14,234, over all centres\n\
         largest class  50,520 rows\n\
         \n\
         tier  tiles  cells  stored\n\
         \x20  3     13    252     132\n\
         \x20  4     31  1,260     714\n\
         \x20sum     44  1,512     846\n"
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn index_prints_json_with_exactly_these_keys() {
    let ran = strong4("index --tiers 4 --json");
    assert_eq!(ran.stdout, "{\"tier\":4,\"tiles\":31,\"cells\":1260,\"stored\":714}\n");
    let with_live = &json_lines(&strong4("index --tiers 4 --json --live"))[0];
    assert_eq!(with_live["live"], 1120);
}

#[test]
fn three_of_four_cells_of_7x4_are_live() {
    let ran = strong4("index --board 7x4 --live");
    assert_eq!(
        ran.stdout.lines().last(),
        Some(" sum  10,498  2,068,747,796  1,068,654,385  1,552,044,958    75.0")
    );
}

#[test]
fn index_of_a_board_that_is_too_large_is_refused() {
    assert_refused(
        &strong4("index --board 4x11"),
        "the index of 4x11 has too many states of the centre",
    );
    assert_refused(&strong4("index --board 2x31"), "2x31 has more than 65536 states");
    // An index that can be sized, but not counted, is refused before the first line.
    assert_refused(&strong4("index --board 10x5 --tiers 0 --live"), "at most 268435456 can be");
    assert_refused(&strong4("index --tiers 43"), "the last tier of 7x6 is 42");
}

#[test]
fn bad_lines_are_reported_and_the_rest_goes_on() {
    let ran = strong4_with_input(&["show", "-", "--json"], b"4\n4x\n11111111\n\xff\n44\n");
    assert_eq!(ran.code, 2);
    assert_eq!(json_lines(&ran).len(), 2);
    assert_eq!(
        ran.stderr,
        "strong4: error: line 2: move 2 is 'x': expected a column from 1 to 7\n\
         strong4: error: line 3: move 7 is '1', but column 1 is full\n\
         strong4: error: line 4: move 1 is '\\u{fffd}': expected a column from 1 to 7\n"
    );
}

#[test]
fn bad_games_and_keys_are_refused() {
    assert_refused(&strong4("show 1111111"), "move 7 is '1', but column 1 is full");
    assert_refused(&strong4("show 12121213"), "the game is over: the first player has four");
    assert_refused(&strong4("show 4a"), "move 2 is 'a': expected a column from 1 to 7");
    assert_refused(&strong4("show 448"), "move 3 is '8': expected a column from 1 to 7");
    assert_refused(&strong4("show 5 --board 4x4"), "expected a column from 1 to 4");
    assert_refused(&strong4("show --key 0"), "--key: 0 is no key");
    assert_refused(&strong4("show --key -1"), "'-1' is no key");
    assert_refused(&strong4("show --key four"), "'four' is no key");
    assert_refused(&strong4("show --key 99999999999999999999"), "no key");
    assert_refused(&strong4("show --key 562949953421312"), "below 2^49");
    assert_refused(&strong4("show --key 4432676798599"), "the key of no position");
    assert_refused(&strong4_with_input(&["show", "4\n5"], b""), "move 2 is '\\n'");
}

#[test]
fn bad_ranges_and_boards_are_refused() {
    assert_refused(&strong4("count --tiers 9..3"), "the range 9..3 is empty");
    assert_refused(&strong4("count --tiers 40..50"), "the last tier of 7x6 is 42");
    assert_refused(&strong4("count --tiers 17 --board 4x4"), "the last tier of 4x4 is 16");
    assert_refused(&strong4("count --tiers 0..999"), "no board has a tier beyond 63");
    assert_refused(&strong4("count --tiers a..b"), "expected FIRST..LAST");
    assert_refused(&strong4("count --tiers "), "expected FIRST..LAST");
    assert_refused(&strong4("count --board 8x8"), "a board of 8x8 does not fit");
    assert_refused(&strong4("count --board seven"), "'seven' is not a board");
    assert_refused(&strong4_with_input(&["count", "--board", "7\nx\n6"], b""), "is not a board");
}

#[test]
fn bad_usage_is_refused_with_what_is_accepted() {
    assert_refused(&strong4("conut"), "expected one of count, index, play, query, show");
    assert_refused(&strong4("count --tier 3"), "'--tier' found; expected one of --board, --tiers,");
    assert_refused(&strong4("count 5"), "unexpected argument '5'");
    assert_refused(&strong4("count --tiers"), "a value is required for '--tiers <A..B>'");
    assert_refused(&strong4("count --json --csv"), "cannot be used with");
    assert_refused(&strong4("show"), "<MOVES|-|--key <KEY>>");
    assert_refused(&strong4("show 4 --key 5"), "cannot be used with");
    assert_refused(&strong4("show 4 --color red"), "auto, always, never");
    assert_refused(&strong4("count --threads 0"), "a whole number from 1 to 1024");
    assert_refused(&strong4("count --threads -1"), "--threads: '-1' is no number of threads");
    assert_refused(&strong4("solve --mem -1GiB"), "--mem: '-1GiB' is no size");
    assert_refused(&strong4("query --limit -1s"), "--limit: '-1s' is no time");
    for (args, range) in [
        (
            "verify --samples 0",
            "--samples: '0' will not do: expected a whole number from 1 to 1000000",
        ),
        ("verify --samples -5", "--samples: '-5' will not do"),
        ("verify --samples 1 --seed x", "--seed: 'x' will not do: expected a whole number from 0"),
        ("zobrist --bits 99", "--bits: '99' will not do: expected a whole number from 4 to 20"),
        ("zobrist --runs ten", "--runs: 'ten' will not do"),
        ("play --as me", "--as: 'me' will not do: expected one of first, second, both"),
        ("completions tcsh", "<SHELL>: 'tcsh' will not do: expected one of bash, "),
    ] {
        assert_refused(&strong4(args), range);
    }
    assert_refused(&strong4("--quiet"), "count, index, play, query, show");
}

#[test]
fn help_and_version_are_data_and_their_absence_is_an_error() {
    for args in ["--help", "-h", "count --help", "show -h", "help", "help show", "--version"] {
        let ran = strong4(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args}");
        assert!(ran.stdout.ends_with('\n') && !ran.stdout.ends_with("\n\n"), "{args}");
    }
    let version = format!("strong4 {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(strong4("--version").stdout, version);
    let ran = strong4_with_input(&[], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: strong4"));
}

#[test]
fn threads_are_accepted_before_and_after_the_subcommand() {
    let ran = strong4("--threads 2 count --tiers 3 --json");
    assert_eq!(ran.stdout, strong4("count --tiers 3 --json --threads 1").stdout);
    assert_eq!(ran.code, 0);
    let ran = command(&["count", "--tiers", "3", "--json"]).env("RAYON_NUM_THREADS", "1").output();
    assert_eq!(ran.unwrap().stdout, strong4("count --tiers 3 --json").stdout.as_bytes());
}

#[test]
fn threads_of_the_environment_are_a_number_that_can_be_had() {
    let count = |threads| {
        let mut counting = command(&["count", "--tiers", "3", "--quiet"]);
        let ran = counting.env("RAYON_NUM_THREADS", threads).output();
        let ran = ran.unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    for fine in ["", "0", "2"] {
        assert_eq!(count(fine), (Some(0), String::new()), "{fine}");
    }
    for bad in ["many", "-1", "99999999"] {
        let reason = "expected a whole number from 1 to 1024";
        let error = format!(
            "strong4: error: RAYON_NUM_THREADS: '{bad}' is no number of threads: {reason}\n"
        );
        assert_eq!(count(bad), (Some(2), error));
    }
    // --threads is stronger, whatever the environment says.
    let mut stronger = command(&["count", "--tiers", "3", "--threads", "1"]);
    let ran = stronger.env("RAYON_NUM_THREADS", "x").output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_program_well() {
    for args in [&["show", "-"][..], &["count", "--tiers", "0..3"], &["index"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_strong4"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closed before the first byte; a program that waits for its input has
        // written nothing yet, and the others may have been faster.
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
    for args in
        ["count --tiers 0..3", "count --tiers 0..3 --json", "index", "show 4", "show -", "--help"]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_strong4"))
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
        assert!(stderr.starts_with("strong4: error: can not write to standard output: "));
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_nobody_can_read_do_no_harm() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_strong4"))
        .args(["show", "x"])
        .stderr(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn solve_prints_how_the_positions_of_each_tier_end() {
    let ran = strong4("solve --board 5x4 --tiers 0..2 --json --no-tables");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let lines = json_lines(&ran);
    let tier = |line: &Value| {
        ["tier", "won", "drawn", "lost", "terminal", "total"].map(|key| line[key].as_u64().unwrap())
    };
    assert_eq!(
        lines.iter().map(tier).collect::<Vec<_>>(),
        [[0, 0, 1, 0, 0, 1], [1, 2, 3, 0, 0, 5], [2, 0, 23, 2, 0, 25]]
    );
    assert!(lines.iter().all(|line| line["seconds"].as_f64().unwrap() >= 0.0));

    let table = strong4("solve --board 5x4 --tiers 1 --no-tables");
    let words: Vec<&str> = table.stdout.split_whitespace().collect();
    assert_eq!(
        words[..7],
        ["tier", "won", "drawn", "lost", "terminal", "total", "seconds"],
        "{table:?}"
    );
    assert_eq!(words[7..13], ["1", "2", "3", "0", "0", "5"]);
}

#[test]
fn all_forms_of_the_kernels_count_alike() {
    let counts = |form: &str| {
        let ran = strong4(&format!("solve --board 4x4 --json --no-tables --cpu {form}"));
        let strip = |mut line: Value| {
            line.as_object_mut().unwrap().remove("seconds");
            line
        };
        (ran.code, json_lines(&ran).into_iter().map(strip).collect::<Vec<_>>(), ran)
    };
    let (code, portable, ran) = counts("portable");
    assert_eq!((code, portable.len()), (0, 17), "{ran:?}");
    for form in ["avx2", "avx512"] {
        match counts(form) {
            (0, other, _) => assert_eq!(other, portable),
            (_, _, ran) => assert_refused(&ran, &format!("lacks the instructions of {form}")),
        }
    }
    let ran = strong4("solve --board 4x4 --cpu sse9");
    assert_refused(&ran, "--cpu: 'sse9' will not do: expected one of portable, avx2, avx512");
}
