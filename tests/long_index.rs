//! Sweeps of larger boards, which take a while:
//! `cargo test --release --test library long_index:: -- --ignored`.

use strong4::board::Board;
use strong4::inside::index::{Index, IndexError};
use strong4::inside::sweep::ForwardSweep;

/// Live positions of the tiers of a board up to the one with this many stones.
fn live(board: &str, last: usize) -> Result<Vec<u64>, IndexError> {
    let index = Index::new(board.parse::<Board>().expect("a board"))?;
    let mut sweep = ForwardSweep::new(&index);
    let mut live = vec![sweep.live_positions()];
    while sweep.tier().stones() < last && sweep.advance() {
        live.push(sweep.live_positions());
    }
    Ok(live)
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn the_7x4_board_has_1_552_044_958_live_positions() {
    assert_eq!(live("7x4", 28).unwrap().iter().sum::<u64>(), 1_552_044_958);
}

/// The sums agree with counting by move-order types: `strong4 count --board 7x5`.
#[test]
#[ignore = "takes minutes: make test-long"]
fn the_7x5_board_has_69_626_890_564_live_positions() {
    let live = live("7x5", 35).unwrap();
    assert_eq!(live[26], 8_545_183_378);
    assert_eq!(live[35], 34_075_814);
    assert_eq!(live.iter().sum::<u64>(), 69_626_890_564);
}

/// The same: `strong4 count --tiers 0..18`.
#[test]
#[ignore = "takes minutes: make test-long"]
fn the_first_tiers_of_the_original_game_have_as_many_live_positions_as_were_counted() {
    let live = live("7x6", 18).unwrap();
    assert_eq!(live[..8], [1, 7, 49, 238, 1120, 4263, 16_422, 54_131]);
    assert_eq!(live[17..], [727_586_228, 1_534_852_224]);
    assert_eq!(live.iter().sum::<u64>(), 2_890_346_693);
}
