//! Why bytes are not a header.

use super::raw_header::{FORMAT_VERSION, MAGIC};
use crate::board::BoardError;

/// Why bytes are not a header.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderFault {
    /// A file of another kind.
    #[error("this is not a table: expected it to begin with {MAGIC:02x?}, found {found:02x?}")]
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
