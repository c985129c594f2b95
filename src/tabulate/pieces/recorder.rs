//! Writes the quiet cells of solved tiles into the piece of their batch.
//!
//! Threads solve and encode tiles in any order. Their blocks wait until those of a centre in a tier
//! are complete, or those of some centres that are solved side by side, or until those of a thread
//! take a few megabytes. So a piece has long runs of blocks, which are listed in order. The
//! division into runs may differ each time the program solves a batch; the tables put together from
//! them do not.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::board::Tier;
use crate::files::sealed::WorkingFileError;
use crate::index::CentreId;
use crate::progress::Progress;
use crate::sweep::{self, Extent, Observer, SolvedTile};
use crate::table::{self, BLOCK_ROWS, BlockNumber, EncodedBlocks, Encoder, Layouts};

use super::super::listener::Share;
use super::{PieceWriter, Stretch};

// A sweep shows tiles in the blocks in which tables store them.
const _: () = assert!(sweep::PLANES == table::PLANES);
const _: () = assert!(sweep::PANEL == table::BLOCK_COLUMNS);
const _: () = {
    let mut columns = 1;
    while columns <= sweep::PANEL {
        assert!(sweep::width(columns) == table::width(columns));
        columns += 1;
    }
};

/// Counts the solved cells.
pub(in crate::tabulate) struct Cells<'a> {
    pub share: Share<'a>,
    pub done: AtomicU64,
    pub all: u64,
}

impl Cells<'_> {
    /// Adds cells that had been solved before this process came to them.
    pub(crate) fn find(&self, cells: u64) {
        self.share.finds(cells.min(self.all), self.all);
        self.add(cells);
    }

    pub(crate) fn add(&self, cells: u64) {
        let done = self.done.fetch_add(cells, Ordering::Relaxed).saturating_add(cells);
        self.share.advance(done.min(self.all), self.all);
    }
}

/// Writes the results of a batch.
pub(in crate::tabulate) struct Recorder<'a> {
    extent: &'a Extent,
    layouts: &'a Layouts,
    cells: &'a Cells<'a>,
    piece: PieceWriter,
    /// By thread.
    waiting: Vec<Mutex<Waiting>>,
}

/// The tiles that a thread has encoded, one after the other, and what it encodes them with.
struct Waiting {
    encoder: Encoder,
    blocks: EncodedBlocks,
    tiles: Vec<Stretch>,
    /// By tier of the run, the place of the tile in the layout that will probably come next.
    next: Vec<usize>,
}

/// Bytes of blocks that a thread writes without waiting for others.
const MANY: usize = if cfg!(test) { 1 << 10 } else { 1 << 23 };

impl<'a> Recorder<'a> {
    pub(crate) fn new(
        extent: &'a Extent,
        layouts: &'a Layouts,
        cells: &'a Cells<'a>,
        piece: PieceWriter,
    ) -> Recorder<'a> {
        let waiting = |_| {
            Mutex::new(Waiting {
                encoder: Encoder::default(),
                blocks: EncodedBlocks::default(),
                tiles: Vec::new(),
                next: vec![0; layouts.count()],
            })
        };
        let waiting = (0..rayon::current_num_threads()).map(waiting).collect();
        Recorder { extent, layouts, cells, piece, waiting }
    }

    /// Writes all blocks that wait.
    fn write_all(&self) -> Result<(), WorkingFileError> {
        let lock = |waiting| Mutex::lock(waiting).expect("no thread has panicked");
        let mut all: Vec<MutexGuard<Waiting>> = self.waiting.iter().map(lock).collect();
        self.write(all.iter_mut().map(|waiting| &mut **waiting).collect())?;
        self.piece.order();
        Ok(())
    }

    /// Writes the blocks that wait here.
    fn write(&self, mut some: Vec<&mut Waiting>) -> Result<(), WorkingFileError> {
        let mut stretches = Vec::new();
        for Waiting { blocks, tiles, .. } in some.iter().map(|waiting| &**waiting) {
            stretches.extend(tiles.iter().map(|stretch| (blocks, stretch)));
        }
        stretches.sort_unstable_by_key(|(_, stretch)| (stretch.tier, stretch.first));
        self.piece.put(stretches)?;
        for waiting in &mut some {
            waiting.blocks.clear();
            waiting.tiles.clear();
        }
        Ok(())
    }

    /// The piece, when the batch is done.
    pub(crate) fn finish(self) -> Result<PieceWriter, WorkingFileError> {
        self.write_all()?;
        Ok(self.piece)
    }
}

impl Observer for Recorder<'_> {
    type Error = WorkingFileError;

    fn solved(&self, mut solved: SolvedTile) -> Result<(), WorkingFileError> {
        let (tier, tile) = (solved.tier(), solved.tile());
        let thread = rayon::current_thread_index().unwrap_or(0) % self.waiting.len();
        let mut waiting = self.waiting[thread].lock().expect("no thread has panicked");
        let next = &mut waiting.next[self.layouts.number(tier)];
        let Some(blocks) = self.layouts.of(tier).tile_at(next, tile) else { return Ok(()) };
        let centre_stones = self.extent.census().centre_class(tile.centre).stones();
        let (mut first, mut start) = (blocks.first(), waiting.blocks.end());
        let (end, mut blocks) = (first.0 + blocks.count(), blocks.iter());
        solved.show_quiet(BLOCK_ROWS, |words| {
            let block = blocks.next().expect("as many blocks as are shown");
            let Waiting { encoder, blocks: encoded, tiles, .. } = &mut *waiting;
            encoder.encode(block.shape, words, encoded);
            let (after, is_much) = (block.number.0 + 1, encoded.bytes().len() >= MANY);
            if after == end || is_much {
                let places = start..encoded.end();
                tiles.push(Stretch { tier, centre_stones, first, places });
            }
            if is_much {
                self.write(vec![&mut waiting])?;
                (first, start) = (BlockNumber(after), waiting.blocks.end());
            }
            Ok(())
        })
    }

    fn tier_is_done(&self, centre: CentreId, tier: Tier) -> Result<(), WorkingFileError> {
        self.cells.add(self.extent.sizes().tier_cells(centre, tier));
        Ok(())
    }

    fn flush(&self) -> Result<(), WorkingFileError> {
        self.write_all()
    }
}
