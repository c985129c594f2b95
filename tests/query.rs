//! Answers, compared with plain minimax.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

use strong4::board::{Board, Moves, Position, Status, Tier};
use strong4::inside::session::Session;
use strong4::inside::table::{Inventory, table_file};
use strong4::query::{Question, Source, Value};

use crate::minimax::scores;
use crate::program::solved;
use crate::table::build::probe;

/// Asks for many positions, and compares value, moves and line with minimax.
fn agrees(
    session: &mut Session,
    scores: &HashMap<Position, i32>,
    step: usize,
    source: Source,
    limit: Option<Duration>,
) {
    let question = Question { limit, ..Question::default() };
    let mut from_source = 0;
    for (position, score) in scores.iter().step_by(step) {
        let answer = session.analyze(position, question).unwrap();
        from_source += usize::from(answer.source == source);
        assert_eq!(answer.value.score().map(|score| score.get()), Some(*score), "\n{position}");
        let outcome = Question { outcome_only: true, ..Question::default() };
        let outcome = session.value(position, outcome).unwrap();
        assert_eq!(outcome.outcome(), answer.value.outcome(), "\n{position}");
        let mut expected = vec![None; position.board().width()];
        for (column, child) in position.children() {
            let empty = (child.board().cells() - child.tier().stones()) as i32;
            let won = matches!(child.status(), Status::Won(_));
            expected[column.index()] = Some(if won { empty / 2 + 1 } else { -scores[&child] });
        }
        let found = |value: &Option<Value>| value.map(|value| value.score().unwrap().get());
        let found: Vec<Option<i32>> = answer.columns.iter().map(found).collect();
        assert_eq!(found, expected, "\n{position}");
        let best = answer.best.iter().map(|column| expected[column.index()]);
        assert!(best.clone().all(|value| value == Some(*score)), "\n{position}");
        let as_good = expected.iter().filter(|value| **value == Some(*score)).count();
        let open = position.status() == Status::Open;
        assert_eq!(best.count(), if open { as_good } else { 0 });
        assert!(answer.line_ends(), "\n{position}");
        let plies = answer.value.score().unwrap().plies(position.board(), position.tier()).unwrap();
        assert_eq!(answer.line.len(), usize::from(plies.get()), "\n{position}");
    }
    assert!(from_source * 2 > scores.len() / step, "{from_source} from {source:?}");
}

#[test]
fn a_search_answers_as_minimax_does() {
    for (board, step) in [("4x4", 101), ("5x3", 53), ("3x4", 7), ("1x5", 1), ("2x3", 1)] {
        let board: Board = board.parse().unwrap();
        agrees(&mut Session::new(board), &scores(board), step, Source::Search, None);
    }
}

#[test]
fn tables_answer_as_minimax_does_whole_or_not() {
    for (name, step) in [("4x4", 71), ("5x3", 31)] {
        let board: Board = name.parse().unwrap();
        let folder = solved(&format!("--board {name}"));
        let scores = scores(board);
        let session = || Session::new(board).with_tables(probe(board, folder.path()));
        agrees(&mut session(), &scores, step, Source::Table, None);

        let gone = [0, 3, 4, 9].map(|stones| Tier::new(stones).unwrap());
        for tier in gone {
            fs::remove_file(table_file(folder.path(), tier)).unwrap();
        }
        assert_eq!(Inventory::of(folder.path(), board).unwrap().missing(), gone);
        agrees(&mut session(), &scores, step + 2, Source::Table, None);
    }
}

/// The slow twin of an answer with a limit is one without.
#[test]
fn a_limit_that_is_long_enough_changes_nothing() {
    let hour = Some(Duration::from_secs(3600));
    for (board, step) in [("4x4", 203), ("5x3", 101), ("1x5", 1)] {
        let board: Board = board.parse().unwrap();
        agrees(&mut Session::new(board), &scores(board), step, Source::Search, hour);
    }
    let (board, folder): (Board, _) = ("4x4".parse().unwrap(), solved("--board 4x4"));
    let mut session = Session::new(board).with_tables(probe(board, folder.path()));
    agrees(&mut session, &scores(board), 151, Source::Table, hour);
}

#[test]
fn what_is_said_in_a_hurry_is_true() {
    let board: Board = "4x4".parse().unwrap();
    let scores = scores(board);
    let micros = |n: usize| Duration::from_micros([1, 40, 200][n % 3]);
    for (n, (position, score)) in scores.iter().step_by(307).enumerate() {
        let question = Question { limit: Some(micros(n)), ..Question::default() };
        let answer = Session::new(board).analyze(position, question).unwrap();
        let holds =
            |value: Value, score: i32| (value.lower().get()..=value.upper().get()).contains(&score);
        assert!(holds(answer.value, *score), "{answer:?}");
        for (column, child) in position.children() {
            if child.status() == Status::Open {
                let value = answer.columns[column.index()].unwrap();
                assert!(holds(value, -scores[&child]), "{answer:?}");
            }
        }
        let open = position.status() == Status::Open;
        assert_eq!(answer.choice().is_some(), open);
        assert!(answer.value.outcome().is_some() || answer.best.is_empty());
    }
}

#[test]
fn an_answer_is_found_within_a_few_times_what_it_takes() {
    let game = Moves::parse(Board::STANDARD, "445353").unwrap();
    let ask = |limit| {
        let question = Question { limit, ..Question::default() };
        Session::new(Board::STANDARD).without_openings().analyze(game.position(), question).unwrap()
    };
    let whole = ask(None);
    let within = ask(Some(10 * whole.time + Duration::from_millis(500)));
    assert_eq!((within.value, &within.columns), (whole.value, &whole.columns));
    assert!(within.line_ends());
}
