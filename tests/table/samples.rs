//! Samples find wrong values in tables that are whole.

use std::fs;
use std::path::Path;

use serde_json::Value;
use strong4::board::{Outcome, Tier};
use strong4::inside::index::{Cell, Index};
use strong4::inside::table::{HEADER_BYTES, Horizon, table_file};

use super::build::{index, tier_of, write_with, written};
use super::forged::quiet_cells;
use super::program::strong4;

/// Cells of a tier whose outcome is looked up.
fn looked_up(index: &Index, tier: Tier) -> Vec<Cell> {
    let mut cells = quiet_cells(index, tier);
    cells.retain(|cell| index.census().is_canonical(*cell));
    cells
}

/// Tables with a wrong value in this cell; everything else in them is right.
fn with_one_wrong(folder: &Path, index: &Index, wrong: Cell) -> [Outcome; 2] {
    let values = std::cell::Cell::new(None);
    write_with(folder, index, Horizon(1), |cell, outcome| {
        if cell != wrong {
            return outcome;
        }
        let other = if outcome == Outcome::Draw { Outcome::Loss } else { Outcome::Draw };
        values.set(Some([other, outcome]));
        other
    });
    values.get().expect("the cell is stored")
}

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn sound_tables_agree_with_everything() {
    for (board, horizon) in [("5x3", 1), ("4x4", 3), ("3x4", 1), ("6x2", 2)] {
        let (index, folder) = written(board, horizon);
        let (code, out, err) = strong4("verify --samples 50 --json --limit 5m", folder.path());
        assert_eq!(code, 0, "{out}{err}");
        let tiers = lines(&out);
        assert_eq!(tiers.len(), index.board().cells() + 1);
        for (stones, tier) in tiers.iter().enumerate() {
            let number = |name: &str| tier[name].as_u64().unwrap();
            assert_eq!((number("tier"), number("differences")), (stones as u64, 0), "{tier}");
            let asked = number("samples") + number("few_columns");
            for search in ["search", "proofs"] {
                assert_eq!(tier[search]["answered"], asked, "{tier}");
                assert_eq!(tier[search]["given_up"], 0);
            }
            assert!(number("samples") <= 50 && number("few_columns") <= 13);
            assert!(tier["complete"] == true || number("samples") == 50);
            assert!(number("consistent") >= number("samples"));
            // The tables hold something, unless the end is near.
            let few = index.board().cells() - stones <= horizon.into();
            let quiet = !looked_up(&index, tier_of(stones as u8)).is_empty();
            assert_eq!(number("consistent_stored") > 0, quiet && !few, "{board} {tier}");
        }
        assert!(err.contains(&format!("{} tiers of {board}: no difference", tiers.len())), "{err}");
        assert_eq!(strong4("verify --samples 50 --json --seed 1", folder.path()).0, 0);
    }
}

#[test]
fn one_wrong_value_among_all_is_found() {
    let index = index("4x4");
    for tier in [2, 5, 8, 10] {
        let folder = tempfile::tempdir().unwrap();
        let cells = looked_up(&index, tier_of(tier));
        let wrong = cells[cells.len() / 2];
        let [told, truth] = with_one_wrong(folder.path(), &index, wrong);
        // Every byte is as it was written.
        let (code, out, err) = strong4("verify --blocks 0", folder.path());
        assert_eq!(code, 0, "{out}{err}");

        // All positions of the tier are sampled.
        let command = format!("verify --samples 20000 --tiers {tier} --limit 5m --json");
        let (code, out, err) = strong4(&command, folder.path());
        assert_eq!(code, 1, "{out}{err}");
        let lines = lines(&out);
        let position = index.unrank(wrong);
        let drawings = [position, position.mirror()].map(|position| position.to_string());
        let (summary, differences) = lines.split_last().unwrap();
        assert_eq!(summary["differences"], differences.len());
        assert_eq!(summary["complete"], true);
        let mut witnesses = Vec::new();
        for difference in differences {
            // As in the records of `query --with drawing`, which are also questions.
            let drawing = difference["drawing"].as_str().unwrap();
            assert!(drawings.iter().any(|expected| expected == drawing), "{difference}");
            assert_eq!(difference["value"], told.to_string());
            assert_eq!(difference["other_value"], truth.to_string());
            assert_eq!(difference["source"], format!("the table of tier {tier}"));
            witnesses.push(difference["other_source"].as_str().unwrap());
        }
        for witness in ["the search", "the proof-number search", "the best of its moves"] {
            assert!(witnesses.contains(&witness), "{witnesses:?}");
        }

        let (code, out, _) = strong4(&command.replace(" --json", ""), folder.path());
        assert_eq!(code, 1);
        assert!(drawings.iter().any(|drawing| out.contains(drawing)), "{out}");
        let said = format!("the table of tier {tier} says {told}, the search {truth}\n");
        assert!(out.contains(&said), "{out}");
        // The tier before follows from the wrong value, or it does not.
        let before = format!("verify --samples 20000 --limit 5m --tiers {}", tier - 1);
        let (code, out, _) = strong4(&before, folder.path());
        assert_eq!(code == 1, out.contains("the best of its moves"), "{out}");
    }
}

