//! Reading a table: one block per cell.
//!
//! Opening is cheap: it checks the header, the length of the file and, for scores, the directory of
//! the tiles. It does not read the block index. A lookup reads an entry of the index and the block
//! that it points to, checks both by the checksum in the entry, every time, and decodes the block.
//! So whatever happens to the file, the answer is what was written, or an error.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::{Board, Outcome, Tier};
use crate::files;
use crate::index::{Cell, Census};
use crate::plies::TierPlies;

use super::super::format::{
    BlockNumber, BlockShape, CellPlace, Content, Damage, ENTRY_BYTES, Fault, HEADER_BYTES, Hasher,
    Header, IndexEntry, Layout, OfFile, READ, Stage, TableError, TableSummary, directory,
    ending_in, most_stored, outcome_in, table_file,
};
use super::ReadAt;
use super::cache::{TableId, Workshop, with_block};

/// The table of a tier, open for reading by any number of threads.
pub struct Table {
    path: PathBuf,
    bytes: Box<dyn ReadAt>,
    header: Header,
    layout: Layout,
    id: TableId,
}

static OPENED: AtomicU64 = AtomicU64::new(0);

/// Reads the header of a table or of a part.
pub(crate) fn read_header(path: &Path, bytes: &dyn ReadAt) -> Result<Header, TableError> {
    let found = bytes.length().of_file(path, READ)?;
    if found < HEADER_BYTES as u64 {
        let expected = HEADER_BYTES as u64;
        return Err(TableError::new(path, Fault::Length { expected, found }));
    }
    let mut header = [0; HEADER_BYTES];
    bytes.read_at(0, &mut header).of_file(path, READ)?;
    Header::parse(&header).map_err(|fault| TableError::new(path, fault))
}

/// Reads the header of the table of a tier in a folder, and checks that it is the right one and
/// that the length of the file is right.
pub fn table_header(folder: &Path, board: Board, tier: Tier) -> Result<Header, TableError> {
    let (path, file) = open_file(folder, board, tier, Content::OUTCOMES)?;
    header_of_whole(&path, &file, board, tier, Content::OUTCOMES)
}

