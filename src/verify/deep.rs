//! All tables, compared with a new sweep of the board.
//!
//! The sweep begins at the full board and needs no table. It finds the outcomes of whole tiles, as
//! it does when tables are made, and each block is compared with its stored content as a whole;
//! single cells are only looked at where they differ. So this takes as long as solving the board,
//! and gives the place of every wrong value.
//!
//! What is kept for later centres stays in memory if there is room. Otherwise it goes to working
//! files, which are removed in the end.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::report::{MOST_TOLD, Statement, Witness, WrongValue, is_looked_up};
use crate::board::{Tier, TierRange};
use crate::count::count_on;
use crate::cpu::Cpu;
use crate::files::{Disk, remove_all};
use crate::index::{Cell, CentreId, Finder, Tile};
use crate::memory::{self, Bytes};
use crate::progress::{Preparing, Progress};
use crate::solve::{Disagreement, TierSolution};
use crate::sweep::{
    End, Extent, FolderSweep, MemorySweep, Observer, Scope, SolvedTile, Start, WorkingFileError,
};
use crate::table::{
    BLOCK_ROWS, Block, BlockReader, DecodedBlock, FolderLock, Inventory, PLANES, Table, TableError,
    Tables, outcome_in,
};
use crate::too_large::BoardTooLarge;

/// The tables to compare, and the resources to use.
#[derive(Clone, Debug)]
pub struct DeepRequest {
    /// The folder of the tables.
    pub tables: PathBuf,
    /// Where working files go if memory is short; a separate folder is made there.
    pub scratch: PathBuf,
    /// The bytes of memory that may be used.
    pub memory: Option<u64>,
}

/// Hears what happens.
pub trait DeepListener: Progress {
    /// Working files go into this folder, which may not exist yet and is not needed afterwards.
    fn writes_to(&self, folder: &Path);
}

impl DeepListener for () {
    fn writes_to(&self, _folder: &Path) {}
}

/// The result of comparing all tables with a sweep.
#[derive(Default, Debug)]
pub struct Deep {
    /// Tables that were compared.
    pub tables: u64,
    /// Blocks that were compared.
    pub blocks: u64,
    /// Cells that the sweep worked on.
    pub cells: u64,
    /// Blocks that could not be read.
    pub unread: u64,
    /// The wrong values, in the order of the files, up to a limit per table.
    pub wrong_values: Vec<WrongValue>,
    /// Tables that reached this limit, whose rest was not read.
    pub cut_short: Vec<Tier>,
}

/// Why tables could not be compared with a sweep.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeepError {
    /// A board too large to be indexed, to be sorted by move order, or to be counted.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// Something is wrong with a working file.
    #[error(transparent)]
    WorkingFile(#[from] WorkingFileError),
    /// Something is wrong with the folder of the tables, or of the working files.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The number of live positions is not the expected one.
    #[error(transparent)]
    Disagreement(#[from] Disagreement),
    /// The sweep takes more memory than may be used.
    #[error("a sweep takes {} of memory, but only {} may be used", Bytes(*.needed), Bytes(*.available))]
    Memory {
        /// The bytes of memory that it takes.
        needed: u64,
        /// Bytes that may be used.
        available: u64,
    },
    /// The disk is too small.
    #[error(
        "{} has {} free, but about {} are needed",
        .folder.display(), Bytes(*.available), Bytes(*.needed)
    )]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// The bytes that will be written.
        needed: u64,
        /// Bytes that are free.
        available: u64,
    },
}

/// Compares all tables in a folder with a new sweep. Skips tables that cannot be read:
/// [`table::check`](fn@crate::table::check) reports those.
pub fn deep(
    request: &DeepRequest,
    inventory: &Inventory,
    listener: &dyn DeepListener,
) -> Result<Deep, DeepError> {
    let board = inventory.board;
    let Some(first) = inventory.tables.first() else { return Ok(Deep::default()) };
    let tiers = TierRange::new(first.tier, board.last_tier()).expect("in order");
    let finder = Finder::new(board)?;
    let extent = Extent::new(finder.census(), Scope::InDoubt);
    let keep = Keep::find(request, &extent, tiers, listener)?;
    let tables = Tables::open(&request.tables, finder.census());
    let comparing = Comparing::new(&extent, &finder, &tables, tiers, listener);
    let counting = Preparing { what: "counting", listener };
    let counts = count_on(board, tiers, None, None, &|_| (), &counting)?;
    let (cpu, end, first) = (Cpu::widest(), End::full_board(board), tiers.first());
    let work = match &keep {
        Keep::Memory => {
            let mut sweep = MemorySweep::new(&extent, cpu, end, first)?;
            while sweep.advance(&comparing)? {}
            sweep.work().to_vec()
        }
        Keep::Folder { folder, memory, .. } => {
            let sweep =
                FolderSweep::new(&extent, cpu, Start::AtEnd(end), first, folder, *memory, *memory)?;
            sweep.solve_in_order(&comparing)?
        }
    };
    for count in counts {
        let met = work[count.tier.stones()].met(count.tier);
        let solution = TierSolution::new(board, count, met, Scope::InDoubt, 0.0)?;
        comparing.compare_counts(&solution);
    }
    Ok(comparing.finish())
}

