//! Answers against plain minimax.

#[path = "minimax/scores.rs"]
mod scores;

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

use strong4::board::{Board, Position, Status, Tier};
use strong4::index::Finder;
use strong4::oracle::Oracle;
use strong4::query::{Expert, Question, Source, Value};
use strong4::table::{Tables, table_file};
use tempfile::TempDir;

use scores::scores;

/// Asks for many positions, and compares value, moves and line with minimax.
fn agrees(expert: &mut Expert, scores: &HashMap<Position, i32>, step: usize, source: Source) {
    let mut from_source = 0;
    for (position, score) in scores.iter().step_by(step) {
        let answer = expert.answer(position, Question::default()).unwrap();
        from_source += usize::from(answer.source == source);
        assert_eq!(answer.value.score().map(|score| score.get()), Some(*score), "\n{position}");
        let outcome = Question { outcome_only: true, limit: None };
        let (outcome, _) = expert.value(position, outcome).unwrap();
        assert_eq!(outcome.outcome(), answer.value.outcome(), "\n{position}");
        let mut expected = vec![None; position.board().width()];
        for (column, child) in position.children() {
            let left = (child.board().cells() - child.tier().stones()) as i32;
            let won = matches!(child.status(), Status::Won(_));
            expected[column.index()] = Some(if won { left / 2 + 1 } else { -scores[&child] });
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
        let plies = answer.value.score().unwrap().plies(position.board(), position.tier());
        assert_eq!(answer.line.len(), usize::from(plies.0), "\n{position}");
    }
    assert!(from_source * 2 > scores.len() / step, "{from_source} from {source:?}");
}

fn solved(board: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_strong4"));
    let output = program.args(["solve", "--quiet", "--board", board, "--tables"]);
    assert!(output.arg(folder.path()).output().unwrap().status.success());
    folder
}

#[test]
fn a_search_answers_as_minimax_does() {
    for (board, step) in [("4x4", 101), ("5x3", 53), ("3x4", 7), ("1x5", 1), ("2x3", 1)] {
        let board: Board = board.parse().unwrap();
        agrees(&mut Expert::new(board), &scores(board), step, Source::Search);
    }
}

#[test]
fn tables_answer_as_minimax_does_whole_or_not() {
    for (name, step) in [("4x4", 71), ("5x3", 31)] {
        let board: Board = name.parse().unwrap();
        let folder = solved(name);
        let scores = scores(board);
        let finder = Finder::new(board).unwrap();
        let tables = Tables::open(folder.path(), finder.census());
        let mut expert = Expert::new(board).with_tables(Oracle::new(&finder, &tables));
        agrees(&mut expert, &scores, step, Source::Table);

        [0, 3, 4, 9]
            .into_iter()
            .for_each(|tier| fs::remove_file(table_file(folder.path(), Tier(tier))).unwrap());
        let tables = Tables::open(folder.path(), finder.census());
        assert_eq!(tables.missing().unwrap(), [0, 3, 4, 9].map(Tier));
        let mut expert = Expert::new(board).with_tables(Oracle::new(&finder, &tables));
        agrees(&mut expert, &scores, step + 2, Source::Table);
    }
}

#[test]
fn what_a_stopped_search_says_is_marked_as_a_bound() {
    let board: Board = "6x5".parse().unwrap();
    let mut expert = Expert::new(board);
    let question = Question { limit: Some(Duration::ZERO), ..Question::default() };
    let answer = expert.answer(&Position::empty(board), question).unwrap();
    assert!(matches!(answer.value, Value::Between(_)), "{answer:?}");
    assert_eq!(answer.value.score(), None);
    assert!(answer.line.is_empty());
}
