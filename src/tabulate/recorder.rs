//! Writes the quiet cells of solved tiles into the piece of their batch.
//!
//! Threads solve and encode tiles in any order. Their blocks wait until all tiles of a centre in a
//! tier, or of all centres that are solved side by side, are there, and are then written in order.
//! So the number of threads does not change the order of blocks in a piece.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Tier, TierRange};
use crate::index::{Census, CentreId};
use crate::sealed::WorkingFileError;
use crate::sweep::{Extent, Observer, SolvedTile};
use crate::table::{BLOCK_ROWS, BlockNumber, Content, EncodedBlocks, Encoder, Horizon, Layout};

use super::piece::PieceWriter;
use super::request::Listener;

/// How the tables of a run are laid out, and what encodes them.
pub(super) struct Blocks {
    tiers: TierRange,
    layouts: Vec<Layout>,
    encoders: Vec<Mutex<Encoder>>,
}

impl Blocks {
    pub fn new(census: &Census, tiers: TierRange, horizon: Horizon, content: Content) -> Blocks {
        let layout = |tier| Layout::with(census, tier, horizon, content);
        let encoder = |_| Mutex::new(Encoder::new());
        Blocks {
            tiers,
            layouts: tiers.into_iter().map(layout).collect(),
            encoders: (0..rayon::current_num_threads()).map(encoder).collect(),
        }
    }

    /// The layout of a tier of the run.
    pub fn layout(&self, tier: Tier) -> &Layout {
        &self.layouts[tier.stones() - self.tiers.first().stones()]
    }
}

/// Counts the solved cells.
pub(super) struct Cells<'a> {
    pub listener: &'a dyn Listener,
    pub done: AtomicU64,
    pub all: u64,
}

impl Cells<'_> {
    pub fn add(&self, cells: u64) {
        let done = self.done.fetch_add(cells, Ordering::Relaxed).saturating_add(cells);
        self.listener.advance(done.min(self.all), self.all);
    }
}

/// Writes the results of a batch.
pub(super) struct Recorder<'a> {
    extent: &'a Extent,
    blocks: &'a Blocks,
    cells: &'a Cells<'a>,
    piece: PieceWriter,
    /// Each with the number of its first block.
    waiting: Mutex<Vec<(Tier, BlockNumber, EncodedBlocks)>>,
}

impl<'a> Recorder<'a> {
    pub fn new(
        extent: &'a Extent,
        blocks: &'a Blocks,
        cells: &'a Cells<'a>,
        piece: PieceWriter,
    ) -> Recorder<'a> {
        Recorder { extent, blocks, cells, piece, waiting: Mutex::default() }
    }

    /// Writes all blocks that wait.
    fn flush(&self) -> Result<(), WorkingFileError> {
        let mut ready = std::mem::take(&mut *self.waiting.lock().expect("no thread has panicked"));
        ready.sort_unstable_by_key(|(tier, first, _)| (*tier, *first));
        self.piece.put(ready)
    }

    /// The piece, when the batch is done.
    pub fn finish(self) -> Result<PieceWriter, WorkingFileError> {
        self.flush()?;
        Ok(self.piece)
    }
}

impl Observer for Recorder<'_> {
    type Error = WorkingFileError;

    fn solved(&self, mut solved: SolvedTile) -> Result<(), WorkingFileError> {
        let (tier, tile) = (solved.tier(), solved.tile());
        if let Some(blocks) = self.blocks.layout(tier).tile(tile) {
            let encoders = &self.blocks.encoders;
            let thread = rayon::current_thread_index().unwrap_or(0) % encoders.len();
            let mut encoder = encoders[thread].lock().expect("no thread has panicked");
            let first = blocks.first();
            let (mut encoded, mut blocks) = (EncodedBlocks::new(), blocks.iter());
            solved.show_quiet(BLOCK_ROWS, |words| {
                let block = blocks.next().expect("as many blocks as are shown");
                encoder.encode(block.shape, words, &mut encoded);
                Ok::<(), WorkingFileError>(())
            })?;
            let mut waiting = self.waiting.lock().expect("no thread has panicked");
            waiting.push((tier, first, encoded));
        }
        Ok(())
    }

    fn tier_is_done(&self, centre: CentreId, tier: Tier) -> Result<(), WorkingFileError> {
        self.cells.add(self.extent.cells_beside(centre, tier));
        Ok(())
    }

    fn is_at_rest(&self) -> Result<(), WorkingFileError> {
        self.flush()
    }
}
