//! The directory of a file of kept tiles: whose blocks lie where.
//!
//! ```text
//!     tile     centre u32, left stones u8, left first u8, right stones u8, right first u8,
//!              blocks u64
//!     block    start u64, length u32, checksum u32
//!     …
//!     end      "s4kept01", start of the directory u64, its checksum u64
//! ```

use std::collections::HashMap;

use crate::index::{Census, CentreId, Class, Tile};

use super::kept::{Block, Packed};

/// Bytes of the end.
pub(super) const END: usize = 24;

const MAGIC: [u8; 8] = *b"s4kept01";

/// The directory and the end, if they start there.
pub(super) fn to_bytes(tiles: &HashMap<Tile, Vec<Block>>, start: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (tile, blocks) in tiles {
        bytes.extend((tile.centre.index() as u32).to_le_bytes());
        for class in [tile.left, tile.right] {
            bytes.extend([class.stones() as u8, class.first_stones() as u8]);
        }
        bytes.extend((blocks.len() as u64).to_le_bytes());
        for block in blocks {
            let Block::File(packed) = block else { unreachable!("blocks in memory have no file") };
            bytes.extend(packed.start.to_le_bytes());
            bytes.extend(packed.len.to_le_bytes());
            bytes.extend(packed.checksum.to_le_bytes());
        }
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(MAGIC);
    bytes.extend(start.to_le_bytes());
    bytes.extend(u64::from(checksum).to_le_bytes());
    bytes
}

/// Where the directory starts, and its checksum.
pub(super) fn end(bytes: [u8; END]) -> Option<(u64, u32)> {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
    let checksum = u32::try_from(word(16)).ok()?;
    (bytes[..8] == MAGIC).then_some((word(8), checksum))
}

/// The tiles of a directory; `None` if they are not of this board, or blocks
/// lie behind `limit`.
pub(super) fn from_bytes(
    mut bytes: &[u8],
    census: &Census,
    limit: u64,
) -> Option<HashMap<Tile, Vec<Block>>> {
    let mut tiles = HashMap::new();
    while !bytes.is_empty() {
        let tile = bytes.split_off(..16)?;
        let centre = u32::from_le_bytes(tile[..4].try_into().expect("4 bytes"));
        let centre: CentreId = census.centres().nth(centre as usize)?;
        let class = |at: usize| Class::new(tile[at].into(), tile[at + 1].into());
        let tile_name = Tile { centre, left: class(4)?, right: class(6)? };
        let rows = census.tile_rows(tile_name);
        let count = u64::from_le_bytes(tile[8..].try_into().expect("8 bytes"));
        if count != rows.div_ceil(super::panels::PANEL) as u64 {
            return None;
        }
        let mut blocks = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let block = bytes.split_off(..16)?;
            let word = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("4"));
            let start = u64::from_le_bytes(block[..8].try_into().expect("8 bytes"));
            let (len, checksum) = (word(8), word(12));
            if start.checked_add(len.into())? > limit {
                return None;
            }
            blocks.push(Block::File(Packed { start, len, checksum }));
        }
        tiles.insert(tile_name, blocks);
    }
    Some(tiles)
}
