//! A review as JSON.

use serde::Serialize;
use strong4::board::{Column, Moves, Status};
use strong4::query::{Review, Reviewed, Value};

use crate::cli::output::{json, record};
use crate::cli::show::status;

pub fn to_json(game: &Moves, review: &Review) -> String {
    let position = game.position();
    let value = review.last.value;
    json(&record! {
        moves: game.to_string(),
        board: position.board().to_string(),
        status: status(position),
        winner: match position.status() {
            Status::Won(winner) => Some(winner.ordinal()),
            _ => None,
        },
        // Number of the last move that changed the outcome.
        decided_by: review.decided_by(),
        // The value of the final position for the player to move.
        category: value.category(),
        score: score(value),
        review: (1..).zip(&review.moves).map(|(number, m)| of_move(number, m)).collect::<Vec<_>>(),
    })
}

fn of_move(number: usize, reviewed: &Reviewed) -> impl Serialize {
    let Reviewed { position, column, worth, best_worth, best } = reviewed;
    record! {
        number,
        player: position.mover().ordinal(),
        column: column.number(),
        category: worth.category(),
        score: score(*worth),
        lower: worth.lower().get(),
        upper: worth.upper().get(),
        best: best.iter().map(|column| Column::number(*column)).collect::<Vec<_>>(),
        best_category: best_worth.category(),
        best_score: score(*best_worth),
        judgement: reviewed.judgement().name(),
    }
}

fn score(value: Value) -> Option<i32> {
    value.score().map(|score| score.get())
}
