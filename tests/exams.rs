//! The standard exams: what they promise, and whether their scores are right.

use std::collections::HashSet;

use strong4::board::{Board, Outcome, Player, Status};
use strong4::grade::{Exam, ExamKind};
use strong4::search::{Score, Search};
use strong4::tromp::Key;
use strong4::{Batch, Solver};

use crate::files::repository;

const BYTES: usize = 64 << 20;

fn standard() -> [&'static Exam; 3] {
    Exam::standard_names().map(|name| Exam::standard(name).unwrap())
}

#[test]
fn every_exam_asks_a_thousand_different_questions() {
    for exam in standard() {
        assert_eq!((exam.version(), exam.board()), (1, Board::STANDARD));
        assert_eq!((exam.len(), exam.left_out()), (1000, 0), "{}", exam.name());
        let mut known = HashSet::new();
        for (at, position) in exam.positions().iter().enumerate() {
            assert_eq!((position.validate(), position.status()), (Ok(()), Status::Open));
            assert!(
                known.insert(Key::of(position)) && known.insert(Key::of(&position.mirror()))
                    || *position == position.mirror()
            );
            let scores: HashSet<i32> = exam.move_scores(at).map(|(_, score)| score.get()).collect();
            assert!(scores.len() > 1, "{position}");
            assert_eq!(exam.move_scores(at).count(), position.children().count());
        }
        let file = repository(&format!("data/exams/{}.txt", exam.name()));
        assert_eq!(std::fs::read_to_string(file).unwrap(), exam.to_string());
    }
}

#[test]
fn the_uniform_exam_has_as_many_positions_of_each_tier() {
    let mut tiers = [0; 43];
    for position in Exam::standard("uniform").unwrap().positions() {
        tiers[position.tier().stones()] += 1;
    }
    // The first tiers have fewer, and some of the last ones ask nothing.
    assert_eq!(tiers[..2], [1, 4]);
    assert!(tiers[3..=35].iter().all(|count| (24..=32).contains(count)), "{tiers:?}");
    assert!(tiers[36..].iter().all(|count| *count == 0));
}

#[test]
fn hard_questions_have_one_answer_that_is_not_in_sight() {
    let exam = Exam::standard("hard").unwrap();
    for (at, position) in exam.positions().iter().enumerate() {
        let scores: Vec<Score> = exam.move_scores(at).map(|(_, score)| score).collect();
        let keep = |score: &&Score| score.outcome() == exam.best(at).outcome();
        assert_eq!(scores.iter().filter(keep).count(), 1);
        assert!(position.threats(position.mover()).next().is_none(), "{position}");
        let is_far = |score: &&Score| {
            let plies = score.plies(exam.board(), position.tier()).unwrap();
            score.outcome() == Outcome::Draw || plies.get() > 8
        };
        assert!(scores.iter().filter(is_far).count() >= 2, "{position}");
    }
    let quiet = exam.positions().iter().filter(|position| position.is_quiet()).count();
    assert!(quiet > 500, "{quiet}");
    assert!(exam.positions().iter().any(|position| position.mover() == Player::Second));
}

/// Recomputes scores by a search that has neither openings nor tables.
fn recomputed(exam: &Exam, from_tier: usize, step: usize) -> usize {
    let mut search = Search::new(exam.board(), BYTES);
    let mut checked = 0;
    for (at, position) in exam.positions().iter().enumerate() {
        if position.tier().stones() < from_tier || at % step != 0 {
            continue;
        }
        for ((column, score), child) in exam.move_scores(at).zip(position.children()) {
            assert_eq!((column, score), (child.0, -search.score(&child.1)), "{position}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn a_search_finds_the_scores_of_some_questions() {
    for exam in standard() {
        let checked = recomputed(exam, 18, 7);
        assert!(checked > 100, "{}: {checked}", exam.name());
    }
}

/// Those of the first tiers, built in as openings, are checked beside these.
#[test]
#[ignore = "takes minutes"]
fn a_search_finds_the_scores_of_all_questions() {
    let moves = standard().map(|exam| (exam.name(), recomputed(exam, 12, 1)));
    let expected = [("uniform", 3870), ("played", 2526), ("hard", 2310)];
    assert_eq!(moves, expected);
}

#[test]
#[ignore = "takes minutes"]
fn the_exams_are_made_again_byte_by_byte() {
    let solver = Solver::new(Board::STANDARD);
    for exam in standard() {
        let kind: ExamKind = exam.name().parse().unwrap();
        assert_eq!(&kind.make(&solver, 1000, 1, Batch::default()).unwrap(), exam);
    }
}
