//! What was written is read back, whatever the source of the bytes.

use std::fs::{self, File};

use strong4::inside::table::{Content, Fault, Inventory, ReadAt, Table, Tables, check, table_file};

use super::build::{bits, for_all_tiers, tier_of, written};
use crate::index::cells;

#[test]
fn every_cell_is_read_as_it_was_written_from_memory_and_file() {
    every_cell_is_read_as_it_was_written(["5x3", "4x4", "9x2", "1x6", "2x5", "3x4"]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn every_cell_of_a_larger_board_is_read_as_it_was_written() {
    every_cell_is_read_as_it_was_written(["6x3"]);
}

fn every_cell_is_read_as_it_was_written<const N: usize>(boards: [&str; N]) {
    for board in boards {
        let (index, folder) = written(board, 0);
        for_all_tiers(&index, |tier, outcomes, counts| {
            if tier == index.board().last_tier() {
                return;
            }
            let path = table_file(folder.path(), tier);
            let open = || File::open(&path).unwrap();
            let sources: [Box<dyn ReadAt>; 2] =
                [Box::new(fs::read(&path).unwrap()), Box::new(open())];
            for source in sources {
                let table =
                    Table::with_bytes(&path, source, index.census(), tier, Content::OUTCOMES)
                        .unwrap();
                assert_eq!(table.header().counts, counts);
                for cell in cells(&index, tier) {
                    let expected = outcomes.outcome(cell);
                    assert_eq!(table.outcome(cell).unwrap(), expected, "{board} {cell:?}");
                    assert_eq!(table.outcome_bits(cell).unwrap(), bits(tier, expected));
                }
            }
        });
        let checked = check(folder.path(), index.census(), &()).unwrap();
        assert!(checked.faults.is_empty(), "{board}: {:?}", checked.faults);
        assert_eq!(checked.tables, index.board().cells() + 1);
    }
}

#[test]
fn tables_open_when_they_are_asked_for() {
    let (index, folder) = written("4x4", 3);
    fs::remove_file(table_file(folder.path(), tier_of(7))).unwrap();
    let tables = Tables::open(folder.path(), index.census());
    let inventory = Inventory::of(folder.path(), index.board()).unwrap();
    assert_eq!(inventory.missing(), [tier_of(7)]);
    for_all_tiers(&index, |tier, outcomes, _| {
        for cell in cells(&index, tier).take(1000) {
            let fault = match (tier.get(), tables.outcome(cell)) {
                (7, Err(error)) => {
                    let name = "tier-07.s4t: there is no table of tier 7 of 4x4";
                    assert!(error.to_string().ends_with(name), "{error}");
                    matches!(error.fault, Fault::Missing { .. })
                }
                (13.., Err(error)) => matches!(error.fault, Fault::NotStored { .. }),
                (_, outcome) => outcome.unwrap() == outcomes.outcome(cell),
            };
            assert!(fault, "{cell:?}");
        }
    });
}

#[test]
fn cells_of_another_tier_are_refused() {
    let (index, folder) = written("4x4", 0);
    let table = Table::open(folder.path(), index.census(), tier_of(4)).unwrap();
    let cell = cells(&index, tier_of(5)).next().unwrap();
    assert!(matches!(table.outcome(cell).unwrap_err().fault, Fault::NoSuchCell { .. }));
}
