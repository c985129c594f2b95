//! Every wrong value in a table is found, from one tier to the next and by a new sweep.

use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;

use serde_json::Value;
use strong4::board::{Outcome, Tier, TierRange};
use strong4::inside::index::{Cell, Finder, Index};
use strong4::inside::sweep::{Extent, Scope};
use strong4::inside::table::{Horizon, Inventory, Tables, check};
use strong4::inside::verify::{
    BlockSampling, Deep, DeepError, DeepListener, DeepRequest, Recomputed, Statement, Witness,
    WrongValue, deep, recompute,
};
use strong4::progress::Progress;

use super::build::{bits, index, tier_of, written};
use super::forged::{Dice, quiet_cells};
use super::forger::Forger;
use super::program::strong4;
use crate::program::{piped, signal, solved};

const BOARDS: [(&str, u8); 12] = [
    ("4x4", 1),
    ("5x3", 0),
    ("5x3", 4),
    ("3x4", 1),
    ("6x2", 2),
    ("2x5", 1),
    ("1x6", 1),
    ("8x2", 3),
    ("9x2", 2),
    ("4x3", 12),
    ("3x6", 2),
    ("5x4", 6),
];

fn swept(index: &Index, folder: &Path) -> Deep {
    let inventory = Inventory::of(folder, index.board()).unwrap();
    let request = DeepRequest { tables: folder.into(), scratch: folder.into(), memory: None };
    deep(&request, &inventory, &()).unwrap()
}

fn recomputed(index: &Index, folder: &Path, blocks: usize) -> Recomputed {
    let finder = Arc::new(Finder::new(index.board()).unwrap());
    let tables = Arc::new(Tables::open(folder, finder.census()));
    let tiers: Vec<Tier> = index.census().tiers().collect();
    recompute(&finder, &tables, &tiers, BlockSampling { blocks, seed: 1 }, &())
}

