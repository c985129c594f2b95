//! Tables of scores, put together from those of all games that are cut off, in a folder of their
//! own inside that of the board.
//!
//! They are made from the last tier down, because each contains the digest of the next. Making them
//! requires exclusive access to the folder. Processes that still work on cut-off games share it, so
//! that their tables are not removed while in use.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::board::{Tier, TierRange};
use crate::files::Disk;
use crate::files::sealed::OfWorkingFile;
use crate::plies::{TierPlies, cuts};
use crate::progress::Progress;
use crate::table::{
    Block, BlockNumber, Content, EncodedBlocks, Fault, FolderLock, Layout, Manifest, ManifestTier,
    Merger, Table, TableError, TableSummary, Tables, TierPart, cut_folder, score_folder,
    sound_tables, tiers_in,
};

use super::super::assembly::report::{are_listed, listed};
use super::super::error::TabulateError;
use super::super::folders::{cleanup, remove_cuts};
use super::super::job::Job;
use super::super::listener::Share;
use super::super::request::Request;

/// Blocks of outcomes that are merged between two reports of progress.
const STRETCH: usize = 1 << 12;

/// The interval for checking whether others are done.
const LOOK: Duration = Duration::from_millis(20);

/// Tables of scores of a board.
pub(super) struct ScoreTables<'a> {
    /// The disk of these tables.
    disk: &'a Disk,
    job: &'a Job<'a>,
    folder: PathBuf,
}

impl<'a> ScoreTables<'a> {
    pub(super) fn new(disk: &'a Disk, job: &'a Job<'a>) -> ScoreTables<'a> {
        ScoreTables { disk, job, folder: score_folder(&job.request.tables) }
    }

    /// The tiers among these without a table of scores, fewest stones first.
    pub(super) fn missing(&self, tiers: TierRange) -> Result<Vec<Tier>, TableError> {
        let there = match tiers_in(&self.folder, self.job.request.board) {
            Err(TableError { fault: Fault::NoFolder, .. }) => Vec::new(),
            there => there?,
        };
        Ok(tiers.into_iter().filter(|tier| !there.contains(tier)).collect())
    }

    /// Waits until the folder can be shared.
    pub(super) fn share(&self) -> Result<FolderLock, TabulateError> {
        self.disk.create_folder(&self.folder).of_working_file(&self.folder, "make")?;
        loop {
            match FolderLock::join(&self.folder)? {
                Some(shared) => return Ok(shared),
                None => thread::sleep(LOOK),
            }
        }
    }

    /// Makes the missing tables of these tiers from the tables of all games. When the board has all
    /// tables of scores, those of cut-off games are removed.
    pub(super) fn make(&self, tiers: TierRange, share: &Share) -> Result<(), TabulateError> {
        let listener = self.job.listener;
        let _alone = self.take()?;
        cleanup::remove_unfinished_tables(self.disk, &self.folder)?;
        // Tables that a stopped process, or a damaged manifest, does not list.
        let (board, there) = (self.job.request.board, self.there()?);
        if !there.is_empty() {
            listed(self.disk, &self.folder, board, &there, listener)?;
        }
        let missing = self.missing(tiers)?;
        if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
            listener.merges(TierRange::new(*first, *last)?);
            let horizon = self.job.request.score_horizon();
            let cells = |tier: &Tier| match horizon.reaches(board, *tier) {
                true => 0,
                false => self.job.census().stored_cells(*tier),
            };
            let all = missing.iter().map(cells).sum();
            let (mut done, mut bytes) = (0, 0);
            listener.wrote(bytes);
            for tier in missing.iter().rev() {
                let start = Instant::now();
                let summary = self.merge(*tier, &|cells| share.advance(done + cells, all))?;
                let seconds = start.elapsed().as_secs_f64();
                self.add_to_manifest(ManifestTier { summary, seconds })?;
                done += cells(tier);
                bytes += summary.bytes;
                listener.wrote(bytes);
            }
        }
        if self.missing(TierRange::all(board))?.is_empty() {
            self.remove_cuts()?;
        }
        Ok(())
    }

