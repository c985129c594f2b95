//! Sweeps of larger boards, which take a while: `STRONG4_LONG=1 cargo test --release --test long_index`.

use strong4::board::Board;
use strong4::index::{Index, IndexError};
use strong4::sweep::ForwardSweep;

fn wanted() -> bool {
    std::env::var_os("STRONG4_LONG").is_some()
}

/// Live positions of the tiers of a board up to one with so many stones.
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
fn the_7x4_board_has_1_552_044_958_live_positions() {
    if !wanted() {
        return;
    }
    assert_eq!(live("7x4", 28).unwrap().iter().sum::<u64>(), 1_552_044_958);
}
