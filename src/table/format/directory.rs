//! The directory of a table of scores lists its tiles, so that a reader finds the block of a cell
//! without counting the rows of the whole board.
//!
//! ```text
//!     at  0   4  number of the centre
//!         4   2  stones of the left side, and the first player's among them
//!         6   2  the same for the right side
//!         8   8  number of the first block
//!        16   4  rows of the tile
//!        20   4  columns of the tile
//! ```
//!
//! One entry per stored tile, in order; none within the horizon.

use crate::board::{Board, Tier};
use crate::files::{long, word};
use crate::index::{CentreId, Class, Tile};

use super::block::BlockNumber;
use super::layout::{Horizon, Layout};

/// Bytes of an entry.
pub(super) const TILE_BYTES: usize = 24;

/// The entries of all tiles.
pub(in crate::table) fn to_bytes(layout: &Layout) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(layout.tiles().len() * TILE_BYTES);
    for (tile, blocks) in layout.tiles() {
        bytes.extend((tile.centre.index() as u32).to_le_bytes());
        for class in [tile.left, tile.right] {
            bytes.extend([class.stones() as u8, class.first_stones() as u8]);
        }
        bytes.extend(blocks.first().0.to_le_bytes());
        bytes.extend(blocks.rows().to_le_bytes());
        bytes.extend(blocks.columns().to_le_bytes());
    }
    bytes
}

/// The layout of a table with these entries; `None` if they are inconsistent.
pub(in crate::table) fn layout(
    board: Board,
    tier: Tier,
    horizon: Horizon,
    bytes: &[u8],
) -> Option<Layout> {
    let (entries, []) = bytes.as_chunks::<TILE_BYTES>() else { return None };
    let tiles: Option<Vec<_>> = entries.iter().map(entry).collect();
    Layout::of_tiles(board, tier, horizon, tiles?.into_iter())
}

fn entry(bytes: &[u8; TILE_BYTES]) -> Option<(Tile, BlockNumber, [u32; 2])> {
    let class = |at: usize| Class::new(bytes[at].into(), bytes[at + 1].into());
    let tile = Tile { centre: CentreId::new(word(bytes, 0)), left: class(4)?, right: class(6)? };
    Some((tile, BlockNumber(long(bytes, 8)), [word(bytes, 16), word(bytes, 20)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Census;
    use crate::table::Content;

    #[test]
    fn layouts_are_read_as_they_are_written() {
        for board in ["5x4", "4x4", "1x6"] {
            let census = Census::new(board.parse().unwrap()).unwrap();
            for tier in census.tiers() {
                let horizon = Horizon(3);
                let written = Layout::with(&census, tier, horizon, Content::Scores);
                let bytes = to_bytes(&written);
                let read = layout(census.board(), tier, horizon, &bytes).unwrap();
                assert_eq!(read.blocks(), written.blocks());
                assert!(read.tiles().eq(written.tiles()));
            }
        }
    }

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        let census = Census::new("5x4".parse().unwrap()).unwrap();
        let (board, tier, horizon) = (census.board(), Tier(6), Horizon(0));
        let bytes = to_bytes(&Layout::with(&census, tier, horizon, Content::Scores));
        let refused = |bytes: &[u8]| layout(board, tier, horizon, bytes).is_none();
        assert!(!refused(&bytes));
        assert!(refused(&bytes[1..]) && refused(&bytes[TILE_BYTES..]));
        // More stones of one player than stones, another first block, no rows, no columns.
        for (at, byte) in [(5, 255), (8, 1), (16, 0), (20, 0)] {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            bytes[at + 1..at + 2].fill(0);
            assert!(refused(&bytes), "byte {at}");
        }
    }
}
