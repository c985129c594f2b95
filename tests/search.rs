//! Searches, compared with plain minimax and with known scores.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::files::repository;
use crate::minimax;
use strong4::board::{Board, Column, Moves, Outcome, Position, Status};
use strong4::inside::cpu::Cpu;
use strong4::inside::random::SplitMix64;
use strong4::search::{Between, Limit, ProofSearch, Score, Search};

/// Compares every live position, in an order that is hard on the table.
fn agrees_with_minimax(board: &str) {
    let board: Board = board.parse().unwrap();
    let known = minimax::scores(board);
    for fold in [false, true] {
        let mut search = Search::new(board, 1 << 20);
        let mut outcomes = Search::new(board, 1 << 12);
        search.fold_dead_stones(fold);
        outcomes.fold_dead_stones(fold);
        for (count, (position, score)) in known.iter().enumerate() {
            if count % 3 == 0 {
                // Answers must be right even without anything learnt before.
                search.forget();
                outcomes.forget();
            }
            let got = search.score(position);
            assert_eq!(got.get(), *score, "on {board}:\n{position}");
            assert_eq!(outcomes.outcome(position), got.outcome(), "on {board}:\n{position}");
        }
    }
}

#[test]
fn every_position_of_thin_boards_scores_as_minimax_says() {
    let boards = "1x1 1x2 1x20 1x63 2x1 2x3 2x7 3x3 3x4 3x5 4x1 5x1 6x1 8x1 10x1";
    boards.split_whitespace().for_each(agrees_with_minimax);
}

