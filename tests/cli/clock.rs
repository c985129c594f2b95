//! `strong4 query --limit`: as good an answer as the time allows, and no better.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::program::{json_lines, record, strong4, strong4_with_input};

#[test]
fn nothing_is_best_when_nothing_is_known() {
    let unknown = record("query --board 8x7 1 --limit 0.05s --json");
    assert_eq!((&unknown["category"], &unknown["score"]), (&Json::Null, &Json::Null));
    assert_eq!((&unknown["best"], &unknown["line"]), (&json!([]), &Json::Null));
    let bound = |name: &str| unknown[name].as_i64().unwrap();
    assert!((-27..0).contains(&bound("lower")) && (1..=27).contains(&bound("upper")), "{unknown}");
    let text = strong4("query --board 8x7 1 --limit 0.05s").stdout;
    let told = |what: &str| text.lines().any(|line| line.starts_with(what));
    assert!(told("value    not settled; score -") && told("best     not known"), "{text}");
}

#[test]
fn the_limit_is_used_while_anything_is_unknown_and_kept() {
    let start = Instant::now();
    let answer = record("query --board 8x7 1 --limit 1s --json");
    let micros = answer["micros"].as_u64().unwrap();
    assert!((950_000..1_900_000).contains(&micros), "{micros}");
    assert!(start.elapsed() < Duration::from_secs(10));
    // What is known at once takes no time.
    let known = record("query 3145175534244665 --limit 1h --json");
    assert_eq!((&known["score"], known["line"].as_str().unwrap().len()), (&6.into(), 15));
}

#[test]
fn mirror_images_are_worth_the_same_whatever_the_limit() {
    for limit in ["0.02s", "0.3s"] {
        let args = ["query", "", "--board", "8x6", "--limit", limit, "--json"];
        let ran = strong4_with_input(&args, b"");
        let columns = json_lines(&ran)[0]["columns"].clone();
        let columns = columns.as_array().unwrap();
        assert!(columns.iter().eq(columns.iter().rev()), "{columns:?}");
    }
}

#[test]
fn a_line_goes_to_the_end_when_it_is_asked_to() {
    let whole = record("query 44535 --line --json");
    assert_eq!(whole["plies"].as_u64(), Some(whole["line"].as_str().unwrap().len() as u64));
    assert_eq!(strong4("query 44 --line --outcome").code, 2);
    let line = record("query 4453 --json")["line"].clone();
    assert!(line.as_str().unwrap().len() > 1, "{line}");
}
