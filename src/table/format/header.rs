//! The header says what a table is a table of.
//!
//! Its first 512 bytes are a [`RawHeader`]; one that is consistent becomes a [`Header`].

use crate::board::{Board, Tier};
use crate::files::PROGRAM;

use super::block::BlockNumber;
use super::block_index::ENTRY_BYTES;
use super::content::{BLOCK_COLUMNS, Content};
use super::directory::TILE_BYTES;
use super::error::{Fault, HeaderFault};
use super::layout::{Horizon, Layout};
use super::raw_header::{
    CODEC, FORM_OF_OUTCOMES, FORM_OF_SCORES, FORMAT_VERSION, HEADER_BYTES, INDEX_SCHEME, MAGIC,
    MAGIC_OF_A_PART, PERSPECTIVE, RawHeader,
};
use super::summary::{Digest, TierCounts};

/// Whether a file is whole, or still being written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// An unfinished part: counts, checksums and length are not known yet.
    Part,
    /// A table.
    Table,
}

/// The header of a table, known to be consistent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Whether the table is whole.
    pub stage: Stage,
    /// The board.
    pub board: Board,
    /// The tier.
    pub tier: Tier,
    /// How near the end of the game positions are searched instead of looked up.
    pub horizon: Horizon,
    /// What the table holds for a cell.
    pub content: Content,
    /// Number of tiles in its directory, which tables of outcomes do not have.
    pub tiles: u32,
    /// Number of blocks.
    pub blocks: u64,
    /// Bytes of the file.
    pub length: u64,
    /// How the positions of the tier end.
    pub counts: TierCounts,
    /// CRC-32 of the bytes before the block index, which tables of outcomes do not have.
    pub prelude_checksum: u32,
    /// CRC-32 of the block index.
    pub index_checksum: u32,
    /// The digest of the table of the next tier, from which this one was computed.
    pub next: Option<Digest>,
    /// The program that wrote the table.
    pub program: String,
}

impl TryFrom<&RawHeader> for Header {
    type Error = HeaderFault;

    fn try_from(raw: &RawHeader) -> Result<Header, HeaderFault> {
        let stage = match raw.magic {
            MAGIC => Stage::Table,
            MAGIC_OF_A_PART => Stage::Part,
            found => return Err(HeaderFault::Magic { found }),
        };
        if raw.version != FORMAT_VERSION {
            return Err(HeaderFault::Version { found: raw.version });
        }
        if raw.checksum != raw.computed {
            let (expected, found) = (raw.checksum, raw.computed);
            return Err(HeaderFault::Checksum { expected, found });
        }
        let board = Board::new(raw.board[0].into(), raw.board[1].into())?;
        let tier = Tier(raw.tier);
        let [index_scheme, perspective, codec, form] = raw.scheme;
        let content = match form {
            FORM_OF_SCORES => Content::Scores,
            _ => Content::Outcomes { cut: (raw.cut > 0).then_some(Tier(raw.cut)) },
        };
        let known_form = if content == Content::Scores { FORM_OF_SCORES } else { FORM_OF_OUTCOMES };
        for (name, expected, found) in [
            ("the index scheme", INDEX_SCHEME, index_scheme),
            ("the perspective", PERSPECTIVE, perspective),
            ("the codec", CODEC, codec),
            ("the form", known_form, form),
            ("the tier", raw.tier.min(board.cells() as u8), raw.tier),
            ("the ply after which games are cut off", cut_within(raw, content, board), raw.cut),
        ] {
            expect(name, expected.into(), found.into())?;
        }
        expect("the rows of a block", content.block_rows() as u64, raw.block[0].into())?;
        expect("the columns of a block", BLOCK_COLUMNS as u64, raw.block[1].into())?;
        if content != Content::Scores {
            expect("the number of tiles", 0, raw.tiles.into())?;
            expect("the checksum of the directory", 0, raw.prelude_checksum.into())?;
        }
        let index = HEADER_BYTES as u64 + prelude_bytes(board, tier, content, raw.tiles);
        expect("the offset of the block index", index, raw.index)?;
        let most = (u64::MAX - index) / ENTRY_BYTES as u64;
        expect("the number of blocks", raw.blocks.min(most), raw.blocks)?;
        let shortest = index + raw.blocks * ENTRY_BYTES as u64;
        if stage == Stage::Table {
            expect("the length of the file", raw.length.max(shortest), raw.length)?;
        }
        let [won, drawn, lost, terminal] = raw.counts;
        let counts = TierCounts { won, drawn, lost, terminal };
        if counts.checked_total().is_none() {
            return Err(HeaderFault::Bytes { field: "the number of positions" });
        }
        let text = raw.program.split(|byte| *byte == 0).next().unwrap_or(&[]);
        let printable = text.iter().all(|byte| (0x20..0x7f).contains(byte));
        if !printable || raw.program[text.len()..].iter().any(|byte| *byte != 0) {
            return Err(HeaderFault::Bytes { field: "the name of the program" });
        }
        if !raw.clean {
            return Err(HeaderFault::Bytes { field: "the space between the fields" });
        }
        Ok(Header {
            stage,
            board,
            tier,
            horizon: Horizon(raw.horizon),
            content,
            tiles: raw.tiles,
            blocks: raw.blocks,
            length: raw.length,
            counts,
            prelude_checksum: raw.prelude_checksum,
            index_checksum: raw.index_checksum,
            next: (raw.next != [0; 32]).then_some(Digest(raw.next)),
            program: String::from_utf8_lossy(text).into_owned(),
        })
    }
}

