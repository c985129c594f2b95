//! The state of the server: `GET /api/status`.

use std::time::Duration;

use serde::Serialize;
use strong4::Solver;
use strong4::table::{FolderError, Inventory, inventory, score_folder};

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
