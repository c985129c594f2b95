//! Outcomes that others have published.
//!
//! `data/published_outcomes.csv` has the numbers of M. Böck's solutions with binary decision
//! diagrams (*Strongly Solving 7 x 6 Connect-Four on Consumer Grade Hardware*, 2025), from the
//! files `results_solve_*.csv` of <https://github.com/markus7800/Connect4-Strong-Solver>. His lost
//! positions include terminal ones.

use std::collections::BTreeMap;

use strong4::Solver;
use strong4::board::{Board, Outcome, Tier, TierRange};
use strong4::inside::reference::Reference;
use strong4::inside::reference::outcomes::KnownOutcomes;
use strong4::inside::solve::solve;
use strong4::inside::sweep::{Cpu, Scope};
use strong4::inside::table::TierCounts;
use strong4::sample::{Leaving, list};

/// Won, drawn, and lost or terminal positions.
type Numbers = [u64; 3];

/// The published numbers of each tier, by board.
fn published() -> BTreeMap<String, Vec<Numbers>> {
    let mut boards: BTreeMap<String, Vec<Numbers>> = BTreeMap::new();
    for line in include_str!("data/published_outcomes.csv").lines().skip(1) {
        let (board, numbers) = line.split_once(',').unwrap();
        let numbers: Vec<u64> = numbers.split(',').map(|field| field.parse().unwrap()).collect();
        let tiers = boards.entry(board.to_owned()).or_default();
        assert_eq!(tiers.len() as u64, numbers[0], "{line}");
        tiers.push(numbers[1..].try_into().unwrap());
    }
    boards
}

fn numbers(counts: TierCounts) -> Numbers {
    [counts.won, counts.drawn, counts.lost + counts.terminal]
}

fn solved(board: &str) -> Vec<Numbers> {
    let board: Board = board.parse().unwrap();
    let tiers = solve(board, TierRange::all(board), Cpu::widest(), Scope::InDoubt, &()).unwrap();
    tiers.iter().map(|tier| numbers(TierCounts::new(tier.outcomes, tier.terminal))).collect()
}

#[test]
fn known_outcomes_are_the_published_ones() {
    let mut compared = Vec::new();
    for (name, published) in published() {
        let board: Board = name.parse().unwrap();
        let Ok(known) = KnownOutcomes::built_in(board) else { continue };
        let tiers = TierRange::all(board).into_iter();
        let known: Vec<Numbers> = tiers.map(|tier| numbers(known.get(tier).unwrap())).collect();
        assert_eq!(known, published, "{name}");
        compared.push(name);
    }
    assert!(compared.iter().any(|board| board == "7x6"), "{compared:?}");
}

#[test]
fn published_outcomes_add_up_to_the_counts() {
    for (name, published) in published() {
        let counts = Reference::built_in();
        let counts = counts.tiers(name.parse().unwrap()).unwrap();
        let totals: Vec<(Tier, u64)> =
            counts.iter().map(|count| (count.tier, count.total())).collect();
        let tiers = (0..)
            .map(|stones| Tier::new(stones).unwrap())
            .zip(published.iter().map(|numbers| numbers.iter().sum()));
        assert_eq!(tiers.collect::<Vec<(Tier, u64)>>(), totals, "{name}");
    }
}

#[test]
fn a_solved_board_has_the_published_outcomes() {
    assert_eq!(solved("5x5"), published()["5x5"]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_solved_boards_have_the_published_outcomes() {
    for board in ["6x5", "6x6"] {
        assert_eq!(solved(board), published()[board], "{board}");
    }
}

/// Tromp's data set, "Connect-4" in the UCI Machine Learning Repository: 8 plies, nobody has won
/// yet, and the next move is not forced. Won, lost and drawn are for the first player.
#[test]
fn the_classical_data_set_is_a_list() {
    let leaving = Leaving { forced: true, mirror_images: true };
    let solver = Solver::new(Board::STANDARD);
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    for game in list(Board::STANDARD, "8".parse().unwrap(), leaving).unwrap() {
        assert_eq!(game.position().tier(), Tier::new(8).unwrap());
        match solver.score(game.position()).unwrap().outcome() {
            Outcome::Win => won += 1,
            Outcome::Loss => lost += 1,
            Outcome::Draw => drawn += 1,
        }
    }
    assert_eq!((won, lost, drawn), (44_473, 16_635, 6_449));
    assert_eq!(won + lost + drawn, 67_557);
}
