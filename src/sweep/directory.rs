//! The directory of a file of piles: where the blocks of each lie.
//!
//! ```text
//!     pile     centre u32, the centre that it is for u32 or 2^32 - 1, tiles u32
//!     tile     left stones u8, left first u8, right stones u8, right first u8,
//!              columns u32, blocks u32
//!     block    start u64, length u32, checksum u32, lines u32
//!     …
//! ```

use std::collections::HashMap;

use crate::index::{Census, CentreId, Class, Tile};
use crate::little_endian::{long, word};

use super::panels::PANEL;
use super::pile::{Block, Pile, PileName, Place};

/// Means a pile of whole tiles.
const WHOLE: u32 = u32::MAX;

pub(super) fn to_bytes<'p>(piles: impl Iterator<Item = (PileName, &'p Pile)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (PileName { from, to }, pile) in piles {
        bytes.extend((from.index() as u32).to_le_bytes());
        bytes.extend(to.map_or(WHOLE, |to| to.index() as u32).to_le_bytes());
        bytes.extend((pile.tiles().len() as u32).to_le_bytes());
        for (lines, blocks) in pile.tiles() {
            bytes.extend(lines.key.to_le_bytes());
            bytes.extend(lines.columns.to_le_bytes());
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

/// The piles of a directory; `None` if they are not of this board, or blocks
/// end beyond `limit`.
pub(super) fn from_bytes(
    mut bytes: &[u8],
    census: &Census,
    limit: u64,
) -> Option<HashMap<PileName, Pile>> {
    let mut piles = HashMap::new();
    let centres: Vec<CentreId> = census.centres().collect();
    let centre = |number: u32| centres.get(number as usize).copied();
    let mut blocks = Vec::new();
    while !bytes.is_empty() {
        let head = bytes.split_off(..12)?;
        let from = centre(word(head, 0))?;
        let to = match word(head, 4) {
            WHOLE => None,
            number => Some(centre(number)?),
        };
        let mut pile = Pile::default();
        for _ in 0..word(head, 8) {
            let head = bytes.split_off(..12)?;
            let class = |at: usize| Class::new(head[at].into(), head[at + 1].into());
            let tile = Tile { centre: from, left: class(0)?, right: class(2)? };
            let (columns, count) = (word(head, 4), word(head, 8) as usize);
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
            pile.add(word(head, 0), columns, &blocks);
        }
        pile.sort();
        piles.insert(PileName { from, to }, pile);
    }
    Some(piles)
}
