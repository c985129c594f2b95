//! `strong4 query`: what a position is worth, and each move from it.

use std::fs;

use serde_json::{Value as Json, json};
use strong4::board::Tier;
use strong4::inside::table::table_file;

use crate::program::{
    Ran, assert_refused, record, solved, strong4, strong4_with_input, with_input,
};

/// Exit code, standard output, standard error.
fn query(arguments: &str, input: &str) -> (i32, String, String) {
    let Ran { code, stdout, stderr } = with_input(&format!("query {arguments}"), input);
    (code, stdout, stderr)
}

fn json_of(out: &str) -> Json {
    serde_json::from_str(out).expect(out)
}

#[test]
fn json_has_exactly_these_keys() {
    let answer = json_of(&strong4("query 3145175534244665 --json").fine());
    let keys = [
        "best", "category", "columns", "key", "line", "lower", "micros", "moves", "plies", "score",
        "source", "upper",
    ];
    assert!(answer.as_object().unwrap().keys().eq(keys), "{answer}");
    let known = ["category", "score", "plies", "moves", "best"].map(|key| answer[key].clone());
    assert_eq!(json!(known), json!(["win", 6, 15, "3145175534244665", [3]]));
    let columns = answer["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 7);
    let third = json!({"category": "win", "plies": 15, "score": 6, "lower": 6, "upper": 6});
    assert_eq!(columns[2], third);
    assert_eq!(answer["line"].as_str().unwrap().len(), 15);

    let by_key = record(&format!("query --key {} --json", answer["key"]));
    assert_eq!(by_key["moves"], Json::Null);
    for same in ["category", "score", "plies", "columns", "best", "source"] {
        assert_eq!(by_key[same], answer[same]);
    }
}

#[test]
fn full_columns_are_null_and_draws_have_no_plies() {
    let answer = record("query 1111 --board 4x4 --json");
    assert_eq!(answer["columns"][0], Json::Null);
    assert_eq!((&answer["category"], &answer["plies"]), (&"draw".into(), &Json::Null));
    let over = record("query 1212121 --json");
    let over = ["category", "plies", "score", "best", "line"].map(|key| over[key].clone());
    assert_eq!(json!(over), json!(["over", 0, -18, [], ""]));
}

#[test]
fn the_empty_board_is_known() {
    let ran = strong4_with_input(&["query", "", "--json", "--outcome"], b"");
    let answer = json_of(&ran.stdout);
    assert_eq!((ran.code, &answer["score"], &answer["plies"]), (0, &1.into(), &41.into()));
    assert_eq!(answer["line"], Json::Null);
    assert_eq!((&answer["source"], &answer["best"]), (&"embedded".into(), &json!([4])));
}

#[test]
fn a_drawing_is_a_question_too() {
    let drawing = ". . . .\n. O . .\nO X X .\n1 2 3 4\n";
    let drawn = with_input("query --board-file - --board 4x3 --json", drawing).fine();
    assert_eq!(json_of(&drawn)["score"], record("query 2231 --board 4x3 --json")["score"]);
    let (code, out, err) = query("--board-file - --board 4x3", "....\n....\nXX..\n");
    assert_eq!((code, out.lines().count()), (2, 1));
    assert!(err.starts_with("strong4: error: drawing 1: no game leads to this board: "), "{err}");
    let (code, _, err) = query("--board-file no-such-file", "");
    assert_eq!(code, 2);
    assert!(err.starts_with("strong4: error: no-such-file: cannot read: "), "{err}");
}

#[test]
fn lines_are_answered_in_order_and_bad_ones_named() {
    let lines = "3145175534244665\n448\n6436777131311127722\n12121213\n1111111\n";
    let (code, out, err) = query("- --json", lines);
    assert_eq!(code, 2);
    let scores: Vec<Json> = out.lines().map(|line| json_of(line)["score"].take()).collect();
    assert_eq!(scores, [6.into(), Json::Null, 2.into(), Json::Null, Json::Null]);
    let errors: Vec<Json> = out.lines().map(|line| json_of(line)["error"].take()).collect();
    assert_eq!(
        errors[3..],
        [
            "move 8 is '3', but the game is over: the first player has four in a row",
            "move 7 is '1', but column 1 is full"
        ]
    );
    assert!(err.starts_with("strong4: error: 3 of 5 lines could not be answered; "), "{err}");
    let (code, _, err) = query("-", "44\n448\n");
    let only = "strong4: error: line 2: move 3 is '8': expected a column from 1 to 7\n";
    assert_eq!((code, err.as_str()), (2, only));
    // The answers are the same, in the same order, for any number of threads.
    let games: Vec<String> = (0..343).map(|n| format!("{}", n * 7919 + 1_000_000)).collect();
    let games: String =
        games.iter().map(|game| format!("31451755{}\n", to_columns(game))).collect();
    let answers =
        ["1", "3"].map(|threads| query(&format!("- --outcome --threads {threads}"), &games));
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].1.lines().count() > 100, "{answers:?}");
    with_input("query - --board 5x4 --outcome", "12\n34\n").fine();
}

