//! Tables of scores, put together from those of all games that are cut off, in a folder of their
//! own inside that of the board.
//!
//! They are made from the last tier down, because each contains the digest of the next. Making them
//! requires exclusive access to the folder. Processes that still work on cut-off games share it, so
//! that their tables are not removed while in use.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::board::{Tier, TierRange};
use crate::disk::Disk;
use crate::index::Census;
use crate::plies::{TierPlies, cuts};
use crate::sealed::OfWorkingFile;
use crate::table::{
    Block, BlockNumber, Content, EncodedBlocks, Fault, FolderLock, Inventory, Layout, Manifest,
    ManifestTier, Merger, Table, TableError, TableSummary, Tables, TierPart, cut_folder,
    score_folder, sound_tables,
};

use super::error::TabulateError;
use super::leftovers;
use super::report::{are_listed, list};
use super::request::{Listener, Request};
use super::session::remove_cuts;

/// Blocks of outcomes that are merged between two reports of progress.
const STRETCH: usize = 1 << 12;

/// The interval for checking whether others are done.
const LOOK: Duration = Duration::from_millis(20);

/// Tables of scores of a board.
pub(super) struct ScoreTables<'a> {
    disk: &'a Disk,
    request: &'a Request,
    census: &'a Arc<Census>,
}

impl<'a> ScoreTables<'a> {
    pub fn new(disk: &'a Disk, request: &'a Request, census: &'a Arc<Census>) -> ScoreTables<'a> {
        ScoreTables { disk, request, census }
    }

    /// The tiers among these without a table of scores, fewest stones first.
    pub fn missing(&self, tiers: TierRange) -> Result<Vec<Tier>, TableError> {
        let there = match Inventory::of(&score_folder(&self.request.tables), self.request.board) {
            Err(TableError { fault: Fault::NoFolder, .. }) => Inventory::empty(self.request.board),
            inventory => inventory?,
        };
        Ok(there.missing().into_iter().filter(|tier| tiers.contains(*tier)).collect())
    }

    /// Waits until the folder can be shared.
    pub fn share(&self) -> Result<FolderLock, TabulateError> {
        let folder = score_folder(&self.request.tables);
        self.disk.create_folder(&folder).of_working_file(&folder, "make")?;
        loop {
            match FolderLock::join(&folder)? {
                Some(shared) => return Ok(shared),
                None => thread::sleep(LOOK),
            }
        }
    }

    /// Makes the missing tables of these tiers from the tables of all games. When the board has all
    /// tables of scores, those of cut-off games are removed.
    pub fn make(&self, tiers: TierRange, listener: &dyn Listener) -> Result<(), TabulateError> {
        let _alone = self.take()?;
        leftovers::remove_unfinished_tables(self.disk, &score_folder(&self.request.tables))?;
        self.list_again(listener)?;
        let missing = self.missing(tiers)?;
        if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
            listener.merges(TierRange::new(*first, *last)?);
            let cells =
                |tier: &Tier| match self.request.score_horizon().reaches(self.request.board, *tier)
                {
                    true => 0,
                    false => self.census.stored_cells(*tier),
                };
            let all = missing.iter().map(cells).sum();
            let (mut done, mut bytes) = (0, 0);
            listener.wrote(bytes);
            for tier in missing.iter().rev() {
                let start = Instant::now();
                let summary = self.merge(*tier, &|cells| listener.advance(done + cells, all))?;
                let seconds = start.elapsed().as_secs_f64();
                self.add_to_manifest(ManifestTier { summary, seconds })?;
                done += cells(tier);
                bytes += summary.bytes;
                listener.wrote(bytes);
            }
        }
        if self.missing(TierRange::all(self.request.board))?.is_empty() {
            self.remove_cuts()?;
        }
        Ok(())
    }

    fn take(&self) -> Result<FolderLock, TableError> {
        loop {
            match FolderLock::take_on(self.disk, &score_folder(&self.request.tables)) {
                Err(TableError { fault: Fault::InUse, .. }) => thread::sleep(LOOK),
                lock => return lock,
            }
        }
    }

