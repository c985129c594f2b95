//! What can be wrong with the files of tables: which file, what was expected, and what was found.

use std::io;
use std::path::{Path, PathBuf};

use crate::board::{Board, BoardError, Tier};
use crate::files::NotAFile;

use super::content::Content;
use super::layout::Horizon;
use super::raw_header::{FORMAT_VERSION, MAGIC};
use super::summary::Digest;

/// Something is wrong with a file, or with a folder.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .file.display())]
pub struct TableError {
    /// The file or the folder.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a file of a table, or with its folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Reading or writing failed.
    #[error("cannot {doing}: {error}")]
    Io {
        /// What was attempted: "read".
        doing: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// No space.
    #[error("the disk is full")]
    DiskFull,
    /// More than a file may hold.
    #[error("this file may not grow any further")]
    TooLarge,
    /// Something else than a file.
    #[error("expected a file, found {found}")]
    NotAFile {
        /// What was found: "a folder".
        found: &'static str,
    },
    /// No permission to write.
    #[error("cannot write here: {error}")]
    ReadOnly {
        /// What the system said.
        error: io::Error,
    },
    /// Another process holds the lock.
    #[error("another strong4 is at work in this folder")]
    InUse,
    /// No such folder.
    #[error("there is no such folder")]
    NoFolder,
    /// No such table.
    #[error(
        "there is no table of {}tier {tier} of {board}",
        if *.content == Content::Scores { "scores of " } else { "" }
    )]
    Missing {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
        /// What the table should hold.
        content: Content,
    },
    /// A header that is inconsistent.
    #[error(transparent)]
    Header(#[from] HeaderFault),
    /// An unfinished part under the name of a table.
    #[error("expected a table, found an unfinished part of one")]
    Unfinished,
    /// A table of another board.
    #[error("expected a table of {expected}, found one of {found}")]
    OtherBoard {
        /// The board asked for.
        expected: Board,
        /// The board of the table.
        found: Board,
    },
    /// A table of another tier, or with a different horizon or number of blocks.
    #[error("expected a table with {what} {expected}, found {found}")]
    OtherTable {
        /// What differs.
        what: &'static str,
        /// What it should be.
        expected: u64,
        /// What it is.
        found: u64,
    },
    /// A table of outcomes instead of scores, or the other way round.
    #[error("expected a table of {}, found one of {}", name(*.expected), name(*.found))]
    OtherContent {
        /// What the table should hold.
        expected: Content,
        /// What it holds.
        found: Content,
    },
    /// The part of a table of scores before its block index is damaged.
    #[error("the directory of tier {tier} is damaged: {what}")]
    Directory {
        /// The tier.
        tier: Tier,
        /// What is wrong with it.
        what: String,
    },
    /// A file that is too short, or too long.
    #[error("expected {expected} bytes, found {found}: {}", cut(*.expected, *.found))]
    Length {
        /// Bytes that the file should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// A block, or its entry in the index, is damaged.
    #[error("block {block} of tier {tier} is damaged: {damage}")]
    Block {
        /// The tier.
        tier: Tier,
        /// The block.
        block: u64,
        /// What is wrong with it.
        damage: Damage,
    },
    /// More damaged blocks than are reported one by one.
    #[error("{more} more blocks of tier {tier} are damaged")]
    MoreBlocks {
        /// The tier.
        tier: Tier,
        /// How many.
        more: u64,
    },
    /// The block index is damaged.
    #[error(
        "the block index of tier {tier} is damaged: expected checksum {expected:08x}, found \
         {found:08x}"
    )]
    Index {
        /// The tier.
        tier: Tier,
        /// What the header says.
        expected: u32,
        /// The checksum of the index.
        found: u32,
    },
    /// The table of the next tier is not the one that this table was computed from.
    #[error(
        "tier {tier} was made from a table of tier {} with digest {}, but that one has {}",
        .tier.next_unchecked(), in_words(*.expected), in_words(*.found)
    )]
    Chain {
        /// The tier.
        tier: Tier,
        /// The digest that the table gives.
        expected: Option<Digest>,
        /// The digest of the next table.
        found: Option<Digest>,
    },
    /// Positions that are not in the table.
    #[error("tier {tier} is within {} moves of the end, which is searched and not stored", .horizon.0)]
    NotStored {
        /// The tier.
        tier: Tier,
        /// The horizon of the tables.
        horizon: Horizon,
    },
    /// A cell of another tier.
    #[error("this is the table of tier {tier}, but the cell is in none of its tiles")]
    NoSuchCell {
        /// The tier of the table.
        tier: Tier,
    },
    /// A table of scores that contradicts the one of outcomes.
    #[error(
        "tier {tier} disagrees with its outcomes: {what} is {expected} there, and {found} here"
    )]
    OtherOutcomes {
        /// The tier.
        tier: Tier,
        /// What differs.
        what: &'static str,
        /// The value according to the outcomes.
        expected: String,
        /// The value according to the scores.
        found: String,
    },
    /// An unfinished table that has gone: on a file system without locks, or one that hides them
    /// from other machines, two processes do not see each other.
    #[error("another process has removed the unfinished table")]
    Removed,
    /// A disk that cannot be trusted.
    #[error("what was read back is not what was written")]
    NotAsWritten,
    /// Blocks are missing, or there are too many.
    #[error("tier {tier} is not complete: {what}")]
    Incomplete {
        /// The tier.
        tier: Tier,
        /// What is missing.
        what: String,
    },
    /// There are tables, but no manifest.
    #[error("there is no manifest")]
    NoManifest,
    /// The manifest is invalid.
    #[error("not a manifest: {reason}")]
    Manifest {
        /// What is wrong with it.
        reason: String,
    },
    /// A table that is not in the manifest.
    #[error("{MANIFEST} does not list this table of tier {tier}")]
    NotListed {
        /// The tier.
        tier: Tier,
    },
    /// A manifest that disagrees with a table.
    #[error(
        "tier {tier} disagrees with {}: {what} is {expected} there, and {found} here",
        MANIFEST
    )]
    Disagrees {
        /// The tier.
        tier: Tier,
        /// What differs.
        what: &'static str,
        /// What the manifest says.
        expected: String,
        /// What the table says.
        found: String,
    },
}

