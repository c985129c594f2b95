//! `strong4 index`: cells, stored cells and tiles of every tier.

use crate::program::{assert_refused, json_lines, strong4};

#[test]
fn index_prints_the_sizes_of_tiers_and_of_their_parts() {
    let ran = strong4("index --tiers 3..4");
    assert_eq!(
        ran.stdout,
        "board          7x6, cut 3 + 1 + 3\n\
         column states  103\n\
         centres        103\n\
         rows           49,041,161, over all centres\n\
         classes        14,234, over all centres\n\
         largest class  50,520 rows\n\
         \n\
         tier  tiles  cells  stored\n\
         \x20  3     13    252     132\n\
         \x20  4     31  1,260     714\n\
         \x20sum     44  1,512     846\n"
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn index_prints_json_with_exactly_these_keys() {
    let ran = strong4("index --tiers 4 --json");
    assert_eq!(ran.stdout, "{\"tier\":4,\"tiles\":31,\"cells\":1260,\"stored\":714}\n");
    let with_live = &json_lines(&strong4("index --tiers 4 --json --live"))[0];
    assert_eq!(with_live["live"], 1120);
}

#[test]
fn three_of_four_cells_of_7x4_are_live() {
    let ran = strong4("index --board 7x4 --live");
    assert_eq!(
        ran.stdout.lines().last(),
        Some(" sum  10,498  2,068,747,796  1,068,654,385  1,552,044,958    75.0")
    );
}

#[test]
fn index_of_a_board_that_is_too_large_is_refused() {
    assert_refused(
        &strong4("index --board 4x11"),
        "the index of 4x11 has too many states of the centre",
    );
    assert_refused(&strong4("index --board 2x31"), "2x31 has more than 65536 states");
    // An index that can be sized, but not counted, is refused before the first line.
    assert_refused(&strong4("index --board 10x5 --tiers 0 --live"), "at most 268435456 can be");
    assert_refused(&strong4("index --tiers 43"), "the last tier of 7x6 is 42");
}
