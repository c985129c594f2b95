//! `strong4 solve --no-tables`: how the positions of each tier end. Its files are tested in
//! `tests/tabulate.rs`.

use serde_json::Value;

use crate::program::{assert_refused, json_lines, strong4, strong4_with_input};

/// The records that are printed, and nothing else.
#[track_caller]
fn counts(arguments: &str) -> Vec<Value> {
    let out = strong4(&format!("solve --no-tables --json {arguments}")).fine();
    out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn solve_prints_how_the_positions_of_each_tier_end() {
    let lines = counts("--board 5x4 --tiers 0..2");
    let tier = |line: &Value| {
        ["tier", "won", "drawn", "lost", "terminal", "total"].map(|key| line[key].as_u64().unwrap())
    };
    assert_eq!(
        lines.iter().map(tier).collect::<Vec<_>>(),
        [[0, 0, 1, 0, 0, 1], [1, 2, 3, 0, 0, 5], [2, 0, 23, 2, 0, 25]]
    );
    assert!(lines.iter().all(|line| line["seconds"].as_f64().unwrap() >= 0.0));

    let table = strong4("solve --board 5x4 --tiers 1..2 --no-tables").fine();
    let rows = || table.lines().map(|line| line.rsplit_once(' ').unwrap());
    assert!(rows().map(|(row, _)| row.trim_end()).eq([
        "tier  won  drawn  lost  terminal  total",
        "   1    2      3     0         0      5",
        "   2    0     23     2         0     25",
        " sum    2     26     2         0     30",
    ]));
    let seconds = |row| rows().nth(row).unwrap().1.parse::<f64>().unwrap();
    assert!((seconds(1) + seconds(2) - seconds(3)).abs() < 0.002, "{table}");
}

/// No index is made of 8x6, and nothing is written.
#[test]
fn an_estimate_says_what_a_run_takes_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let estimate = |arguments: &str| {
        strong4(&format!("solve --estimate {arguments} --tables {}", tables.display())).fine()
    };
    let record = |arguments| serde_json::from_str::<Value>(&estimate(arguments)).unwrap();
    let told = record("--board 8x6 --mem 8GiB --json");
    assert_eq!((&told["event"], &told["board"]), (&"estimate".into(), &"8x6".into()));
    assert_eq!((told["first"].as_u64(), told["last"].as_u64()), (Some(0), Some(48)));
    for (key, least, most) in [
        ("cells", 30e12, 60e12),
        ("seconds", 60.0, 1e6),
        ("memory", 1e9, 8.001 * f64::from(1 << 30)),
        ("scratch", 20e9, 30e9),
        ("tables", 100e9, 2e12),
    ] {
        let value = told[key].as_f64().unwrap();
        assert!((least..most).contains(&value), "{key}: {value}");
    }
    let text = estimate("--board 5x5");
    assert!(text.starts_with("tiers 0..25 of 5x5: ") && text.ends_with(" of tables\n"), "{text}");
    let cells = |arguments| record(arguments)["cells"].as_u64().unwrap();
    assert!(cells("--board 5x5 --json --scores") > cells("--board 5x5 --json"));
    assert!(!tables.exists());
}

#[test]
fn solve_counts_how_soon_positions_are_over() {
    let (outcomes, plies) = (counts("--board 5x4"), counts("--board 5x4 --scores"));
    assert_eq!((outcomes.len(), plies.len()), (21, 21));
    for (outcomes, plies) in outcomes.iter().zip(&plies) {
        let sum = |which: &str, rest: u64| -> u64 {
            let by_plies = plies[which].as_object().unwrap();
            assert!(by_plies.keys().all(|plies| plies.parse::<u64>().unwrap() % 2 == rest));
            by_plies.values().map(|positions| positions.as_u64().unwrap()).sum()
        };
        assert_eq!(plies["tier"], outcomes["tier"]);
        assert_eq!(sum("won", 1), outcomes["won"].as_u64().unwrap(), "{plies}");
        assert_eq!(sum("lost", 0), outcomes["lost"].as_u64().unwrap(), "{plies}");
        assert_eq!(plies["drawn"], outcomes["drawn"]);
    }
    assert_eq!(counts("--board 5x4 --scores --tiers 9..10"), plies[9..=10]);

    let ran = strong4("solve --board 5x4 --no-tables --scores --every-cell");
    assert_refused(&ran, "the argument '--scores' cannot be used with '--every-cell'");
}

