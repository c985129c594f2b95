//! What a sweep starts with: the end of games, or a tier that an earlier sweep has kept; and what
//! all its centres share.
//!
//! Games end at the full board, or are cut off after some ply. A game that is still open when it is
//! cut off is a draw. So a game that is cut off after ply `E` is won by the player who can force a
//! four by then.
//!
//! Centres share what is worked on, how, and memory that is reused. Those of a batch share where
//! they find what was handed on to them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::board::{Board, Tier, TierRange};
use crate::cpu::Cpu;
use crate::files::Disk;
use crate::files::sealed::{Kind, Label, RunLabel, Sealed, Unsealed, WorkingFileError};
use crate::index::{Census, CentreId};
use crate::too_large::BoardTooLarge;

use crate::sweep::bits::{Planes, Pool};
use crate::sweep::handoff::{
    HandoffId, HandoffReader, HandoffWriter, Packer, Store, StoreWriter, Written, start_file,
};
use crate::sweep::states::{OrderTypes, Scope};
use crate::sweep::tile::{Blocks, Scratch, TierTiles, TilePool};
use crate::sweep::work::{CentreMemory, Extent, Placement, Schedule, TileMemory};

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

/// How threads work on a centre.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// All work on this one.
    Alone,
    /// Each works on one of its own, so there are never more centres at work than threads.
    SideBySide,
}