/// Where the sweep keeps what it needs later.
enum Keep {
    Memory,
    Folder {
        folder: PathBuf,
        /// Bytes that may be kept in memory.
        memory: u64,
        /// While it is held, no other process works there.
        _lock: FolderLock,
    },
}

impl Keep {
    fn find(
        request: &DeepRequest,
        extent: &Extent,
        tiers: TierRange,
        listener: &dyn DeepListener,
    ) -> Result<Keep, DeepError> {
        let bytes = extent.bytes(tiers, rayon::current_num_threads());
        let in_memory = extent.handoff_memory(tiers);
        let memory = request.memory.or_else(|| memory::available().map(|bytes| bytes / 10 * 6));
        let memory = match memory {
            Some(available) if available < bytes => {
                return Err(DeepError::Memory { needed: bytes, available });
            }
            Some(available) if available < bytes.saturating_add(in_memory) => available - bytes,
            _ => return Ok(Keep::Memory),
        };
        let [_, kept, _] = extent.handoffs(tiers, memory);
        let folder = request.scratch.join("verify-deep");
        // A folder of another process is none of the listener's business.
        let is_new = !folder.exists();
        if is_new {
            listener.writes_to(&folder);
        }
        let lock = FolderLock::take(&folder)?;
        if !is_new {
            listener.writes_to(&folder);
        }
        match Disk::default().free_space(&folder) {
            Some(available) if available < kept => {
                remove_all(&folder);
                Err(DeepError::Disk { folder, needed: kept, available })
            }
            _ => Ok(Keep::Folder { folder, memory, _lock: lock }),
        }
    }
}

impl Drop for Keep {
    fn drop(&mut self) {
        if let Keep::Folder { folder, .. } = self {
            // Leftovers do no harm: the next sweep overwrites them.
            remove_all(folder);
        }
    }
}

/// Compares each solved tile with its blocks.
struct Comparing<'a> {
    extent: &'a Extent,
    finder: &'a Finder,
    /// One per tier.
    tables: Vec<Option<&'a Table>>,
    readers: Vec<Mutex<BlockReader>>,
    found: Mutex<Deep>,
    cells: AtomicU64,
    all_cells: u64,
    progress: &'a dyn DeepListener,
}

impl<'a> Comparing<'a> {
    fn new(
        extent: &'a Extent,
        finder: &'a Finder,
        tables: &'a Tables,
        tiers: TierRange,
        progress: &'a dyn DeepListener,
    ) -> Comparing<'a> {
        let census = extent.census();
        let table = |tier| tables.table(tier).ok().filter(|_| tiers.contains(tier));
        let tables: Vec<Option<&Table>> = census.tiers().map(table).collect();
        let there = tables.iter().flatten().count() as u64;
        let reader = |_| Mutex::new(BlockReader::default());
        Comparing {
            extent,
            finder,
            tables,
            readers: (0..rayon::current_num_threads()).map(reader).collect(),
            found: Mutex::new(Deep { tables: there, ..Deep::default() }),
            cells: AtomicU64::new(0),
            all_cells: tiers.iter().map(|tier| extent.sizes().cells(tier)).sum(),
            progress,
        }
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Deep> {
        self.found.lock().expect("no thread has panicked")
    }