#[test]
fn sound_tables_are_found_to_be_sound() {
    are_sound(&[("5x3", 0), ("5x3", 4), ("3x4", 1), ("6x2", 2), ("2x5", 1), ("1x6", 1)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn sound_tables_of_more_boards_are_found_to_be_sound() {
    are_sound(&BOARDS);
}

fn are_sound(boards: &[(&str, u8)]) {
    for (board, horizon) in boards.iter().copied() {
        let (index, folder) = written(board, horizon);
        let forger = Forger::new(&index, folder.path());
        let deep = swept(&index, forger.folder());
        assert_eq!(deep.wrong_values, [], "{board}");
        assert_eq!((deep.unread, &deep.cut_short[..]), (0, &[][..]));
        let checked = check(forger.folder(), index.census(), &()).unwrap();
        assert_eq!((deep.blocks, deep.tables), (checked.blocks, checked.tables as u64));
        let all = recomputed(&index, forger.folder(), usize::MAX);
        assert_eq!((&all.wrong_values[..], all.unknown), (&[][..], 0), "{board}");
        assert_eq!(all.blocks, checked.blocks);
        let quiet = index.census().tiers().map(|tier| match tier {
            tier if Horizon(horizon).reaches(index.board(), tier) => 0,
            tier => quiet_cells(&index, tier).len() as u64,
        });
        assert_eq!(all.cells, quiet.sum::<u64>(), "{board}");
        let some = recomputed(&index, forger.folder(), 1);
        assert!(some.blocks <= index.board().cells() as u64 && some.cells <= all.cells);
    }
}

/// The wrong value is reported with its file, its place, and what it is.
#[track_caller]
fn assert_told(
    wrong_values: &[WrongValue],
    forger: &Forger,
    tier: Tier,
    cell: Cell,
    wrong: Option<Outcome>,
) {
    let at = forger.at(tier, cell);
    let is_it = |told: &WrongValue| {
        let Statement::Value { block, row, column, found, .. } = &told.what else { return false };
        told.file == forger.file(tier)
            && (block.0 as usize, *row, *column) == (at.block, at.row, at.column)
            && *found == wrong
            && told.to_string().contains(&format!("block {} of tier {tier} says", at.block))
    };
    assert!(wrong_values.iter().any(is_it), "{wrong_values:?}");
}

#[test]
fn wrong_values_of_a_single_cell_are_found() {
    wrong_values_are_found(&[("5x3", 0), ("5x3", 4), ("6x2", 2), ("2x5", 1), ("3x4", 1)], 8, 2);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn wrong_values_of_a_single_cell_are_found_on_more_boards() {
    wrong_values_are_found(&BOARDS, 30, 8);
}

/// Tests this many cells with a wrong value each, by a sweep; some of them also block by block,
/// which takes longer.
fn wrong_values_are_found(boards: &[(&str, u8)], tests: usize, recomputing: usize) {
    for (board, horizon) in boards.iter().copied() {
        let (index, sound) = written(board, horizon);
        let mut forger = Forger::new(&index, sound.path());
        let mut dice = Dice::new(u64::from(horizon));
        let tiers = index.census().tiers();
        let stored = tiers.filter(|tier| !Horizon(horizon).reaches(index.board(), *tier));
        let stored = stored.map(|tier| (tier, quiet_cells(&index, tier)));
        let stored: Vec<(Tier, Vec<Cell>)> =
            stored.filter(|(_, cells)| !cells.is_empty()).collect();
        let (tests, recomputing) = if board == "5x4" { (8, 1) } else { (tests, recomputing) };
        for number in 0..if stored.is_empty() { 0 } else { tests } {
            let (tier, cells) = dice.one_of(&stored);
            let (tier, cell) = (*tier, *dice.one_of(cells));
            let truth = Tables::open(forger.folder(), index.census()).outcome(cell).unwrap();
            // Another outcome, or invalid bits.
            let (bits, wrong) = match dice.below(5) {
                0 => ([true, false], None),
                _ => {
                    let wrong = dice.other_than(truth);
                    (bits(tier, wrong), Some(wrong))
                }
            };
            let change = |forger: &mut Forger| forger.set(tier, cell, bits);
            forger.with(tier, change, |forger| {
                assert_eq!(check(forger.folder(), index.census(), &()).unwrap().faults.len(), 0);
                let deep = swept(&index, forger.folder());
                assert_eq!(deep.wrong_values.len(), 1, "{board}: {:?}", deep.wrong_values);
                assert_told(&deep.wrong_values, forger, tier, cell, wrong);
                assert_eq!(deep.wrong_values[0].witness, Witness::Sweep);
                if number < recomputing {
                    let all = recomputed(&index, forger.folder(), usize::MAX);
                    assert_told(&all.wrong_values, forger, tier, cell, wrong);
                }
            });
        }
    }
}

#[test]
fn counts_that_are_not_so_are_wrong_values() {
    let (index, sound) = written("4x4", 2);
    let mut forger = Forger::new(&index, sound.path());
    for (at, what) in [(56, "won"), (64, "drawn"), (72, "lost"), (80, "that are terminal")] {
        for tier in [3, 9, 16] {
            let tier = tier_of(tier);
            let change = |forger: &mut Forger| forger.patch(tier, at, &[0xaa, 0xaa]);
            forger.with(tier, change, |forger| {
                let deep = swept(&index, forger.folder());
                let [wrong] = &deep.wrong_values[..] else { panic!("{:?}", deep.wrong_values) };
                let Statement::Count { what: told, .. } = wrong.what else { panic!("{wrong}") };
                assert_eq!((told, wrong.tier), (what, tier));
            });
        }
    }
}

#[test]
fn tables_full_of_wrong_values_are_told_up_to_a_number() {
    let (index, sound) = written("4x4", 1);
    let mut forger = Forger::new(&index, sound.path());
    let cells = quiet_cells(&index, tier_of(8));
    let change = |forger: &mut Forger| {
        cells[..200].iter().for_each(|cell| forger.set(tier_of(8), *cell, [true, false]));
    };
    forger.with(tier_of(8), change, |forger| {
        let deep = swept(&index, forger.folder());
        assert_eq!((deep.wrong_values.len(), &deep.cut_short[..]), (20, &[tier_of(8)][..]));
        let all = recomputed(&index, forger.folder(), usize::MAX);
        assert!(all.wrong_values.iter().all(|wrong| wrong.tier.get() <= 8));
        assert!(all.more_wrong_values >= 180, "{}", all.more_wrong_values);
    });
}

struct Listener(Mutex<Vec<bool>>);

impl Progress for Listener {
    fn advance(&self, done: u64, total: u64) {
        assert!(done <= total);
    }
}

impl DeepListener for Listener {
    fn writes_to(&self, folder: &Path) {
        self.0.lock().unwrap().push(folder.ends_with("verify-deep"));
    }
}

#[test]
fn a_sweep_with_little_memory_writes_files_and_removes_them() {
    let (index, sound) = written("5x4", 6);
    let forger = Forger::new(&index, sound.path());
    let inventory = Inventory::of(forger.folder(), index.board()).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let ask = |memory, listener: &dyn DeepListener| {
        let (tables, scratch) = (forger.folder().into(), scratch.path().into());
        deep(&DeepRequest { tables, scratch, memory }, &inventory, listener)
    };
    let DeepError::Memory { needed, available: 0x10_0000 } = ask(Some(1 << 20), &()).unwrap_err()
    else {
        panic!("a megabyte is too little")
    };
    let listener = Listener(Mutex::default());
    let found = ask(Some(needed), &listener).unwrap();
    assert_eq!((found.wrong_values.len(), &listener.0.lock().unwrap()[..]), (0, &[true][..]));
    assert_eq!(scratch.path().read_dir().unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_interrupted_leaves_no_files() {
    let folder = solved("--board 7x4");
    let before = folder.path().read_dir().unwrap().count();
    let index = index("7x4");
    let extent = Extent::new(index.census(), Scope::InDoubt);
    let memory = extent.bytes(TierRange::all(index.board()), 1).to_string();
    let tables = folder.path().to_str().unwrap();
    let args = ["verify", "--deep", "--quiet", "--threads", "1", "--mem", &memory];
    let mut program = piped(&[&args[..], &["--tables", tables]].concat());
    while !folder.path().join("verify-deep").exists() {
        assert!(program.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    signal(&program, "-INT");
    let output = program.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.as_str()), (Some(130), "strong4: stopped\n"));
    assert_eq!(folder.path().read_dir().unwrap().count(), before);
}

#[test]
fn verify_tells_wrong_values_and_answers_with_its_exit_code() {
    let (index, sound) = written("4x4", 1);
    let mut forger = Forger::new(&index, sound.path());
    let (code, out, err) = strong4("verify --deep", forger.folder());
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains(" blocks of outcomes match a new sweep of "), "{err}");

    let tier = tier_of(7);
    let cells = quiet_cells(&index, tier);
    let cell = cells[cells.len() / 3];
    let change = |forger: &mut Forger| forger.set(tier, cell, [true, false]);
    forger.with(tier, change, |forger| {
        let at = forger.at(tier, cell);
        let file = forger.file(tier);
        let said = format!(
            "{}: block {} of tier 7 says nothing in row {}, column {}, ",
            file.display(),
            at.block,
            at.row,
            at.column
        );
        let (code, out, err) = strong4("verify --deep --quiet", forger.folder());
        assert_eq!((code, err.as_str()), (1, ""));
        assert!(out.starts_with(&(said.clone() + "a new sweep ")), "{out}");
        assert!(out.lines().next().unwrap().ends_with(": remove it and solve again"), "{out}");
        let (code, out, _) = strong4("verify --blocks 1000000 --json", forger.folder());
        assert_eq!(code, 1);
        let lines: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (folder, wrong_values) = lines.split_last().unwrap();
        assert_eq!((&folder["faults"], &folder["deep"]), (&0.into(), &Value::Null));
        assert_eq!(folder["recomputed"]["lies"], wrong_values.len());
        let wrong = wrong_values.iter().find(|wrong| wrong["tier"] == 7).unwrap();
        assert!(wrong["fault"].as_str().unwrap().starts_with(&said), "{wrong}");
        assert_eq!(
            (&wrong["block"], &wrong["row"], &wrong["column"]),
            (&at.block.into(), &at.row.into(), &at.column.into())
        );
        assert_eq!(
            (&wrong["value"], &wrong["other_source"]),
            (&Value::Null, &"the best of its moves".into())
        );
        assert_eq!(strong4("verify --blocks 0", forger.folder()).0, 0);
    });
    for (command, reason) in [
        ("verify --mem 1GiB", "--deep"),
        ("verify --scratch x", "--deep"),
        ("verify --deep --samples 4", "cannot be used with"),
        ("verify --blocks 3 --samples 4", "cannot be used with"),
        ("verify --blocks -1", "'-1' is invalid"),
        ("verify --samples 5 --tiers 3..17", "the last tier of 4x4 is 16"),
        ("verify --samples 5 --limit soon", "'soon' is not a duration"),
        ("verify --samples 5 --limit 0", "'0' is too short: expected a time longer than 0"),
    ] {
        let (code, out, err) = strong4(command, forger.folder());
        assert_eq!((code, out.as_str()), (2, ""), "{command}: {err}");
        assert!(err.contains(reason) && err.lines().count() == 1, "{err}");
    }
}
