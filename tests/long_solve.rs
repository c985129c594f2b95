//! Larger boards solved, which takes a while:
//! `cargo test --release --test library long_solve:: -- --ignored`.

use strong4::board::{Board, OutcomeCounts, TierRange};
use strong4::inside::solve::solve;
use strong4::inside::sweep::{Cpu, Scope};

fn value(board: &str) -> OutcomeCounts {
    let board: Board = board.parse().unwrap();
    solve(board, TierRange::all(board), Cpu::widest(), Scope::InDoubt, &()).unwrap()[0].outcomes
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn empty_boards_have_the_known_values() {
    let draw = OutcomeCounts { drawn: 1, ..OutcomeCounts::default() };
    let loss = OutcomeCounts { lost: 1, ..OutcomeCounts::default() };
    for (board, known) in
        [("6x5", draw), ("5x6", draw), ("4x6", draw), ("7x5", draw), ("6x6", loss)]
    {
        assert_eq!(value(board), known, "{board}");
    }
}
