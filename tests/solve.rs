//! Solving as one job: known values, and parts of a board.

use strong4::board::{Board, Outcome, OutcomeCounts, TierRange};
use strong4::inside::reference::outcomes::KnownOutcomes;
use strong4::inside::solve::{TierSolution, solve};
use strong4::inside::sweep::{Cpu, Scope};
use strong4::inside::table::TierCounts;

fn solved(board: &str) -> Vec<TierSolution> {
    let board: Board = board.parse().unwrap();
    solve(board, TierRange::all(board), Cpu::widest(), Scope::InDoubt, &()).unwrap()
}

#[test]
fn empty_boards_have_the_known_values() {
    use Outcome::{Draw, Loss};
    have_values([("4x4", Draw), ("5x4", Draw), ("5x5", Draw), ("6x4", Loss), ("7x4", Draw)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_empty_boards_have_the_known_values() {
    use Outcome::{Draw, Loss};
    have_values([("6x5", Draw), ("5x6", Draw), ("4x6", Draw), ("7x5", Draw), ("6x6", Loss)]);
}

fn have_values(boards: [(&str, Outcome); 5]) {
    for (board, known) in boards {
        let value = match solved(board)[0].outcomes {
            OutcomeCounts { won: 1, drawn: 0, lost: 0 } => Outcome::Win,
            OutcomeCounts { won: 0, drawn: 1, lost: 0 } => Outcome::Draw,
            OutcomeCounts { won: 0, drawn: 0, lost: 1 } => Outcome::Loss,
            counts => panic!("one empty board, not {counts:?}"),
        };
        assert_eq!(value, known, "{board}");
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

#[test]
fn all_tiers_of_7x4_have_the_known_outcomes() {
    let board: Board = "7x4".parse().unwrap();
    let known = KnownOutcomes::built_in(board).unwrap();
    let solutions = solved("7x4");
    assert_eq!(solutions.len(), 29);
    for TierSolution { tier, outcomes, terminal, .. } in solutions {
        assert_eq!(known.get(tier), Ok(TierCounts::new(outcomes, terminal)), "tier {tier}");
    }
}