    /// The cells that matter and in which a block differs from what the sweep finds for its quiet
    /// cells.
    fn differences(
        &self,
        table: &Table,
        tile: Tile,
        block: &Block,
        decoded: DecodedBlock,
        words: &[u64],
    ) -> Vec<WrongValue> {
        let width = block.shape.width;
        let tier = table.header().tier;
        let places = (0..block.shape.rows).flat_map(|row| (0..width).map(move |at| (row, at)));
        let mut wrong = Vec::new();
        for (row, at) in places {
            let shown: [u64; PLANES] =
                std::array::from_fn(|plane| words[(row * PLANES + plane) * width + at]);
            let mut differ = (0..PLANES)
                .fold(0, |differ, plane| differ | (decoded.word(row, plane, at) ^ shown[plane]));
            while differ != 0 && wrong.len() < MOST_TOLD {
                let bit = differ.trailing_zeros() as usize;
                differ &= differ - 1;
                let column = 64 * at + bit;
                if column >= block.columns.len() {
                    continue;
                }
                let in_tile = [block.rows.start + row, block.columns.start + column];
                let [r, c] = in_tile.map(|place| place as u32);
                let position = self.finder.unrank(Cell { tile, row: r, column: c });
                if is_looked_up(&position) {
                    let bits = shown.map(|word| word >> bit & 1 == 1);
                    let expected = outcome_in(bits, tier).expect("whoever wins also holds");
                    let (block, found) = (block.number, decoded.outcome(row, column));
                    let what = Statement::Value { block, row, column, position, found, expected };
                    wrong.push(WrongValue::of(table, what, Witness::Sweep));
                }
            }
        }
        wrong
    }

    /// Compares the counts in the header with those of the sweep.
    fn compare_counts(&self, solution: &TierSolution) {
        let Some(table) = self.tables[solution.tier.stones()] else { return };
        let (told, outcomes) = (table.header().counts, solution.outcomes);
        for (what, found, expected) in [
            ("won", told.won, outcomes.won),
            ("drawn", told.drawn, outcomes.drawn),
            ("lost", told.lost, outcomes.lost),
            ("that are terminal", told.terminal, solution.terminal),
        ] {
            if found != expected {
                let what = Statement::Count { what, found, expected };
                let wrong = WrongValue::of(table, what, Witness::Sweep);
                self.found().wrong_values.push(wrong);
            }
        }
    }

    fn finish(self) -> Deep {
        let mut found = self.found.into_inner().expect("no thread has panicked");
        found.cells = self.cells.into_inner();
        found.wrong_values.sort_by_key(|value| (value.tier, value.what.place()));
        found.cut_short.sort();
        found
    }
}

impl Observer for Comparing<'_> {
    type Error = WorkingFileError;

    fn solved(&self, mut solved: SolvedTile) -> Result<(), WorkingFileError> {
        let (tier, tile) = (solved.tier(), solved.tile());
        let Some(table) = self.tables[tier.stones()] else { return Ok(()) };
        let Some(blocks) = table.layout().tile(tile) else { return Ok(()) };
        let thread = rayon::current_thread_index().unwrap_or(0) % self.readers.len();
        let mut reader = self.readers[thread].lock().expect("no thread has panicked");
        let (mut read, mut unread) = (0, 0);
        let mut blocks = blocks.iter();
        solved.show_quiet(BLOCK_ROWS, |words| {
            let block = blocks.next().expect("as many blocks as are shown");
            match reader.read(table, &block) {
                Err(_) => unread += 1,
                Ok(decoded) if decoded.holds(words) => read += 1,
                Ok(decoded) => {
                    read += 1;
                    if !self.found().cut_short.contains(&tier) {
                        let wrong = self.differences(table, tile, &block, decoded, words);
                        self.found().add(tier, wrong);
                    }
                }
            }
            Ok::<(), WorkingFileError>(())
        })?;
        let mut found = self.found();
        found.blocks += read;
        found.unread += unread;
        Ok(())
    }

    fn tier_is_done(&self, centre: CentreId, tier: Tier) -> Result<(), WorkingFileError> {
        let cells = self.extent.sizes().tier_cells(centre, tier);
        let done = self.cells.fetch_add(cells, Relaxed) + cells;
        self.progress.advance(done, self.all_cells);
        Ok(())
    }
}

impl Deep {
    fn add(&mut self, tier: Tier, wrong: Vec<WrongValue>) {
        let before = self.wrong_values.iter().filter(|value| value.tier == tier).count();
        let room = MOST_TOLD - before.min(MOST_TOLD);
        if wrong.len() >= room && !self.cut_short.contains(&tier) && !wrong.is_empty() {
            self.cut_short.push(tier);
        }
        self.wrong_values.extend(wrong.into_iter().take(room));
    }
}
