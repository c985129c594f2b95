//! The start of a sweep: the end of games, or a tier that an earlier sweep has kept.

use std::path::Path;

use crate::board::{Tier, TierRange};
use crate::disk::Disk;
use crate::sealed::{Kind, Label, RunLabel, Sealed, Unsealed, WorkingFileError};

use super::end::End;
use super::extent::Extent;
use super::kept::{Keeping, Kept, OpenPile};
use super::pile::PileName;
use super::scope::Scope;
use super::working_files::start_file;

/// Where a sweep starts.
#[derive(Debug)]
pub enum Start {
    /// Where games end.
    AtEnd(End),
    /// Below a tier that an earlier sweep has kept.
    Below(StartTier),
}

/// A tier that an earlier sweep has kept.
#[derive(Debug)]
pub struct StartTier {
    tier: Tier,
    end: End,
    /// By batch.
    kept: Vec<Kept>,
}

impl Start {
    /// The last tier of a sweep that starts here.
    pub(super) fn last(&self) -> Tier {
        match self {
            Start::AtEnd(end) => end.last(),
            Start::Below(start) => Tier(start.tier.0 - 1),
        }
    }

    /// Where its games end.
    pub(crate) fn end(&self) -> End {
        match self {
            Start::AtEnd(end) => *end,
            Start::Below(start) => start.end,
        }
    }

    /// Opens a pile of the tier after the sweep, if an earlier sweep kept that tier.
    pub(super) fn open(
        &self,
        batch: usize,
        name: PileName,
    ) -> Option<Result<OpenPile<'_>, WorkingFileError>> {
        match self {
            Start::AtEnd(_) => None,
            Start::Below(start) => Some(start.kept[batch].open(name)),
        }
    }

    /// Bytes of its files.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Start::AtEnd(_) => 0,
            Start::Below(start) => {
                start.kept.iter().filter_map(Kept::file).map(Sealed::bytes).sum()
            }
        }
    }
}

impl StartTier {
    /// Opens the files of a tier, not the first one, that an earlier sweep has kept in a folder.
    pub fn open(
        extent: &Extent,
        folder: &Path,
        end: End,
        tier: Tier,
    ) -> Result<StartTier, WorkingFileError> {
        let open = |batch| {
            let label = label(extent, end, tier, batch);
            Kept::of(Sealed::open(start_file(folder, tier, batch), label)?, extent.census())
        };
        let kept = (0..extent.schedule().batches().len()).map(open).collect::<Result<_, _>>()?;
        Ok(StartTier { tier, end, kept })
    }
}

/// Starts to keep a tier in a folder, for another sweep.
pub(super) fn leave(
    disk: &Disk,
    extent: &Extent,
    folder: &Path,
    end: End,
    tier: Tier,
    batch: usize,
) -> Result<Keeping, WorkingFileError> {
    let path = start_file(folder, tier, batch);
    Ok(Keeping::in_file(Unsealed::create(disk, path, label(extent, end, tier, batch))?))
}

/// The label names no later tiers, because the file does not depend on them.
fn label(extent: &Extent, end: End, tier: Tier, batch: usize) -> Label {
    let board = extent.census().board();
    let tiers = TierRange::new(tier, end.last()).expect("a tier before the end");
    let end = end.ply();
    let run = RunLabel { board, tiers, end, every_cell: extent.scope() == Scope::EveryCell };
    Label { kind: Kind::Start, run, tier: Some(tier), batch }
}
