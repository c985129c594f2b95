//! The pieces of a run: one file per batch that is done, with the results of that batch.
//!
//! The body of the file consists of blocks, as tables store them. The blocks of a tier and a centre
//! are in order. On boards of odd width the centres of a tier are in order, too; on boards of even
//! width they come as they are solved. The directory:
//!
//! ```text
//!     cells that were worked on u64, seconds f64
//!     for each tier of the run
//!         live cells that the first player wins, holds, and all u64, seconds f64
//!     for each run of blocks of a tier, in the order of the body
//!         tier u8, number of the first block u64, start in the file u64, blocks u32
//!         for each block its length u32 and the checksum of what is stored u32
//! ```
//!
//! A batch is done when its piece exists and is sound. There is no other record of it. The
//! `recorder` writes a piece while its batch is being solved. The `ledger` knows which batches are
//! done and which can be next.

mod ledger;
mod recorder;

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::board::{Tier, TierRange};
use crate::files::sealed::{
    FileFault, Kind, Label, OfWorkingFile, RunLabel, Sealed, Unsealed, WorkingFileError,
};
use crate::files::{Disk, if_there, long, names_in, word};
use crate::sweep::TierWork;
use crate::table::{Between, BlockNumber, EncodedBlock, EncodedBlocks};

use super::names::{batch_of_piece, piece_file};

pub(super) use ledger::Ledger;
pub(super) use recorder::{Cells, Recorder};

/// The approximate bytes that are written at a time, and that a run of blocks takes at most.
const WRITTEN_BYTES: usize = 1 << 18;

/// Bytes of the directory before the runs of blocks, for this many tiers.
const fn head_bytes(tiers: usize) -> usize {
    16 + tiers * 32
}

/// Where the pieces of a run are.
#[derive(Clone)]
pub(super) struct Pieces {
    /// Their folder.
    pub folder: PathBuf,
    pub run: RunLabel,
}

impl Pieces {
    /// The file of a batch.
    pub(super) fn file(&self, batch: usize) -> PathBuf {
        piece_file(&self.folder, batch)
    }

    /// The label of that file.
    pub(super) fn label(&self, batch: usize) -> Label {
        Label { kind: Kind::Piece, run: self.run, tier: None, batch }
    }

    /// The batches that have pieces, judging by their names.
    pub(super) fn there(&self) -> Result<HashSet<usize>, WorkingFileError> {
        let names = if_there(names_in(&self.folder)).of_working_file(&self.folder, "list")?;
        let names = names.unwrap_or_default();
        Ok(names.iter().filter_map(|name| batch_of_piece(name.to_str()?)).collect())
    }

    /// The piece of a batch, if it is there.
    pub(super) fn find(&self, batch: usize) -> Result<Option<Piece>, WorkingFileError> {
        match self.open(batch) {
            Err(WorkingFileError { fault: FileFault::Missing, .. }) => Ok(None),
            piece => piece.map(Some),
        }
    }

    /// The piece of a batch that is done.
    pub(super) fn open(&self, batch: usize) -> Result<Piece, WorkingFileError> {
        Piece::open(self.file(batch), self.label(batch))
    }
}

/// A piece that is being written.
pub(super) struct PieceWriter {
    file: Unsealed,
    label: Label,
    runs: Mutex<Runs>,
}

/// Runs of blocks, of which the first ones are in order.
#[derive(Default)]
struct Runs {
    all: Vec<BlockRun>,
    in_order: usize,
}

/// Successive blocks of a tier, beside centres with equally many stones: the order of tables
/// depends on these.
pub(super) struct BlockRun {
    pub tier: Tier,
    /// The number of the first one.
    pub first: BlockNumber,
    /// Where it starts in the file.
    start: u64,
    blocks: Vec<EncodedBlock>,
}

impl BlockRun {
    /// The number of the block that follows.
    fn next(&self) -> BlockNumber {
        BlockNumber(self.first.0 + self.blocks.len() as u64)
    }

    /// Bytes of the stored blocks.
    fn bytes(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.length)).sum()
    }
}

/// Successive blocks of a tier, among others in memory.
pub(super) struct Stretch {
    pub tier: Tier,
    /// The stones of their centre.
    pub centre_stones: usize,
    /// The number of the first one.
    pub first: BlockNumber,
    /// Where they are.
    pub places: Range<Between>,
}

impl PieceWriter {
    pub(super) fn create(
        disk: &Disk,
        path: PathBuf,
        label: Label,
    ) -> Result<PieceWriter, WorkingFileError> {
        let file = Unsealed::create(disk, path, label)?;
        Ok(PieceWriter { file, label, runs: Mutex::default() })
    }

