//! Why bytes are no header.

use super::raw_header::{FORMAT_VERSION, MAGIC};
use crate::board::BoardError;

/// Why bytes are no header.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderFault {
    /// Another kind of file.
    #[error("this is no table: expected it to begin with {MAGIC:02x?}, found {found:02x?}")]
    Magic {
        /// The first bytes.
        found: [u8; 8],
    },
    /// A later or an earlier format.
    #[error(
        "expected format version {FORMAT_VERSION}, found {found}: use the strong4 that wrote it"
    )]
    Version {
        /// The version.
        found: u32,
    },
    /// Damaged.
    #[error("the header is damaged: expected checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// What the header says.
        expected: u32,
        /// What its bytes come to.
        found: u32,
    },
    /// No board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A value that this version does not write.
    #[error("the header is not sound: expected {field} to be {expected}, found {found}")]
    Field {
        /// What the value says.
        field: &'static str,
        /// What it can be.
        expected: u64,
        /// What it is.
        found: u64,
    },
    /// Text or padding that is none.
    #[error("the header is not sound: {field} has bytes that do not belong there")]
    Bytes {
        /// Where.
        field: &'static str,
    },
}
