//! Sweeps of games that are cut off, compared with plain minimax: who wins by which ply, for every
//! live position and every cut.

use std::collections::BTreeMap;

use strong4::board::{Board, Outcome, Player, Position, Tier, TierRange};
use strong4::inside::index::Index;
use strong4::inside::solve::solve_plies;
use strong4::inside::sweep::{Cpu, End, Extent, Outcomes, Scope};
use strong4::search::Score;

use super::scores;

/// The winner of a position with this score for the mover, and the ply that makes the four.
pub fn winner(position: &Position, score: i32) -> Option<(Player, usize)> {
    let (tier, mover) = (position.tier(), position.mover());
    let winner = if score > 0 { mover } else { mover.other() };
    let plies = Score::new(score).unwrap().plies(position.board(), tier).unwrap();
    (score != 0).then(|| (winner, tier.stones() + usize::from(plies.get())))
}

fn cuts_are_as_minimax_says(board: &str) {
    let board: Board = board.parse().unwrap();
    let index = Index::new(board).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt);
    let scores = scores(board);
    // The program never uses odd cuts, but they are valid games.
    for ply in 1..board.cells() {
        let end = End::cut_off(&extent, Tier::new(ply as u8).unwrap()).unwrap();
        for cpu in Cpu::all() {
            let outcomes = Outcomes::with_end(&index, &extent, cpu, end).unwrap();
            let mut counts = vec![[0; 3]; ply];
            let before = scores.iter().filter(|(position, _)| position.tier().stones() < ply);
            for (position, score) in before {
                let expected = match winner(position, *score) {
                    Some((winner, by)) if by <= ply => {
                        let mover = position.tier().mover();
                        if winner == mover { Outcome::Win } else { Outcome::Loss }
                    }
                    _ => Outcome::Draw,
                };
                counts[position.tier().stones()][expected as usize] += 1;
                let cell = index.rank(position).expect("a live position").cell;
                assert_eq!(outcomes.outcome(cell), expected, "by {ply} on {board}:\n{position}");
            }
            for (tier, counts) in counts.into_iter().enumerate() {
                let met = outcomes.met(Tier::new(tier as u8).unwrap());
                let expected = [Outcome::Draw, Outcome::Loss].map(|which| counts[which as usize]);
                assert_eq!([met.drawn, met.lost], expected, "tier {tier} of {board} by {ply}");
            }
        }
    }
}

/// The live positions of each tier by plies to the end, 0 for draws.
fn plies(board: Board) -> Vec<BTreeMap<usize, u64>> {
    let mut plies = vec![BTreeMap::new(); board.cells() + 1];
    for (position, score) in scores(board) {
        let stones = position.tier().stones();
        let to_end = winner(&position, score).map_or(0, |(_, ply)| ply - stones);
        *plies[stones].entry(to_end).or_insert(0) += 1;
    }
    plies
}

fn plies_are_as_minimax_says(board: &str) {
    let board: Board = board.parse().unwrap();
    let expected = plies(board);
    let last = board.last_tier();
    let parts = [
        TierRange::new(Tier::new(last.get() / 2).unwrap(), last),
        TierRange::new(Tier::new(3).unwrap(), Tier::new(last.get() / 2).unwrap()),
    ];
    for tiers in [TierRange::all(board)].into_iter().chain(parts.into_iter().flatten()) {
        let found = solve_plies(board, tiers, Cpu::widest(), &()).unwrap();
        assert!(found.iter().map(|found| found.tier).eq(tiers.iter()));
        for found in found {
            let expected = &expected[found.tier.stones()];
            assert_eq!(&BTreeMap::from_iter(found.iter()), expected, "{} of {board}", found.tier);
        }
    }
}

#[test]
fn plies_to_the_end_are_counted_as_minimax_says() {
    for board in "1x1 3x1 4x1 1x8 2x4 7x1 1x9 4x3 5x2 4x4 8x1 9x1 5x3".split(' ') {
        plies_are_as_minimax_says(board);
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn plies_to_the_end_on_larger_boards_are_counted_as_minimax_says() {
    for board in "3x5 2x7 7x2 4x5 5x4 6x3 3x6 3x7 7x3 2x9 8x2 9x2 10x1 13x1".split(' ') {
        plies_are_as_minimax_says(board);
    }
}

#[test]
fn games_that_are_cut_off_end_as_minimax_says() {
    for board in "4x1 1x5 2x4 4x2 6x1 3x4 4x3 5x2 4x4 8x1".split_whitespace() {
        cuts_are_as_minimax_says(board);
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn games_that_are_cut_off_on_larger_boards_end_as_minimax_says() {
    for board in "5x3 3x5 2x7 7x2 4x5 5x4 6x3 3x6 8x2 9x2 10x1".split_whitespace() {
        cuts_are_as_minimax_says(board);
    }
}
