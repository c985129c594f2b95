//! A position and its value in words, for people. The caller chooses the names of the players: X
//! and O in text, the colours of their stones in pictures.

use super::{Answer, Value};
use crate::board::{Outcome, Player, Position, Status};

/// Who is to move, or how the game ended.
pub(crate) fn state(position: &Position, name: impl Fn(Player) -> String) -> String {
    let named = |player: Player| format!("{}, the {} player,", name(player), player.ordinal());
    match position.status() {
        Status::Open => format!("{} is to move", named(position.mover())),
        Status::Won(winner) => format!("{} has won", named(winner)),
        Status::Full => "the board is full, and nobody has won".to_owned(),
    }
}

/// Who wins and when.
pub(crate) fn verdict(answer: &Answer, name: impl Fn(Player) -> String) -> String {
    let position = &answer.position;
    match (answer.value, answer.value.outcome()) {
        (_, Some(Outcome::Draw)) => "a draw, score 0".to_owned(),
        (Value::Exact(_), Some(outcome)) => {
            let plies = answer.plies(answer.value).map_or(0, |plies| plies.get());
            let moves = if plies == 1 { "ply" } else { "plies" };
            let (winner, score) = (name(winner(position, outcome)), short(answer.value));
            format!("{winner} wins in {plies} {moves}, score {score}")
        }
        (Value::Exact(_), None) => unreachable!("a score is an outcome"),
        (Value::Between(between), Some(outcome)) => {
            format!("{} wins; score {between} (bounds)", name(winner(position, outcome)))
        }
        (Value::Between(between), None) => format!("not settled; score {between} (bounds)"),
    }
}

fn winner(position: &Position, outcome: Outcome) -> Player {
    if outcome == Outcome::Win { position.mover() } else { position.mover().other() }
}

/// The score of a move, or else its outcome.
pub(crate) fn short(value: Value) -> String {
    match (value.score(), value.outcome()) {
        (Some(score), _) if score.outcome() == Outcome::Win => format!("+{score}"),
        (Some(score), _) => score.to_string(),
        (None, Some(Outcome::Win)) => "win".to_owned(),
        (None, Some(Outcome::Loss)) => "loss".to_owned(),
        (None, _) => "?".to_owned(),
    }
}
