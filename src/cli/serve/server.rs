//! The state of the server.

use std::time::Duration;

use axum::http::HeaderValue;
use strong4::Solver;

use super::about::About;
use super::lanes::Lanes;

/// The state that all requests share.
pub struct Server {
    /// The answer to `GET /api/status`.
    pub about: About,
    /// Answers the questions.
    pub solver: Solver,
    /// Where questions wait.
    pub lanes: Lanes,
    /// The longest time for an answer.
    pub limit: Duration,
    /// The origins whose pages may ask.
    pub origins: Vec<HeaderValue>,
}
