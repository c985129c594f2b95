//! What all centres of a sweep share: what is worked on, how, and memory that is reused; and where
//! those of a batch find what was handed on to them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::board::TierRange;
use crate::cpu::Cpu;
use crate::files::Disk;
use crate::files::sealed::WorkingFileError;
use crate::index::{Census, CentreId};
use crate::order::{OrderError, Orders, Widths};

use crate::sweep::bits::{Planes, Pool};
use crate::sweep::handoff::{HandoffId, HandoffReader, HandoffWriter, Store, StoreWriter};
use crate::sweep::states::OrderTypes;
use crate::sweep::tile::{Scratch, TierTiles, TilePool};
use crate::sweep::work::{CentreMemory, Extent, Schedule, TileMemory};

use super::start::StartTier;

/// What all centres of a sweep share.
pub(super) struct Shared<'a> {
    pub extent: &'a Extent,
    pub order_types: OrderTypes,
    pub cpu: Cpu,
    pub tiers: TierRange,
    /// Whether an earlier sweep kept the tier after the last one, so that this one continues it.
    pub continues: bool,
    /// Whether the clocks of the threads are on.
    pub is_timed: bool,
    /// One for each thread.
    pub scratch: Pool<Scratch>,
    /// Two tiers of a centre: one pair per centre being solved.
    pub buffers: Pool<[TierTiles; 2]>,
    memory: CentreMemory,
    /// For tiles that find no place in memory.
    files: Option<(Disk, PathBuf)>,
    /// For blocks that wait to be written.
    blocks: Pool<Vec<u8>>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        extent: &'a Extent,
        cpu: Cpu,
        tiers: TierRange,
        continues: bool,
    ) -> Result<Shared<'a>, OrderError> {
        let split = extent.census().split();
        let board = split.board();
        let (sides, centre) = (split.side_width(), split.centre_width());
        let widths = Widths { left: sides, centre, right: sides };
        let orders = Orders::new(board, widths, board.last_tier(), &())?;
        let order_types = OrderTypes::new(extent.census(), orders);
        Ok(Shared {
            extent,
            order_types,
            cpu,
            tiers,
            continues,
            is_timed: false,
            scratch: Pool::default(),
            buffers: Pool::default(),
            memory: CentreMemory::TWO_TIERS,
            files: None,
            blocks: Pool::default(),
        })
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

    /// Lends memory for two tiers of a centre. If an earlier one has left much more than it needs, that
    /// is freed first.
    pub(super) fn with_two_tiers<R>(
        &self,
        centre: CentreId,
        work: impl FnOnce(&mut [TierTiles; 2]) -> R,
    ) -> R {
        self.buffers.with(|tiers| {
            let most = CentreMemory::kept(self.extent.sizes().two_tiers(centre, self.tiers));
            if tiers.iter().map(TierTiles::bytes).sum::<u64>() > most {
                *tiers = Default::default();
            }
            work(tiers)
        })
    }

    /// Frees memory that is reused from centre to centre.
    pub(super) fn rest(&self) {
        self.scratch.clear();
        self.buffers.clear();
        self.blocks.clear();
        self.extent.listing().clear();
    }

    pub(super) fn census(&self) -> &'a Arc<Census> {
        self.extent.census()
    }

    pub(super) fn planes(&self) -> Planes {
        self.extent.planes()
    }

    /// Begins a handoff.
    pub(super) fn writer<'k>(&'k self, store: &'k StoreWriter, id: HandoffId) -> HandoffWriter<'k> {
        HandoffWriter::new(store, &self.blocks, id)
    }
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
