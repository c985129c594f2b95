//! The first 512 bytes of a table, which say what it is a table of.
//!
//! All numbers are little-endian, and everything that is not listed is 0.
//!
//! ```text
//!     at  size
//!      0     8  magic: 89 "S4T" 0D 0A 1A 0A; of an unfinished part 89 "S4P" …
//!      8     4  version of the format: 1
//!     12     1  columns of the board
//!     13     1  rows of the board
//!     14     1  tier
//!     15     1  index scheme: 1, the tight tier hash
//!     16     1  perspective: 1, the planes are first wins and first holds
//!     17     1  codec: 1, zstd
//!     18     1  form: 1, outcomes of quiet positions; 2, their scores
//!     19     1  horizon: no blocks if at most this many cells are empty
//!     20     4  rows of a block: 256; of scores 64
//!     24     4  columns of a block: 512
//!     28     1  the ply after which games are cut off; 0 if they go on to the full board
//!     32     8  number of blocks
//!     40     8  offset of the block index: 512; of scores more
//!     48     8  length of the file
//!     56     8  live positions that the mover wins
//!     64     8  live positions that nobody wins
//!     72     8  live positions that the mover loses
//!     80     8  terminal positions
//!     88     4  CRC-32 of the block index
//!     92     4  of scores, number of tiles in the directory
//!     96    32  digest of the table of the next tier; 0 for the last tier
//!    128    32  name and version of the program that wrote it, in ASCII
//!    160     4  of scores, CRC-32 of the bytes between header and block index
//!    508     4  CRC-32 of bytes 0 to 507
//! ```

use crate::files::{PROGRAM_BYTES, long, word};

/// Bytes of a header.
pub const HEADER_BYTES: usize = 512;

/// The version of the format that is written and read here.
pub const FORMAT_VERSION: u32 = 1;

pub(in crate::table) const MAGIC: [u8; 8] = *b"\x89S4T\r\n\x1a\n";
pub(super) const MAGIC_OF_A_PART: [u8; 8] = *b"\x89S4P\r\n\x1a\n";

pub(super) const INDEX_SCHEME: u8 = 1;
pub(super) const PERSPECTIVE: u8 = 1;
pub(super) const CODEC: u8 = 1;
pub(super) const FORM_OF_OUTCOMES: u8 = 1;
pub(super) const FORM_OF_SCORES: u8 = 2;

/// The numbers of a header, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawHeader {
    pub(super) magic: [u8; 8],
    pub(super) version: u32,
    pub(super) board: [u8; 2],
    pub(super) tier: u8,
    /// Index scheme, perspective, codec, form.
    pub(super) scheme: [u8; 4],
    pub(super) horizon: u8,
    pub(super) block: [u32; 2],
    pub(super) cut: u8,
    pub(super) blocks: u64,
    pub(super) index: u64,
    pub(super) length: u64,
    pub(super) counts: [u64; 4],
    pub(super) index_checksum: u32,
    pub(super) tiles: u32,
    pub(super) next: [u8; 32],
    pub(super) program: [u8; PROGRAM_BYTES],
    pub(super) prelude_checksum: u32,
    pub(super) checksum: u32,
    /// The checksum of the bytes; the next field says whether all other bytes are 0.
    pub(super) computed: u32,
    pub(super) clean: bool,
}

/// A number or bytes of fixed length at a fixed place.
fn field<const N: usize>(bytes: &[u8; HEADER_BYTES], at: usize) -> [u8; N] {
    std::array::from_fn(|byte| bytes[at + byte])
}

impl RawHeader {
    /// The numbers in these bytes.
    pub(crate) fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> RawHeader {
        RawHeader {
            magic: field(bytes, 0),
            version: word(bytes, 8),
            board: field(bytes, 12),
            tier: bytes[14],
            scheme: field(bytes, 15),
            horizon: bytes[19],
            block: [word(bytes, 20), word(bytes, 24)],
            cut: bytes[28],
            blocks: long(bytes, 32),
            index: long(bytes, 40),
            length: long(bytes, 48),
            counts: [56, 64, 72, 80].map(|at| long(bytes, at)),
            index_checksum: word(bytes, 88),
            tiles: word(bytes, 92),
            next: field(bytes, 96),
            program: field(bytes, 128),
            prelude_checksum: word(bytes, 160),
            checksum: word(bytes, 508),
            computed: crc32fast::hash(&bytes[..508]),
            clean: [29..32, 164..508].iter().all(|gap| bytes[gap.clone()].iter().all(|b| *b == 0)),
        }
    }
}
