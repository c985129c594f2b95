//! What can be wrong with files of tables: which file, what was expected, what
//! was found, and what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::board::{Board, Tier};

use super::codec::DecodeError;
use super::header_fault::HeaderFault;
use super::{BlockNumber, Content, Digest, Horizon};

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
pub enum Fault {
    /// Reading or writing failed.
    #[error("cannot {doing}: {error}")]
    Io {
        /// What was tried: "read".
        doing: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// No room.
    #[error(
        "the disk is full: free some space and give the same command again, what was finished is \
         kept"
    )]
    DiskFull,
    /// No permission to write.
    #[error("cannot write here: {error}; choose another folder")]
    ReadOnly {
        /// What the system says.
        error: io::Error,
    },
    /// Another process holds the lock.
    #[error("another strong4 is at work in this folder: wait for it, or choose another folder")]
    InUse,
    /// No such folder.
    #[error(
        "there is no such folder: 'strong4 solve' makes tables, and --tables names their folder"
    )]
    NoFolder,
    /// No such table.
    #[error(
        "there is no table of tier {tier} of {board}: 'strong4 solve --board {board}' makes it"
    )]
    Missing {
        /// The board.
        board: Board,
        /// The tier.
        tier: Tier,
    },
    /// A header that makes no sense.
    #[error("{0}; {AGAIN}")]
    Header(#[from] HeaderFault),
    /// An unfinished part under the name of a table.
    #[error("expected a table, found an unfinished part of one; {AGAIN}")]
    Unfinished,
    /// A table of another board.
    #[error("expected a table of {expected}, found one of {found}: try --board {found}")]
    OtherBoard {
        /// The board asked for.
        expected: Board,
        /// The board of the table.
        found: Board,
    },
    /// A table of another tier, or with a different horizon or number of blocks.
    #[error("expected a table with {what} {expected}, found {found}; {AGAIN}")]
    OtherTable {
        /// What is different.
        what: &'static str,
        /// What it should be.
        expected: u64,
        /// What it is.
        found: u64,
    },
    /// A table of outcomes where scores are expected, or the other way round.
    #[error("expected a table of {}, found one of {}; {AGAIN}", told(*.expected), told(*.found))]
    OtherContent {
        /// What the table should tell.
        expected: Content,
        /// What it tells.
        found: Content,
    },
    /// What a table of scores has before its block index is damaged.
    #[error("the directory of tier {tier} is damaged: {what}; {AGAIN}")]
    Directory {
        /// The tier.
        tier: Tier,
        /// What is wrong with it.
        what: String,
    },
    /// A file that is too short, or too long.
    #[error("expected {expected} bytes, found {found}: {}; {AGAIN}", cut(*.expected, *.found))]
    Length {
        /// Bytes that the file should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// A block, or its entry in the index, is damaged.
    #[error("block {} of tier {tier} is damaged: {damage}; {AGAIN}", .block.0)]
    Block {
        /// The tier.
        tier: Tier,
        /// The block.
        block: BlockNumber,
        /// What is wrong with it.
        damage: Damage,
    },
    /// More damaged blocks of a table than are worth a line each.
    #[error("{more} more blocks of tier {tier} are damaged; {AGAIN}")]
    MoreBlocks {
        /// The tier.
        tier: Tier,
        /// How many.
        more: u64,
    },
    /// The block index is damaged.
    #[error(
        "the block index of tier {tier} is damaged: expected checksum {expected:08x}, found \
         {found:08x}; {AGAIN}"
    )]
    Index {
        /// The tier.
        tier: Tier,
        /// What the header says.
        expected: u32,
        /// What the index comes to.
        found: u32,
    },
    /// The table of the next tier is not the one that this table was found from.
    #[error(
        "tier {tier} was found from a table of tier {} with digest {}, but that one has {}; {AGAIN}",
        .tier.next(), in_words(*.expected), in_words(*.found)
    )]
    Chain {
        /// The tier.
        tier: Tier,
        /// What the table says.
        expected: Option<Digest>,
        /// The digest of the next table.
        found: Option<Digest>,
    },
    /// Positions that are not in the table.
    #[error("tier {tier} is within {} moves of the end, which is searched and not stored", .horizon.0)]
    NotStored {
        /// The tier.
        tier: Tier,
        /// So many empty cells are searched.
        horizon: Horizon,
    },
    /// A cell of another tier.
    #[error("this is the table of tier {tier}, and the cell is in none of its tiles")]
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
        /// What is different.
        what: &'static str,
        /// What the outcomes come to.
        expected: String,
        /// What the scores come to.
        found: String,
    },
    /// A disk that cannot be trusted.
    #[error("what was read back is not what was written: check the disk, and solve again")]
    NotAsWritten,
    /// Blocks that are missing, or more than there should be.
    #[error("tier {tier} is not complete: {what}")]
    Incomplete {
        /// The tier.
        tier: Tier,
        /// What is missing.
        what: String,
    },
    /// No manifest beside tables.
    #[error("there is no manifest: solve again, which makes one from the tables")]
    NoManifest,
    /// A manifest that is none.
    #[error("not a manifest: {reason}; {AGAIN}")]
    Manifest {
        /// What is wrong with it.
        reason: String,
    },
    /// A table that the manifest does not know of.
    #[error("{MANIFEST} does not tell of this table of tier {tier}: solve again")]
    NotListed {
        /// The tier.
        tier: Tier,
    },
    /// A manifest that says other things than a table.
    #[error(
        "tier {tier} disagrees with {}: {what} is {expected} there, and {found} here",
        MANIFEST
    )]
    Disagrees {
        /// The tier.
        tier: Tier,
        /// What is different.
        what: &'static str,
        /// What the manifest says.
        expected: String,
        /// What the table says.
        found: String,
    },
}

