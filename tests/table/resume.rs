//! However writing is interrupted, the bytes are the same in the end.

use std::fs;

use proptest::prelude::*;
use strong4::board::Tier;
use strong4::sweep::{Cpu, Outcomes, Scope};
use strong4::table::{
    EncodedBlocks, Fault, Horizon, Layout, TableSummary, TierCounts, TierPart, part_file,
    table_file,
};

use super::build::{encoded, index, names, write};

/// The encoded tiles of a tier of 5x3, whose first table is somewhere else.
fn tier(tier: Tier) -> (Layout, Vec<EncodedBlocks>) {
    let index = index("5x3");
    let layout = Layout::new(index.census(), tier, Horizon(1));
    let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::EveryCell).unwrap();
    let tiles = encoded(&layout, &outcomes);
    (layout, tiles)
}

const COUNTS: TierCounts = TierCounts { won: 1, drawn: 2, lost: 3, terminal: 4 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_part_that_is_taken_up_again_becomes_the_same_table(
        stones in 4u8..12,
        stops in proptest::collection::vec((0usize..40, 0usize..9, any::<bool>()), 0..5),
    ) {
        let (layout, tiles) = tier(Tier(stones));
        let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = write(whole.path(), &layout, &tiles, COUNTS, None);
        let all: Vec<_> = layout.tiles().zip(&tiles).collect();

        let mut part = TierPart::create(pieces.path(), &layout).unwrap();
        let mut done = 0;
        for (to, beyond, garbage) in stops {
            // As far as a checkpoint, then some more that is lost.
            let to = to.clamp(done, all.len());
            for ((_, blocks), encoded) in &all[done..to] {
                part.append(blocks.first(), encoded).unwrap();
            }
            part.sync().unwrap();
            let length = part.length();
            for ((_, blocks), encoded) in &all[to..(to + beyond).min(all.len())] {
                part.append(blocks.first(), encoded).unwrap();
            }
            drop(part);
            if garbage {
                let path = part_file(pieces.path(), layout.tier());
                let torn = [fs::read(&path).unwrap(), vec![0xaa; 999]].concat();
                fs::write(&path, torn).unwrap();
            }
            part = TierPart::reopen(pieces.path(), &layout, length).unwrap();
            prop_assert_eq!(part.length(), length);
            done = to;
        }
        for ((_, blocks), encoded) in &all[done..] {
            part.append(blocks.first(), encoded).unwrap();
        }
        let summary: TableSummary = part.finish(COUNTS, None).unwrap();
        prop_assert_eq!(summary, expected);
        let bytes = |folder: &tempfile::TempDir| fs::read(table_file(folder.path(), layout.tier()));
        prop_assert!(bytes(&whole).unwrap() == bytes(&pieces).unwrap());
        prop_assert_eq!(names(pieces.path()), names(whole.path()));
    }
}

#[test]
fn a_table_is_not_finished_before_all_blocks_are_there() {
    let (layout, tiles) = tier(Tier(6));
    for left_out in 0..tiles.len() {
        let folder = tempfile::tempdir().unwrap();
        let mut part = TierPart::create(folder.path(), &layout).unwrap();
        for (at, ((_, blocks), encoded)) in layout.tiles().zip(&tiles).enumerate() {
            if at != left_out {
                part.append(blocks.first(), encoded).unwrap();
            }
        }
        let error = part.finish(COUNTS, None).unwrap_err();
        assert!(error.to_string().contains("was never written"), "{error}");
        assert!(!table_file(folder.path(), Tier(6)).exists());
    }
}

#[test]
fn a_finish_that_was_cut_short_is_taken_up_again() {
    let (layout, tiles) = tier(Tier(6));
    let folder = tempfile::tempdir().unwrap();
    let expected = write(folder.path(), &layout, &tiles, COUNTS, None);
    let table = table_file(folder.path(), Tier(6));
    let bytes = fs::read(&table).unwrap();
    // The header was written, and then the power went.
    fs::rename(&table, part_file(folder.path(), Tier(6))).unwrap();
    let part = TierPart::reopen(folder.path(), &layout, expected.bytes).unwrap();
    assert_eq!(part.finish(COUNTS, None).unwrap(), expected);
    assert_eq!(fs::read(&table).unwrap(), bytes);
}

#[test]
fn a_block_that_came_twice_is_noticed() {
    let (layout, tiles) = tier(Tier(6));
    let folder = tempfile::tempdir().unwrap();
    let mut part = TierPart::create(folder.path(), &layout).unwrap();
    for ((_, blocks), encoded) in layout.tiles().zip(&tiles).chain(layout.tiles().zip(&tiles)) {
        part.append(blocks.first(), encoded).unwrap();
    }
    let error = part.finish(COUNTS, None).unwrap_err();
    assert!(matches!(error.fault, Fault::Incomplete { .. }), "{error}");
}

#[test]
fn parts_that_can_not_be_taken_up_are_refused() {
    let (layout, _) = tier(Tier(6));
    let folder = tempfile::tempdir().unwrap();
    let reopen = |layout: &Layout, length| {
        TierPart::reopen(folder.path(), layout, length).unwrap_err().to_string()
    };
    assert!(reopen(&layout, 600).contains("tier-06.part: can not read: No such file"));
    let length = TierPart::create(folder.path(), &layout).unwrap().length();
    let longer = format!("expected {} bytes, found {length}: it was cut off", length + 1);
    assert!(reopen(&layout, length + 1).contains(&longer));
    assert!(reopen(&layout, length - 1).contains("expected"));

    let census = index("5x3");
    let other = Layout::new(census.census(), Tier(6), Horizon(2));
    assert!(reopen(&other, length).contains("expected a table with horizon 2, found 1"));
    let census = index("4x3");
    let other = Layout::new(census.census(), Tier(6), Horizon(1));
    assert!(reopen(&other, length).contains("expected a table of 4x3, found one of 5x3"));

    fs::write(part_file(folder.path(), Tier(6)), vec![0; length as usize]).unwrap();
    assert!(reopen(&layout, length).contains("this is no table"));
}