    /// Appends stretches of blocks, each with the blocks that it is among. Those that follow each
    /// other become runs, and runs are written many at a time. They are not [in order](Self::order)
    /// yet.
    pub(super) fn put<'b>(
        &self,
        stretches: impl IntoIterator<Item = (&'b EncodedBlocks, &'b Stretch)>,
    ) -> Result<(), WorkingFileError> {
        let mut runs: Vec<BlockRun> = Vec::new();
        let mut blocks = EncodedBlocks::default();
        let mut last_stones = None;
        for (of, Stretch { tier, centre_stones, first, places }) in stretches {
            let (tier, centre_stones, first) = (*tier, *centre_stones, *first);
            if blocks.bytes().len() >= WRITTEN_BYTES {
                self.put_runs(&mut runs, &mut blocks)?;
            }
            let (start, before) = (blocks.bytes().len() as u64, blocks.count());
            blocks.add(of, places.clone());
            let added = &blocks.blocks()[before..];
            let is_alike = last_stones.replace(centre_stones) == Some(centre_stones);
            match runs.last_mut().filter(|run| is_alike && run.tier == tier && run.next() == first)
            {
                Some(run) => run.blocks.extend(added),
                None => runs.push(BlockRun { tier, first, start, blocks: added.to_vec() }),
            }
        }
        self.put_runs(&mut runs, &mut blocks)
    }

    /// Writes the blocks of these runs, whose starts are counted from where they are put.
    fn put_runs(
        &self,
        runs: &mut Vec<BlockRun>,
        blocks: &mut EncodedBlocks,
    ) -> Result<(), WorkingFileError> {
        if runs.is_empty() {
            return Ok(());
        }
        let start = self.file.put(blocks.bytes())?;
        blocks.clear();
        runs.iter_mut().for_each(|run| run.start += start);
        self.runs.lock().expect("no thread has panicked").all.append(runs);
        Ok(())
    }

    /// Sorts the runs appended since the last call, in whatever order threads wrote them: the order
    /// of tables depends on that of runs.
    pub(super) fn order(&self) {
        let mut runs = self.runs.lock().expect("no thread has panicked");
        let Runs { all, in_order } = &mut *runs;
        all[*in_order..].sort_unstable_by_key(|run| (run.tier, run.first));
        *in_order = all.len();
    }

    /// All blocks are there. The piece can be read, and is to be published.
    pub(super) fn finish(self, done: &Done) -> Result<Piece, WorkingFileError> {
        let mut directory = Vec::new();
        directory.extend(done.cells.to_le_bytes());
        directory.extend(done.seconds.to_le_bytes());
        let tiers = self.label.run.tiers;
        for tier in tiers {
            let work = done.work[tier.stones()];
            work.tally().iter().for_each(|count| directory.extend(count.to_le_bytes()));
            directory.extend(work.seconds.to_le_bytes());
        }
        debug_assert_eq!(directory.len(), head_bytes(tiers.iter().count()));
        for run in self.runs.into_inner().expect("no thread has panicked").all {
            directory.push(run.tier.0);
            directory.extend(run.first.0.to_le_bytes());
            directory.extend(run.start.to_le_bytes());
            directory.extend((run.blocks.len() as u32).to_le_bytes());
            for EncodedBlock { length, checksum } in run.blocks {
                directory.extend([length, checksum].map(u32::to_le_bytes).as_flattened());
            }
        }
        Piece::of(self.file.seal(directory)?, self.label)
    }
}

/// The work done for a batch.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Done {
    /// By tier of the board.
    pub work: Vec<TierWork>,
    pub cells: u64,
    pub seconds: f64,
    /// Bytes of the piece.
    pub bytes: u64,
}

/// A piece on disk.
pub(super) struct Piece {
    file: Sealed,
    tiers: TierRange,
    pub done: Done,
}

impl Piece {
    /// Opens a piece and checks everything except its blocks.
    pub(super) fn open(path: PathBuf, label: Label) -> Result<Piece, WorkingFileError> {
        Piece::of(Sealed::open(path, label)?, label)
    }

    /// Publishes a piece that this process has made.
    pub(super) fn publish(&self) -> Result<(), WorkingFileError> {
        self.file.publish()
    }

    /// A hint that it will not be read soon, as its blocks are in tables.
    pub(super) fn leave_memory(&self) {
        self.file.leave_memory();
    }

    fn of(file: Sealed, label: Label) -> Result<Piece, WorkingFileError> {
        let tiers = label.run.tiers;
        let head = head_bytes(tiers.iter().count());
        let Some(head) = file.directory().get(..head) else {
            return Err(WorkingFileError::damaged(file.path(), "its directory is too short"));
        };
        let seconds = |at| f64::from_bits(long(head, at));
        let mut work = vec![TierWork::default(); label.run.board.cells() + 1];
        for (number, tier) in tiers.iter().enumerate() {
            let at = 16 + 32 * number;
            let tally = [long(head, at), long(head, at + 8), long(head, at + 16)];
            let [first_wins, first_holds, live] = tally;
            let seconds = seconds(at + 24);
            // No board has as many cells as 62 bits can count.
            let sound = first_wins <= first_holds && first_holds <= live && live < 1 << 62;
            if !sound || !is_time(seconds) {
                let what = format!("its counts of tier {tier} are impossible");
                return Err(WorkingFileError::damaged(file.path(), what));
            }
            work[tier.stones()] = TierWork::new(tally, seconds);
        }
        let (cells, seconds) = (long(head, 0), seconds(8));
        if !is_time(seconds) || cells >= 1 << 62 {
            return Err(WorkingFileError::damaged(file.path(), "its figures are impossible"));
        }
        let done = Done { work, cells, seconds, bytes: file.bytes() };
        Ok(Piece { file, tiers, done })
    }

