//! Observers receive solved tiles: to write tables, to keep them, to compare them.

use crate::board::Tier;
use crate::index::CentreId;
use crate::sealed::WorkingFileError;

use super::solved::SolvedTile;

/// Receives every tile once it is solved.
pub trait Observer: Sync {
    /// The error that an observer may return.
    type Error: Send + From<WorkingFileError>;

    /// A tile has been solved; called from any thread.
    fn solved(&self, tile: SolvedTile) -> Result<(), Self::Error>;

    /// All tiles of a centre in this tier have been solved.
    fn tier_is_done(&self, centre: CentreId, tier: Tier) -> Result<(), Self::Error>;

    /// Some centres have been solved since the last call, so that what waits is worth writing.
    /// Called from any thread, while others may go on.
    fn flush(&self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Ignores everything.
impl Observer for () {
    type Error = WorkingFileError;

    fn solved(&self, _tile: SolvedTile) -> Result<(), WorkingFileError> {
        Ok(())
    }

    fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), WorkingFileError> {
        Ok(())
    }
}