/// What all centres of a sweep share.
pub(super) struct Shared<'a> {
    pub extent: &'a Extent,
    pub order_types: &'a OrderTypes,
    pub cpu: Cpu,
    pub tiers: TierRange,
    /// Whether an earlier sweep kept the tier after the last one, so that this one continues it.
    pub continues: bool,
    /// Whether the clocks of the threads are on.
    pub is_timed: bool,
    /// One for each thread.
    pub scratch: Pool<Box<Scratch>>,
    /// For each thread that is folding, and for each that is packing.
    pub folding: Pool<Box<Blocks>>,
    pub packers: Pool<Box<Packer>>,
    /// Two tiers of a centre: for one that all threads solve, and for each of those that are solved
    /// side by side.
    alone: Pool<[TierTiles; 2]>,
    side_by_side: Pool<[TierTiles; 2]>,
    memory: CentreMemory,
    /// Where handoffs wait, if there is a limit to the memory that they take.
    placement: Option<Arc<Placement>>,
    /// For tiles that find no place in memory.
    files: Option<(Disk, PathBuf)>,
    /// For handoffs that are being written.
    written: Pool<Written>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        extent: &'a Extent,
        cpu: Cpu,
        tiers: TierRange,
        continues: bool,
    ) -> Result<Shared<'a>, BoardTooLarge> {
        Ok(Shared {
            extent,
            order_types: extent.order_types()?,
            cpu,
            tiers,
            continues,
            is_timed: false,
            scratch: Pool::default(),
            folding: Pool::default(),
            packers: Pool::default(),
            alone: Pool::default(),
            side_by_side: Pool::default(),
            memory: CentreMemory::TWO_TIERS,
            placement: None,
            files: None,
            written: Pool::default(),
        })
    }

    /// Leaves memory for handoffs, which wait where this says.
    pub(super) fn with_placement(self, placement: Arc<Placement>) -> Shared<'a> {
        Shared { placement: Some(placement), ..self }
    }

    /// Sets how the tiers of a centre are in memory, with a folder for what finds no place there.
    pub(super) fn set_memory(&mut self, memory: CentreMemory, disk: &Disk, folder: &Path) {
        self.memory = memory;
        self.files = Some((disk.clone(), folder.to_owned()));
    }

    /// The memory of the tiles of a centre, if it is solved tile by tile.
    pub(super) fn tile_by_tile(&self, centre: CentreId) -> Option<TileMemory> {
        let (sizes, threads) = (self.extent.sizes(), rayon::current_num_threads());
        self.memory.tile_by_tile(sizes, centre, self.tiers, threads)
    }

    /// Memory for the tiles of a large centre.
    pub(super) fn tile_pool(&self, memory: TileMemory) -> TilePool {
        let pool = TilePool::new(memory.plain);
        match &self.files {
            Some((disk, folder)) => pool.with_files(memory.packed, disk, folder.clone()),
            None => pool,
        }
    }

    /// Lends memory for two tiers of a centre of this batch.
    pub(super) fn with_two_tiers<R>(
        &self,
        (batch, centre): (usize, CentreId),
        sharing: Sharing,
        work: impl FnOnce(&mut [TierTiles; 2]) -> R,
    ) -> R {
        let sizes = self.extent.sizes();
        let most = CentreMemory::kept(sizes.two_tiers(centre, self.tiers));
        let (buffers, most) = match sharing {
            Sharing::Alone => (&self.alone, most.saturating_add(self.spare(batch))),
            Sharing::SideBySide => (&self.side_by_side, most),
        };
        let words = sizes.in_turns(centre, self.tiers);
        buffers.with(|tiers| {
            if (tiers[0].bytes() < tiers[1].bytes()) != (words[0] < words[1]) {
                tiers.reverse();
            }
            let is_too_much = bytes(tiers) > most;
            for (tier, words) in tiers.iter_mut().zip(words) {
                if is_too_much {
                    tier.free_beyond(words);
                }
                tier.reserve(words);
            }
            work(tiers)
        })
    }

    /// Frees all memory for two tiers.
    pub(super) fn clear_tiers(&self) {
        self.alone.clear();
        self.side_by_side.clear();
    }

    /// Frees memory for two tiers that a centre has left, unless other centres of this batch leave
    /// room for it: taking new memory costs time.
    pub(super) fn free_tiers(&self, batch: usize) {
        self.alone.with(|tiers| {
            if bytes(tiers) > self.spare(batch) {
                *tiers = Default::default();
            }
        });
    }

    /// Bytes that nothing needs while this batch is solved.
    fn spare(&self, batch: usize) -> u64 {
        self.placement.as_ref().map_or(u64::MAX, |placement| placement.spare(batch))
    }

    /// Frees memory that is reused from centre to centre.
    pub(super) fn rest(&self) {
        self.scratch.clear();
        self.folding.clear();
        self.packers.clear();
        self.clear_tiers();
        self.written.clear();
        self.extent.listing().clear();
    }

    pub(super) fn census(&self) -> &'a Arc<Census> {
        self.extent.census()
    }

    /// The last tier that is looked at.
    pub(super) fn last_read(&self) -> Tier {
        let last = self.tiers.last();
        if self.continues { last.next_unchecked() } else { last }
    }

    pub(super) fn planes(&self) -> Planes {
        self.extent.planes()
    }

    /// Begins a handoff.
    pub(super) fn writer<'k>(&'k self, store: &'k StoreWriter, id: HandoffId) -> HandoffWriter<'k> {
        HandoffWriter::new(store, &self.written, id)
    }
}

/// Bytes that two tiers take.
fn bytes(tiers: &[TierTiles; 2]) -> u64 {
    tiers.iter().map(TierTiles::bytes).sum()
}

/// What earlier batches have handed on to a batch, and an earlier sweep to this one.
pub(super) struct Sources<'a> {
    pub schedule: &'a Schedule,
    /// By batch that handed something on.
    pub stores: HashMap<usize, Arc<Store>>,
    /// `None` if the sweep starts where games end.
    pub start: Option<&'a StartTier>,
}

impl Sources<'_> {
    /// Opens a handoff of this sweep.
    pub(super) fn open(&self, id: HandoffId) -> Result<HandoffReader<'_>, WorkingFileError> {
        let batch = self.schedule.batch_of(id.from);
        self.stores.get(&batch).expect("a batch that this one needs").open(id)
    }

    /// Opens a handoff of the tier after the sweep, which an earlier sweep has kept.
    pub(super) fn open_after(&self, id: HandoffId) -> Result<HandoffReader<'_>, WorkingFileError> {
        let start = self.start.expect("a sweep that continues another");
        start.open_handoff(self.schedule.batch_of(id.from), id)
    }
}
