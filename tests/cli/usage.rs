//! The command line: what is accepted everywhere, and how the rest is refused.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use crate::program::{
    assert_refused, command, piped_in, strong4, strong4_on, strong4_with_input, succeeds,
};

#[test]
fn bad_ranges_and_boards_are_refused() {
    for (args, reason) in [
        ("--tiers 9..3", "the range 9..3 is empty"),
        ("--tiers 40..50", "the last tier of 7x6 is 42"),
        ("--tiers 17 --board 4x4", "the last tier of 4x4 is 16"),
        ("--tiers 0..999", "no board has a tier beyond 63"),
        ("--tiers a..b", "expected FIRST..LAST"),
        ("--tiers ", "expected FIRST..LAST"),
        ("--board 8x8", "a board of 8x8 does not fit"),
        ("--board seven", "'seven' is not a board"),
        ("--board 7\nx\n6", "is not a board"),
    ] {
        assert_refused(&strong4(&format!("count {args}")), reason);
    }
}

#[test]
fn bad_usage_is_refused_with_what_is_accepted() {
    for (args, reason) in [
        (
            "conut",
            "unrecognized subcommand 'conut'; tip: a similar subcommand exists: 'count'; try \
             '--help'",
        ),
        (
            "count --tier 3",
            "unexpected argument '--tier' found; tip: a similar argument exists: '--tiers'; try \
             '--help'",
        ),
        ("count 5", "unexpected argument '5'"),
        ("count --tiers", "a value is required for '--tiers <A..B>'"),
        ("count --json --csv", "cannot be used with"),
        ("show", "no position given: give moves, '' for the empty board"),
        ("show 4 --key 5", "cannot be used with"),
        ("show 4 --color red", "auto, always, never"),
        ("count --threads 0", "a whole number from 1 to 1024"),
        ("count --threads -1", "--threads: '-1' is not a number of threads"),
        ("solve --mem -1GiB", "--mem: '-1GiB' is not a size"),
        ("query --limit -1s", "--limit: '-1s' is not a duration"),
        (
            "verify --samples 0",
            "--samples: '0' is invalid: expected a whole number from 1 to 1000000",
        ),
        ("verify --samples -5", "--samples: '-5' is invalid"),
        ("verify --samples 1 --seed x", "--seed: 'x' is invalid: expected a whole number from 0"),
        ("zobrist --bits 99", "--bits: '99' is invalid: expected a whole number from 4 to 20"),
        ("zobrist --runs ten", "--runs: 'ten' is invalid"),
        ("play --as me", "'me' for '--as <PLAYER>' [possible values: first, second, both]"),
        ("completions tcsh", "[possible values: bash, elvish, fish, powershell, zsh]"),
        (
            "--quiet",
            "count, exam, grade, index, list, plan, play, query, review, sample, serve, show",
        ),
        // What was meant is guessed.
        ("stast", "exist: 'status', 'stats'"),
        ("query 4 --limt 2s", "exists: '--limit'"),
        ("count --boardd 7x6", "exists: '--board'"),
    ] {
        assert_refused(&strong4(args), reason);
    }
    assert!(!strong4("xyzzy").stderr.contains("tip"));
}

