//! `strong4 index`: cells, stored cells and tiles of every tier. `docs/commands.md` shows its tables,
//! and how boards are refused whose columns or centres have too many states.

use crate::program::{assert_refused, record, strong4};

#[test]
fn index_prints_json_with_exactly_these_keys() {
    let ran = strong4("index --tiers 4 --json");
    assert_eq!(ran.stdout, "{\"tier\":4,\"tiles\":31,\"cells\":1260,\"stored\":714}\n");
    assert_eq!(record("index --tiers 4 --json --live")["live"], 1120);
}

#[test]
fn index_of_a_board_that_is_too_large_is_refused() {
    // An index that can be sized, but not counted, is refused before the first line.
    assert_refused(&strong4("index --board 10x5 --tiers 0 --live"), "at most 268435456 can be");
    assert_refused(&strong4("index --tiers 43"), "the last tier of 7x6 is 42");
}
