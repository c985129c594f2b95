//! Reading a table: one block for one cell.
//!
//! Opening is cheap: the header is read and checked, and the length of the file.
//! The block index is not read. A look-up reads an entry of it and the block that
//! it points to, checks both by the checksum in the entry, every time, and
//! decodes the block. So whatever happens to the file, the answer is the one that
//! was written, or an error.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::{Board, Outcome, Tier};
use crate::index::{Cell, Census};

use super::cache::{TableId, Workshop, with_block};
use super::codec::most_stored;
use super::digest::Hasher;
use super::entry::{ENTRY_BYTES, Entry};
use super::error::{Damage, Fault, OfFile, READ, TableError};
use super::header::{Header, Stage, body_start};
use super::layout::{BlockNumber, BlockShape, CellPlace, Layout};
use super::meaning::outcome_in;
use super::names::table_file;
use super::raw_header::HEADER_BYTES;
use super::source::{MappedFile, ReadAt};
use super::{Digest, TableSummary};

/// The table of a tier, open for reading, by any number of threads.
pub struct Table {
    path: PathBuf,
    bytes: Box<dyn ReadAt>,
    header: Header,
    layout: Layout,
    id: TableId,
}

static OPENED: AtomicU64 = AtomicU64::new(0);

/// Reads the header of a table or of a part.
pub fn read_header(path: &Path, bytes: &dyn ReadAt) -> Result<Header, TableError> {
    let found = bytes.length().of_file(path, READ)?;
    if found < HEADER_BYTES as u64 {
        let expected = HEADER_BYTES as u64;
        return Err(TableError::new(path, Fault::Length { expected, found }));
    }
    let mut header = [0; HEADER_BYTES];
    bytes.read_at(0, &mut header).of_file(path, READ)?;
    Header::parse(&header).map_err(|fault| TableError::new(path, fault))
}

/// Reads the header of the table of a tier in a folder, and checks that it is
/// that, and that the file has its length.
pub fn table_header(folder: &Path, board: Board, tier: Tier) -> Result<Header, TableError> {
    cut_header(folder, board, tier, None)
}

/// The same of games that are cut off after this ply, if one is given.
pub(crate) fn cut_header(
    folder: &Path,
    board: Board,
    tier: Tier,
    cut: Option<Tier>,
) -> Result<Header, TableError> {
    let (path, file) = open_file(folder, board, tier)?;
    let header = header_of_whole(&path, &file)?;
    header.check_tier(board, tier, cut).map_err(|fault| TableError::new(&path, fault))?;
    Ok(header)
}

/// Reads the header of what must be a whole table.
fn header_of_whole(path: &Path, bytes: &dyn ReadAt) -> Result<Header, TableError> {
    let header = read_header(path, bytes)?;
    if header.stage == Stage::Part {
        return Err(TableError::new(path, Fault::Unfinished));
    }
    let (expected, found) = (header.length, bytes.length().of_file(path, READ)?);
    if found != expected {
        return Err(TableError::new(path, Fault::Length { expected, found }));
    }
    Ok(header)
}

impl Table {
    /// Opens the table of a tier in a folder, mapped into memory.
    pub fn open(folder: &Path, census: &Census, tier: Tier) -> Result<Table, TableError> {
        Table::open_cut(folder, census, tier, None)
    }

    /// The same of games that are cut off after this ply, if one is given.
    pub(super) fn open_cut(
        folder: &Path,
        census: &Census,
        tier: Tier,
        cut: Option<Tier>,
    ) -> Result<Table, TableError> {
        let (path, file) = open_file(folder, census.board(), tier)?;
        // An empty file can not be mapped, and one without a header need not be.
        read_header(&path, &file)?;
        let bytes = MappedFile::new(file).of_file(&path, "map")?;
        Table::of(&path, Box::new(bytes), census, tier, cut)
    }

    /// Opens the table of a tier in a folder, for reading without a map.
    pub fn open_unmapped(folder: &Path, census: &Census, tier: Tier) -> Result<Table, TableError> {
        let (path, file) = open_file(folder, census.board(), tier)?;
        Table::with_bytes(&path, Box::new(file), census, tier)
    }

    /// Opens a table in bytes from anywhere; `path` is its name in errors.
    pub fn with_bytes(
        path: &Path,
        bytes: Box<dyn ReadAt>,
        census: &Census,
        tier: Tier,
    ) -> Result<Table, TableError> {
        Table::of(path, bytes, census, tier, None)
    }

