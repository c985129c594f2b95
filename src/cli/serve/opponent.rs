//! A move of the computer: `GET /api/move`.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::extract::{RawQuery, State};
use axum::response::Response;
use serde::Serialize;
use strong4::board::{Column, MoveError, Status};
use strong4::query::{Level, Opponent};

use super::failure::Failure;
use super::query::{Parameters, asked};
use super::reply;
use super::server::Server;

/// A move.
#[derive(Serialize)]
struct Move {
    /// The column, from 1.
    column: usize,
}

/// Answers with the move of an opponent.
pub async fn choose(
    State(server): State<Arc<Server>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Failure> {
    let parameters = Parameters::read(query.as_deref(), &["moves", "key", "level"])?;
    let level = match parameters.get("level") {
        Some(text) => text.parse().map_err(|error| Failure::bad(format!("level: {error}")))?,
        None => Level::PERFECT,
    };
    let position = asked(&parameters, server.board)?.position;
    let column = if level == Level::PERFECT {
        let deadline = Instant::now() + server.limit;
        server.lanes.request().best(position, deadline).await?
    } else {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let opponent = Opponent::new(level, since.as_nanos() as u64);
        server.lanes.move_of(opponent, position).await?
    };
    let over = || match position.status() {
        Status::Won(winner) => Failure::bad(MoveError::GameOver(winner).to_string()),
        _ => Failure::bad("the game is over: the board is full"),
    };
    Ok(reply::record(&Move { column: column.map(Column::number).ok_or_else(over)? }))
}
