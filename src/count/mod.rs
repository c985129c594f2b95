//! How many positions a tier holds.
//!
//! A tier holds the **live** positions, in which nobody has four in a row, and
//! the **terminal** ones, in which the last move made a four. Both counts are
//! of positions that games reach, each once, however many games reach it.

pub mod enumerate;

use crate::board::{Board, Tier, TierRange, TierRangeError};
use crate::progress::Progress;

/// The positions of one tier, counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TierCount {
    /// Which tier.
    pub tier: Tier,
    /// Positions without four in a row.
    pub live: u64,
    /// Positions whose last move made a four.
    pub terminal: u64,
}

impl TierCount {
    /// All positions of the tier.
    pub fn total(&self) -> u64 {
        self.live + self.terminal
    }
}

/// Why tiers could not be counted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountError {
    /// Tiers that the board does not have.
    #[error(transparent)]
    Tiers(#[from] TierRangeError),
}

/// Counts the positions of each tier in the range, fewest stones first.
pub fn count(
    board: Board,
    tiers: TierRange,
    progress: &dyn Progress,
) -> Result<Vec<TierCount>, CountError> {
    let tiers = tiers.within(board)?;
    let parts = tiers.last().stones() as u64 + 1;
    let counts = enumerate::tiers(board, tiers.last())
        .inspect(|count| progress.advance(count.tier.stones() as u64 + 1, parts))
        .filter(|count| tiers.contains(count.tier))
        .collect();
    Ok(counts)
}