    fn of(
        path: &Path,
        bytes: Box<dyn ReadAt>,
        census: &Census,
        tier: Tier,
        cut: Option<Tier>,
    ) -> Result<Table, TableError> {
        let header = header_of_whole(path, &*bytes)?;
        let layout = Layout::with_cut(census, tier, header.horizon, cut);
        header.check(&layout).map_err(|fault| TableError::new(path, fault))?;
        let id = TableId(OPENED.fetch_add(1, Relaxed));
        Ok(Table { path: path.to_owned(), bytes, header, layout, id })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The blocks that the tier is cut into.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The digest of the table; this reads the block index.
    pub fn digest(&self) -> Result<Digest, TableError> {
        Ok(self.digest_with(&self.index()?))
    }

    /// What is known of the table; this reads the block index.
    pub fn summary(&self) -> Result<TableSummary, TableError> {
        let (tier, bytes) = (self.header.tier, self.header.length);
        Ok(TableSummary { tier, bytes, digest: self.digest()?, counts: self.header.counts })
    }

    /// The outcome in a stored cell of the tier, for the mover.
    ///
    /// The caller knows that the position of the cell is quiet: live, and neither
    /// has the mover a move that wins at once nor would the other player have one.
    /// Of other cells a table says nothing, and what comes back for them means
    /// nothing.
    pub fn outcome(&self, cell: Cell) -> Result<Outcome, TableError> {
        let place = self.place(cell)?;
        let outcome = outcome_in(self.bits(place)?, self.header.tier);
        outcome.ok_or_else(|| self.damaged(place.number, Damage::Contradiction))
    }

    /// The two bits of a stored cell of the tier, whatever they mean: the first
    /// player wins, the first player holds.
    pub fn outcome_bits(&self, cell: Cell) -> Result<[bool; 2], TableError> {
        self.bits(self.place(cell)?)
    }

    fn place(&self, cell: Cell) -> Result<CellPlace, TableError> {
        let (tier, horizon) = (self.header.tier, self.header.horizon);
        if horizon.reaches(self.header.board, tier) {
            return Err(TableError::new(&self.path, Fault::NotStored { tier, horizon }));
        }
        let place = self.layout.place(cell);
        place.ok_or_else(|| TableError::new(&self.path, Fault::NoSuchCell { tier }))
    }

    fn bits(&self, place: CellPlace) -> Result<[bool; 2], TableError> {
        let CellPlace { number, shape, row, column } = place;
        with_block(
            (self.id, number),
            |workshop| self.decode(number, shape, self.entry(number)?, workshop),
            |bytes| {
                let row = &bytes[row * shape.row_words() * size_of::<u64>()..];
                [0, 1].map(|plane| {
                    let byte = row[plane * shape.width * size_of::<u64>() + column / 8];
                    byte >> (column % 8) & 1 == 1
                })
            },
        )
    }

    pub(super) fn entry(&self, number: BlockNumber) -> Result<Entry, TableError> {
        let mut entry = [0; ENTRY_BYTES];
        self.read(body_start(number.0), &mut entry)?;
        Ok(Entry::from_bytes(entry))
    }

    /// Reads, checks and decodes a block into `workshop.plain`.
    pub(super) fn decode(
        &self,
        number: BlockNumber,
        shape: BlockShape,
        entry: Entry,
        workshop: &mut Workshop,
    ) -> Result<(), TableError> {
        let Workshop { decoder, stored, plain } = workshop;
        let (Entry { offset, length, .. }, blocks) = (entry, body_start(self.header.blocks));
        let end = offset.checked_add(length.into());
        let inside = offset >= blocks && end.is_some_and(|end| end <= self.header.length);
        // Whatever the checksum says.
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
        decoder.decode(shape, stored, plain).map_err(|error| self.damaged(number, error.into()))
    }

    /// All of the block index.
    pub(super) fn index(&self) -> Result<Vec<u8>, TableError> {
        // No more than the file is long, which opening has seen to.
        let mut index = vec![0; self.header.blocks as usize * ENTRY_BYTES];
        self.read(HEADER_BYTES as u64, &mut index)?;
        Ok(index)
    }

    /// The digest of the table with this block index.
    pub(super) fn digest_with(&self, index: &[u8]) -> Digest {
        let mut hasher = Hasher::new();
        hasher.add(&self.header.to_bytes());
        hasher.add(index);
        hasher.digest()
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

    pub(super) fn damaged(&self, block: BlockNumber, damage: Damage) -> TableError {
        TableError::new(&self.path, Fault::Block { tier: self.header.tier, block, damage })
    }
}

fn open_file(folder: &Path, board: Board, tier: Tier) -> Result<(PathBuf, File), TableError> {
    let path = table_file(folder, tier);
    match File::open(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(TableError::new(&path, Fault::Missing { board, tier }))
        }
        file => Ok((path.clone(), file.of_file(&path, READ)?)),
    }
}
