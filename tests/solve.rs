//! Solved tiers against a plain memoised minimax over positions.

use std::collections::HashMap;

use strong4::board::{Board, Outcome, Position, Status, Tier, TierRange};
use strong4::index::Index;
use strong4::solve::{TierSolution, solve};
use strong4::sweep::{BackwardSweep, Cpu, OutcomeCounts};

type Memo = HashMap<Position, Outcome>;

/// The outcome for the mover; all live positions that follow go into the memo.
fn minimax(position: &Position, memo: &mut Memo) -> Outcome {
    match position.status() {
        Status::Won(_) => return Outcome::Loss,
        Status::Open | Status::Full => {}
    }
    if let Some(outcome) = memo.get(position) {
        return *outcome;
    }
    let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
    let outcomes = children.iter().map(|child| minimax(child, memo).for_other());
    let outcome = outcomes.max().unwrap_or(Outcome::Draw);
    memo.insert(*position, outcome);
    outcome
}

fn counted<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> OutcomeCounts {
    outcomes.fold(OutcomeCounts::default(), |mut counts, outcome| {
        match outcome {
            Outcome::Win => counts.won += 1,
            Outcome::Draw => counts.drawn += 1,
            Outcome::Loss => counts.lost += 1,
        }
        counts
    })
}

fn agrees_with_minimax(board: &str) {
    let board: Board = board.parse().unwrap();
    let mut memo = HashMap::new();
    minimax(&Position::empty(board), &mut memo);
    let mut tiers = vec![Vec::new(); board.cells() + 1];
    for (position, outcome) in memo {
        tiers[position.tier().stones()].push((position, outcome));
    }

    let index = Index::new(board).unwrap();
    let mut sweep = BackwardSweep::new(&index, Cpu::widest(), Tier(0)).unwrap();
    loop {
        let outcomes = sweep.outcomes();
        let tier = &tiers[outcomes.tier().stones()];
        for (position, outcome) in tier {
            let cell = index.rank(position).expect("a live position").cell;
            assert_eq!(outcomes.outcome(cell), *outcome, "on {board}:\n{position}");
        }
        assert_eq!(sweep.counts(), counted(tier.iter().map(|(_, outcome)| outcome)));
        if !sweep.advance() {
            break;
        }
    }
}

#[test]
fn thin_boards_end_as_minimax_says() {
    let boards = "1x1 1x2 1x7 1x20 1x63 2x1 2x2 2x3 2x4 2x5 2x6 2x7 3x1 3x2 3x3 3x4 3x5 \
                  4x1 5x1 6x1 7x1 8x1 9x1 10x1 11x1 12x1";
    boards.split_whitespace().for_each(agrees_with_minimax);
}

#[test]
fn low_boards_end_as_minimax_says() {
    "4x2 4x3 5x2 5x3 6x2 7x2 8x2".split_whitespace().for_each(agrees_with_minimax);
}

#[test]
fn square_boards_end_as_minimax_says() {
    "4x4 4x5".split_whitespace().for_each(agrees_with_minimax);
}

#[test]
fn boards_with_two_centre_columns_end_as_minimax_says() {
    agrees_with_minimax("6x3");
}

#[test]
fn board_5x4_ends_as_minimax_says() {
    agrees_with_minimax("5x4");
}

fn solved(board: &str) -> Vec<TierSolution> {
    let board: Board = board.parse().unwrap();
    solve(board, TierRange::all(board), Cpu::widest(), &()).unwrap()
}

/// The outcome of the empty board.
fn value(solutions: &[TierSolution]) -> Outcome {
    match solutions[0].outcomes {
        OutcomeCounts { won: 1, drawn: 0, lost: 0 } => Outcome::Win,
        OutcomeCounts { won: 0, drawn: 1, lost: 0 } => Outcome::Draw,
        OutcomeCounts { won: 0, drawn: 0, lost: 1 } => Outcome::Loss,
        counts => panic!("one empty board, not {counts:?}"),
    }
}

#[test]
fn empty_boards_have_the_known_values() {
    for (board, known) in [
        ("4x4", Outcome::Draw),
        ("5x4", Outcome::Draw),
        ("5x5", Outcome::Draw),
        ("6x4", Outcome::Loss),
        ("7x4", Outcome::Draw),
    ] {
        assert_eq!(value(&solved(board)), known, "{board}");
    }
}

#[test]
fn a_range_of_tiers_is_that_part_of_all() {
    let all = solved("5x4");
    let board: Board = "5x4".parse().unwrap();
    let part = solve(board, "3..9".parse().unwrap(), Cpu::widest(), &()).unwrap();
    let known = |solution: &TierSolution| (solution.tier, solution.outcomes, solution.terminal);
    assert!(part.iter().map(known).eq(all[3..=9].iter().map(known)));
    let beyond = solve(board, "3..21".parse().unwrap(), Cpu::widest(), &());
    assert!(beyond.unwrap_err().to_string().contains("the last tier of 5x4 is 20"));
}
