//! Where a sweep starts: at the end of games, or below a tier that an earlier sweep has kept.
//!
//! Games end at the full board, or are cut off after some ply. A game that is still open when it is
//! cut off is a draw. So a game that is cut off after ply `E` is won by the player who can force a
//! four by then.

use std::path::Path;

use crate::board::{Board, Tier, TierRange};
use crate::files::Disk;
use crate::files::sealed::{Kind, Label, RunLabel, Sealed, Unsealed, WorkingFileError};

use crate::sweep::handoff::{HandoffId, HandoffReader, Store, StoreWriter, start_file};
use crate::sweep::states::Scope;
use crate::sweep::work::Extent;

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
    stores: Vec<Store>,
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

    /// The tier that an earlier sweep has kept, if the sweep starts below one.
    pub(super) fn tier(&self) -> Option<&StartTier> {
        match self {
            Start::AtEnd(_) => None,
            Start::Below(start) => Some(start),
        }
    }

    /// Bytes of its files.
    pub(super) fn bytes(&self) -> u64 {
        let stores = self.tier().map_or(&[][..], |start| &start.stores);
        stores.iter().filter_map(Store::file).map(Sealed::bytes).sum()
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
            Store::of(Sealed::open(start_file(folder, tier, batch), label)?, extent.census())
        };
        let stores = (0..extent.schedule().batches().len()).map(open).collect::<Result<_, _>>()?;
        Ok(StartTier { tier, end, stores })
    }

    /// Opens a handoff of the tier by a centre of this batch.
    pub(super) fn open_handoff(
        &self,
        batch: usize,
        id: HandoffId,
    ) -> Result<HandoffReader<'_>, WorkingFileError> {
        self.stores[batch].open(id)
    }
}

/// Begins to keep a tier in a folder, for the next sweep.
pub(super) fn keep_tier(
    disk: &Disk,
    extent: &Extent,
    folder: &Path,
    end: End,
    tier: Tier,
    batch: usize,
) -> Result<StoreWriter, WorkingFileError> {
    let path = start_file(folder, tier, batch);
    Ok(StoreWriter::in_file(Unsealed::create(disk, path, label(extent, end, tier, batch))?, true))
}

/// The label names no later tiers, because the file does not depend on them.
fn label(extent: &Extent, end: End, tier: Tier, batch: usize) -> Label {
    let tiers = TierRange::new(tier, end.last()).expect("a tier before the end");
    Label { kind: Kind::Start, run: run_label(extent, end, tiers), tier: Some(tier), batch }
}

/// The label of all files of a sweep over these tiers of games with this end.
pub(super) fn run_label(extent: &Extent, end: End, tiers: TierRange) -> RunLabel {
    let (board, end) = (extent.census().board(), end.ply());
    let (every_cell, plane) = (extent.scope() == Scope::EveryCell, extent.planes().number());
    RunLabel { board, tiers, end, every_cell, plane }
}

/// Where games end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct End {
    ply: Tier,
    last: Tier,
}

impl End {
    /// At the full board.
    pub fn full_board(board: Board) -> End {
        let ply = board.last_tier();
        End { ply, last: ply }
    }

    /// After this ply, if there are later ones. A cut-off sweep omits what the mover wins at
    /// once, so it cannot sweep every cell.
    pub fn cut_off(extent: &Extent, ply: Tier) -> Option<End> {
        let is_cut = Tier(0) < ply && ply < extent.census().board().last_tier();
        let last = Tier(ply.0.checked_sub(1)?);
        (is_cut && extent.scope() == Scope::InDoubt).then_some(End { ply, last })
    }

    /// The last ply that counts.
    pub fn ply(self) -> Tier {
        self.ply
    }

    /// The tiers of a sweep from here down to this one, or to its last one if that is lower.
    pub fn tiers(self, first: Tier) -> TierRange {
        TierRange::new(first.min(self.last), self.last).expect("a range of one tier at least")
    }

    /// The last tier that a sweep has to solve: on a full board there is nothing to choose, but
    /// before a game is cut off there is one more move.
    pub(crate) fn last(self) -> Tier {
        self.last
    }
}
