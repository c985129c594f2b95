//! How the lines of a tile are stored that wait for their reader: packed, or plain.
//!
//! **Packed**, a line that repeats an earlier one is named, not stored again. In a panel, two thirds of
//! the lines do, since most of what a side holds does not matter to the 512 states of the other. So
//! each line of a panel has two tokens, one for the cells that the first player wins and one for
//! drawn cells. They are numbers of distinct lines, of which the bytes are stored that are not 0:
//!
//! ```text
//!     tokens             for each line, wins and draws: the number of a distinct line u16
//!     distinct line      for each of its 1, 2, 4 or 8 words u8: bit i is set if byte i is not 0
//!                        these bytes, in order
//!     …
//! ```
//!
//! What waits long is compressed on top. That leaves half as much and takes several times as long.
//!
//! **Plain** lines are only picked, panel by panel. Few lines of a small tile repeat, and what waits
//! in memory is read soon, so small tiles in memory stay plain:
//!
//! ```text
//!     line 0   wins, draws or wins     line 1   wins, draws or wins     …
//! ```

use crate::sweep::bits::{PanelTile, Panels};

/// The most bytes that the packed lines of a panel take.
pub(super) fn most_bytes(panel: Panels) -> usize {
    let lines = panel.shape.rows * panel.planes;
    lines * (size_of::<u16>() + panel.width(0) * (1 + size_of::<u64>()))
}

/// Copies the first columns of some rows of a tile, given by their places. Returns the copy, which
/// begins the buffer.
pub(super) fn copy<'t>(
    tile: PanelTile,
    rows: impl Iterator<Item = u32> + Clone,
    columns: usize,
    to: &'t mut Vec<u8>,
) -> &'t [u8] {
    let panels = tile.panels.part(rows.clone().count(), columns);
    let bytes = panels.bytes();
    to.resize(to.len().max(bytes), 0);
    let mut rest = &mut to[..bytes];
    for panel in 0..panels.count() {
        let bytes = size_of::<u64>() * panels.words_of(panel).len();
        let to = rest.split_off_mut(..bytes).expect("room for all panels");
        let (from, rows) = ((tile.panel(panel), tile.panels.width(panel)), rows.clone());
        match panels.width(panel) {
            1 => copy_panel::<1>(panels.planes, from, rows, to),
            2 => copy_panel::<2>(panels.planes, from, rows, to),
            4 => copy_panel::<4>(panels.planes, from, rows, to),
            _ => copy_panel::<8>(panels.planes, from, rows, to),
        }
    }
    &to[..bytes]
}

fn copy_panel<const N: usize>(
    planes: usize,
    (from, width): (&[u64], usize),
    rows: impl Iterator<Item = u32>,
    to: &mut [u8],
) {
    let from = rows.flat_map(|row| {
        (0..planes).map(move |plane| &from[(planes * row as usize + plane) * width..])
    });
    for (to, from) in to.chunks_exact_mut(size_of::<[u64; N]>()).zip(from) {
        for (to, word) in to.as_chunks_mut::<8>().0.iter_mut().zip(&from[..N]) {
            *to = word.to_le_bytes();
        }
    }
}

/// Copies a panel with rows of this many words into the rows at these places, in order, and takes
/// its bytes from the front.
pub(super) fn put_back(row: usize, bytes: &mut &[u8], rows: &[u32], words: &mut [u64]) {
    let lines = bytes.split_off(..size_of::<u64>() * row * rows.len());
    let lines = lines.expect("as many lines as were copied");
    match row {
        1 => put_back_panel::<1>(lines, rows, words),
        2 => put_back_panel::<2>(lines, rows, words),
        4 => put_back_panel::<4>(lines, rows, words),
        8 => put_back_panel::<8>(lines, rows, words),
        _ => put_back_panel::<16>(lines, rows, words),
    }
}

fn put_back_panel<const M: usize>(lines: &[u8], rows: &[u32], words: &mut [u64]) {
    let lines = lines.chunks_exact(size_of::<[u64; M]>());
    for (line, row) in lines.zip(rows) {
        let to = &mut words[M * *row as usize..][..M];
        for (word, bytes) in to.iter_mut().zip(line.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sweep::bits::MatrixShape;

    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_copied_is_put_back(
            rows in 0usize..80, columns in 1usize..1300, less in 0usize..700,
            planes in 1usize..=2, seed: u64,
        ) {
            let panels = Panels { shape: MatrixShape { rows, columns }, planes };
            let mixed = |n: u64| (n ^ seed ^ n >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let words: Vec<u64> = (0..panels.words() as u64).map(mixed).collect();
            let from = PanelTile { panels, words: &words };
            // Every other row, and not all columns.
            let picked = (0..rows as u32).filter(|row| row % 2 == 0);
            let some = columns.saturating_sub(less).max(1);
            let to = panels.part(rows, some);
            let mut buffer = vec![0xa5; 1000];
            let mut bytes = copy(from, picked.clone(), some, &mut buffer);
            proptest::prop_assert_eq!(bytes.len(), panels.part(rows.div_ceil(2), some).bytes());
            let places: Vec<u32> = picked.collect();
            let mut back = vec![!0; to.words()];
            for panel in 0..to.count() {
                let words = &mut back[to.words_of(panel)];
                put_back(to.row(panel), &mut bytes, &places, words);
            }
            proptest::prop_assert!(bytes.is_empty());
            let back = PanelTile { panels: to, words: &back };
            for (row, column) in (0..rows).flat_map(|r| (0..some).map(move |c| (r, c))) {
                for plane in 0..planes {
                    let expected = row % 2 == 1 || from.bit(plane, row, column);
                    proptest::prop_assert_eq!(back.bit(plane, row, column), expected);
                }
            }
        }
    }
}
