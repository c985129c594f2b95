//! What solved centres hand on to centres with one stone less.
//!
//! A stone that player `p` drops in the centre leads from a tier with `p` to move to the next one.
//! So the centres with one stone less read every other tier of a centre, and only those are handed
//! on. A *handoff* is what one centre hands to one other, tile by tile, with the rows that its
//! reader has, in the reader's order. It has a single reader, which reads each block once:
//!
//! ```text
//!     solved tile                 handoff to one centre                          that centre
//!     ┌─────────┐                 ┌─────────┐
//!     │         │   rows picked   │ 0 … 511 │   block 0: those that we have of   ┌─────────┐
//!     │         │ ──────────────► ├─────────┤   the first 512 rows of the reader │         │
//!     │         │                 │ … 1023  │   block 1: of its next 512         │         │
//!     └─────────┘                 └─────────┘ ─────────────────────────────────► └─────────┘
//!
//!     write      rows are picked, packed and written; each handoff knows its destination
//!     frames     how lines are stored, those of many blocks together
//!     read       blocks are checked and unpacked, only as far as they are needed
//!     files      what batches hand on to each other, in memory or in files
//! ```
//!
//! A tile is found by its classes, which distinguish the tiles of a centre in a tier. The handoffs
//! of a batch to another one are stored together, in memory or in a [sealed](crate::files::sealed)
//! file with checksums, which ends with a directory:
//!
//! ```text
//!     handoff  centre u32, the centre that it is for u32 (2^32 - 1 if tiles are whole), tiles u32
//!     tile     left stones u8, left first u8, right stones u8, right first u8,
//!              columns u32, form u16 (0 plain, 1 packed, 2 compressed), planes u16, blocks u32
//!     block    start u64, length u32, checksum u32, lines u32
//!     …
//! ```
//!
//! The first block of a frame has its place; the others have none.

mod files;
mod frames;
mod read;
mod write;

pub(super) use files::{BatchPair, Handoffs, file_of_waiting_tiles, start_file};
pub(crate) use files::{clear, clear_unfinished, handoff_file, handoff_label, is_kept};
pub(super) use frames::Zstd;
#[cfg(fuzzing)]
pub(crate) use read::fuzz_handoffs;
pub(super) use read::{HandedTile, HandoffReader, Inputs, Store, Unpacker, inputs_of};
pub(super) use write::{Destinations, HandoffWriter, Packer, StoreWriter, Written};

use std::collections::HashMap;
use std::ops::Range;

use crate::files::{long, word};
use crate::index::{Census, CentreId, Class, Tile};

use crate::sweep::bits::{PANEL, PLANES};

/// Which handoff it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct HandoffId {
    /// The centre that hands on, as it is stored.
    pub from: CentreId,
    /// The centre that reads it; `None` if its tiles are whole, for the same centre in another
    /// sweep.
    pub to: Option<CentreId>,
}

/// Where the tiles of a handoff are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Handoff {
    /// Sorted by key, once all are there.
    tiles: Vec<TileLines>,
    blocks: Vec<Block>,
}

/// The lines of a tile in a handoff.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TileLines {
    /// The classes of the tile: [`key`].
    pub key: u32,
    pub stored: LineForm,
    /// Its first block among those of the handoff.
    first: u32,
    pub count: u32,
}

/// What the lines of a tile are, and how they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineForm {
    pub columns: u32,
    pub planes: u8,
    pub form: Form,
}

/// How lines are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// As they are.
    Plain,
    /// In frames of many blocks, with references to lines that repeat.
    Packed,
    /// The same, compressed.
    Compressed,
}

impl Form {
    const ALL: [Form; 3] = [Form::Plain, Form::Packed, Form::Compressed];
}

/// A block of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub lines: u32,
    pub place: Place,
}

/// The bytes of a block, in a file or in memory, where they need no checksum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub start: u64,
    pub len: u32,
    pub checksum: u32,
}

impl Place {
    /// No place.
    pub(super) const NONE: Place = Place { start: 0, len: 0, checksum: 0 };
}

/// The classes of a tile in a word.
pub(super) fn key(tile: Tile) -> u32 {
    let [left, right] =
        [tile.left, tile.right].map(|class| [class.stones() as u8, class.first_stones() as u8]);
    u32::from_le_bytes([left[0], left[1], right[0], right[1]])
}

/// The place where a piece in memory starts, given its number: pieces are shorter than 4 GiB.
pub(super) fn place_in_memory(piece: usize) -> u64 {
    (piece as u64) << 32
}

/// The number of the piece in memory that this place lies in, and the offset in it.
pub(super) fn piece_in_memory(start: u64) -> (usize, usize) {
    ((start >> 32) as usize, start as u32 as usize)
}

impl Handoff {
    /// Adds a tile.
    pub(super) fn add(&mut self, key: u32, stored: LineForm, blocks: &[Block]) {
        let (first, count) = (self.blocks.len() as u32, blocks.len() as u32);
        self.blocks.extend_from_slice(blocks);
        self.tiles.push(TileLines { key, stored, first, count });
    }

    /// The handoff, once all its tiles are there; the next one is built in the same memory.
    pub(super) fn take(&mut self) -> Handoff {
        self.tiles.sort_unstable_by_key(|tile| tile.key);
        let all = self.clone();
        self.tiles.clear();
        self.blocks.clear();
        all
    }

