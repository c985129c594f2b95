//! The subcommands that read tables, as their users see them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use strong4::inside::table::{FolderLock, Horizon, Layout, TierPart, table_file};

use super::build::{copied, index, tier_of, written};
use crate::program::{Ran, strong4_on};

/// Exit code, standard output, standard error.
pub fn strong4(command: &str, folder: &Path) -> (i32, String, String) {
    let Ran { code, stdout, stderr } = strong4_on(command, folder);
    (code, stdout, stderr)
}

fn tables() -> tempfile::TempDir {
    written("4x3", 2).1
}

#[test]
fn verify_answers_with_its_exit_code() {
    let folder = tables();
    let (code, out, err) = strong4("verify", folder.path());
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.starts_with("strong4: 13 tables of 4x3 are as they were written: "), "{err}");
    assert_eq!(strong4("verify --quiet", folder.path()), (0, String::new(), String::new()));

    let path = table_file(folder.path(), tier_of(8));
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let (code, out, err) = strong4("verify --board 4x3", folder.path());
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("tier-08.s4t: block ") && out.lines().count() == 1, "{out}");
    assert!(out.ends_with("its checksum is wrong: remove it and solve again\n"), "{out}");

    let (code, out, err) = strong4("verify --board 4x4", folder.path());
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("holds tables of 4x3, not of 4x4: give --board 4x3, "), "{err}");
    // A table of another board among those of this one is a fault of that table.
    let (_, other) = written("4x4", 2);
    fs::copy(table_file(other.path(), tier_of(8)), &path).unwrap();
    let (code, out, err) = strong4("verify --board 4x3", folder.path());
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("expected a table of 4x3, found one of 4x4: try --board 4x4"), "{out}");

    let nowhere = folder.path().join("nowhere");
    for command in
        ["verify", "verify --samples 5", "query 44", "stats", "status", "show 44 --place"]
    {
        let (code, out, err) = strong4(command, &nowhere);
        assert_eq!((code, out.as_str()), (1, ""), "{command}");
        let said = format!("there is no folder {}: check --tables", nowhere.display());
        assert!(err.contains(&said) && err.lines().count() == 1, "{command}: {err}");
    }
    let (code, _, err) = strong4("verify --board 4x3", &folder.path().join("nowhere"));
    assert_eq!(code, 1);
    assert!(err.contains("nowhere: 'strong4 solve --board 4x3 --tables "), "{err}");
    assert_eq!(strong4("verify --samples", folder.path()).0, 2);
}

#[test]
fn verify_prints_json_with_exactly_these_keys() {
    let folder = tables();
    let verified = |exit| {
        let (code, out, _) = strong4("verify --json", folder.path());
        assert_eq!(code, exit, "{out}");
        let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect::<Vec<Value>>()
    };
    let [sound] = &verified(0)[..] else { panic!("one folder and no faults") };
    let keys = ["blocks", "board", "bytes", "deep", "faults", "recomputed", "tables"];
    assert!(sound.as_object().unwrap().keys().eq(keys), "{sound}");
    assert_eq!((&sound["board"], &sound["tables"]), (&"4x3".into(), &13.into()));
    assert_eq!(sound["faults"], 0);

    fs::remove_file(table_file(folder.path(), tier_of(5))).unwrap();
    let [fault, wrong] = &verified(1)[..] else { panic!("one fault and the folder") };
    assert!(fault.as_object().unwrap().keys().eq(["fault"]), "{fault}");
    assert!(fault["fault"].as_str().unwrap().contains("there is no table of tier 5 of 4x3"));
    assert_eq!((&wrong["tables"], &wrong["faults"]), (&12.into(), &1.into()));
}

