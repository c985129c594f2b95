//! Solving as one job: known outcomes, and parts of a board.

use strong4::board::{Board, TierRange};
use strong4::inside::reference::outcomes::KnownOutcomes;
use strong4::inside::solve::{TierSolution, solve};
use strong4::inside::sweep::{Cpu, Scope};
use strong4::inside::table::TierCounts;

fn solved(board: &str) -> Vec<TierSolution> {
    let board: Board = board.parse().unwrap();
    solve(board, TierRange::all(board), Cpu::widest(), Scope::InDoubt, &()).unwrap()
}

#[test]
fn boards_have_the_known_outcomes() {
    have_known_outcomes(["4x4", "5x4", "5x5", "6x4", "7x4"]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_boards_have_the_known_outcomes() {
    have_known_outcomes(["6x5", "5x6", "4x6", "7x5", "6x6"]);
}

fn have_known_outcomes(boards: [&str; 5]) {
    for name in boards {
        let board: Board = name.parse().unwrap();
        let known = KnownOutcomes::built_in(board).unwrap();
        let solutions = solved(name);
        assert_eq!(solutions.len(), board.cells() + 1);
        for TierSolution { tier, outcomes, terminal, .. } in solutions {
            assert_eq!(known.compare(tier, TierCounts::new(outcomes, terminal)), Ok(()));
        }
    }
}

#[test]
fn a_range_of_tiers_is_that_part_of_all() {
    let all = solved("5x4");
    let board: Board = "5x4".parse().unwrap();
    let part = solve(board, "3..9".parse().unwrap(), Cpu::widest(), Scope::InDoubt, &()).unwrap();
    let known = |solution: &TierSolution| (solution.tier, solution.outcomes, solution.terminal);
    assert!(part.iter().map(known).eq(all[3..=9].iter().map(known)));
    let beyond = solve(board, "3..21".parse().unwrap(), Cpu::widest(), Scope::InDoubt, &());
    assert!(beyond.unwrap_err().to_string().contains("the last tier of 5x4 is 20"));
}
