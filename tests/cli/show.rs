//! `strong4 show`: a position as a drawing, a key and codes.

use serde_json::Value;

use crate::program::{assert_refused, json_lines, strong4, strong4_with_input};

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
fn bad_lines_are_reported_and_the_rest_goes_on() {
    let ran = strong4_with_input(&["show", "-", "--json"], b"4\n4x\n11111111\n\xff\n44\n");
    assert_eq!(ran.code, 2);
    let records = json_lines(&ran);
    let errors: Vec<&str> =
        records.iter().map(|record| record["error"].as_str().unwrap_or_default()).collect();
    assert_eq!(
        errors,
        [
            "",
            "move 2 is 'x': expected a column from 1 to 7",
            "move 7 is '1', but column 1 is full",
            "move 1 is '\\u{fffd}': expected a column from 1 to 7",
            ""
        ]
    );
    assert!(ran.stderr.starts_with("strong4: error: 3 of 5 lines could not be answered; "));
}

#[test]
fn bad_games_and_keys_are_refused() {
    assert_refused(&strong4("show 1111111"), "move 7 is '1', but column 1 is full");
    assert_refused(&strong4("show 12121213"), "the game is over: the first player has four");
    assert_refused(&strong4("show 4a"), "move 2 is 'a': expected a column from 1 to 7");
    assert_refused(&strong4("show 448"), "move 3 is '8': expected a column from 1 to 7");
    assert_refused(&strong4("show 5 --board 4x4"), "expected a column from 1 to 4");
    assert_refused(&strong4("show --key 0"), "--key: 0 is not a key");
    assert_refused(&strong4("show --key -1"), "'-1' is not a key");
    assert_refused(&strong4("show --key four"), "'four' is not a key");
    assert_refused(&strong4("show --key 99999999999999999999"), "is not a key");
    assert_refused(&strong4("show --key 562949953421312"), "below 2^49");
    assert_refused(&strong4("show --key 4432676798599"), "the key of no position");
    assert_refused(&strong4_with_input(&["show", "4\n5"], b""), "move 2 is '\\n'");
}