/// The ply after which games are cut off, if the table holds outcomes and the ply comes after the
/// tier and before the full board; otherwise 0.
fn cut_within(raw: &RawHeader, content: Content, board: Board) -> u8 {
    let is_within =
        content != Content::Scores && raw.tier < raw.cut && usize::from(raw.cut) < board.cells();
    if is_within { raw.cut } else { 0 }
}

fn expect(field: &'static str, expected: u64, found: u64) -> Result<(), HeaderFault> {
    if found == expected { Ok(()) } else { Err(HeaderFault::Field { field, expected, found }) }
}

fn same(what: &'static str, expected: u64, found: u64) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { Err(Fault::OtherTable { what, expected, found }) }
}

/// Bytes between the header and the block index. In a table of scores they hold the number of
/// positions that are over in 0, 1, 2 … plies, and the directory of its tiles.
fn prelude_bytes(board: Board, tier: Tier, content: Content, tiles: u32) -> u64 {
    match content {
        Content::Outcomes { .. } => 0,
        Content::Scores => {
            let plies = (board.cells() - tier.stones() + 1) as u64;
            plies * size_of::<u64>() as u64 + u64::from(tiles) * TILE_BYTES as u64
        }
    }
}

/// Bytes of a table before its blocks, given its tiles and blocks.
pub(crate) fn bytes_before_blocks(
    board: Board,
    tier: Tier,
    content: Content,
    [tiles, blocks]: [u64; 2],
) -> u64 {
    let prelude = prelude_bytes(board, tier, content, u32::try_from(tiles).unwrap_or(u32::MAX));
    HEADER_BYTES as u64 + prelude + ENTRY_BYTES as u64 * blocks
}

impl Header {
    /// The header of a table that nothing has been written to.
    pub(in crate::table) fn of_part(layout: &Layout) -> Header {
        Header {
            stage: Stage::Part,
            board: layout.board(),
            tier: layout.tier(),
            horizon: layout.horizon(),
            content: layout.content(),
            tiles: match layout.content() {
                Content::Outcomes { .. } => 0,
                Content::Scores => layout.tiles().len() as u32,
            },
            blocks: layout.blocks(),
            length: 0,
            counts: TierCounts::default(),
            prelude_checksum: 0,
            index_checksum: 0,
            next: None,
            program: PROGRAM.to_owned(),
        }
    }

    /// Refuses the header of a table, or of a part, with another layout.
    pub(in crate::table) fn check(&self, layout: &Layout) -> Result<(), Fault> {
        self.check_tier(layout.board(), layout.tier(), layout.content())?;
        same("horizon", layout.horizon().0.into(), self.horizon.0.into())?;
        same("number of blocks", layout.blocks(), self.blocks)
    }

    /// Refuses the header of a table, or of a part, of another tier or content.
    pub(in crate::table) fn check_tier(
        &self,
        board: Board,
        tier: Tier,
        content: Content,
    ) -> Result<(), Fault> {
        if self.board != board {
            return Err(Fault::OtherBoard { expected: board, found: self.board });
        }
        same("tier", tier.0.into(), self.tier.0.into())?;
        let end = |cut: Option<Tier>| cut.unwrap_or(board.last_tier()).0.into();
        match (content, self.content) {
            (Content::Outcomes { cut }, Content::Outcomes { cut: found }) => {
                same("end of games", end(cut), end(found))
            }
            (Content::Scores, Content::Scores) => Ok(()),
            (expected, found) => Err(Fault::OtherContent { expected, found }),
        }
    }

    /// Where the block index starts: after the header and the prelude.
    pub(in crate::table) fn index_start(&self) -> u64 {
        HEADER_BYTES as u64 + prelude_bytes(self.board, self.tier, self.content, self.tiles)
    }

    /// Where the blocks start: after the block index.
    pub(in crate::table) fn body_start(&self) -> u64 {
        self.entry_start(BlockNumber(self.blocks))
    }

    /// Where the entry of a block starts.
    pub(in crate::table) fn entry_start(&self, number: BlockNumber) -> u64 {
        self.index_start() + number.0 * ENTRY_BYTES as u64
    }

    /// The header in these bytes.
    pub fn parse(bytes: &[u8; HEADER_BYTES]) -> Result<Header, HeaderFault> {
        Header::try_from(&RawHeader::from_bytes(bytes))
    }