#[test]
fn every_position_of_low_boards_scores_as_minimax_says() {
    "4x2 4x3 4x4 5x2 5x3 6x2 7x2".split_whitespace().for_each(agrees_with_minimax);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn every_position_of_larger_boards_scores_as_minimax_says() {
    "3x6 3x7 6x3 4x5 5x4 8x2".split_whitespace().for_each(agrees_with_minimax);
}

#[test]
fn late_positions_of_tall_boards_score_as_minimax_says() {
    let mut words = SplitMix64(3);
    let mut random = |end: usize| words.below(end as u64) as usize;
    for board in ["4x7", "5x7", "4x8", "6x8", "8x7", "4x10", "3x12", "5x11", "4x15"] {
        let board: Board = board.parse().unwrap();
        let mut search = Search::new(board, 1 << 20);
        let mut met = 0;
        while met < 300 {
            // Two columns stay low while there are others.
            let empty = 6 + random(9);
            let low = [random(board.width()), random(board.width())];
            let mut position = Position::empty(board);
            while board.cells() - position.tier().stones() > empty {
                let children: Vec<_> = position.children().collect();
                let high = |(column, _): &&(Column, Position)| !low.contains(&column.index());
                let some: Vec<_> = children.iter().filter(high).collect();
                position = match (some.len(), children.len()) {
                    (0, 0) => break,
                    (0, all) => children[random(all)].1,
                    (high, _) => some[random(high)].1,
                };
            }
            if position.status() != Status::Open {
                continue;
            }
            met += 1;
            let score = minimax::score(&position, &mut HashMap::new());
            assert_eq!(search.score(&position).get(), score, "on {board}:\n{position}");
            assert_eq!(search.outcome(&position), Score::new(score).unwrap().outcome());
        }
    }
}

/// The moves and the score on each line of a file of positions.
fn known_scores(file: &str) -> Vec<(Moves, i32)> {
    let text = std::fs::read_to_string(repository("tests/data").join(file)).unwrap();
    let parse = |line: &str| {
        let (moves, score) = line.split_once(' ')?;
        Some((Moves::parse(Board::STANDARD, moves).ok()?, score.parse().ok()?))
    };
    text.lines().map(|line| parse(line).expect("moves and score")).collect()
}

#[test]
fn known_scores_of_7x6_are_found() {
    let mut search = Search::new(Board::STANDARD, 8 << 20);
    let mut outcomes = Search::new(Board::STANDARD, 1 << 20);
    for (moves, score) in known_scores("scores_7x6.txt") {
        let score = Score::new(score).unwrap();
        assert_eq!(search.score(moves.position()), score, "{moves}");
        assert_eq!(outcomes.outcome(moves.position()), score.outcome(), "{moves}");
        let mirrored = moves.position().mirror();
        assert_eq!(search.score(&mirrored), score, "the mirror image of {moves}");
    }
}

#[test]
fn empty_boards_have_the_known_values() {
    for (board, score) in
        [("4x4", 0), ("5x4", 0), ("4x5", 0), ("5x5", 0), ("6x4", -1), ("4x6", 0), ("7x4", 0)]
    {
        let board: Board = board.parse().unwrap();
        let mut search = Search::new(board, 16 << 20);
        assert_eq!(search.score(&Position::empty(board)).get().signum(), score, "{board}");
    }
}

#[test]
fn finished_games_have_a_score_too() {
    let board = Board::STANDARD;
    let mut search = Search::new(board, 0);
    let won = Moves::parse(board, "1212121").unwrap();
    let score = search.score(won.position());
    // The winner has placed 4 of 21 stones; the last of those counts as in hand.
    assert_eq!((score.get(), score.outcome()), (-18, Outcome::Loss));
    assert_eq!(score.plies(board, won.position().tier()).unwrap().get(), 0);
    assert!(search.move_scores(won.position()).is_empty());
    assert!(search.line(won.position()).is_empty());
    let small: Board = "2x2".parse().unwrap();
    let full = Moves::parse(small, "1122").unwrap();
    assert_eq!(Search::new(small, 0).score(full.position()), Score::DRAW);
}

#[test]
fn the_best_move_keeps_the_score_and_the_line_ends_when_it_says() {
    let board = Board::STANDARD;
    let mut search = Search::new(board, 8 << 20);
    for (moves, _) in known_scores("scores_7x6.txt").into_iter().step_by(40) {
        let position = moves.position();
        let score = search.score(position);
        let scores = search.move_scores(position);
        assert_eq!(scores.iter().map(|(_, score)| *score).max(), Some(score), "{moves}");
        let line = search.line(position);
        assert_eq!(
            line.len(),
            usize::from(score.plies(board, position.tier()).unwrap().get()),
            "{moves}"
        );
        let end = line.iter().fold(*position, |position, column| position.play(*column).unwrap());
        assert_ne!(end.status(), Status::Open);
    }
}

#[test]
fn a_search_that_runs_out_says_what_it_knows() {
    let board = Board::STANDARD;
    let mut search = Search::new(board, 1 << 20);
    let (moves, score) = known_scores("scores_7x6.txt").pop().unwrap();
    let position = moves.position();
    let stop = AtomicBool::new(true);
    let limits = [
        Limit { nodes: Some(0), ..Limit::default() },
        Limit { nodes: Some(300), ..Limit::default() },
        Limit { stop: Some(&stop), ..Limit::default() },
        Limit { deadline: Some(std::time::Instant::now()), ..Limit::default() },
    ];
    for limit in limits {
        search.forget();
        let between = search.try_score(position, limit).expect_err("too little");
        assert!(between.lower() < between.upper());
        assert!((between.lower().get()..=between.upper().get()).contains(&score), "{between}");
    }
    assert_eq!(search.score(position).get(), score);
    let outcome =
        search.try_outcome(position, Limit { nodes: Some(10_000_000), ..Limit::default() });
    assert_eq!(outcome, Ok(Score::new(score).unwrap().outcome()));
}

/// A search may be given wrong bounds. It refuses them or stays within them, and learns nothing
/// from them.
#[test]
fn wrong_bounds_are_refused_and_leave_no_trace() {
    let board: Board = "4x4".parse().unwrap();
    let known = minimax::scores(board);
    let mut search = Search::new(board, 1 << 20);
    let mut refused = 0;
    for (number, (position, score)) in known.iter().enumerate().step_by(37) {
        let score = Score::new(*score).unwrap();
        for told in [1, 0, -1, 3 - number as i32 % 7] {
            let told = Score::new(told).unwrap();
            for (lower, upper) in [(told, Score::MOST), (-Score::MOST, told), (told, told)] {
                let told = Between::new(lower, upper).unwrap();
                let found = search.narrow(position, told, Limit::default());
                let outcome = search.narrow_outcome(position, told, Limit::default());
                for found in [found, outcome] {
                    match found {
                        Ok(found) => {
                            assert!(lower <= found.lower() && found.upper() <= upper);
                            assert!(found.lower() <= found.upper());
                        }
                        Err(found) => {
                            assert!(found.upper() < lower || upper < found.lower(), "{found}");
                            assert!((found.lower()..=found.upper()).contains(&score));
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(search.score(position), score, "\n{position}");
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn threads_find_the_same_scores() {
    let mut search = Search::new(Board::STANDARD, 1 << 20);
    search.use_threads(3);
    let game = Moves::parse(Board::STANDARD, "615").unwrap();
    assert_eq!(search.score(game.position()), Score::DRAW);
    // Other threads help only with longer searches than this.
    assert!(search.nodes() > 1 << 22, "{}", search.nodes());
    // A limit counts the nodes of all threads; each still finishes its current line.
    for most in [100, 1_000_000, 5_000_000] {
        let limit = Limit { nodes: Some(most), ..Limit::default() };
        search.forget();
        let before = search.nodes();
        assert!(search.try_score(&Position::empty(Board::STANDARD), limit).is_err());
        let nodes = search.nodes() - before;
        assert!(nodes <= most + 4 * 42, "{nodes}, not {most}");
    }
}

#[test]
fn all_forms_visit_the_same_nodes() {
    let positions = known_scores("scores_7x6.txt");
    let nodes = Cpu::all().map(|cpu| {
        let mut search = Search::new(Board::STANDARD, 1 << 20);
        search.use_cpu(cpu);
        for (moves, score) in positions.iter().step_by(7) {
            search.forget();
            assert_eq!(search.score(moves.position()).get(), *score, "{cpu}: {moves}");
        }
        search.nodes()
    });
    let nodes: Vec<u64> = nodes.collect();
    assert!(nodes.iter().all(|count| *count == nodes[0]), "{nodes:?}");
}

#[test]
fn proof_numbers_come_to_the_same_outcomes() {
    for board in ["1x1", "2x3", "3x4", "4x3", "5x2", "4x4"] {
        let board: Board = board.parse().unwrap();
        let known = minimax::scores(board);
        // One table that is too small, and one that is not.
        for (bytes, step) in [(1 << 9, 997), (1 << 16, 293)] {
            let mut proofs = ProofSearch::new(board, bytes);
            for (position, score) in known.iter().step_by(if known.len() < 5000 { 1 } else { step })
            {
                let score = Score::new(*score).unwrap();
                assert_eq!(proofs.outcome(position), score.outcome(), "on {board}:\n{position}");
            }
        }
    }
    let mut proofs = ProofSearch::new(Board::STANDARD, 1 << 20);
    for (moves, score) in known_scores("scores_7x6.txt").into_iter().take(240).step_by(3) {
        let score = Score::new(score).unwrap();
        let limit = Limit { nodes: Some(200_000), ..Limit::default() };
        let proved = proofs.try_outcome(moves.position(), limit);
        assert!(proved.is_none_or(|outcome| outcome == score.outcome()), "{moves}");
    }
    let limit = Limit { nodes: Some(10), ..Limit::default() };
    assert_eq!(proofs.try_outcome(&Position::empty(Board::STANDARD), limit), None);
}

/// A change that alters this number changes the search, and should say so.
#[test]
fn the_nodes_of_a_fixed_search_are_counted() {
    let mut search = Search::new(Board::STANDARD, 1 << 20);
    let positions = known_scores("scores_7x6.txt");
    for (moves, _) in positions.iter().step_by(10) {
        search.forget();
        search.score(moves.position());
    }
    assert_eq!(search.nodes(), 48_213);
}
