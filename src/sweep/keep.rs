//! Where the tiles of a batch go: to centres of the same batch, of later ones, or of
//! another sweep.

use crate::index::CentreId;
use crate::sealed::WorkingFileError;

use super::directory::Name;
use super::kept::{Keeping, Kept, KeptTile};
use super::kernels::Cpu;
use super::panels::PanelTile;
use super::schedule::Schedule;

/// Where the tiles of a batch go.
pub(super) struct Keep<'a> {
    schedule: &'a Schedule,
    batch: usize,
    /// Those that later rounds of this batch look at.
    within: Keeping,
    /// The same, from the rounds before.
    settled: Kept,
    /// Those that later batches of this sweep look at.
    passing: Keeping,
    /// Those that another sweep will start from.
    leaving: Option<Keeping>,
}

impl<'a> Keep<'a> {
    pub fn new(
        schedule: &'a Schedule,
        batch: usize,
        passing: Keeping,
        leaving: Option<Keeping>,
    ) -> Keep<'a> {
        let (within, settled) = (Keeping::default(), Kept::default());
        Keep { schedule, batch, within, settled, passing, leaving }
    }

    /// Is this centre solved in the same batch?
    fn is_within(&self, centre: CentreId) -> bool {
        self.schedule.batch_of(centre) == self.batch
    }

    /// Where tiles for this centre go that this sweep looks at.
    pub fn passing(&self, to: CentreId) -> &Keeping {
        if self.is_within(to) { &self.within } else { &self.passing }
    }

    /// Where tiles go that another sweep starts from, if there will be one.
    pub fn leaving(&self) -> Option<&Keeping> {
        self.leaving.as_ref()
    }

    /// What an earlier round of this batch has kept of a tile, if its centre is in one.
    pub fn tile(&self, name: Name) -> Option<Result<KeptTile<'_>, WorkingFileError>> {
        self.is_within(name.tile.centre).then(|| self.settled.tile(name))
    }

    /// A round is done.
    pub fn settle(&mut self) -> Result<(), WorkingFileError> {
        let kept = std::mem::take(&mut self.within).finish()?;
        self.settled.add(kept);
        Ok(())
    }

    /// The batch is done: what later batches look at, and what another sweep starts from.
    pub fn finish(self) -> Result<(Kept, Option<Kept>), WorkingFileError> {
        Ok((self.passing.finish()?, self.leaving.map(Keeping::finish).transpose()?))
    }
}

/// Keeps all of a tile.
pub(super) fn keep_whole(
    cpu: Cpu,
    keeping: &Keeping,
    name: Name,
    tile: PanelTile,
    packed: &mut Vec<u8>,
) -> Result<(), WorkingFileError> {
    let rows: Vec<u32> = (0..tile.panels.0.rows as u32).collect();
    keeping.keep(cpu, name, tile, &rows, tile.panels.0.columns, packed)
}
