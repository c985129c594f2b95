//! The state of the server, and what `GET /api/status` tells of it.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use strong4::Solver;
use strong4::board::Board;
use strong4::table::{FolderError, Inventory, inventory, score_folder};

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

/// Version, board, tables and limits, as JSON.
#[derive(Serialize)]
pub struct About {
    version: &'static str,
    board: String,
    columns: usize,
    rows: usize,
    /// Tiers with tables of outcomes.
    outcomes: Vec<u8>,
    /// Tiers with tables of scores.
    scores: Vec<u8>,
    /// The time limit of an answer, in seconds.
    limit: f64,
}

impl About {
    /// Describes a solver as the server starts.
    pub fn of(solver: &Solver, limit: Duration) -> Result<About, FolderError> {
        let board = solver.board();
        let tiers =
            |inventory: Inventory| inventory.tables.iter().map(|file| file.tier.get()).collect();
        let (outcomes, scores) = match solver.folder() {
            Some(folder) => {
                (tiers(inventory(folder, board)?), tiers(inventory(&score_folder(folder), board)?))
            }
            None => (Vec::new(), Vec::new()),
        };
        Ok(About {
            version: env!("CARGO_PKG_VERSION"),
            board: board.to_string(),
            columns: board.width(),
            rows: board.height(),
            outcomes,
            scores,
            limit: limit.as_secs_f64(),
        })
    }
}