#[test]
fn status_says_what_to_do_next() {
    let folder = tables();
    let (code, out, _) = strong4("status", folder.path());
    assert_eq!(code, 0);
    let name = folder.path().display();
    assert!(out.contains("tables      tiers 0..12: "), "{out}");
    assert!(out.ends_with(&format!("next        strong4 verify --board 4x3 --tables {name}\n")));

    fs::remove_file(table_file(folder.path(), tier_of(5))).unwrap();
    let layout = Layout::new(index("4x3").census(), tier_of(5), Horizon(2));
    let part = TierPart::create(folder.path(), &layout).unwrap();
    let _lock = FolderLock::take(folder.path()).unwrap();
    let (code, out, err) = strong4("status --json", folder.path());
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(json["board"], "4x3");
    assert_eq!(json["tables"].as_array().unwrap().len(), 12);
    assert_eq!(json["missing"], serde_json::json!([5]));
    assert_eq!(json["unfinished"], serde_json::json!([{"tier": 5, "bytes": part.length()}]));
    assert_eq!((&json["in_use"], &json["manifest"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!(json["next"], format!("strong4 solve --board 4x3 --tables {name}"));

    let (code, out, _) = strong4("status --board 5x4", &folder.path().join("nowhere"));
    assert_eq!(code, 1);
    assert!(out.contains("missing     tiers 0..20 of 0..20\n"), "{out}");
}

#[test]
fn stats_are_printed_and_compared() {
    let folder = tables();
    let (code, out, _) = strong4("stats", folder.path());
    assert_eq!(code, 0);
    let heads: Vec<&str> = out.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(
        heads,
        [
            "Positions, and what their tables take:",
            "Live positions, for the player to move:",
            "All positions, by who wins:"
        ]
    );

    let (_, json, _) = strong4("stats --json", folder.path());
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 13);
    let keys = [
        "bits", "bytes", "drawn", "live", "lost", "o_wins", "seconds", "terminal", "tier", "total",
        "won", "x_wins",
    ];
    for line in &lines {
        assert!(line.as_object().unwrap().keys().eq(keys), "{line}");
        let sum = |parts: &[&str]| parts.iter().map(|p| line[p].as_u64().unwrap()).sum::<u64>();
        assert_eq!(sum(&["won", "drawn", "lost"]), sum(&["live"]));
        assert_eq!(sum(&["live", "terminal"]), sum(&["total"]));
        assert_eq!(sum(&["x_wins", "drawn", "o_wins"]), sum(&["total"]));
    }
    let length = fs::metadata(table_file(folder.path(), tier_of(0))).unwrap().len();
    assert_eq!(lines[0]["bytes"], length);
    assert_eq!(lines[0]["seconds"], 0.5);

    let (_, csv, _) = strong4("stats --csv", folder.path());
    let mut rows = csv.lines();
    let head: Vec<&str> = rows.next().unwrap().split(',').collect();
    for (row, line) in rows.zip(&lines) {
        for (name, field) in head.iter().zip(row.split(',')) {
            assert_eq!(field.parse::<f64>().unwrap(), line[name].as_f64().unwrap(), "{name}");
        }
    }
    let (code, svg, _) = strong4("stats --svg", folder.path());
    assert_eq!(code, 0);
    assert!(svg.starts_with("<svg ") && svg.contains("Connect Four 4x3, tier by tier"), "{svg}");
    let (code, out, err) = strong4("stats --svg --csv", folder.path());
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("cannot be used with"), "{err}");

    let file = folder.path().join("known.csv");
    let check = |text: &str| {
        fs::write(&file, text).unwrap();
        strong4(&format!("stats --csv --check={}", file.display()), folder.path())
    };
    let (code, _, err) = check(&csv);
    assert_eq!(code, 0, "{err}");
    assert_eq!(err, "strong4: all 13 available tiers of 4x3 agree with the reference\n");
    let (code, _, err) = check(&csv.replace("\n0,0,1,0,0,1,", "\n0,1,0,0,0,1,"));
    assert_eq!(code, 1);
    assert!(err.contains("tier 0 of 4x3 differs from the reference: expected 1 won, 0 drawn"));
    let (code, _, err) = check(csv.lines().next().unwrap());
    assert_eq!((code, err.lines().count()), (1, 13));
    assert!(err.contains("the outcomes of tier 0 of 4x3 are not known"));
    let (code, out, err) = check("tier");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("known.csv: line 1: expected 'tier,won,drawn,lost,terminal,total'"));

    // If no outcomes are known, counts are; these tables contain no terminal positions.
    let (code, _, err) = strong4("stats --check", folder.path());
    assert_eq!((code, err.lines().count()), (1, 5), "{err}");
    assert!(err.contains("tier 7 of 4x3 differs from the reference: expected 1"), "{err}");
    fs::remove_file(table_file(folder.path(), tier_of(3))).unwrap();
    let (code, out, err) = strong4("stats --csv", folder.path());
    assert_eq!((code, out.lines().count()), (0, 13));
    assert_eq!(err, "strong4: tables of tiers 3 are missing and not counted\n");
    let (code, _, err) = strong4("stats", tempfile::tempdir().unwrap().path());
    assert_eq!(code, 1);
    assert!(err.contains("there are no tables in "), "{err}");
}

#[test]
fn stats_that_disagree_with_the_manifest_are_refused() {
    let folder = copied(tables().path());
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let other = text.replacen("\"drawn\": 1,", "\"drawn\": 0,", 1);
    fs::write(&path, other.replacen("\"won\": 0,", "\"won\": 1,", 1)).unwrap();
    let (code, out, err) = strong4("stats", folder.path());
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("tier 0 disagrees with manifest.json"), "{err}");
}
