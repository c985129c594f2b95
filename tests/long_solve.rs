//! Larger boards solved, which takes a while: `STRONG4_LONG=1 cargo test --release --test library long_solve::`.

use strong4::board::{Board, OutcomeCounts, TierRange};
use strong4::solve::solve;
use strong4::sweep::{Cpu, Scope};

fn wanted() -> bool {
    std::env::var_os("STRONG4_LONG").is_some()
}

fn value(board: &str) -> OutcomeCounts {
    let board: Board = board.parse().unwrap();
    solve(board, TierRange::all(board), Cpu::widest(), Scope::InDoubt, &()).unwrap()[0].outcomes
}

#[test]
fn empty_boards_have_the_known_values() {
    if !wanted() {
        return;
    }
    let draw = OutcomeCounts { drawn: 1, ..OutcomeCounts::default() };
    let loss = OutcomeCounts { lost: 1, ..OutcomeCounts::default() };
    for (board, known) in
        [("6x5", draw), ("5x6", draw), ("4x6", draw), ("7x5", draw), ("6x6", loss)]
    {
        assert_eq!(value(board), known, "{board}");
    }
}
