//! The command line: what is accepted everywhere, and how the rest is refused.

use crate::program::{assert_refused, command, strong4, strong4_with_input};

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
