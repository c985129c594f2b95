//! `strong4 show`: a position as a drawing, a key and codes. `docs/commands.md` shows all of its forms.

use serde_json::Value;

use crate::program::{Ran, assert_refused, record, solved, strong4, with_input};

#[test]
fn show_says_how_a_game_ended() {
    let status = |args| record(args)["status"].clone();
    assert_eq!(status("show 1212121 --json"), "won");
    assert_eq!(status("show 1221 --board 2x2 --json"), "full");
    assert!(strong4("show 1212121").stdout.contains("X, the first player, has won\n"));
    assert!(strong4("show 1221 --board 2x2").stdout.contains("nobody has won\n"));
}

#[test]
fn bad_games_and_keys_are_refused() {
    for (args, reason) in [
        ("1111111", "move 7 is '1', but column 1 is full"),
        ("12121213", "the game is over: the first player has four"),
        ("4a", "move 2 is 'a': expected a column from 1 to 7"),
        ("448", "move 3 is '8': expected a column from 1 to 7"),
        ("5 --board 4x4", "expected a column from 1 to 4"),
        ("4\n5", "move 2 is '\\n'"),
        ("--key 0", "--key: 0 is not a key"),
        ("--key -1", "'-1' is not a key"),
        ("--key four", "'four' is not a key"),
        ("--key 99999999999999999999", "is not a key"),
        ("--key 562949953421312", "below 2^49"),
        ("--key 4432676798599", "the key of no position"),
    ] {
        assert_refused(&strong4(&format!("show {args}")), reason);
    }
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
    let mirrored = strong4("show 4435 --place");
    assert_eq!(tail(&mirrored, 5)[0], "image    the mirror image");
    assert_eq!(tail(&mirrored, 4), tail(&ran, 4));
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
    let asked = record(&format!("query 245 --outcome --json --tables {tables}"));
    let category = &asked["category"];
    let told = tail(&ran, 2)[0];
    assert!(told.starts_with("bits     "), "{ran:?}");
    // O is to move.
    let expected = match category.as_str().unwrap() {
        "win" => "0 0: O wins",
        "draw" => "0 1: a draw",
        _ => "1 1: X wins",
    };
    assert!(told.ends_with(expected), "{told}, {category}");

    let of_lines = with_input(&format!("show - --place --tables {tables}"), "245\n1212121\n");
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
    let place_of = |moves: &str| record(&format!("show {moves} --place --json"))["place"].clone();
    let place = place_of("4453");
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
    let finished = place_of("1212121");
    assert_eq!(keys(&finished), keys(&place));
    assert_eq!((&finished["skipped"], &finished["centre"]), (&"finished".into(), &Value::Null));
    let forced = place_of("11223");
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
