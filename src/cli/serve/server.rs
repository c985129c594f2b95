//! The state of the server.

use std::sync::Arc;
use std::time::Duration;

use strong4::board::Board;

use super::about::About;
use super::access::Access;
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
    /// Who may ask.
    pub access: Access,
}
