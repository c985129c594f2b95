//! The state of the server, and the answer to `GET /api/status`.

use std::sync::Arc;
use std::time::Duration;

use strong4::Solver;
use strong4::board::Board;
use strong4::table::{FolderError, Inventory, inventory, score_folder};

use super::lanes::Lanes;
use super::reply::line;
use crate::cli::output::record;

/// The state that all requests share.
pub(super) struct Server {
    /// The answer to `GET /api/status`.
    pub about: String,
    /// The board.
    pub board: Board,
    /// Where questions wait, and are answered.
    pub lanes: Arc<Lanes>,
    /// The longest time for an answer.
    pub limit: Duration,
}

/// Version, board, tables and limits of a server as it starts, as a line of JSON.
pub(super) fn about(solver: &Solver, limit: Duration) -> Result<String, FolderError> {
    let board = solver.board();
    let tiers = |inventory: Inventory| -> Vec<u8> {
        inventory.tables.iter().map(|file| file.tier.get()).collect()
    };
    let (outcomes, scores) = match solver.folder() {
        Some(folder) => {
            (tiers(inventory(folder, board)?), tiers(inventory(&score_folder(folder), board)?))
        }
        None => (Vec::new(), Vec::new()),
    };
    Ok(line(&record! {
        version: env!("CARGO_PKG_VERSION"),
        board: board.to_string(),
        columns: board.width(),
        rows: board.height(),
        outcomes,
        scores,
        limit: limit.as_secs_f64(),
    }))
}