    /// All runs of blocks, in the order of the directory.
    pub(super) fn runs(&self) -> Result<Vec<BlockRun>, WorkingFileError> {
        let head = head_bytes(self.tiers.iter().count());
        let mut rest = &self.file.directory()[head..];
        let next = || (!rest.is_empty()).then(|| self.run(&mut rest));
        std::iter::from_fn(next).collect()
    }

    fn run(&self, rest: &mut &[u8]) -> Result<BlockRun, WorkingFileError> {
        let damaged = |what: &str| WorkingFileError::damaged(self.file.path(), what);
        let nonsense = || damaged("its directory makes no sense");
        let head = rest.split_off(..21).ok_or_else(nonsense)?;
        let (tier, first, start) = (Tier(head[0]), BlockNumber(long(head, 1)), long(head, 9));
        let count = word(head, 17) as usize;
        let directory = rest.split_off(..8 * count).ok_or_else(nonsense)?;
        let block =
            |bytes: &[u8]| EncodedBlock { length: word(bytes, 0), checksum: word(bytes, 4) };
        let blocks = directory.chunks_exact(8).map(block).collect();
        let run = BlockRun { tier, first, start, blocks };
        let end = start.checked_add(run.bytes()).filter(|end| *end <= self.file.body_end());
        if end.is_none() || !self.tiers.contains(tier) {
            return Err(nonsense());
        }
        Ok(run)
    }

    /// Reads the blocks of a run.
    pub(super) fn read(&self, run: &BlockRun) -> Result<EncodedBlocks, WorkingFileError> {
        let mut bytes = vec![0; run.bytes() as usize];
        self.file.read_at(&mut bytes, run.start)?;
        let blocks = EncodedBlocks::from_stored(bytes, run.blocks.clone());
        let damaged =
            || WorkingFileError::damaged(self.file.path(), "the checksum of a block is wrong");
        blocks.ok_or_else(damaged)
    }
}

/// Whether a batch can take this time. Sums of such times are finite.
fn is_time(seconds: f64) -> bool {
    (0.0..1e15).contains(&seconds)
}

/// Adds up what a piece says was done, and puts its blocks into tables.
#[cfg(fuzzing)]
pub(crate) fn fuzz_piece(
    file: &std::path::Path,
    census: &crate::index::Census,
    batch: usize,
    tables: &std::path::Path,
) -> Result<(), super::TabulateError> {
    let board = census.board();
    let (tiers, end) = (TierRange::all(board), board.last_tier());
    let run = RunLabel { board, tiers, end, every_cell: false, plane: None };
    let piece = Piece::open(file.to_owned(), Label { kind: Kind::Piece, run, tier: None, batch })?;
    for (tier, work) in tiers.iter().zip(&piece.done.work) {
        let sum = (0..8).fold(*work, |sum, _| sum.plus(*work));
        assert_eq!(sum.met(tier).total(), sum.tally()[2]);
    }
    let layout = |tier| crate::table::Layout::new(census, tier, super::HORIZON);
    let mut part: Option<crate::table::TierPart> = None;
    for run in piece.runs()? {
        let mut of_tier = match part.take().filter(|part| part.tier() == run.tier) {
            Some(part) => part,
            None => crate::table::TierPart::create(tables, &layout(run.tier))?,
        };
        of_tier.append(run.first, &piece.read(&run)?)?;
        part = Some(of_tier);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_impossible_are_refused_whatever_the_checksum_says() {
        let folder = tempfile::tempdir().unwrap();
        let tiers: TierRange = "3..5".parse().unwrap();
        let board = "4x3".parse().unwrap();
        let run = RunLabel { board, tiers, end: Tier(12), every_cell: false, plane: None };
        let label = Label { kind: Kind::Piece, run, tier: None, batch: 7 };
        let opened = |tally, seconds| {
            let path = folder.path().join("007.piece");
            let writer = PieceWriter::create(&Disk::default(), path.clone(), label).unwrap();
            let mut work = vec![TierWork::default(); 13];
            work[4] = TierWork::new(tally, seconds);
            let done = Done { work, cells: 5, seconds: 1.0, bytes: 0 };
            writer.finish(&done)?.publish()?;
            Piece::open(path, label).map(|piece| piece.done.work[4].tally())
        };
        assert_eq!(opened([1, 2, 3], 0.5).unwrap(), [1, 2, 3]);
        for (tally, seconds) in [
            ([3, 2, 4], 0.5),
            ([1, 5, 4], 0.5),
            ([0, 0, 1 << 62], 0.5),
            ([u64::MAX; 3], 0.5),
            ([1, 2, 3], f64::NAN),
            ([1, 2, 3], -1.0),
        ] {
            let error = opened(tally, seconds).unwrap_err().to_string();
            assert!(error.contains("its counts of tier 4 are impossible"), "{error}");
        }
    }
}