/// What is wrong with a block.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Damage {
    /// Its entry points to where no block can be.
    #[error("its place, {length} bytes from {offset} on, is not one of a block")]
    Place {
        /// Where it should start.
        offset: u64,
        /// Its length.
        length: u32,
    },
    /// The checksum is another.
    #[error("its checksum is wrong")]
    Checksum,
    /// The checksum is right, but zstd cannot unpack it.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// There are no columns that these bits could be of.
    #[error("bits behind its last column are set")]
    Padding,
    /// The first player wins, and does not even hold.
    #[error("a cell in it is won and lost at once")]
    Contradiction,
    /// The table of outcomes tells something else.
    #[error("a cell in it ends otherwise than the table of outcomes says")]
    OtherOutcomes,
    /// Somebody wins a game that ends sooner, and not this one.
    #[error("a cell in it is not won here, but in games that are cut off sooner")]
    NotNested,
    /// A ply with which no game ends that goes on from the tier.
    #[error("a cell in it is won with ply {ply}")]
    Ply {
        /// The ply.
        ply: u8,
    },
}

/// What to do about a file that is damaged.
const AGAIN: &str = "remove it and solve again";

pub(crate) const MANIFEST: &str = "manifest.json";

fn cut(expected: u64, found: u64) -> &'static str {
    if found < expected { "it was cut off" } else { "there is more than there should be" }
}

fn told(content: Content) -> &'static str {
    match content {
        Content::Outcomes { .. } => "outcomes",
        Content::Scores => "scores",
    }
}

fn in_words(digest: Option<Digest>) -> String {
    digest.map_or("none".to_owned(), |digest| digest.to_string())
}

impl Fault {
    /// Is something wrong with what the files hold, and not with reading or writing them?
    pub fn is_in_the_files(&self) -> bool {
        let elsewhere = matches!(
            self,
            Fault::Io { .. }
                | Fault::DiskFull
                | Fault::ReadOnly { .. }
                | Fault::InUse
                | Fault::NoFolder
        );
        !elsewhere
    }
}

impl TableError {
    /// This is wrong with this file.
    pub(super) fn new(file: &Path, fault: impl Into<Fault>) -> TableError {
        TableError { file: file.to_owned(), fault: fault.into() }
    }

    /// What went wrong while doing something with a file, by kind.
    pub(super) fn io(file: &Path, doing: &'static str, error: io::Error) -> TableError {
        let fault = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Fault::DiskFull,
            io::ErrorKind::ReadOnlyFilesystem => Fault::ReadOnly { error },
            io::ErrorKind::PermissionDenied if doing != READ => Fault::ReadOnly { error },
            _ => Fault::Io { doing, error },
        };
        TableError::new(file, fault)
    }
}

pub(super) const READ: &str = "read";
pub(super) const WRITE: &str = "write";

/// Names a file in what went wrong with it.
pub(super) trait OfFile<T> {
    fn of_file(self, file: &Path, doing: &'static str) -> Result<T, TableError>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn of_file(self, file: &Path, doing: &'static str) -> Result<T, TableError> {
        self.map_err(|error| TableError::io(file, doing, error))
    }
}