    /// The bytes of the header.
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put = |at: usize, field: &[u8]| bytes[at..][..field.len()].copy_from_slice(field);
        put(
            0,
            match self.stage {
                Stage::Table => &MAGIC,
                Stage::Part => &MAGIC_OF_A_PART,
            },
        );
        put(8, &FORMAT_VERSION.to_le_bytes());
        put(12, &[self.board.width() as u8, self.board.height() as u8, self.tier.0]);
        let (form, cut) = match self.content {
            Content::Outcomes { cut } => (FORM_OF_OUTCOMES, cut.map_or(0, |ply| ply.0)),
            Content::Scores => (FORM_OF_SCORES, 0),
        };
        put(15, &[INDEX_SCHEME, PERSPECTIVE, CODEC, form, self.horizon.0]);
        put(20, &(self.content.block_rows() as u32).to_le_bytes());
        put(24, &(BLOCK_COLUMNS as u32).to_le_bytes());
        put(28, &[cut]);
        let TierCounts { won, drawn, lost, terminal } = self.counts;
        let index = self.index_start();
        let numbers = [self.blocks, index, self.length, won, drawn, lost, terminal];
        for (at, number) in (32..).step_by(8).zip(numbers) {
            put(at, &number.to_le_bytes());
        }
        put(88, &self.index_checksum.to_le_bytes());
        put(92, &self.tiles.to_le_bytes());
        put(96, &self.next.map_or([0; 32], |digest| digest.0));
        put(128, self.program.as_bytes());
        put(160, &self.prelude_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..508]);
        bytes[508..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            stage: Stage::Table,
            board: Board::STANDARD,
            tier: Tier(8),
            horizon: Horizon(9),
            content: Content::OUTCOMES,
            tiles: 0,
            blocks: 333,
            length: 512 + 16 * 333 + 7,
            counts: TierCounts { won: 1, drawn: 2, lost: 3, terminal: 4 },
            prelude_checksum: 0,
            index_checksum: 5,
            next: Some(Digest([6; 32])),
            program: PROGRAM.to_owned(),
        }
    }

    /// The fault of a header with these bytes at a place, its checksum corrected.
    fn fault(at: usize, put: &[u8]) -> String {
        let mut bytes = header().to_bytes();
        bytes[at..][..put.len()].copy_from_slice(put);
        let checksum = crc32fast::hash(&bytes[..508]);
        bytes[508..].copy_from_slice(&checksum.to_le_bytes());
        Header::parse(&bytes).unwrap_err().to_string()
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        let part = Header { stage: Stage::Part, next: None, length: 0, ..header() };
        let cut_off = Header { content: Content::Outcomes { cut: Some(Tier(9)) }, ..header() };
        let length = 512 + 8 * 35 + 24 * 10 + 16 * 333;
        let content = Content::Scores;
        let scores = Header { content, tiles: 10, length, prelude_checksum: 7, ..header() };
        assert_eq!(scores.body_start(), length);
        for header in [header(), part, cut_off, scores] {
            assert_eq!(Header::parse(&header.to_bytes()), Ok(header));
        }
    }

    #[test]
    fn no_bit_of_a_header_can_change_unnoticed() {
        let bytes = header().to_bytes();
        for bit in 0..8 * HEADER_BYTES {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::parse(&damaged).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn headers_that_make_no_sense_say_why() {
        for (at, put, reason) in [
            (
                0,
                &b"PK\x03\x04"[..],
                "this is not a table: expected it to begin with [89, 53, 34, 54",
            ),
            (8, &[2], "expected format version 1, found 2"),
            (12, &[10], "a board of 10x6 does not fit"),
            (14, &[43], "expected the tier to be 42, found 43"),
            (28, &[8], "expected the ply after which games are cut off to be 0, found 8"),
            (28, &[42], "expected the ply after which games are cut off to be 0, found 42"),
            (15, &[0], "expected the index scheme to be 1, found 0"),
            (17, &[7], "expected the codec to be 1, found 7"),
            (20, &[1], "expected the rows of a block to be 256, found 257"),
            (18, &[3], "expected the form to be 1, found 3"),
            (18, &[2], "expected the rows of a block to be 64, found 256"),
            (40, &[1], "expected the offset of the block index to be 512, found 513"),
            (92, &[1], "expected the number of tiles to be 0, found 1"),
            (160, &[1], "expected the checksum of the directory to be 0, found 1"),
            (32, &[0xff; 8], "expected the number of blocks to be"),
            (48, &[0; 8], "expected the length of the file to be 5840, found 0"),
            (56, &[0xff; 8], "the number of positions"),
            (150, b"x", "the name of the program has bytes that do not belong there"),
            (130, b"\n", "the name of the program"),
            (300, &[1], "the space between the fields"),
        ] {
            let error = fault(at, put);
            assert!(error.contains(reason), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_a_header_or_refused(
            bytes in proptest::collection::vec(0u8.., HEADER_BYTES), from in 0usize..160,
        ) {
            let mut header = header().to_bytes();
            header[from..160].copy_from_slice(&bytes[from..160]);
            let checksum = crc32fast::hash(&header[..508]);
            header[508..].copy_from_slice(&checksum.to_le_bytes());
            let _ = Header::parse(&header);
            let _ = Header::parse(bytes.as_slice().try_into().unwrap());
        }
    }
}
