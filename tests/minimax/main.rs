//! Solved tiers, compared with plain minimax: the outcome of every live position, in every form of
//! the kernels, and the number of positions with each outcome.
//!
//! Boards of more than a few million positions are only compared by `cargo test --release --test
//! library minimax:: -- --ignored`. On two cores 5x5 takes 11 seconds, 6x4 18, 3x9 25, and 7x4 with
//! its 2.27 billion positions 9 minutes.

pub mod cut_off;
mod retrograde;

use std::collections::HashMap;

use rayon::prelude::*;
use strong4::board::{Board, Outcome, OutcomeCounts, Position, Status, TierRange};
use strong4::inside::index::Index;
use strong4::inside::solve::{TierSolution, solve};
use strong4::inside::sweep::{Cpu, Outcomes, Scope};

use retrograde::Solved;

/// The scores of all live positions, for the mover: plain minimax with a memo.
pub fn scores(board: Board) -> HashMap<Position, i32> {
    let mut memo = HashMap::new();
    score(&Position::empty(board), &mut memo);
    memo
}

/// The score of a position; those of all live positions that follow go into the memo.
pub fn score(position: &Position, memo: &mut HashMap<Position, i32>) -> i32 {
    let empty = (position.board().cells() - position.tier().stones()) as i32;
    if let Status::Won(_) = position.status() {
        return -(empty / 2) - 1;
    }
    if let Some(score) = memo.get(position) {
        return *score;
    }
    let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
    let best = children.iter().map(|child| -score(child, memo)).max().unwrap_or(0);
    memo.insert(*position, best);
    best
}

/// One position with this outcome, as counts.
fn counted(outcome: Outcome) -> OutcomeCounts {
    let one = |which| u64::from(outcome == which);
    OutcomeCounts { won: one(Outcome::Win), drawn: one(Outcome::Draw), lost: one(Outcome::Loss) }
}

/// Compares a tier with the results of sweeps, position by position, and counts it.
fn compare<'a>(
    index: &Index,
    sweeps: impl Iterator<Item = &'a Outcomes<'a>> + Clone + Sync,
    solved: &Solved,
) -> OutcomeCounts {
    let check = |(position, outcome)| {
        let cell = index.rank(&position).expect("a live position").cell;
        for sweep in sweeps.clone() {
            let got = sweep.outcome(cell);
            assert_eq!(got, outcome, "{:?} on {}:\n{position}", sweep.cpu(), index.board());
        }
        counted(outcome)
    };
    solved.par_chunks().map(|chunk| chunk.map(check).sum::<OutcomeCounts>()).sum()
}

fn agrees_with_minimax(board: &str) {
    let board: Board = board.parse().unwrap();
    let index = Index::new(board).unwrap();
    let sweeps_of = |scope| -> Vec<Outcomes> {
        Cpu::all().map(|cpu| Outcomes::of(&index, cpu, scope).unwrap()).collect()
    };
    let [in_doubt, every_cell] = [Scope::InDoubt, Scope::EveryCell].map(sweeps_of);
    let tiers = TierRange::all(board);
    let solved_by = |scope| solve(board, tiers, Cpu::widest(), scope, &()).unwrap();
    let mut solutions = solved_by(Scope::InDoubt);
    let known = |solution: &TierSolution| (solution.tier, solution.outcomes, solution.terminal);
    assert!(solutions.iter().map(known).eq(solved_by(Scope::EveryCell).iter().map(known)));
    retrograde::for_each_tier(board, |count, solved| {
        let TierSolution { tier, outcomes, terminal, .. } = solutions.pop().unwrap();
        let counts = compare(&index, in_doubt.iter().chain(&every_cell), solved);
        assert_eq!((tier, outcomes, terminal), (count.tier, counts, count.terminal));
        assert!(every_cell.iter().all(|sweep| sweep.met(tier) == counts));
        for met in in_doubt.iter().map(|sweep| sweep.met(tier)) {
            assert_eq!((met.drawn, met.lost), (counts.drawn, counts.lost));
            assert!(met.won <= counts.won);
        }
    });
    assert!(solutions.is_empty());
}

fn agree_with_minimax(boards: &str) {
    boards.split_whitespace().for_each(agrees_with_minimax);
}

#[test]
fn thin_boards_end_as_minimax_says() {
    agree_with_minimax("1x1 1x2 1x3 1x4 1x5 1x6 1x7 1x20 1x63");
    agree_with_minimax("2x1 2x2 2x3 2x4 2x5 2x6 2x7");
    agree_with_minimax("3x1 3x2 3x3 3x4 3x5");
    agree_with_minimax("4x1 5x1 6x1 7x1 8x1 9x1 10x1 11x1 12x1");
}

#[test]
fn low_boards_end_as_minimax_says() {
    agree_with_minimax("4x2 5x2 6x2 7x2 8x2 4x3 5x3 6x3 4x4 5x4");
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_boards_end_as_minimax_says() {
    agree_with_minimax("2x8 2x9 3x6 3x7 13x1 3x8 3x9 14x1 15x1 16x1 9x2 10x2");
    agree_with_minimax("4x5 7x3 4x6 6x4 5x5");
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn board_7x4_ends_as_minimax_says() {
    agree_with_minimax("7x4");
}
