//! Where the tiles of children are: beside the same centre in memory, or handed on
//! from another one.

use crate::index::{CentreId, Tile};
use crate::sealed::WorkingFileError;

use super::kept::KeptTile;
use super::panels::PanelTile;

/// The solved tiles of the next tier.
pub(super) trait NextTier: Sync {
    /// A stored tile beside the same centre, if the tier has it.
    fn beside(&self, tile: Tile) -> Option<PanelTile<'_>>;

    /// A stored tile that was handed on to this centre, which must have this many columns.
    fn handed_on(
        &self,
        tile: Tile,
        to: CentreId,
        columns: usize,
    ) -> Result<KeptTile<'_>, WorkingFileError>;
}