    /// Makes the table of a tier.
    fn merge(&self, tier: Tier, progress: &dyn Fn(u64)) -> Result<TableSummary, TabulateError> {
        let Request { board, ref tables, .. } = *self.request;
        let games = cuts(board, tier).map(|ply| (ply, cut_folder(tables, ply), Some(ply)));
        let games = games.chain([(board.last_tier(), tables.clone(), None)]);
        let games: Vec<(Tier, Tables)> = games
            .map(|(end, folder, cut)| {
                (end, Tables::with(&folder, self.census, Content::Outcomes { cut }))
            })
            .collect();
        let ends: Vec<(Tier, &Table)> = games
            .iter()
            .map(|(end, tables)| Ok((*end, tables.table(tier)?)))
            .collect::<Result<_, TableError>>()?;
        let counts = |(end, table): &(Tier, &Table)| (*end, table.header().counts.live());
        let plies = TierPlies::of(board, tier, ends.iter().map(counts))
            .map_err(|fault| TabulateError::NotNested { folder: tables.clone(), fault })?;

        let folder = score_folder(tables);
        let layout = Layout::with(self.census, tier, self.request.score_horizon(), Content::Scores);
        let mut part = TierPart::create_on(self.disk, &folder, &layout)?;
        if layout.blocks() > 0 {
            merge_blocks(&ends, &mut part, progress)?;
        }
        let next = match tier == board.last_tier() {
            true => None,
            false => {
                let scores = Tables::with(&folder, self.census, Content::Scores);
                Some(scores.table(tier.next_unchecked())?.digest()?)
            }
        };
        let [.., (_, outcomes)] = ends[..] else { unreachable!("games go on to the full board") };
        Ok(part.finish_scores(&plies, outcomes.header().counts.terminal, next)?)
    }

    /// Adds a table to the manifest.
    fn add_to_manifest(&self, made: ManifestTier) -> Result<(), TableError> {
        let (folder, board) = (score_folder(&self.request.tables), self.request.board);
        let known = Manifest::read(&folder).map(|manifest| manifest.tiers).unwrap_or_default();
        let is_other = |tier: &ManifestTier| tier.summary.tier != made.summary.tier;
        let mut tiers: Vec<ManifestTier> = known.into_iter().filter(is_other).collect();
        tiers.push(made);
        let seconds = tiers.iter().map(|tier| tier.seconds).sum();
        Manifest::new(board, seconds, tiers).write_on(self.disk, &folder)
    }

    /// Lists tables that a stopped process, or a damaged manifest, does not list.
    fn list_again(&self, listener: &dyn Listener) -> Result<(), TableError> {
        let (folder, board) = (score_folder(&self.request.tables), self.request.board);
        let there = sound_tables(&folder, self.census, Content::Scores)?;
        if !there.is_empty() && !are_listed(&folder, board, &there) {
            listener.lists_again(&folder);
            list(self.disk, &folder, board, &there)?;
        }
        Ok(())
    }

    /// Whether all these tiers have tables of scores, and the manifest lists them.
    pub fn are_made(&self, tiers: TierRange) -> Result<bool, TableError> {
        let folder = score_folder(&self.request.tables);
        if !self.missing(tiers)?.is_empty() {
            return Ok(false);
        }
        let there = sound_tables(&folder, self.census, Content::Scores)?;
        Ok(are_listed(&folder, self.request.board, &there))
    }

    /// Removes the tables of cut-off games, which are no longer needed.
    fn remove_cuts(&self) -> Result<(), TabulateError> {
        // A power failure must not take the folder of the scores.
        let tables = &self.request.tables;
        self.disk.sync_folder(tables).of_working_file(tables, "sync")?;
        for ply in cuts(self.request.board, Tier(0)) {
            leftovers::remove_tables(self.disk, &cut_folder(&self.request.tables, ply))?;
        }
        remove_cuts(self.disk, self.request);
        Ok(())
    }
}

/// Appends all blocks of scores.
fn merge_blocks(
    ends: &[(Tier, &Table)],
    part: &mut TierPart,
    progress: &dyn Fn(u64),
) -> Result<(), TabulateError> {
    let [(_, first), ..] = ends else { unreachable!("games go on to the full board") };
    for (_, table) in ends {
        table.has_blocks_of(first)?;
    }
    let mut blocks = first.layout().tiles().flat_map(|(_, tile)| tile.iter());
    let (mut next, mut cells) = (0, 0);
    loop {
        let stretch: Vec<Block> = blocks.by_ref().take(STRETCH).collect();
        if stretch.is_empty() {
            return Ok(());
        }
        let merged: Vec<EncodedBlocks> = stretch
            .par_iter()
            .map_init(Merger::new, |merger, block| {
                let mut scores = EncodedBlocks::new();
                merger.merge(ends, block, &mut scores).map(|()| scores)
            })
            .collect::<Result<_, TableError>>()?;
        for scores in merged {
            part.append(BlockNumber(next), &scores)?;
            next += scores.count() as u64;
        }
        cells += stretch.iter().map(|b| (b.rows.len() * b.columns.len()) as u64).sum::<u64>();
        progress(cells);
    }
}
