//! What a sealed file belongs to.

use std::fmt::Display;
use std::path::Path;

use crate::board::{Board, Tier, TierRange};
use crate::files::{PROGRAM, PROGRAM_BYTES, word};

use super::error::{FileFault, WorkingFileError};

const MAGIC: [u8; 8] = *b"s4sealed";

/// The batches of a board, and how they pack what they hand on, belong to it.
const VERSION: u32 = 3;

/// Stands for a file that is not of a single tier.
const ALL_TIERS: u8 = 255;

/// Bytes of a label.
pub(super) const LABEL_BYTES: usize = 64;

/// The bytes of a label that its checksum covers.
const CHECKED: usize = LABEL_BYTES - 4;

/// Where the name of the program begins.
const PROGRAM_AT: usize = 24;

const _: () = assert!(PROGRAM_AT + PROGRAM_BYTES <= CHECKED);
const _: () = assert!(ALL_TIERS > Tier::LAST.0);

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// What a batch passes on to later ones.
    Passing = 1,
    /// A tier that another run starts from.
    Start = 2,
    /// What a batch produced: pieces of tables, and counts.
    Piece = 3,
    /// How many positions there are.
    Counts = 4,
}

/// The run that a file belongs to. Runs with the same label have the same files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunLabel {
    pub board: Board,
    pub tiers: TierRange,
    /// The ply at which games end.
    pub end: Tier,
    pub every_cell: bool,
    /// The outcome plane that it works on, by its number, unless it works on all.
    pub plane: Option<u8>,
}

/// The run and the part of it that a file belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label {
    pub kind: Kind,
    pub run: RunLabel,
    /// The tier, if the file is of a single one.
    pub tier: Option<Tier>,
    pub batch: usize,
}

impl Label {
    pub(super) fn to_bytes(self) -> [u8; LABEL_BYTES] {
        let RunLabel { board, tiers, end, every_cell, plane } = self.run;
        let mut bytes = [0; LABEL_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let tier = self.tier.map_or(ALL_TIERS, |tier| tier.0);
        let (width, height) = (board.width() as u8, board.height() as u8);
        let (first, last) = (tiers.first().0, tiers.last().0);
        let cells = u8::from(every_cell) + 2 * plane.map_or(0, |plane| 1 + plane);
        let small = [self.kind as u8, width, height, first, last, end.0, cells, tier];
        bytes[12..20].copy_from_slice(&small);
        bytes[20..24].copy_from_slice(&(self.batch as u32).to_le_bytes());
        bytes[PROGRAM_AT..][..PROGRAM.len()].copy_from_slice(PROGRAM.as_bytes());
        let checksum = crc32fast::hash(&bytes[..CHECKED]);
        bytes[CHECKED..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Refuses a label that differs from this one.
    pub(super) fn check(
        self,
        file: &Path,
        found: &[u8; LABEL_BYTES],
    ) -> Result<(), WorkingFileError> {
        let expected = self.to_bytes();
        if *found == expected {
            return Ok(());
        }
        if found[..8] != MAGIC {
            return Err(WorkingFileError::damaged(file, "it is not a working file of strong4"));
        }
        if found[CHECKED..] != crc32fast::hash(&found[..CHECKED]).to_le_bytes() {
            return Err(WorkingFileError::damaged(file, "the checksum of its label is wrong"));
        }
        let foreign = |what, expected: &dyn Display, found: &dyn Display| {
            let (expected, found) = (expected.to_string(), found.to_string());
            Err(WorkingFileError::new(file, FileFault::Foreign { what, expected, found }))
        };
        let board = |bytes: &[u8; LABEL_BYTES]| format!("{}x{}", bytes[13], bytes[14]);
        let tiers = |bytes: &[u8; LABEL_BYTES]| format!("{}..{}", bytes[15], bytes[16]);
        let program = |bytes: &[u8; LABEL_BYTES]| {
            String::from_utf8_lossy(&bytes[PROGRAM_AT..][..PROGRAM_BYTES])
                .trim_end_matches('\0')
                .to_owned()
        };
        let differs = |range: std::ops::Range<usize>| expected[range.clone()] != found[range];
        if differs(8..12) {
            foreign("a file of version", &word(&expected, 8), &word(found, 8))
        } else if differs(24..56) {
            foreign("a file made by", &program(&expected), &program(found))
        } else if differs(12..13) {
            foreign("a file of kind", &expected[12], &found[12])
        } else if differs(13..15) {
            foreign("a file of board", &board(&expected), &board(found))
        } else if differs(15..17) {
            foreign("a file of a run over tiers", &tiers(&expected), &tiers(found))
        } else if differs(17..18) {
            foreign("a file of games that end at ply", &expected[17], &found[17])
        } else if differs(18..19) {
            let cells = |byte| if byte == 1 { "every cell" } else { "some cells" };
            foreign("a file of a run that sweeps", &cells(expected[18]), &cells(found[18]))
        } else if differs(19..20) {
            foreign("a file of tier", &expected[19], &found[19])
        } else {
            foreign("a file of batch", &word(&expected, 20), &word(found, 20))
        }
    }
}
