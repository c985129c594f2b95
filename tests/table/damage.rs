//! Whatever happens to the bytes of a table, no answer is wrong.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use strong4::board::{Outcome, Tier};
use strong4::inside::index::{Cell, Census, Index};
use strong4::inside::table::{Content, HEADER_BYTES, Table, TableError, check, table_file};

use super::build::{copied, for_all_tiers, tier_of, written};
use crate::index::cells;

/// All tables of a board, and what they should contain.
struct Sound {
    index: Index,
    folder: tempfile::TempDir,
    tiers: Vec<Vec<(Cell, Outcome)>>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let (index, folder) = written("5x3", 1);
    let mut tiers = Vec::new();
    for_all_tiers(&index, |tier, outcomes, _| {
        let all = cells(&index, tier).map(|cell| (cell, outcomes.outcome(cell)));
        tiers.push(all.collect());
    });
    tiers.reverse();
    Sound { index, folder, tiers }
});

/// Something that can happen to a file.
#[derive(Clone, Debug)]
pub enum Damage {
    Flip { at: usize, bit: u8 },
    Zero { at: usize, length: usize },
    Noise { at: usize, bytes: Vec<u8> },
    Cut { at: usize },
    Longer { bytes: Vec<u8> },
    Swap { a: usize, b: usize, length: usize },
}

pub fn damage() -> impl Strategy<Value = Damage> {
    // Headers and indexes are at the front, and are hit as often as blocks.
    let at = || prop_oneof![0usize..HEADER_BYTES, 0usize..8192, any::<usize>()];
    let bytes = || proptest::collection::vec(any::<u8>(), 1..64);
    prop_oneof![
        (at(), 0u8..8).prop_map(|(at, bit)| Damage::Flip { at, bit }),
        (at(), 1usize..600).prop_map(|(at, length)| Damage::Zero { at, length }),
        (at(), bytes()).prop_map(|(at, bytes)| Damage::Noise { at, bytes }),
        at().prop_map(|at| Damage::Cut { at }),
        bytes().prop_map(|bytes| Damage::Longer { bytes }),
        (at(), at(), 1usize..64).prop_map(|(a, b, length)| Damage::Swap { a, b, length }),
    ]
}

/// Damages bytes in all of these ways.
pub fn apply_all(damages: &[Damage], bytes: &mut Vec<u8>) {
    for damage in damages {
        if !bytes.is_empty() {
            apply(damage, bytes);
        }
    }
}

pub fn apply(damage: &Damage, bytes: &mut Vec<u8>) {
    let length_of_file = bytes.len();
    let place = |at: usize, length: usize| {
        let at = at % length_of_file;
        at..(at + length).min(length_of_file)
    };
    match damage {
        Damage::Flip { at, bit } => bytes[place(*at, 1)][0] ^= 1 << bit,
        Damage::Zero { at, length } => bytes[place(*at, *length)].fill(0),
        Damage::Noise { at, bytes: noise } => {
            let place = place(*at, noise.len());
            let length = place.len();
            bytes[place].copy_from_slice(&noise[..length]);
        }
        Damage::Cut { at } => bytes.truncate(place(*at, 1).start),
        Damage::Longer { bytes: more } => bytes.extend(more),
        Damage::Swap { a, b, length } => {
            let (a, b) = (place(*a, *length), place(*b, *length));
            let length = a.len().min(b.len());
            for (a, b) in a.zip(b).take(length) {
                bytes.swap(a, b);
            }
        }
    }
}

/// Reads all cells, and returns how many were refused.
fn refused(path: &Path, bytes: Vec<u8>, sound: &Sound, tier: Tier) -> Result<usize, TestCaseError> {
    let cells = &sound.tiers[tier.stones()];
    let table =
        Table::with_bytes(path, Box::new(bytes), sound.index.census(), tier, Content::OUTCOMES);
    let Ok(table) = table else { return Ok(cells.len()) };
    let mut refused = 0;
    for (cell, expected) in cells {
        match table.outcome(*cell) {
            Ok(outcome) => prop_assert_eq!(outcome, *expected),
            Err(error) => {
                prop_assert!(error.to_string().contains(&*path.to_string_lossy()));
                refused += 1;
            }
        }
    }
    Ok(refused)
}

/// The faults of a folder of tables with a damaged file: some, if it was changed at all.
pub fn faults_of(
    damage: &Damage,
    file: &Path,
    folder: &Path,
    census: &Census,
) -> Result<Vec<TableError>, TestCaseError> {
    let before = fs::read(file).unwrap();
    let mut after = before.clone();
    apply(damage, &mut after);
    fs::write(file, &after).unwrap();
    let faults = check(folder, census, &()).unwrap().faults;
    prop_assert_eq!(faults.is_empty(), before == after);
    Ok(faults)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_table_answers_right_or_not_at_all(
        stones in 0u8..=13, damages in proptest::collection::vec(damage(), 1..4),
    ) {
        let (sound, tier) = (&*SOUND, tier_of(stones));
        let path = table_file(sound.folder.path(), tier);
        let mut bytes = fs::read(&path).unwrap();
        apply_all(&damages, &mut bytes);
        refused(&path, bytes, sound, tier)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn verify_finds_whatever_was_damaged(stones in 0u8..=15, damage in damage()) {
        let sound = &*SOUND;
        let folder = copied(sound.folder.path());
        let file = |stones| table_file(folder.path(), tier_of(stones));
        let faults = faults_of(&damage, &file(stones), folder.path(), sound.index.census())?;
        // The message names the file, or the table that was made from it.
        let names = [file(stones), file(stones.saturating_sub(1))];
        prop_assert!(faults.iter().all(|fault| names.contains(&fault.file)), "{:?}", faults);
    }

    #[test]
    fn any_bytes_are_a_table_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..2000), stones in 0u8..=13,
        kept in 0usize..2000,
    ) {
        let (sound, tier) = (&*SOUND, tier_of(stones));
        let path = table_file(sound.folder.path(), tier);
        let mut mixed = fs::read(&path).unwrap();
        let length = mixed.len();
        // Random bytes after some of the real ones, in a file of the right length.
        for (byte, noise) in mixed[kept.min(length)..].iter_mut().zip(&bytes) {
            *byte = *noise;
        }
        refused(&path, mixed, sound, tier)?;
        prop_assert!(refused(&path, bytes, sound, tier)? > 0);
    }
}

#[cfg(unix)]
#[test]
fn a_table_that_is_cut_off_while_it_is_open_is_an_error() {
    let sound = &*SOUND;
    let folder = copied(sound.folder.path());
    let path = table_file(folder.path(), tier_of(9));
    let table = Table::open(folder.path(), sound.index.census(), tier_of(9)).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(700).unwrap();
    let errors = sound.tiers[9].iter().filter_map(|(cell, _)| table.outcome(*cell).err());
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|error| error.contains("found 700: it was cut off")), "{errors:?}");
}
