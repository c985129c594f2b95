//! The state of the server.

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderValue;
use strong4::board::Board;

use super::about::About;
use super::lanes::Lanes;

/// The state that all requests share.
pub struct Server {
    /// The answer to `GET /api/status`.
    pub about: About,
    /// The board.
    pub board: Board,
    /// Where questions wait, and are answered.
    pub lanes: Arc<Lanes>,
    /// The longest time for an answer.
    pub limit: Duration,
    /// The origins whose pages may ask.
    pub origins: Vec<HeaderValue>,
}