    fn take(&self) -> Result<FolderLock, TableError> {
        loop {
            match FolderLock::take_on(self.disk, &self.folder) {
                Err(TableError { fault: Fault::InUse, .. }) => thread::sleep(LOOK),
                lock => return lock,
            }
        }
    }

    /// Makes the table of a tier.
    fn merge(&self, tier: Tier, progress: &dyn Fn(u64)) -> Result<TableSummary, TabulateError> {
        let (census, request) = (self.job.census(), self.job.request);
        let Request { board, ref tables, .. } = *request;
        let games = cuts(board, tier).map(|ply| (ply, cut_folder(tables, ply), Some(ply)));
        let games = games.chain([(board.last_tier(), tables.clone(), None)]);
        let games: Vec<(Tier, Tables)> = games
            .map(|(end, folder, cut)| {
                (end, Tables::with(&folder, census, Content::Outcomes { cut }))
            })
            .collect();
        let ends: Vec<(Tier, &Table)> = games
            .iter()
            .map(|(end, tables)| Ok((*end, tables.table(tier)?)))
            .collect::<Result<_, TableError>>()?;
        let counts = |(end, table): &(Tier, &Table)| (*end, table.header().counts.live());
        let plies = TierPlies::of(board, tier, ends.iter().map(counts))
            .map_err(|fault| TabulateError::NotNested { folder: tables.clone(), fault })?;

        let layout = Layout::with(census, tier, request.score_horizon(), Content::Scores);
        let mut part = TierPart::create_on(self.disk, &self.folder, &layout)?;
        if layout.blocks() > 0 {
            merge_blocks(&ends, &mut part, progress)?;
        }
        let next = match tier == board.last_tier() {
            true => None,
            false => {
                let scores = Tables::with(&self.folder, census, Content::Scores);
                Some(scores.table(tier.next_unchecked())?.summary()?.digest)
            }
        };
        let [.., (_, outcomes)] = ends[..] else { unreachable!("games go on to the full board") };
        Ok(part.finish_scores(&plies, outcomes.header().counts.terminal, next)?)
    }

    /// Adds a table to the manifest.
    fn add_to_manifest(&self, made: ManifestTier) -> Result<(), TableError> {
        let known = Manifest::read(&self.folder).map(|manifest| manifest.tiers).unwrap_or_default();
        let is_other = |tier: &ManifestTier| tier.summary.tier != made.summary.tier;
        let mut tiers: Vec<ManifestTier> = known.into_iter().filter(is_other).collect();
        tiers.push(made);
        let seconds = tiers.iter().map(|tier| tier.seconds).sum();
        Manifest::new(self.job.request.board, seconds, tiers).write_on(self.disk, &self.folder)
    }

    /// Summaries of the tables of scores that exist.
    fn there(&self) -> Result<Vec<TableSummary>, TableError> {
        sound_tables(&self.folder, self.job.census(), Content::Scores)
    }

    /// Whether all these tiers have tables of scores, and the manifest lists them.
    pub(super) fn are_made(&self, tiers: TierRange) -> Result<bool, TableError> {
        Ok(self.missing(tiers)?.is_empty()
            && are_listed(&self.folder, self.job.request.board, &self.there()?))
    }

    /// Removes the tables of cut-off games, which are no longer needed.
    fn remove_cuts(&self) -> Result<(), TabulateError> {
        // Make sure that the folder of the scores survives a power failure.
        let Request { board, ref tables, .. } = *self.job.request;
        self.disk.sync_folder(tables).of_working_file(tables, "sync")?;
        for ply in cuts(board, Tier(0)) {
            cleanup::remove_tables(self.disk, &cut_folder(tables, ply))?;
        }
        remove_cuts(self.disk, self.job.request);
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
                let mut scores = EncodedBlocks::default();
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
