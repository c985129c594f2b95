//! Sealed files: pieces of a run that name the run they belong to, and prove that they are whole.
//!
//! ```text
//!     label        64 bytes: its board, tiers and batch, and the program that made it
//!     body         whatever the owner puts there, with checksums of its own
//!     directory    what is where in the body
//!     seal         32 bytes: where the directory is, and its checksum
//! ```
//!
//! All numbers are little-endian. The label, at 0:
//!
//! ```text
//!     at  0   8  "s4sealed"
//!         8   4  version, 1
//!      12   1  kind: 1 what a batch passes on, 2 a tier to start from, 3 a piece of tables,
//!             4 counts
//!        13   2  width and height of the board
//!        15   2  first and last tier of the run
//!        17   1  the ply at which its games end
//!        18   1  1 if it sweeps every cell, else 0
//!      19   1  its tier, 255 if it is of all
//!      20   4  the number of the batch
//!      24  32  the program that made it, padded with zeros
//!        56   4  zeros
//!        60   4  CRC-32 of the 60 bytes before
//! ```
//!
//! The seal, at the end:
//!
//! ```text
//!     at  0   8  "s4 seal\n"
//!         8   8  where the directory starts
//!        16   8  length of the directory
//!        24   4  CRC-32 of the directory
//!        28   4  CRC-32 of the label and of the 28 bytes before
//! ```
//!
//! A file gets its real name only once it is sealed and synced, so an unsound one was damaged
//! later. A file under a temporary name means nothing.

mod error;
mod label;
mod read;
mod write;

pub use error::{FileFault, WorkingFileError};
pub(crate) use error::{OfWorkingFile, READ, WRITE};
pub(crate) use label::{Kind, Label, RunLabel};
pub(crate) use read::Sealed;
pub(crate) use write::Unsealed;
