use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::random::random_positions;
use crate::search::Search;
use crate::table::Horizon;
use crate::tabulate::{Request, tabulate};

fn solved(board: Board) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let request =
        Request { horizon: Some(Horizon(4)), ..Request::new(board, folder.path()).with_scores() };
    tabulate(&request, &()).unwrap();
    folder
}

/// The slow twin asks a search for each position and each move.
#[test]
fn answers_are_those_of_a_search_from_any_thread_with_tables_or_without() {
    let board: Board = "5x4".parse().unwrap();
    let folder = solved(board);
    let without = Solver::builder(board).threads(2).search_memory(1 << 20).build().unwrap();
    let with = without.to_builder().tables(folder.path()).build().unwrap();
    assert_eq!(with.folder(), Some(folder.path()));
    let positions: Vec<Position> = random_positions(board, 300).collect();
    let mut search = Search::new(board, 1 << 20);
    let scores: Vec<Score> = positions.iter().map(|position| search.score(position)).collect();
    let children: Vec<Vec<Option<Score>>> = positions
        .iter()
        .map(|position| {
            let child = |column| position.play(column).ok().map(|child| -search.score(&child));
            board.columns().map(child).collect()
        })
        .collect();
    for solver in [&with, &without] {
        thread::scope(|scope| {
            for _ in 0..4 {
                let solver = solver.clone();
                let (positions, scores, children) = (&positions, &scores, &children);
                scope.spawn(move || {
                    for ((position, score), children) in positions.iter().zip(scores).zip(children)
                    {
                        assert_eq!(solver.score(position).unwrap(), *score);
                        assert_eq!(solver.outcome(position).unwrap(), score.outcome());
                        assert_eq!(solver.move_scores(position).unwrap(), *children);
                        let answer = solver.analyze(position, Question::default()).unwrap();
                        assert_eq!(answer.value.score(), Some(*score));
                    }
                });
            }
        });
        assert_eq!(solver.score_many(&positions, Batch::default()).unwrap(), scores);
        assert_eq!(solver.move_scores_many(&positions, Batch::default()).unwrap(), children);
        let outcomes: Vec<Outcome> = scores.iter().map(|score| score.outcome()).collect();
        assert_eq!(solver.outcome_many(&positions, Batch::default()).unwrap(), outcomes);
        assert!(solver.missed_tiers().is_empty());
        // As many sessions as were ever busy at the same time.
        assert!(lock(&solver.shared.idle).len() <= 5);
    }
}

#[test]
fn what_makes_no_sense_is_an_error() {
    let solver = Solver::new(Board::STANDARD);
    let other = Position::empty("5x4".parse().unwrap());
    let error = solver.score(&other).unwrap_err();
    assert_eq!(error.to_string(), "a position on 5x4, not on 7x6");
    let drawn = "O . . . . . .\nX . . . . . .\nX . . . . . .\nX . . . . . .\nX . . . . . .\n\
                 X O O . O O .";
    let unreachable = Position::from_drawing(Board::STANDARD, drawn).unwrap();
    let error = solver.move_scores(&unreachable).unwrap_err().to_string();
    assert!(error.starts_with("no game leads to this board: X has "), "{error}");
    let empty = Position::empty(Board::STANDARD);
    let error = solver.score_many(&[empty, empty, other], Batch::default()).unwrap_err();
    assert_eq!(error.to_string(), "number 3 of 3: a position on 5x4, not on 7x6");
    let nowhere = PathBuf::from("nowhere");
    let error = solver.to_builder().tables(&nowhere).build().unwrap_err();
    assert!(matches!(error, SolverError::Folder(_)), "{error}");
    assert!(error.to_string().contains("there are no tables of 7x6 in nowhere"), "{error}");
    let large = Solver::builder("5x4".parse().unwrap());
    let folder = solved("4x4".parse().unwrap());
    let error = large.tables(folder.path()).build().unwrap_err().to_string();
    assert!(error.contains("holds tables of 4x4, not of 5x4"), "{error}");
    assert_eq!(Solver::open(folder.path()).unwrap().board().to_string(), "4x4");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(500))]

    /// Random stones are seldom a position, and even less often one that a game reaches.
    #[test]
    fn stones_of_any_kind_are_a_position_or_an_error(
        first in 0..1u64 << 26, second in 0..1u64 << 26, high in proptest::bool::ANY
    ) {
        let board: Board = "5x4".parse().unwrap();
        let shift = if high { 38 } else { 0 };
        for [first, second] in [[first, second], [first & 0x3ff, second & 0x3ff & !first]] {
            let stones = Position::from_stones_unchecked(board, first << shift, second << shift);
            let solver = Solver::builder(board).search_memory(1 << 16).build().unwrap();
            assert_eq!(solver.move_scores(&stones).is_ok(), stones.validate().is_ok());
        }
    }
}

