//! Answers and reviews as the named tuples of `strong4._analysis`, and these as pictures.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use strong4::board::{Column, Moves, Position};
use strong4::picture;
use strong4::query::{Answer, Record, Review, Reviewed, Source, Value, Worth};
use strong4::search::Score;

use crate::errors::bad;
use crate::position::PyPosition;

/// An answer as a `strong4.Analysis`.
pub fn analysis<'py>(
    py: Python<'py>,
    position: PyPosition,
    answer: &Answer,
) -> PyResult<Bound<'py, PyAny>> {
    static ANALYSIS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static WORTH: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let Record { worth, columns, best, line, source, .. } = Record::of(answer);
    let class = WORTH.import(py, "strong4._analysis", "Worth")?;
    let column = |worth: Worth| class.call1((worth.category, worth.plies, worth.score));
    let columns = columns.into_iter().map(|worth| worth.map(column).transpose());
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let line = line.unwrap_or_default();
    let parts = (worth.category, worth.plies, worth.score, columns, best, line, source, position);
    ANALYSIS.import(py, "strong4._analysis", "Analysis")?.call1(parts)
}

/// A review as a `strong4.Review`.
pub fn reviewed<'py>(
    py: Python<'py>,
    position: PyPosition,
    review: &Review,
) -> PyResult<Bound<'py, PyAny>> {
    static REVIEW: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static REVIEWED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = REVIEWED.import(py, "strong4._analysis", "ReviewedMove")?;
    let of_move = |reviewed: &Reviewed| {
        let Reviewed { column, worth, best_worth, best, .. } = reviewed;
        let score = |value: &Value| value.score().map(Score::get);
        let best: Vec<usize> = best.iter().map(|column| Column::number(*column)).collect();
        let judgement = reviewed.judgement().name();
        let (category, best_category) = (worth.category(), best_worth.category());
        let (score, best_score) = (score(worth), score(best_worth));
        class.call1((column.number(), category, score, best, best_category, best_score, judgement))
    };
    let moves = review.moves.iter().map(of_move).collect::<PyResult<Vec<_>>>()?;
    REVIEW.import(py, "strong4._analysis", "Review")?.call1((moves, review.decided_by(), position))
}

/// The picture of an Analysis: a position with its score, those of its moves, and the best moves.
#[pyfunction]
pub fn _picture_of_analysis(
    position: &Bound<'_, PyPosition>,
    score: i32,
    scores: Vec<Option<i32>>,
    best: Vec<usize>,
) -> PyResult<String> {
    let position = *position.get().get();
    let value = exact(score)?;
    let mut columns: Vec<Option<Value>> =
        scores.into_iter().map(|score| score.map(exact).transpose()).collect::<PyResult<_>>()?;
    columns.resize(position.board().width(), None);
    let answer =
        Answer { columns, best: columns_numbered(&position, &best), ..plain(position, value) };
    Ok(picture::of_answer(&answer))
}

/// The picture of a Review: of each move its score, that of the best moves, and these.
#[pyfunction]
pub fn _picture_of_review(
    position: &Bound<'_, PyPosition>,
    moves: Vec<(i32, i32, Vec<usize>)>,
) -> PyResult<String> {
    let game = position.get().known_game().unwrap_or_default();
    let board = position.get().get().board();
    let game = Moves::parse(board, &game).map_err(bad)?;
    let mut before = Position::empty(board);
    let mut last = Score::DRAW;
    let mut reviewed = Vec::new();
    for (column, (score, best_score, best)) in game.columns().iter().zip(moves) {
        let (worth, best_worth) = (exact(score)?, exact(best_score)?);
        let best = columns_numbered(&before, &best);
        reviewed.push(Reviewed { position: before, column: *column, worth, best_worth, best });
        before = before.play(*column).map_err(bad)?;
        last = -worth.lower();
    }
    let last = plain(before, Value::Exact(last));
    Ok(picture::of_review(&Review { moves: reviewed, last }))
}

fn exact(score: i32) -> PyResult<Value> {
    let score = Score::new(score).ok_or_else(|| bad(format!("'{score}' is not a score")))?;
    Ok(Value::Exact(score))
}

fn columns_numbered(position: &Position, numbers: &[usize]) -> Vec<Column> {
    numbers.iter().filter_map(|number| position.board().column(*number)).collect()
}

/// An answer that says no more than a value.
fn plain(position: Position, value: Value) -> Answer {
    let columns = vec![None; position.board().width()];
    let (best, line, source, time) = (vec![], vec![], Source::Search, Duration::ZERO);
    Answer { position, value, columns, best, line, source, time }
}