/// Why bytes are not a header.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// A file of another kind.
    #[error("this is not a table: expected it to begin with {MAGIC:02x?}, found {found:02x?}")]
    Magic {
        /// The first bytes.
        found: [u8; 8],
    },
    /// A later or an earlier format.
    #[error("expected format version {FORMAT_VERSION}, found {found}")]
    Version {
        /// The version.
        found: u32,
    },
    /// The header is damaged.
    #[error("the header is damaged: expected checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// What the header says.
        expected: u32,
        /// The checksum of its bytes.
        found: u32,
    },
    /// There is no such board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A value that this version does not write.
    #[error("the header is not sound: expected {field} to be {expected}, found {found}")]
    Field {
        /// The name of the value.
        field: &'static str,
        /// What it can be.
        expected: u64,
        /// What it is.
        found: u64,
    },
    /// Text or padding is invalid.
    #[error("the header is not sound: {field} has bytes that do not belong there")]
    Bytes {
        /// Where.
        field: &'static str,
    },
}

/// What is wrong with a block.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// Its entry points to a place that cannot hold a block.
    #[error("its place, {length} bytes at offset {offset}, cannot hold a block")]
    Place {
        /// Where it should start.
        offset: u64,
        /// Its length.
        length: u32,
    },
    /// The checksum is wrong.
    #[error("its checksum is wrong")]
    Checksum,
    /// The checksum is right, but it is not what zstd writes, or too much of it.
    #[error("not a block of {expected} bytes packed by zstd: {reason}")]
    Packed {
        /// Bytes of the block.
        expected: usize,
        /// The reason that zstd gives.
        reason: String,
    },
    /// Unpacked, but too short.
    #[error("expected a block of {expected} bytes, found only {found}")]
    Short {
        /// Bytes of the block.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// Bits are set that belong to no column.
    #[error("bits after its last column are set")]
    Padding,
    /// The first player wins, but does not even hold.
    #[error("a cell in it is won and lost at once")]
    Contradiction,
    /// The table of outcomes says something else.
    #[error("a cell in it contradicts the table of outcomes")]
    OtherOutcomes,
    /// A player wins a game that is cut off sooner, but not this one.
    #[error("a cell in it is not won here, although it is in games that are cut off sooner")]
    NotNested,
    /// A ply that cannot end a game that goes on from the tier.
    #[error("a cell in it is won with ply {ply}")]
    Ply {
        /// The ply.
        ply: u8,
    },
}

pub(crate) const MANIFEST: &str = "manifest.json";

fn cut(expected: u64, found: u64) -> &'static str {
    if found < expected { "it was cut off" } else { "there is more than there should be" }
}

fn name(content: Content) -> &'static str {
    match content {
        Content::Outcomes { .. } => "outcomes",
        Content::Scores => "scores",
    }
}

fn in_words(digest: Option<Digest>) -> String {
    digest.map_or("none".to_owned(), |digest| digest.to_string())
}

impl Fault {
    /// Whether the content of the files is wrong, as opposed to reading or writing them.
    pub fn is_in_the_files(&self) -> bool {
        let elsewhere = matches!(
            self,
            Fault::Io { .. }
                | Fault::DiskFull
                | Fault::TooLarge
                | Fault::ReadOnly { .. }
                | Fault::InUse
                | Fault::NoFolder
                | Fault::Removed
        );
        !elsewhere
    }
}

impl TableError {
    /// A fault of this file.
    pub(crate) fn new(file: &Path, fault: impl Into<Fault>) -> TableError {
        TableError { file: file.to_owned(), fault: fault.into() }
    }

    /// An error of the system while doing something with a file, by kind.
    pub(in crate::table) fn io(file: &Path, doing: &'static str, error: io::Error) -> TableError {
        if let Some(NotAFile { found }) = NotAFile::said_by(&error) {
            return TableError::new(file, Fault::NotAFile { found });
        }
        let fault = match error.kind() {
            io::ErrorKind::FileTooLarge => Fault::TooLarge,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Fault::DiskFull,
            io::ErrorKind::ReadOnlyFilesystem => Fault::ReadOnly { error },
            io::ErrorKind::PermissionDenied if doing != READ => Fault::ReadOnly { error },
            _ => Fault::Io { doing, error },
        };
        TableError::new(file, fault)
    }
}

pub(in crate::table) const READ: &str = "read";
pub(in crate::table) const WRITE: &str = "write";

/// Adds the name of the file to an error.
pub(in crate::table) trait OfFile<T> {
    fn of_file(self, file: &Path, doing: &'static str) -> Result<T, TableError>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn of_file(self, file: &Path, doing: &'static str) -> Result<T, TableError> {
        self.map_err(|error| TableError::io(file, doing, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let written = io::Write::write_all(&mut &full, b"a table");
        let error = written.of_file(Path::new("tier-04.s4t"), WRITE).unwrap_err();
        assert!(matches!(error.fault, Fault::DiskFull), "{error}");
        assert_eq!(error.to_string(), "tier-04.s4t: the disk is full");
    }
}