    /// A tile, if it is there.
    pub(super) fn tile(&self, key: u32) -> Option<(TileLines, &[Block])> {
        let place = self.tiles.binary_search_by_key(&key, |tile| tile.key).ok()?;
        let lines = self.tiles[place];
        Some((lines, self.blocks_of(lines)))
    }

    /// All tiles.
    pub(super) fn tiles(&self) -> impl ExactSizeIterator<Item = (TileLines, &[Block])> {
        self.tiles.iter().map(|lines| (*lines, self.blocks_of(*lines)))
    }

    fn blocks_of(&self, lines: TileLines) -> &[Block] {
        &self.blocks[lines.first as usize..][..lines.count as usize]
    }

    /// The same in a file, where the pieces in memory start at these places.
    pub(super) fn in_file(&self, pieces: &[Box<[u8]>], starts: &[u64]) -> Handoff {
        let in_file = |block: &Block| {
            let Place { start, len, .. } = block.place;
            if len == 0 {
                return Block { place: Place { start: 0, ..block.place }, ..*block };
            }
            let (piece, at) = piece_in_memory(start);
            let checksum = crc32fast::hash(&pieces[piece][at..][..len as usize]);
            Block { place: Place { start: starts[piece] + at as u64, len, checksum }, ..*block }
        };
        Handoff { tiles: self.tiles.clone(), blocks: self.blocks.iter().map(in_file).collect() }
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.tiles[..]) + size_of_val(&self.blocks[..])
    }

    /// Number of blocks.
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Moves the places of these blocks up: so far they were counted from this start.
    pub(super) fn move_blocks(&mut self, blocks: &[u32], start: u64) {
        blocks.iter().for_each(|block| self.blocks[*block as usize].place.start += start);
    }

    /// The bytes in which all blocks lie, if nothing else lies there.
    pub(super) fn span(&self) -> Option<Range<u64>> {
        let places = || self.blocks.iter().map(|block| block.place).filter(|place| place.len > 0);
        let start = places().map(|place| place.start).min()?;
        let end = places().map(|place| place.start + u64::from(place.len)).max()?;
        let sum: u64 = places().map(|place| u64::from(place.len)).sum();
        (end - start == sum).then_some(start..end)
    }
}

/// Means a handoff of whole tiles.
const WHOLE: u32 = u32::MAX;

pub(super) fn to_bytes<'p>(handoffs: impl Iterator<Item = (HandoffId, &'p Handoff)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (HandoffId { from, to }, handoff) in handoffs {
        bytes.extend((from.index() as u32).to_le_bytes());
        bytes.extend(to.map_or(WHOLE, |to| to.index() as u32).to_le_bytes());
        bytes.extend((handoff.tiles().len() as u32).to_le_bytes());
        for (lines, blocks) in handoff.tiles() {
            bytes.extend(lines.key.to_le_bytes());
            let LineForm { columns, planes, form } = lines.stored;
            bytes.extend(columns.to_le_bytes());
            bytes.extend((form as u16).to_le_bytes());
            bytes.extend(u16::from(planes).to_le_bytes());
            bytes.extend(lines.count.to_le_bytes());
            for Block { lines, place } in blocks {
                bytes.extend(place.start.to_le_bytes());
                bytes.extend(place.len.to_le_bytes());
                bytes.extend(place.checksum.to_le_bytes());
                bytes.extend(lines.to_le_bytes());
            }
        }
    }
    bytes
}

/// The handoffs of a directory; `None` if they are not of this board, or blocks
/// end beyond `limit`.
pub(super) fn from_bytes(
    mut bytes: &[u8],
    census: &Census,
    limit: u64,
) -> Option<HashMap<HandoffId, Handoff>> {
    let mut handoffs = HashMap::new();
    let centres: Vec<CentreId> = census.centres().collect();
    let centre = |number: u32| centres.get(number as usize).copied();
    let (mut handoff, mut blocks) = (Handoff::default(), Vec::new());
    while !bytes.is_empty() {
        let head = bytes.split_off(..12)?;
        let from = centre(word(head, 0))?;
        let to = match word(head, 4) {
            WHOLE => None,
            number => Some(centre(number)?),
        };
        for _ in 0..word(head, 8) {
            let head = bytes.split_off(..16)?;
            let class = |at: usize| Class::new(head[at].into(), head[at + 1].into());
            let tile = Tile { centre: from, left: class(0)?, right: class(2)? };
            let (columns, count) = (word(head, 4), word(head, 12) as usize);
            let [form, planes] = [word(head, 8) as u16, (word(head, 8) >> 16) as u16];
            let form = *Form::ALL.get(usize::from(form))?;
            let planes =
                u8::try_from(planes).ok().filter(|p| (1..=PLANES).contains(&(*p).into()))?;
            if columns as usize > census.tile_columns(tile) {
                return None;
            }
            blocks.clear();
            for _ in 0..count {
                let block = bytes.split_off(..20)?;
                let (start, len, checksum) = (long(block, 0), word(block, 8), word(block, 12));
                let lines = word(block, 16);
                if start.checked_add(len.into())? > limit || lines as usize > PANEL {
                    return None;
                }
                blocks.push(Block { lines, place: Place { start, len, checksum } });
            }
            handoff.add(word(head, 0), LineForm { columns, planes, form }, &blocks);
        }
        handoffs.insert(HandoffId { from, to }, handoff.take());
    }
    Some(handoffs)
}