#[test]
fn help_and_version_are_data_and_their_absence_is_an_error() {
    for args in ["--help", "-h", "count --help", "show -h", "help", "help show", "--version"] {
        let out = strong4(args).fine();
        assert!(out.ends_with('\n') && !out.ends_with("\n\n"), "{args}");
    }
    let version = format!("strong4 {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(strong4("--version").stdout, version);
    let ran = strong4_with_input(&[], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: strong4"));
}

#[test]
fn threads_are_accepted_before_and_after_the_subcommand() {
    let counted = strong4("--threads 2 count --tiers 3 --json").fine();
    assert_eq!(strong4("count --tiers 3 --json --threads 1").fine(), counted);
}

#[test]
fn threads_of_the_environment_are_a_number_that_can_be_had() {
    let count_with = |args: &str, threads| {
        let args: Vec<&str> = args.split(' ').collect();
        let ran = command(&args).env("RAYON_NUM_THREADS", threads).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let count = |threads| count_with("count --tiers 3 --quiet", threads);
    for fine in ["", "0", "1", "2"] {
        assert_eq!(count(fine), (Some(0), String::new()), "{fine}");
    }
    for bad in ["many", "-1", "99999999"] {
        let reason = "expected a whole number from 1 to 1024";
        let error = format!(
            "strong4: error: RAYON_NUM_THREADS: '{bad}' is not a number of threads: {reason}\n"
        );
        assert_eq!(count(bad), (Some(2), error));
    }
    // --threads has priority, whatever the environment says.
    assert_eq!(count_with("count --tiers 3 --threads 1", "x").0, Some(0));
}

#[test]
fn tables_of_another_board_are_named_and_nothing_is_done_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("some tables");
    succeeds("solve --quiet --board 4x4", &tables);
    for name in ["status", "verify", "stats", "query", "play", "solve"] {
        assert_refused(&strong4_on(&format!("{name} --board 5x4"), &tables), "4x4");
    }
}

#[test]
fn commands_that_need_tables_say_no_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    for command in
        ["status", "verify", "verify --samples 2", "stats", "query 4", "play", "review 4"]
    {
        for args in [
            format!("{command} --board 4x4 --tables {empty}"),
            format!("{command} --board 4x4 --tables {empty}/none"),
        ] {
            let ran = strong4(&args);
            assert_eq!(ran.code, 1, "{args}: {ran:?}");
            let solve = format!("strong4 solve --board 4x4 --tables {empty}");
            assert!((ran.stdout + &ran.stderr).contains(&solve), "{args}: {}", ran.stderr);
        }
        // Such a folder does not say which board.
        let ran = strong4(&format!("{command} --tables {empty}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{command}: {ran:?}");
        assert!(ran.stderr.contains("name their board with --board"), "{ran:?}");
    }
    for command in ["status", "verify", "stats"] {
        crate::program::command(&[command]).current_dir(folder.path()).assert().code(1);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_made_is_named_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let solve = |args: &[&str]| {
        let mut solve = command(&["solve", "--board", "4x4"]);
        let ran = solve.args(args).current_dir(folder.path()).output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0), "{err}");
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 0, "{args:?} leaves something");
        err
    };
    let why = "strong4: error: cannot make the folder /dev/null/x: ";
    assert!(solve(&["--scratch", "/dev/null/x"]).starts_with(why));
    assert!(solve(&["--tables", "/dev/null/x"]).starts_with(why));
    assert!(solve(&["--tables", "a/b", "--scratch", "/dev/null/x"]).starts_with(why));
    // A refusal for another reason leaves nothing either, and gives readable sizes.
    let refused = solve(&["--tables", "a/b", "--mem", "1kB"]);
    assert!(
        refused.contains(" may be used: allow it with --mem ") && refused.contains("iB"),
        "{refused}"
    );
}

/// The first text on standard error, and how long it took; then the program is killed.
fn first_words(args: &str) -> (String, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let mut program = piped_in(folder.path(), &args.split(' ').collect::<Vec<_>>());
    // A busy machine reports progress first.
    let mut lines = BufReader::new(program.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = lines.find(|line| !line.contains(": preparing after ")).unwrap_or_default();
    let took = start.elapsed();
    let _ = program.kill();
    program.wait().unwrap();
    (line, took)
}

#[test]
fn boards_at_the_edge_say_at_once_how_long_they_take() {
    for (args, said) in [
        ("count --board 32x1", "strong4: preparing to count 32x1 takes about "),
        ("count --board 5x11", "strong4: preparing to count 5x11 takes about "),
        ("count --board 3x12 --tiers 0..30", "strong4: preparing to count 3x12 takes at most "),
        ("solve --board 16x3", "strong4: solving tiers 0..48 of 16x3: "),
        ("solve --board 16x3 --tiers 0..0", "strong4: error: tier 0 follows from tier 1, "),
        (
            "solve --board 16x3 --no-tables",
            "strong4: error: solving tiers 0 to 48 of 16x3 in memory ",
        ),
        ("verify --board 16x3", "strong4: there are no tables of 16x3 in tables/16x3: "),
    ] {
        let (line, took) = first_words(args);
        assert!(line.starts_with(said), "{args}: {line}");
        // A busy machine takes seconds; the work itself takes longer on all of these boards.
        assert!(took < Duration::from_secs(10), "{args} took {took:?}");
    }
}