/// Reads a header that must be that of a whole table of this tier, with this content.
fn header_of_whole(
    path: &Path,
    bytes: &dyn ReadAt,
    board: Board,
    tier: Tier,
    content: Content,
) -> Result<Header, TableError> {
    let header = read_header(path, bytes)?;
    if header.stage == Stage::Part {
        return Err(TableError::new(path, Fault::Unfinished));
    }
    let (expected, found) = (header.length, bytes.length().of_file(path, READ)?);
    if found != expected {
        return Err(TableError::new(path, Fault::Length { expected, found }));
    }
    header.check_tier(board, tier, content).map_err(|fault| TableError::new(path, fault))?;
    Ok(header)
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("path", &self.path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Opens the table of a tier in a folder.
    pub fn open(folder: &Path, census: &Census, tier: Tier) -> Result<Table, TableError> {
        Table::open_with(folder, census, tier, Content::OUTCOMES)
    }

    /// The same for a table with this content.
    pub fn open_with(
        folder: &Path,
        census: &Census,
        tier: Tier,
        content: Content,
    ) -> Result<Table, TableError> {
        let (path, file) = open_file(folder, census.board(), tier, content)?;
        Table::with_bytes(&path, Box::new(file), census, tier, content)
    }

    /// Opens a table from bytes of any kind; `path` is its name in errors.
    pub fn with_bytes(
        path: &Path,
        bytes: Box<dyn ReadAt>,
        census: &Census,
        tier: Tier,
        content: Content,
    ) -> Result<Table, TableError> {
        let wrong = |fault| TableError::new(path, fault);
        let header = header_of_whole(path, &*bytes, census.board(), tier, content)?;
        let layout = match content {
            Content::Outcomes { .. } => Layout::with(census, tier, header.horizon, content),
            Content::Scores => {
                let prelude = prelude(path, &*bytes, &header)?;
                parse_prelude(&header, &prelude).map_err(wrong)?.0
            }
        };
        header.check(&layout).map_err(wrong)?;
        let id = TableId(OPENED.fetch_add(1, Relaxed));
        Ok(Table { path: path.to_owned(), bytes, header, layout, id })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header of the table.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The blocks that the tier is cut into.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Fails unless this table has as many blocks as another one of its tier.
    pub(crate) fn has_blocks_of(&self, other: &Table) -> Result<(), TableError> {
        let (expected, found) = (other.header.blocks, self.header.blocks);
        if found == expected {
            return Ok(());
        }
        let what = "number of blocks";
        Err(TableError::new(&self.path, Fault::OtherTable { what, expected, found }))
    }

    /// The summary of the table, which requires reading the block index.
    pub fn summary(&self) -> Result<TableSummary, TableError> {
        self.summary_with(&self.index()?)
    }

    /// The same with the block index, which has been read already.
    pub(in crate::table) fn summary_with(&self, index: &[u8]) -> Result<TableSummary, TableError> {
        let (tier, bytes, counts) = (self.header.tier, self.header.length, self.header.counts);
        let mut hasher = Hasher::new();
        hasher.add(&self.header.to_bytes());
        hasher.add(&prelude(&self.path, &*self.bytes, &self.header)?);
        hasher.add(index);
        Ok(TableSummary { tier, bytes, digest: hasher.digest(), counts })
    }

    /// The outcome in a stored cell of the tier, for the mover.
    ///
    /// The caller guarantees that the position of the cell is quiet: it is live, and neither player
    /// could make a four with a single stone. For other cells the result means nothing.
    pub fn outcome(&self, cell: Cell) -> Result<Outcome, TableError> {
        if self.header.content == Content::Scores {
            return Ok(self.ending(cell)?.0);
        }
        let place = self.place(cell)?;
        let outcome = outcome_in(self.bits(place)?, self.header.tier);
        outcome.ok_or_else(|| self.damaged(place.number, Damage::Contradiction))
    }

    /// How a game that goes on from a cell of a table of scores ends for the mover, and after how
    /// many plies, with 0 for a draw. Like the outcome, it means nothing for cells that are not
    /// quiet.
    pub fn ending(&self, cell: Cell) -> Result<(Outcome, usize), TableError> {
        let Header { board, tier, content, .. } = self.header;
        if content != Content::Scores {
            let (expected, found) = (Content::Scores, content);
            return Err(TableError::new(&self.path, Fault::OtherContent { expected, found }));
        }
        let place = self.place(cell)?;
        let ply = self.in_block(place, |block| block[place.byte()])?;
        let ending = ending_in(ply, board, tier);
        ending.ok_or_else(|| self.damaged(place.number, Damage::Ply { ply }))
    }

    fn place(&self, cell: Cell) -> Result<CellPlace, TableError> {
        let (tier, horizon) = (self.header.tier, self.header.horizon);
        if horizon.reaches(self.header.board, tier) {
            return Err(TableError::new(&self.path, Fault::NotStored { tier, horizon }));
        }
        let place = self.layout.place(cell);
        place.ok_or_else(|| TableError::new(&self.path, Fault::NoSuchCell { tier }))
    }

    /// The two bits of a stored cell of a table of outcomes, whatever they mean: the first player
    /// wins, the first player holds.
    pub fn outcome_bits(&self, cell: Cell) -> Result<[bool; 2], TableError> {
        self.bits(self.place(cell)?)
    }

    fn bits(&self, place: CellPlace) -> Result<[bool; 2], TableError> {
        self.in_block(place, |block| {
            [0, 1].map(|plane| {
                let (byte, bit) = place.bit(plane);
                block[byte] >> bit & 1 == 1
            })
        })
    }

    /// Reads something from the bytes of the block of a cell.
    fn in_block<R>(
        &self,
        CellPlace { number, shape, .. }: CellPlace,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, TableError> {
        with_block(
            (self.id, number),
            |workshop| self.decode(number, shape, self.entry(number)?, workshop),
            read,
        )
    }

    pub(super) fn entry(&self, number: BlockNumber) -> Result<IndexEntry, TableError> {
        let mut entry = [0; ENTRY_BYTES];
        self.read(self.header.entry_start(number), &mut entry)?;
        Ok(IndexEntry::from_bytes(entry))
    }

    /// Reads, checks and decodes a block into `workshop.plain`.
    pub(super) fn decode(
        &self,
        number: BlockNumber,
        shape: BlockShape,
        entry: IndexEntry,
        workshop: &mut Workshop,
    ) -> Result<(), TableError> {
        let Workshop { decoder, stored, plain } = workshop;
        let (IndexEntry { offset, length, .. }, blocks) = (entry, self.header.body_start());
        let end = offset.checked_add(length.into());
        let inside = offset >= blocks && end.is_some_and(|end| end <= self.header.length);
        // The length is checked whatever the checksum says.
        let sound = match length {
            0 => offset == 0,
            _ => inside && length as usize <= most_stored(shape),
        };
        if !sound {
            return Err(self.damaged(number, Damage::Place { offset, length }));
        }
        let stored = &mut stored[..length as usize];
        if length > 0 {
            self.read(offset, stored)?;
        }
        if !entry.agrees(number, stored) {
            return Err(self.damaged(number, Damage::Checksum));
        }
        decoder.decode(shape, stored, plain).map_err(|error| self.damaged(number, error))
    }

    /// The whole block index.
    pub(in crate::table) fn index(&self) -> Result<Vec<u8>, TableError> {
        // No longer than the file, whose length was checked on opening.
        let mut index = vec![0; self.header.blocks as usize * ENTRY_BYTES];
        self.read(self.header.index_start(), &mut index)?;
        Ok(index)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), TableError> {
        self.bytes.read_at(offset, buffer).map_err(|error| {
            let (expected, found) = (self.header.length, self.bytes.length());
            match found {
                Ok(found) if found != expected => {
                    TableError::new(&self.path, Fault::Length { expected, found })
                }
                _ => TableError::io(&self.path, READ, error),
            }
        })
    }

    pub(in crate::table) fn damaged(&self, block: BlockNumber, damage: Damage) -> TableError {
        let (tier, block) = (self.header.tier, block.0);
        TableError::new(&self.path, Fault::Block { tier, block, damage })
    }
}

/// How soon the positions of a tier are over, according to the table of scores in a folder.
pub fn tier_plies(folder: &Path, board: Board, tier: Tier) -> Result<TierPlies, TableError> {
    let (path, file) = open_file(folder, board, tier, Content::Scores)?;
    let header = header_of_whole(&path, &file, board, tier, Content::Scores)?;
    let prelude = prelude(&path, &file, &header)?;
    let parsed = parse_prelude(&header, &prelude);
    Ok(parsed.map_err(|fault| TableError::new(&path, fault))?.1)
}

/// The bytes between the header and the block index.
fn prelude(path: &Path, bytes: &dyn ReadAt, header: &Header) -> Result<Vec<u8>, TableError> {
    // No longer than the file, whose length was compared with the header.
    let mut prelude = vec![0; (header.index_start() - HEADER_BYTES as u64) as usize];
    bytes.read_at(HEADER_BYTES as u64, &mut prelude).of_file(path, READ)?;
    Ok(prelude)
}

/// How soon positions are over, and where they are.
fn parse_prelude(header: &Header, bytes: &[u8]) -> Result<(Layout, TierPlies), Fault> {
    let Header { board, tier, horizon, .. } = *header;
    let damaged = |what: &str| Fault::Directory { tier, what: what.to_owned() };
    if crc32fast::hash(bytes) != header.prelude_checksum {
        return Err(damaged("its checksum is wrong"));
    }
    let plies = board.cells() - tier.stones() + 1;
    let (plies, tiles) = bytes.split_at(plies * size_of::<u64>());
    let (plies, _) = plies.as_chunks();
    let plies = TierPlies::new(tier, plies.iter().map(|bytes| u64::from_le_bytes(*bytes)));
    let plies = plies.filter(|plies| plies.outcomes() == header.counts.live());
    let plies = plies.ok_or(damaged("its plies do not add up to its outcomes"))?;
    let layout = directory::layout(board, tier, horizon, tiles);
    Ok((layout.ok_or(damaged("its tiles do not follow each other"))?, plies))
}

fn open_file(
    folder: &Path,
    board: Board,
    tier: Tier,
    content: Content,
) -> Result<(PathBuf, File), TableError> {
    let path = table_file(folder, tier);
    match files::if_there(files::open(&path)).of_file(&path, READ)? {
        Some(file) => Ok((path, file)),
        None => Err(TableError::new(&path, Fault::Missing { board, tier, content })),
    }
}
