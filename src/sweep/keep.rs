//! Distributes the solved tiles of a batch: to centres of the same batch, of later ones, or of
//! another sweep.

use std::collections::BTreeMap;

use crate::index::CentreId;
use crate::sealed::WorkingFileError;

use super::kept::{Keeping, Kept, OpenPile};
use super::pile::PileName;
use super::schedule::Schedule;

/// The destinations of the tiles of a batch.
pub(super) struct Keep<'a> {
    schedule: &'a Schedule,
    batch: usize,
    /// Tiles that later centres of this batch read.
    within: Keeping,
    /// Tiles that later batches of this sweep read, by batch.
    passing: BTreeMap<usize, Keeping>,
    /// Tiles that another sweep will start from.
    leaving: Option<Keeping>,
}

impl<'a> Keep<'a> {
    pub fn new(
        schedule: &'a Schedule,
        batch: usize,
        passing: BTreeMap<usize, Keeping>,
        leaving: Option<Keeping>,
    ) -> Keep<'a> {
        Keep { schedule, batch, within: Keeping::default(), passing, leaving }
    }

    /// Is this centre solved in the same batch?
    fn is_within(&self, centre: CentreId) -> bool {
        self.schedule.batch_of(centre) == self.batch
    }

    /// The destination of tiles for this centre in this sweep.
    pub fn passing(&self, to: CentreId) -> &Keeping {
        if self.is_within(to) {
            return &self.within;
        }
        let batch = self.schedule.batch_of(to);
        self.passing.get(&batch).expect("a batch that needs this one")
    }

    /// The destination of tiles that another sweep starts from, if there is one.
    pub fn leaving(&self) -> Option<&Keeping> {
        self.leaving.as_ref()
    }

    /// Opens a pile of an earlier centre, if it is in this batch. A pile has one reader, so it can
    /// be opened only once.
    pub fn take(&self, name: PileName) -> Option<OpenPile<'static>> {
        self.is_within(name.from).then(|| self.within.take(name))
    }

    /// Completes the batch: returns what later batches read, and what another sweep starts from.
    pub fn finish(self) -> Result<(BTreeMap<usize, Kept>, Option<Kept>), WorkingFileError> {
        let passing = self.passing.into_iter().map(|(to, keeping)| Ok((to, keeping.finish()?)));
        let passing = passing.collect::<Result<_, WorkingFileError>>()?;
        Ok((passing, self.leaving.map(Keeping::finish).transpose()?))
    }
}