#[test]
fn a_damaged_table_is_reported_and_named() {
    let board: Board = "4x4".parse().unwrap();
    let folder = solved(board);
    for folder in [folder.path().to_owned(), folder.path().join("scores")] {
        let Ok(files) = std::fs::read_dir(folder) else { continue };
        for file in files.map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|end| end == "s4t") {
                std::fs::write(file, b"no table").unwrap();
            }
        }
    }
    let solver = Solver::builder(board).tables(folder.path()).without_openings().build().unwrap();
    let error = solver.score(&Position::empty(board)).unwrap_err();
    let table = error.table().expect("a table is to blame");
    assert!(table.to_string().contains("tier-00.s4t"), "{table}");
}

#[test]
fn a_batch_reports_how_far_it_is_and_can_be_stopped() {
    struct Heard(AtomicU64, AtomicBool, u64);
    impl Progress for Heard {
        fn advance(&self, done: u64, total: u64) {
            assert!(done <= total);
            self.0.fetch_max(done, Relaxed);
            self.1.fetch_or(done >= self.2, Relaxed);
        }
    }
    let board: Board = "5x4".parse().unwrap();
    let solver = Solver::builder(board).threads(3).build().unwrap();
    let positions: Vec<Position> = random_positions(board, 200).collect();
    assert!(solver.score_many(&[], Batch::default()).unwrap().is_empty());
    let all = Heard(AtomicU64::new(0), AtomicBool::new(false), 200);
    let batch = Batch { progress: &all, stop: None };
    solver.score_many(&positions, batch).unwrap();
    assert_eq!(all.0.into_inner(), 200);

    let some = Heard(AtomicU64::new(0), AtomicBool::new(false), 50);
    let batch = Batch { progress: &some, stop: Some(&some.1) };
    let stopped = solver.score_many(&positions, batch);
    assert!(matches!(stopped, Err(SolverError::Stopped)), "{stopped:?}");
    assert!((50..60).contains(&some.0.load(Relaxed)), "{:?}", some.0);

    // A long search can be stopped, too.
    let solver = Solver::builder(Board::STANDARD).without_openings().build().unwrap();
    let (stop, start) = (AtomicBool::new(false), Instant::now());
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, Relaxed);
        });
        let empty = [Position::empty(Board::STANDARD)];
        let batch = Batch { stop: Some(&stop), ..Batch::default() };
        assert!(matches!(solver.score_many(&empty, batch), Err(SolverError::Stopped)));
        assert!(matches!(solver.move_scores_many(&empty, batch), Err(SolverError::Stopped)));
        let question = Question { stop: Some(&stop), ..Question::default() };
        let answer = solver.analyze(&empty[0], question).unwrap();
        assert_eq!(answer.value.score(), None);
    });
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Clones are one solver; a second one that is built alike shares only the tables.
#[test]
fn what_is_shared_is_as_documented() {
    let board: Board = "4x4".parse().unwrap();
    let folder = solved(board);
    std::fs::remove_file(crate::table::table_file(folder.path(), Tier(2))).unwrap();
    std::fs::remove_dir_all(crate::table::score_folder(folder.path())).unwrap();
    let solver = Solver::open(folder.path()).unwrap();
    let position = *Moves::parse(board, "12").unwrap().position();
    solver.clone().score(&position).unwrap();
    assert_eq!(solver.missed_tiers(), [Tier(2)]);
    assert_eq!(lock(&solver.shared.idle).len(), 1);
    let second = solver.to_builder().search_memory(1 << 16).build().unwrap();
    assert_eq!((second.folder(), second.missed_tiers()), (Some(folder.path()), vec![Tier(2)]));
    assert!(lock(&second.shared.idle).is_empty());
    // A folder without tables is an error only if there must be some.
    let none = tempfile::tempdir().unwrap();
    assert!(Solver::builder(board).tables(none.path()).build().is_err());
    let without = Solver::builder(board).tables_if_any(none.path()).build().unwrap();
    assert_eq!(without.folder(), None);
}
