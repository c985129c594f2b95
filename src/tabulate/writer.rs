//! Writes the quiet cells of solved tiles into the growing tables.
//!
//! Threads solve and encode tiles in any order; their blocks wait until all
//! tiles of a centre in a tier, or of all centres that are solved side by side, are there,
//! and are appended in order. So tables have the same bytes however many threads there
//! are.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Tier, TierRange};
use crate::index::{CentreId, Tile};
use crate::sweep::{CentreSweep, Extent, Observer, SolvedTile};
use crate::table::{
    BLOCK_ROWS, Digest, EncodedBlocks, Encoder, Horizon, Layout, TableSummary, TierCounts,
    TierPart, part_file, table_file,
};

use super::{Listener, TabulateError};

/// The growing tables of a run.
pub(super) struct Writer<'a> {
    extent: &'a Extent<'a>,
    folder: &'a Path,
    tiers: TierRange,
    layouts: Vec<Layout>,
    parts: Mutex<Vec<TierPart>>,
    waiting: Mutex<BTreeMap<(Tier, Tile), EncodedBlocks>>,
    encoders: Vec<Mutex<Encoder>>,
    /// How long each table was when it was synced.
    synced: HashMap<Tier, u64>,
    listener: &'a dyn Listener,
    cells: AtomicU64,
    all_cells: u64,
}

impl<'a> Writer<'a> {
    /// Starts tables, or goes on with those of a checkpoint by their lengths.
    pub fn open(
        folder: &'a Path,
        extent: &'a Extent<'a>,
        tiers: TierRange,
        horizon: Horizon,
        lengths: Option<&[(Tier, u64)]>,
        listener: &'a dyn Listener,
    ) -> Result<Writer<'a>, TabulateError> {
        let census = extent.index().census();
        let layouts: Vec<Layout> =
            tiers.into_iter().map(|tier| Layout::new(census, tier, horizon)).collect();
        let mut parts = Vec::new();
        for layout in &layouts {
            let tier = layout.tier();
            parts.extend(match lengths {
                None => Some(TierPart::create(folder, layout)?),
                Some(lengths) => match lengths.iter().find(|(there, _)| *there == tier) {
                    // It may have been finished after the last checkpoint.
                    Some(_) if !part_file(folder, tier).exists() => None,
                    Some((_, length)) => Some(TierPart::reopen(folder, layout, *length)?),
                    None => None,
                },
            });
        }
        let encoder = |_| Mutex::new(Encoder::new());
        Ok(Writer {
            extent,
            folder,
            tiers,
            layouts,
            parts: Mutex::new(parts),
            waiting: Mutex::default(),
            encoders: (0..rayon::current_num_threads()).map(encoder).collect(),
            synced: HashMap::new(),
            listener,
            cells: AtomicU64::new(0),
            all_cells: tiers.into_iter().map(|tier| extent.cells(tier)).sum(),
        })
    }

    /// Takes note of the cells that were solved before.
    pub fn done_before(&mut self, sweep: &CentreSweep) {
        let batches = &sweep.batches()[..sweep.solved()];
        let centres = batches.iter().flat_map(|batch| &batch.centres);
        let cells: u64 = centres
            .flat_map(|centre| self.tiers.into_iter().map(|tier| (*centre, tier)))
            .map(|(centre, tier)| self.extent.cells_beside(centre, tier))
            .sum();
        *self.cells.get_mut() = cells;
    }

    fn layout(&self, tier: Tier) -> &Layout {
        &self.layouts[tier.stones() - self.tiers.first().stones()]
    }

    /// Appends all blocks that wait.
    pub fn flush(&self) -> Result<(), TabulateError> {
        let ready = std::mem::take(&mut *self.waiting.lock().expect("no thread has panicked"));
        let mut parts = self.parts.lock().expect("no thread has panicked");
        for ((tier, tile), blocks) in ready {
            let first = self.layout(tier).tile(tile).expect("a tile of the tier").first();
            let part = parts.iter_mut().find(|part| part.tier() == tier);
            part.expect("a table that is growing").append(first, &blocks)?;
        }
        self.listener.wrote(parts.iter().map(TierPart::length).sum());
        Ok(())
    }

    /// What has been appended stays, whatever happens.
    pub fn sync(&mut self) -> Result<(), TabulateError> {
        let parts = self.parts.get_mut().expect("no thread has panicked");
        for part in parts.iter() {
            let synced = self.synced.entry(part.tier()).or_default();
            if *synced != part.length() {
                part.sync()?;
                *synced = part.length();
            }
        }
        Ok(())
    }

    /// How long the growing tables are.
    pub fn lengths(&self) -> Vec<(Tier, u64)> {
        let parts = self.parts.lock().expect("no thread has panicked");
        parts.iter().map(|part| (part.tier(), part.length())).collect()
    }

    /// Finishes a table, unless that was done before.
    pub fn finish(
        &mut self,
        tier: Tier,
        counts: TierCounts,
        next: Option<Digest>,
    ) -> Result<Option<TableSummary>, TabulateError> {
        let parts = self.parts.get_mut().expect("no thread has panicked");
        let Some(part) = parts.iter().position(|part| part.tier() == tier) else {
            debug_assert!(table_file(self.folder, tier).exists());
            return Ok(None);
        };
        Ok(Some(parts.swap_remove(part).finish(counts, next)?))
    }
}

impl Observer for Writer<'_> {
    type Error = TabulateError;

    fn solved(&self, mut solved: SolvedTile) -> Result<(), TabulateError> {
        let (tier, tile) = (solved.tier(), solved.tile());
        if let Some(blocks) = self.layout(tier).tile(tile) {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.encoders.len();
            let mut encoder = self.encoders[thread].lock().expect("no thread has panicked");
            let (mut encoded, mut blocks) = (EncodedBlocks::new(), blocks.iter());
            solved.show_quiet(BLOCK_ROWS, |words| {
                let block = blocks.next().expect("as many blocks as are shown");
                encoder.encode(block.shape, words, &mut encoded);
                Ok::<(), TabulateError>(())
            })?;
            let mut waiting = self.waiting.lock().expect("no thread has panicked");
            waiting.insert((tier, tile), encoded);
        }
        Ok(())
    }

    fn tier_is_done(&self, centre: CentreId, tier: Tier) -> Result<(), TabulateError> {
        let cells = self.extent.cells_beside(centre, tier);
        let done = self.cells.fetch_add(cells, Ordering::Relaxed) + cells;
        self.listener.advance(done, self.all_cells);
        Ok(())
    }

    fn is_at_rest(&self) -> Result<(), TabulateError> {
        self.flush()
    }
}
