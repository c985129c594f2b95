//! `strong4 zobrist`: predictions beside measurements.

use serde_json::Value;

use crate::program::{Ran, assert_refused, json_lines, piped, signal, strong4};

#[test]
fn predictions_hold_for_good_words_and_fail_for_bad_ones() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("zobrist.svg");
    let args = format!("zobrist --json --bits 6 --runs 400 --svg {}", picture.display());
    let ran = strong4(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let rows = json_lines(&ran);
    let of = |study: &'static str| rows.iter().filter(move |row| row["study"] == study);
    let number = |row: &Value, name: &str| row[name].as_f64().expect(name);

    assert_eq!(of("retrievals").count(), 11);
    for row in of("retrievals") {
        let (predicted, measured) = (number(row, "predicted"), number(row, "measured"));
        assert!((predicted - measured).abs() < 0.1, "{row}");
        assert!(number(row, "low") <= measured && measured <= number(row, "high"));
    }
    for row in of("searches").take(9) {
        let ratio = number(row, "measured") / number(row, "predicted");
        assert!((0.8..1.25).contains(&ratio), "{row}");
    }
    let wrong: Vec<u64> = of("results").map(|row| row["wrong"].as_u64().unwrap()).collect();
    assert!(wrong[0] > 0 && wrong.last() == Some(&0), "{wrong:?}");
    for row in of("successors") {
        assert_eq!(row["common"], row["clashing"]);
    }
    let apart = of("apart").next().unwrap();
    assert!(1000.0 * number(apart, "clashing") < number(apart, "pairs"), "{apart}");
    let words: Vec<&Value> = of("words").collect();
    assert_eq!(words.len(), 6);
    assert_eq!((&words[0]["rank"], &words[0]["smallest_dependent"]), (&64.into(), &Value::Null));
    assert_eq!(words[1]["smallest_dependent"], 4);
    // The words of the search are dependent, but still keep positions apart.
    assert_eq!((&words[5]["rank"], &words[5]["smallest_dependent"]), (&49.into(), &3.into()));
    let [good, repeated] = [0, 4].map(|at| number(words[at], "wrong_per_million"));
    assert!(repeated > 50.0 * good, "{good}, {repeated}");
    assert_eq!(of("spread").count(), 6);

    let picture = std::fs::read_to_string(picture).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.matches("<circle").count() > 20);
    // Each of the two charts has a legend.
    assert_eq!([">predicted<", ">measured<"].map(|name| picture.matches(name).count()), [2, 2]);
    // It has a background, so it is legible on dark pages too.
    assert!(picture.contains("fill=\"#fff\"/>"));
    assert!(ran.stderr.contains("picture written to "), "{ran:?}");
}

#[test]
#[ignore = "takes some seconds: make test-long"]
fn the_text_gives_the_numbers_of_the_records() {
    let rows = json_lines(&strong4("zobrist --bits 6 --runs 400 --json"));
    let Ran { code, stdout: text, .. } = strong4("zobrist --bits 6 --runs 400");
    assert_eq!(code, 0);
    let titles: Vec<&str> = text.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(titles.len(), 6, "{text}");
    // Only the times differ from run to run.
    let row = rows.iter().find(|row| row["study"] == "retrievals").unwrap();
    let share = row["measured"].as_f64().unwrap();
    assert!(text.contains(&format!("{share:.4}")), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (args, option) in [
        ("zobrist --bits 3", "--bits"),
        ("zobrist --bits 21", "--bits"),
        ("zobrist --runs 0", "--runs"),
        ("zobrist --seed -1", "--seed: '-1' is invalid"),
        ("zobrist --board 5x4", "--board"),
    ] {
        assert_refused(&strong4(args), option);
    }
}

#[cfg(unix)]
#[test]
fn a_picture_stays_until_there_is_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.svg"), "<svg/>").unwrap();
    for (name, kept) in [("old.svg", Some("<svg/>")), ("new.svg", None)] {
        let file = folder.path().join(name);
        // The default takes seconds.
        let mut program = piped(&["zobrist", "--svg", file.to_str().unwrap()]);
        while !file.exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        signal(&program, "-INT");
        assert_eq!(program.wait().unwrap().code(), Some(130));
        assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), kept, "{name}");
    }
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_before_the_work() {
    let start = std::time::Instant::now();
    // The default takes seconds.
    let ran = strong4("zobrist --svg /no/such/folder/x.svg");
    assert_refused(&ran, "cannot write to /no/such/folder/x.svg");
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}
