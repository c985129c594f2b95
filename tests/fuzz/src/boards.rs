//! Boards that bytes can choose from.

use std::sync::LazyLock;

use strong4::board::Board;
use strong4::inside::index::Census;

/// For targets without tables: the standard board, and the widest, tallest and fullest.
const ALL: [&str; 9] = ["7x6", "1x1", "32x1", "1x63", "8x7", "2x31", "9x2", "4x3", "10x5"];

/// For tables: small boards of each kind. Sides of 7x4 are wider than a panel.
static SMALL: LazyLock<Vec<Census>> = LazyLock::new(|| {
    let boards = ["4x4", "4x3", "3x3", "5x3", "5x4", "2x5", "2x3", "7x4"];
    boards.map(|board| Census::new(board.parse().unwrap()).unwrap()).into()
});

/// Takes a board from the first byte, and returns the others.
pub fn take(bytes: &[u8]) -> Option<(Board, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    Some((ALL[usize::from(*first) % ALL.len()].parse().unwrap(), rest))
}

/// The small board of this size, or else the first one.
pub fn small(size: [u8; 2]) -> &'static Census {
    let is_it = |census: &&Census| {
        let board = census.board();
        [board.width(), board.height()] == size.map(usize::from)
    };
    SMALL.iter().find(is_it).unwrap_or(&SMALL[0])
}
