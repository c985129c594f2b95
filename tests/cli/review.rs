//! `strong4 review`: a game, move by move.

use serde_json::json;

use crate::program::{assert_refused, json_lines, strong4, strong4_with_input};

#[test]
fn each_move_is_shown_with_its_value() {
    let ran = strong4("review 44444265");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[..9],
        [
            "move  by  column  worth  best             in",
            "   1   X       4     +1    +1              4",
            "   2   O       4     -1    -1              4",
            "   3   X       4     +1    +1              4",
            "   4   O       4     -1    -1              4",
            "   5   X       4     +1    +1              4",
            "   6   O       2     -1    -1  4 3 5 2 6 1 7",
            "   7   X       6      0    +1              2  a win becomes a draw",
            "   8   O       5      0     0              5",
        ]
    );
    assert!(ran.stdout.contains("\nX, the first player, is to move: a draw, score 0\n"));
    assert_eq!(
        lines.last(),
        Some(&"decided by move 7: X plays 6, and a win becomes a draw; better was 2")
    );
    assert_eq!(strong4("review 4 4 4,4,4 265").stdout, ran.stdout);
    assert_refused(&strong4("review 448"), "move 3 is '8'");
    assert_refused(&strong4("review"), "<MOVES|->");
}

#[test]
fn a_game_that_is_over_says_who_lost_it_where() {
    let game = &json_lines(&strong4("review 1212121 --json"))[0];
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
    let ran = strong4_with_input(&["review", "-"], b"1212121\n448\n# a comment\n44\n");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), ran.code), (4, 2));
    assert!(lines[0].starts_with("1212121: X, the first player, has won; 2 mistakes; decided by"));
    assert_eq!(lines[1], "448: error: move 3 is '8': expected a column from 1 to 7");
    assert!(lines[3].ends_with("; 0 mistakes"), "{}", lines[3]);
    let ran = strong4_with_input(&["review", "-", "--json"], b"44\n448\n");
    assert!(json_lines(&ran)[1]["error"].is_string());
}

#[test]
fn what_is_not_known_is_not_judged() {
    let ran = strong4("review 44 --board 8x7 --limit 20ms --json");
    let game = &json_lines(&ran)[0];
    assert_eq!(game["decided_by"], serde_json::Value::Null);
    assert!(game["review"].as_array().unwrap().iter().all(|m| m["judgement"] == "unknown"));
}

#[test]
fn pictures_show_stones_and_values() {
    let ran = strong4("review 1212121 --svg");
    assert!(ran.stdout.starts_with("<svg xmlns=") && ran.stdout.ends_with("</svg>\n"));
    // Seven stones with the numbers of their moves, a four, and two moves with a question mark.
    assert_eq!(ran.stdout.matches("fill=\"#dc2626\"").count(), 4);
    assert_eq!(ran.stdout.matches("stroke=\"#16a34a\"").count(), 4);
    assert!(ran.stdout.contains(">6?<") && ran.stdout.contains(">1?<"));
    assert!(ran.stdout.contains(">0<") && ran.stdout.contains(">and ?: a mistake<"));
    assert!(ran.stdout.contains(">Red, the first player, has won<"));
    assert!(ran.stdout.contains(">score for red after each move<"));
    assert_refused(&strong4_with_input(&["review", "-", "--svg"], b""), "--svg draws one game");

    let ran = strong4("query 4453 --svg");
    assert!(ran.stdout.starts_with("<svg xmlns=") && ran.stdout.ends_with("</svg>\n"));
    assert!(
        ran.stdout.contains(">-5<") && ran.stdout.contains(">yellow wins in 36 plies, score -2<")
    );
    assert!(ran.stdout.contains(">Red, the first player, is to move<"));
    let yellow = strong4("query 445 --svg");
    assert!(yellow.stdout.contains(">Yellow, the second player, is to move<"));
    let full = strong4("query 1221 --board 2x2 --svg");
    assert!(full.stdout.contains(">The board is full, and nobody has won<"));
    // Every picture says whose the colours are, and none speaks of the letters of drawings.
    for picture in [&strong4("review 1212121 --svg"), &ran, &yellow, &full].map(|ran| &ran.stdout) {
        assert!(picture.contains(": the first player is red, the second is yellow</title>"));
        let shown =
            picture.split('>').filter_map(|part| part.split_once('<')).map(|(text, _)| text);
        let is_letter = |word: &str| ["X", "O"].contains(&word.trim_matches(','));
        assert!(!shown.flat_map(str::split_whitespace).any(is_letter), "{picture}");
    }
    assert_eq!(ran.stdout.matches("fill=\"#facc15\"").count(), 2);
    assert_refused(&strong4("query 4453 --svg --json"), "cannot be used with");
    assert_refused(&strong4_with_input(&["query", "-", "--svg"], b""), "--svg draws one position");
}
