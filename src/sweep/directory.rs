//! The directory of a file of kept tiles: whose blocks lie where.
//!
//! ```text
//!     tile     centre u32, left stones u8, left first u8, right stones u8, right first u8,
//!              the centre that it is handed on to u32 or 2^32 - 1, columns u32, blocks u64
//!     block    start u64, length u32, checksum u32, lines u32
//!     …
//! ```

use std::collections::HashMap;

use crate::index::{Census, CentreId, Class, Tile};

use super::panels::PANEL;

/// What is kept: a tile, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Name {
    pub tile: Tile,
    /// The centre that it is handed on to; none if all of it is kept.
    pub to: Option<CentreId>,
}

/// The lines of a tile that are kept.
#[derive(Debug)]
pub(super) struct KeptLines {
    pub columns: u32,
    pub blocks: Vec<Block>,
}

/// A block of lines.
#[derive(Debug)]
pub(super) struct Block {
    pub lines: u32,
    pub bytes: Bytes,
}

/// What is kept of a block.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Its lines as they are.
    Lines(Box<[u64]>),
    /// Packed bytes.
    Memory(Box<[u8]>),
    /// Packed bytes in a file.
    File(Place),
}

/// Bytes in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub start: u64,
    pub len: u32,
    pub checksum: u32,
}

/// Stands for a tile that is kept whole.
const WHOLE: u32 = u32::MAX;

pub(super) fn to_bytes(tiles: &HashMap<Name, KeptLines>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (Name { tile, to }, KeptLines { columns, blocks }) in tiles {
        bytes.extend((tile.centre.index() as u32).to_le_bytes());
        for class in [tile.left, tile.right] {
            bytes.extend([class.stones() as u8, class.first_stones() as u8]);
        }
        bytes.extend(to.map_or(WHOLE, |to| to.index() as u32).to_le_bytes());
        bytes.extend(columns.to_le_bytes());
        bytes.extend((blocks.len() as u64).to_le_bytes());
        for block in blocks {
            let Bytes::File(place) = block.bytes else {
                unreachable!("blocks in memory have no file")
            };
            bytes.extend(place.start.to_le_bytes());
            bytes.extend(place.len.to_le_bytes());
            bytes.extend(place.checksum.to_le_bytes());
            bytes.extend(block.lines.to_le_bytes());
        }
    }
    bytes
}

/// The tiles of a directory; `None` if they are not of this board, or blocks
/// lie behind `limit`.
pub(super) fn from_bytes(
    mut bytes: &[u8],
    census: &Census,
    limit: u64,
) -> Option<HashMap<Name, KeptLines>> {
    let mut tiles = HashMap::new();
    // No more lines than the largest class has states.
    let most_blocks = census.largest_class().div_ceil(PANEL) as u64;
    let centres: Vec<CentreId> = census.centres().collect();
    let centre = |number: u32| centres.get(number as usize).copied();
    while !bytes.is_empty() {
        let head = bytes.split_off(..24)?;
        let class = |at: usize| Class::new(head[at].into(), head[at + 1].into());
        let tile = Tile { centre: centre(word(head, 0))?, left: class(4)?, right: class(6)? };
        let to = match word(head, 8) {
            WHOLE => None,
            number => Some(centre(number)?),
        };
        let columns = word(head, 12);
        let count = long(head, 16);
        if count > most_blocks || columns as usize > census.tile_columns(tile) {
            return None;
        }
        let mut blocks = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let block = bytes.split_off(..20)?;
            let (start, len, checksum) = (long(block, 0), word(block, 8), word(block, 12));
            let lines = word(block, 16);
            if start.checked_add(len.into())? > limit || lines as usize > PANEL {
                return None;
            }
            blocks.push(Block { lines, bytes: Bytes::File(Place { start, len, checksum }) });
        }
        tiles.insert(Name { tile, to }, KeptLines { columns, blocks });
    }
    Some(tiles)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}
