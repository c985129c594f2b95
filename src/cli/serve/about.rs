//! What this server knows: `GET /api/status`.

use std::time::Duration;

use serde::Serialize;
use strong4::Solver;
use strong4::table::{FolderError, Inventory, inventory, score_folder};

/// What this server knows, as JSON.
#[derive(Serialize)]
pub struct About {
    version: &'static str,
    board: String,
    columns: usize,
    rows: usize,
    /// The tiers that have tables of outcomes,
    outcomes: Vec<u8>,
    /// and those that have tables of scores.
    scores: Vec<u8>,
    /// Seconds that an answer may take.
    limit: f64,
}

impl About {
    /// What a solver knows when the server starts.
    pub fn of(solver: &Solver, limit: Duration) -> Result<About, FolderError> {
        let board = solver.board();
        let tiers =
            |inventory: Inventory| inventory.tables.iter().map(|file| file.tier.0).collect();
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
