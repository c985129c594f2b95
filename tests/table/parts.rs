//! A part becomes the table that it should be, or none.

use std::fs;
use std::path::Path;

use strong4::inside::sweep::{Cpu, Outcomes, Scope};
use strong4::inside::table::{
    BlockNumber, EncodedBlocks, Fault, Horizon, Layout, TierCounts, TierPart, table_file,
};

use super::build::{encoded, index, names, the_file_in, tier_of, whole_part, write};

/// The layout of tier 6 of 5x3, and its encoded tiles.
fn tier_6() -> (Layout, Vec<EncodedBlocks>) {
    let index = index("5x3");
    let layout = Layout::new(index.census(), tier_of(6), Horizon(1));
    let outcomes = Outcomes::of(&index, Cpu::widest(), Scope::EveryCell).unwrap();
    let tiles = encoded(&layout, &outcomes);
    (layout, tiles)
}

const COUNTS: TierCounts = TierCounts { won: 1, drawn: 2, lost: 3, terminal: 4 };

#[test]
fn a_table_is_not_finished_before_all_blocks_are_there() {
    let (layout, tiles) = tier_6();
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
        assert!(!table_file(folder.path(), tier_of(6)).exists());
    }
}

#[test]
fn a_block_that_came_twice_is_noticed() {
    let (layout, tiles) = tier_6();
    let folder = tempfile::tempdir().unwrap();
    let mut part = whole_part(folder.path(), &layout, &tiles);
    for ((_, blocks), encoded) in layout.tiles().zip(&tiles) {
        part.append(blocks.first(), encoded).unwrap();
    }
    let error = part.finish(COUNTS, None).unwrap_err();
    assert!(matches!(error.fault, Fault::Incomplete { .. }), "{error}");
}

#[test]
fn a_block_with_a_number_that_does_not_exist_is_refused() {
    let (layout, tiles) = tier_6();
    let folder = tempfile::tempdir().unwrap();
    let mut part = TierPart::create(folder.path(), &layout).unwrap();
    let error = part.append(BlockNumber(u64::MAX - 1), &tiles[0]).unwrap_err();
    assert!(matches!(error.fault, Fault::Incomplete { .. }), "{error}");
    assert!(part.append(BlockNumber(layout.blocks()), &tiles[0]).is_err());
}

/// Whoever ends last publishes the same table once more.
#[test]
fn parts_of_the_same_table_do_not_meet() {
    let (layout, tiles) = tier_6();
    let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = write(whole.path(), &layout, &tiles, COUNTS, None);
    let bytes = |folder: &Path| fs::read(table_file(folder, tier_of(6))).unwrap();
    let parts = [(); 2].map(|()| whole_part(folder.path(), &layout, &tiles));
    for part in parts {
        assert_eq!(part.finish(COUNTS, None).unwrap(), expected);
        assert!(bytes(folder.path()) == bytes(whole.path()));
    }
    assert_eq!(names(folder.path()), names(whole.path()));
}

#[test]
fn what_the_disk_has_made_of_a_part_never_becomes_a_table() {
    let (layout, tiles) = tier_6();
    let folder = tempfile::tempdir().unwrap();
    let length = whole_part(folder.path(), &layout, &tiles).length();
    for at in (512..length).step_by(3) {
        let mut part = whole_part(folder.path(), &layout, &tiles);
        part.flush().unwrap();
        let path = the_file_in(folder.path());
        let mut bytes = fs::read(&path).unwrap();
        bytes[at as usize] ^= 0x10;
        let file = fs::File::options().write(true).open(&path).unwrap();
        std::io::Write::write_all(&mut &file, &bytes).unwrap();
        let error = part.finish(COUNTS, None).unwrap_err();
        let told = matches!(error.fault, Fault::NotAsWritten | Fault::Incomplete { .. });
        assert!(told, "byte {at}: {error}");
        assert!(!table_file(folder.path(), tier_of(6)).exists());
    }
}
