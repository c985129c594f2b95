//! Larger boards solved, which takes a while: `STRONG4_LONG=1 cargo test --release --test long_solve`.

use rayon::prelude::*;

use strong4::board::{Board, Outcome, Tier, TierRange};
use strong4::index::{Cell, Child, Index, Tile};
use strong4::solve::solve;
use strong4::sweep::{BackwardSweep, Cpu, OutcomeCounts, Outcomes};

fn wanted() -> bool {
    std::env::var_os("STRONG4_LONG").is_some()
}

/// The outcome of a cell by looking at its moves, one by one.
fn by_moves(index: &Index, cell: Cell, next: Option<&Outcomes>) -> Outcome {
    let outcome = |child| match child {
        Child::Full => None,
        Child::Four => Some(Outcome::Win),
        Child::Cell(cell) => Some(next.expect("a tier after this").outcome(cell).for_other()),
    };
    let children = index.children(cell).filter_map(|(_, child)| outcome(child));
    children.max().unwrap_or(Outcome::Draw)
}

fn check_tile(index: &Index, tile: Tile, outcomes: &Outcomes, next: Option<&Outcomes>) {
    let census = index.census();
    for row in 0..census.tile_rows(tile) as u32 {
        for column in 0..census.tile_columns(tile) as u32 {
            let cell = Cell { tile, row, column };
            if !index.has_crossing_four(cell) {
                let expected = by_moves(index, cell, next);
                assert_eq!(outcomes.outcome(cell), expected, "{}", index.unrank(cell));
            }
        }
    }
}

/// Every cell without a four follows from the tier after it, so by induction
/// every outcome is that of minimax.
fn follows_from_moves(board: &str) {
    let index = Index::new(board.parse().unwrap()).unwrap();
    let mut sweep = BackwardSweep::new(&index, Cpu::widest(), Tier(0)).unwrap();
    loop {
        let (outcomes, next) = (sweep.outcomes(), sweep.next_outcomes());
        let tiles: Vec<Tile> = index.census().tiles(outcomes.tier()).collect();
        tiles.into_par_iter().for_each(|tile| check_tile(&index, tile, outcomes, next));
        if !sweep.advance() {
            break;
        }
    }
}

#[test]
fn boards_of_24_and_25_cells_follow_from_their_moves() {
    if wanted() {
        ["5x5", "6x4", "4x6", "3x7", "2x8", "9x2", "7x3"].into_iter().for_each(follows_from_moves);
    }
}

#[test]
fn board_7x4_follows_from_its_moves() {
    if wanted() {
        follows_from_moves("7x4");
    }
}

fn value(board: &str) -> OutcomeCounts {
    let board: Board = board.parse().unwrap();
    solve(board, TierRange::all(board), Cpu::widest(), &()).unwrap()[0].outcomes
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