/// Digits as columns of 7x6.
fn to_columns(digits: &str) -> String {
    digits.bytes().map(|digit| char::from(b'1' + (digit - b'0') % 7)).collect()
}

#[test]
fn wrong_questions_are_refused_in_one_line() {
    for (arguments, reason) in [
        ("448", "move 3 is '8': expected a column from 1 to 7"),
        ("--key 4432676798597", "--key: 4432676798597 is the key of no position: "),
        (
            "44 --limit 2d",
            "--limit: '2d' is not a duration: expected something like 2s, 500ms or 1h",
        ),
        ("44 --key 7", "cannot be used with"),
    ] {
        assert_refused(&strong4(&format!("query {arguments}")), reason);
    }
}

#[test]
fn bulk_reports_mismatches_by_its_exit_code() {
    let right = "3145175534244665 6\n6436777131311127722 2\n";
    let out = with_input("query --bulk -", right).fine();
    assert!(out.starts_with("2 positions, 0 mismatches; "), "{out}");
    let (code, out, err) = query("--bulk - --json", "3145175534244665 5\n1224257271724427 -4\n");
    assert_eq!((code, &json_of(&out)["mismatches"]), (1, &1.into()));
    assert_eq!(err, "strong4: line 1: 3145175534244665: expected 5, found 6\n");
    let (code, out, err) = query("--bulk -", "448 1\n# known\n3145175534244665 6 # too\n");
    assert_eq!(code, 2);
    assert!(out.starts_with("1 position, 0 mismatches; "), "{out}");
    assert_eq!(err, "strong4: error: line 1: move 3 is '8': expected a column from 1 to 7\n");
    let folder = tempfile::tempdir().unwrap();
    let (none, file) = (folder.path().join("none"), folder.path().join("scores"));
    let (code, _, err) = query(&format!("--bulk {}", none.display()), "");
    assert!(code == 2 && err.contains("none: cannot read: "), "{err}");
    // A line that is not text is one bad line.
    fs::write(&file, b"\xff 1\n3145175534244665 6\n").unwrap();
    let (code, out, err) = query(&format!("--bulk {}", file.display()), "");
    assert!(code == 2 && out.starts_with("1 position, 0 mismatches; "), "{out}");
    assert!(err.starts_with("strong4: error: line 1: move 1 is "), "{err}");
    assert_eq!(err.lines().count(), 1);
}

#[test]
fn tables_are_used_and_missing_ones_reported() {
    let folder = solved("--board 4x4");
    let tables = folder.path().to_str().unwrap();
    let ask = |arguments: &str| query(&format!("{arguments} --tables {tables}"), "");
    let (code, out, err) = ask("12 --json");
    assert_eq!((code, err.as_str(), &json_of(&out)["source"]), (0, "", &"table".into()));
    // Tier 1 is missing, too, but nothing here needs it.
    [1, 2, 3, 5].into_iter().for_each(|tier| {
        fs::remove_file(table_file(folder.path(), Tier::new(tier).unwrap())).unwrap()
    });
    let (code, out, err) = ask("12 --json");
    assert_eq!((code, &json_of(&out)["source"]), (0, &"search".into()));
    assert_eq!(
        err,
        format!(
            "strong4: {0}/tier-02.s4t, {0}/tier-03.s4t, {0}/tier-05.s4t are missing: a \
             search was used instead\n",
            tables
        )
    );
    assert_eq!(ask("12 --quiet").2, "");
}
