//! A review as JSON.

use serde::Serialize;
use strong4::board::{Column, Moves, Status};
use strong4::query::{Review, Reviewed, Value};

use crate::cli::show::status;

#[derive(Serialize)]
struct GameRecord {
    moves: String,
    board: String,
    status: &'static str,
    winner: Option<&'static str>,
    /// Number of the last move that changed the outcome.
    decided_by: Option<usize>,
    /// The value of the final position for the player to move.
    category: Option<&'static str>,
    score: Option<i32>,
    review: Vec<MoveRecord>,
}

#[derive(Serialize)]
struct MoveRecord {
    number: usize,
    player: &'static str,
    column: usize,
    category: Option<&'static str>,
    score: Option<i32>,
    lower: i32,
    upper: i32,
    best: Vec<usize>,
    best_category: Option<&'static str>,
    best_score: Option<i32>,
    judgement: &'static str,
}

pub fn json(game: &Moves, review: &Review) -> serde_json::Result<String> {
    let position = game.position();
    let value = review.last.value;
    serde_json::to_string(&GameRecord {
        moves: game.to_string(),
        board: position.board().to_string(),
        status: status(position),
        winner: match position.status() {
            Status::Won(winner) => Some(winner.ordinal()),
            _ => None,
        },
        decided_by: review.decided_by(),
        category: value.category(),
        score: score(value),
        review: (1..).zip(&review.moves).map(|(number, m)| record(number, m)).collect(),
    })
}

fn record(number: usize, reviewed: &Reviewed) -> MoveRecord {
    let Reviewed { position, column, worth, best_worth, best } = reviewed;
    MoveRecord {
        number,
        player: position.mover().ordinal(),
        column: column.number(),
        category: worth.category(),
        score: score(*worth),
        lower: worth.lower().get(),
        upper: worth.upper().get(),
        best: best.iter().map(|column| Column::number(*column)).collect(),
        best_category: best_worth.category(),
        best_score: score(*best_worth),
        judgement: reviewed.judgement().name(),
    }
}

fn score(value: Value) -> Option<i32> {
    value.score().map(|score| score.get())
}
