//! `strong4 review`: a game, move by move. `docs/commands.md` shows one.

use serde_json::json;

use crate::program::{assert_refused, json_lines, record, strong4, with_input};

#[test]
fn moves_may_stand_apart_and_must_be_legal() {
    let out = strong4("review 44444265").fine();
    assert_eq!(strong4("review 4 4 4,4,4 265").stdout, out);
    assert_refused(&strong4("review 448"), "move 3 is '8'");
    assert_refused(&strong4("review"), "<MOVES|->");
}

#[test]
fn a_game_that_is_over_says_who_lost_it_where() {
    let game = record("review 1212121 --json");
    assert_eq!((&game["status"], &game["winner"]), (&"won".into(), &"first".into()));
    assert_eq!((&game["decided_by"], &game["moves"]), (&6.into(), &"1212121".into()));
    let moves = game["review"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    assert_eq!(
        moves[5],
        json!({
            "number": 6, "player": "second", "column": 2,
            "category": "loss", "score": -18, "lower": -18, "upper": -18,
            "best": [1], "best_category": "win", "best_score": 1, "judgement": "mistake"
        })
    );
    assert_eq!(moves[3]["judgement"], "slower");
    let text = strong4("review 1212121").stdout;
    assert!(text.contains("\n   (X)   .    .") && text.contains("\n   [X]   O    ."), "{text}");
}

#[test]
fn games_on_lines_have_a_record_each() {
    let ran = with_input("review -", "1212121\n448\n# a comment\n44\n");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), ran.code), (4, 2));
    assert!(lines[0].starts_with("1212121: X, the first player, has won; 2 mistakes; decided by"));
    assert_eq!(lines[1], "448: error: move 3 is '8': expected a column from 1 to 7");
    assert!(lines[3].ends_with("; 0 mistakes"), "{}", lines[3]);
    let ran = with_input("review - --json", "44\n448\n");
    assert!(json_lines(&ran)[1]["error"].is_string());
}

#[test]
fn what_is_not_known_is_not_judged() {
    let game = record("review 44 --board 8x7 --limit 20ms --json");
    assert_eq!(game["decided_by"], serde_json::Value::Null);
    assert!(game["review"].as_array().unwrap().iter().all(|m| m["judgement"] == "unknown"));
}

#[test]
fn pictures_show_stones_and_values() {
    let reviewed = strong4("review 1212121 --svg").stdout;
    assert!(reviewed.starts_with("<svg xmlns=") && reviewed.ends_with("</svg>\n"));
    // Seven stones with the numbers of their moves, a four, and two moves with a question mark.
    assert_eq!(reviewed.matches("fill=\"#dc2626\"").count(), 4);
    assert_eq!(reviewed.matches("stroke=\"#16a34a\"").count(), 4);
    assert!(reviewed.contains(">6?<") && reviewed.contains(">1?<"));
    assert!(reviewed.contains(">0<") && reviewed.contains(">and ?: a mistake<"));
    assert!(reviewed.contains(">Red, the first player, has won<"));
    assert!(reviewed.contains(">score for red after each move<"));
    assert_refused(&strong4("review - --svg"), "--svg draws one game");

    let asked = strong4("query 4453 --svg").stdout;
    assert!(asked.starts_with("<svg xmlns=") && asked.ends_with("</svg>\n"));
    assert!(asked.contains(">-5<") && asked.contains(">yellow wins in 36 plies, score -2<"));
    assert!(asked.contains(">Red, the first player, is to move<"));
    assert_eq!(asked.matches("fill=\"#facc15\"").count(), 2);
    let yellow = strong4("query 445 --svg").stdout;
    assert!(yellow.contains(">Yellow, the second player, is to move<"));
    let full = strong4("query 1221 --board 2x2 --svg").stdout;
    assert!(full.contains(">The board is full, and nobody has won<"));
    // Every picture says whose the colours are, and none speaks of the letters of drawings.
    for picture in [reviewed, asked, yellow, full] {
        assert!(picture.contains(": the first player is red, the second is yellow</title>"));
        let shown =
            picture.split('>').filter_map(|part| part.split_once('<')).map(|(text, _)| text);
        let is_letter = |word: &str| ["X", "O"].contains(&word.trim_matches(','));
        assert!(!shown.flat_map(str::split_whitespace).any(is_letter), "{picture}");
    }
    assert_refused(&strong4("query 4453 --svg --json"), "cannot be used with");
    assert_refused(&strong4("query - --svg"), "--svg draws one position");
}
