//! `strong4 show`: a position as a drawing, a key and codes.

use serde_json::Value;

use crate::program::{Ran, assert_refused, json_lines, solved, strong4, strong4_with_input};

#[test]
fn show_draws_the_position_and_prints_its_codes() {
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
    let ran = strong4_with_input(&["show", "-", "--json"], b"4\n''\n44\r\n4453");
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
            "move 1 is '\u{fffd}': expected a column from 1 to 7",
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

/// The last lines of what was printed.
fn tail(ran: &Ran, lines: usize) -> Vec<&str> {
    let all: Vec<&str> = ran.stdout.lines().collect();
    all[all.len() - lines..].to_vec()
}

#[test]
fn place_says_where_a_position_is_looked_up() {
    let plain = strong4("show 4453");
    let ran = strong4("show 4453 --place");
    assert!(ran.stdout.starts_with(&plain.stdout));
    let place = [
        "look-up  quiet: nobody can make four with the next stone",
        "image    the position itself",
        "tile     centre 4, left class (1, 0), right class (1, 1)",
        "cell     row 0, column 0",
        "outcome  block 14 (3 rows, width 1), row 0, column 0: bit 0 of bytes 0 and 8",
        "score    block 14 (3 rows, width 1), row 0, column 0: byte 0",
    ];
    assert_eq!(tail(&ran, 6), place);
    let mirrored = strong4("show 4435 --place");
    assert_eq!(tail(&mirrored, 5)[0], "image    the mirror image");
    assert_eq!(tail(&mirrored, 4), place[2..]);
    // Any board: one column, two columns, an even width, no sides.
    for (command, cell) in [
        (
            "show 111 --board 1x20 --place",
            "tile     centre 3, left class (0, 0), right class (0, 0)",
        ),
        ("show 11 --board 2x9 --place", "tile     centre 2, left class (0, 0), right class (0, 0)"),
        ("show 5 --board 8x3 --place", "cell     row 0, column 0"),
    ] {
        let ran = strong4(command);
        assert!(ran.code == 0 && ran.stdout.lines().any(|line| line == cell), "{ran:?}");
    }
}

#[test]
fn place_says_why_a_position_is_not_looked_up() {
    for (game, why, has_cell) in [
        ("1212121", "X has made four, and O has lost", false),
        ("112233", "X makes four with the next stone, and wins", true),
        ("44553", "X threatens two fours, and wins", true),
        ("11223", "X threatens four, so O must play 4: look up what follows", true),
        ("1221 --board 2x2", "the board is full, a draw", true),
    ] {
        let ran = strong4(&format!("show {game} --place"));
        assert!(ran.stdout.contains(&format!("\nlook-up  none: {why}\n")), "{ran:?}");
        assert_eq!(ran.stdout.contains("\ncell     "), has_cell, "{ran:?}");
    }
    let near_the_end = strong4("show 12341234 --board 4x4 --place").stdout;
    assert!(near_the_end.contains("\noutcome  no block: 14 cells or fewer are empty\n"));
}

#[test]
fn place_reads_tables_where_there_are_some() {
    let folder = solved("--board 5x4");
    let tables = folder.path().display();
    // The board is that of the tables.
    let ran = strong4(&format!("show 245 --place --tables {tables}"));
    let query = strong4(&format!("query 245 --outcome --json --tables {tables}"));
    let category = json_lines(&query)[0]["category"].clone();
    let told = tail(&ran, 2)[0];
    assert!(told.starts_with("bits     "), "{ran:?}");
    // O is to move.
    let expected = match category.as_str().unwrap() {
        "win" => "0 0: O wins",
        "draw" => "0 1: a draw",
        _ => "1 1: X wins",
    };
    assert!(told.ends_with(expected), "{told}, {category}");

    let of_lines = strong4_with_input(
        &["show", "-", "--place", "--tables", &tables.to_string()],
        b"245\n1212121\n",
    );
    let lines: Vec<&str> = of_lines.stdout.lines().collect();
    assert!(lines[0].contains("; the position itself, centre 0, "), "{lines:?}");
    assert!(lines[0].ends_with(expected.split_once(": ").unwrap().1), "{lines:?}");
    assert!(lines[1].ends_with("; none: X has made four, and O has lost"), "{lines:?}");

    // A forced move, without a meaning in the cell.
    let forced = strong4(&format!("show 11223 --place --tables {tables}")).stdout;
    assert!(forced.contains("\nbits     0 0: means nothing, for the position is not quiet\n"));

    // A damaged block is an error.
    let file = folder.path().join("tier-03.s4t");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[512..].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&file, bytes).unwrap();
    let ran = strong4(&format!("show 245 --place --tables {tables}"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("tier-03.s4t: block "), "{ran:?}");
}

#[test]
fn places_in_json_have_exactly_these_keys() {
    let record = |args: &str| json_lines(&strong4(args))[0]["place"].clone();
    let place = record("show 4453 --place --json");
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&place),
        [
            "centre", "column", "forced", "left", "mirrored", "outcome", "right", "row", "score",
            "skipped"
        ]
    );
    let outcome = &place["outcome"];
    assert_eq!(keys(outcome), ["bit", "block", "bytes", "first_holds", "first_wins", "horizon"]);
    assert_eq!(keys(&place["score"]), ["block", "byte", "horizon", "ply"]);
    assert_eq!(keys(&outcome["block"]), ["column", "number", "row", "rows", "width"]);
    assert_eq!((&outcome["horizon"], &outcome["block"]["number"]), (&14.into(), &14.into()));
    assert_eq!(place["skipped"], Value::Null);
    let finished = record("show 1212121 --place --json");
    assert_eq!(keys(&finished), keys(&place));
    assert_eq!((&finished["skipped"], &finished["centre"]), (&"finished".into(), &Value::Null));
    let forced = record("show 11223 --place --json");
    assert_eq!((&forced["skipped"], &forced["forced"]), (&"forced".into(), &4.into()));
}

#[test]
fn places_that_make_no_sense_are_refused() {
    assert_refused(&strong4("show 4 --tables x"), "--place");
    let ran = strong4("show 4 --place --tables nowhere");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran:?}");
    let ran = strong4("show 4 --place --board 3x20");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("a column of 3x20 has more than 65536 states"), "{ran:?}");
}