#[test]
fn outcomes_are_counted_without_tables_in_files_as_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("big disk");
    let solve = |arguments: &[&str]| {
        let solve = ["solve", "--board", "5x4", "--no-tables", "--json"];
        let ran = strong4_with_input(&[&solve[..], arguments].concat(), b"");
        let mut lines = json_lines(&ran);
        lines.iter_mut().for_each(|line| _ = line.as_object_mut().unwrap().remove("seconds"));
        (ran.code, lines)
    };
    let in_memory = solve(&["--quiet"]);
    let scratch = scratch.to_str().unwrap();
    let files = ["--quiet", "--scratch", scratch, "--mem", "1GiB", "--checkpoint", "0"];
    assert_eq!(solve(&files), in_memory);
    // What remains are counts, which are printed again at once.
    let names = |folder: &str| -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap();
        names.map(|name| name.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(names(scratch), ["5x4-counts"]);
    let counts = format!("{scratch}/5x4-counts");
    let bytes = |name: String| std::fs::metadata(format!("{counts}/{name}")).unwrap().len();
    assert!(names(&counts).into_iter().map(bytes).sum::<u64>() < 20_000);
    assert_eq!(solve(&files), in_memory);
    assert_eq!(strong4_with_input(&["verify", "--tables", &counts], b"").code, 0);

    // The same one plane at a time, as it was begun, in two runs.
    let scratch = folder.path().join("small disk");
    let counts = scratch.join("5x4-counts");
    std::fs::create_dir_all(counts.join("holds")).unwrap();
    let scratch = scratch.to_str().unwrap();
    assert_eq!(solve(&["--scratch", scratch, "--quiet"]), in_memory);
    assert_eq!(names(scratch), ["5x4-counts"]);
    for plane in ["wins", "holds"] {
        let counts = counts.join(plane);
        let verified = strong4_with_input(&["verify", "--tables", counts.to_str().unwrap()], b"");
        assert_eq!(verified.code, 0);
    }
    let again = ["solve", "--board", "5x4", "--no-tables", "--json", "--scratch", scratch];
    let again = || strong4_with_input(&again, b"").stderr;
    assert_eq!(again(), "", "nothing is left to do");
    std::fs::remove_file(counts.join("holds/tier-00.s4t")).unwrap();
    let told: Value = serde_json::from_str(again().lines().next().unwrap()).unwrap();
    assert_eq!((&told["event"], &told["runs"]), (&"intend".into(), &2.into()));

    let refused = |arguments: &str, why: &str| {
        assert_refused(&strong4(&format!("solve --board 5x4 --no-tables {arguments}")), why);
    };
    refused("--mem 1GiB", "--mem without tables needs --scratch");
    refused("--checkpoint 1min", "--checkpoint without tables needs --scratch");
    refused("--scores --scratch x", "--scores counts in memory if there are no tables");
    refused("--scores --estimate", "--scores counts in memory if there are no tables");
    // What is estimated is the runs that were begun: one over both planes, or one over each.
    let of_begun = ["solve", "--board", "5x4", "--no-tables", "--estimate", "--scratch"];
    for (disk, bytes) in [("big disk", "10.5"), ("small disk", "21.0")] {
        let disk = folder.path().join(disk);
        let args = [&of_begun[..], &[disk.to_str().unwrap()]].concat();
        let estimate = strong4_with_input(&args, b"").fine();
        assert!(estimate.ends_with(&format!(" {bytes} KiB of tables\n")), "{estimate}");
    }
}

#[test]
fn all_forms_of_the_kernels_count_alike() {
    let counts = |form: &str| {
        let ran = strong4(&format!("solve --board 4x4 --json --no-tables --cpu {form}"));
        let strip = |mut line: Value| {
            line.as_object_mut().unwrap().remove("seconds");
            line
        };
        (ran.code, json_lines(&ran).into_iter().map(strip).collect::<Vec<_>>(), ran)
    };
    let (code, portable, ran) = counts("portable");
    assert_eq!((code, portable.len()), (0, 17), "{ran:?}");
    for form in ["avx2", "avx512"] {
        match counts(form) {
            (0, other, _) => assert_eq!(other, portable),
            (_, _, ran) => assert_refused(&ran, &format!("lacks the instructions of {form}")),
        }
    }
    let ran = strong4("solve --board 4x4 --cpu sse9");
    assert_refused(&ran, "'sse9' for '--cpu <FORM>' [possible values: portable, avx2, avx512]");
}
