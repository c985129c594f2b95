//! Outcomes that others have published.
//!
//! `data/published_outcomes.csv` has the numbers of M. Böck's solutions with binary decision
//! diagrams (*Strongly Solving 7 x 6 Connect-Four on Consumer Grade Hardware*, 2025), from the
//! files `results_solve_*.csv` of <https://github.com/markus7800/Connect4-Strong-Solver>. Their
//! lost positions include terminal ones.

use std::collections::BTreeMap;

use strong4::Solver;
use strong4::board::{Board, Outcome, Tier, TierRange};
use strong4::inside::reference::outcomes::KnownOutcomes;
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

/// Solved boards are compared with the known outcomes, and those with the counts, by other tests.
#[test]
fn known_outcomes_are_the_published_ones() {
    let published = published();
    assert!(published.keys().eq(["5x5", "6x5", "6x6", "7x6"]));
    for (name, published) in published {
        let board: Board = name.parse().unwrap();
        let known = KnownOutcomes::built_in(board).unwrap();
        let numbers = |tier| {
            let counts = known.get(tier).unwrap();
            [counts.won, counts.drawn, counts.lost + counts.terminal]
        };
        let known: Vec<Numbers> = TierRange::all(board).into_iter().map(numbers).collect();
        assert_eq!(known, published, "{name}");
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