#[test]
fn what_is_missing_is_reported() {
    let (_, folder) = written("4x4", 1);
    fs::remove_file(table_file(folder.path(), tier_of(6))).unwrap();
    let (code, out, err) = strong4("verify --samples 10 --tiers 4..7", folder.path());
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.starts_with("tier  drawn  narrow  stored  search  given up  proofs "), "{out}");
    assert!(err.contains("not sampled, because their tables are missing: tiers 6\n"), "{err}");
    assert!(err.contains("strong4: tier 5: ") && err.contains(" positions not compared"), "{err}");
    assert_eq!(strong4("verify --samples 10 --tiers 7..9", folder.path()).0, 0);
    assert_eq!(strong4("verify --samples 10 --quiet", folder.path()).2, "");
    let (code, _, err) = strong4("verify --samples 10 --tiers 6", folder.path());
    assert_eq!(code, 1);
    assert!(err.contains("there are no tables of tiers 6 of 4x4 in "), "{err}");

    // Damage of other kinds is a fault, reported once.
    let path = table_file(folder.path(), tier_of(8));
    let mut bytes = fs::read(&path).unwrap();
    bytes[HEADER_BYTES..].iter_mut().for_each(|byte| *byte ^= 1);
    fs::write(&path, bytes).unwrap();
    let (code, out, _) = strong4("verify --samples 500 --tiers 8", folder.path());
    assert_eq!(code, 1);
    let told = out.lines().filter(|line| line.contains("tier-08.s4t: block ")).count();
    assert!((1..=20).contains(&told), "{out}");
}

#[test]
fn no_time_means_that_searches_are_given_up_and_counted() {
    let (_, folder) = written("5x4", 1);
    let command = "verify --samples 40 --tiers 4..6 --limit 0.000001ms --json";
    let (code, out, err) = strong4(command, folder.path());
    assert_eq!(code, 0, "{out}{err}");
    for tier in lines(&out) {
        let number = |name: &str| tier[name].as_u64().unwrap();
        for search in ["search", "proofs"] {
            let [answered, given_up] =
                ["answered", "given_up"].map(|name| tier[search][name].as_u64().unwrap());
            assert_eq!(answered + given_up, number("samples") + number("few_columns"));
            assert!(given_up > 0, "{tier}");
        }
    }
}

#[test]
fn samples_depend_on_their_seed_alone() {
    let (index, folder) = (index("5x3"), tempfile::tempdir().unwrap());
    let wrong: Vec<Cell> = looked_up(&index, tier_of(9));
    // Many wrong values, so that different draws find different ones.
    write_with(folder.path(), &index, Horizon(1), |cell, outcome| {
        if wrong.contains(&cell) { outcome.for_other() } else { outcome }
    });
    let found = |options: &str| {
        let command = format!("verify --samples 12 --tiers 9 --limit 5m --json {options}");
        let (code, out, _) = strong4(&command, folder.path());
        assert_eq!(code, 1);
        let keys = lines(&out).into_iter().map(|line| line["key"].as_u64());
        keys.collect::<Vec<_>>()
    };
    let one = found("--threads 1");
    assert_eq!(one, found("--threads 4"));
    assert_eq!(one, found("--seed 1"));
    assert_ne!(one, found("--seed 2"));
}
