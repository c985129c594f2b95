//! Kept lines as they are: for small tiles that wait in memory.
//!
//! Few lines of a small tile repeat, and what waits in memory is read soon. So these are not
//! [packed](super::repeats) but only picked, panel by panel:
//!
//! ```text
//!     line 0   wins, draws or wins     line 1   wins, draws or wins     …
//! ```

use super::MatrixShape;
use super::panels::{PLANES, PanelTile, Panels};

/// The fewest bytes of lines that are packed in memory, too.
const WORTH_PACKING: usize = 1 << 16;

/// Do lines lie plainly in memory if they are this many, with this many columns?
pub(super) fn serves(lines: usize, columns: usize) -> bool {
    bytes_of(lines, columns) < WORTH_PACKING
}

fn bytes_of(lines: usize, columns: usize) -> usize {
    size_of::<u64>() * Panels(MatrixShape { rows: lines, columns }).words()
}

/// Copies the first columns of some rows of a tile, given by their places. Returns the copy, which
/// begins the buffer.
pub(super) fn copy<'t>(
    tile: PanelTile,
    rows: impl Iterator<Item = u32> + Clone,
    columns: usize,
    to: &'t mut Vec<u8>,
) -> &'t [u8] {
    let panels = Panels(MatrixShape { rows: rows.clone().count(), columns });
    let bytes = bytes_of(panels.0.rows, columns);
    to.resize(to.len().max(bytes), 0);
    let mut rest = &mut to[..bytes];
    for panel in 0..panels.count() {
        let bytes = size_of::<u64>() * panels.words_of(panel).len();
        let to = rest.split_off_mut(..bytes).expect("room for all panels");
        let (from, rows) = ((tile.panel(panel), tile.panels.width(panel)), rows.clone());
        match panels.width(panel) {
            1 => copy_panel::<1>(from, rows, to),
            2 => copy_panel::<2>(from, rows, to),
            4 => copy_panel::<4>(from, rows, to),
            _ => copy_panel::<8>(from, rows, to),
        }
    }
    &to[..bytes]
}

fn copy_panel<const N: usize>(
    (from, width): (&[u64], usize),
    rows: impl Iterator<Item = u32>,
    to: &mut [u8],
) {
    let planes = to.chunks_exact_mut(size_of::<[u64; N]>());
    let from = rows.flat_map(|row| {
        (0..PLANES).map(move |plane| &from[(PLANES * row as usize + plane) * width..])
    });
    for (to, from) in planes.zip(from) {
        to.copy_from_slice(bytemuck::cast_slice(&from[..N]));
    }
}

/// Copies a panel into the rows at these places, in order, and takes its bytes from the front.
pub(super) fn put_back(width: usize, bytes: &mut &[u8], rows: &[u32], words: &mut [u64]) {
    let lines = bytes.split_off(..PLANES * size_of::<u64>() * width * rows.len());
    let lines = lines.expect("as many lines as were copied");
    match width {
        1 => put_back_panel::<1>(lines, rows, words),
        2 => put_back_panel::<2>(lines, rows, words),
        4 => put_back_panel::<4>(lines, rows, words),
        _ => put_back_panel::<8>(lines, rows, words),
    }
}

fn put_back_panel<const N: usize>(lines: &[u8], rows: &[u32], words: &mut [u64]) {
    let lines = lines.chunks_exact(PLANES * size_of::<[u64; N]>());
    for (line, row) in lines.zip(rows) {
        let to = &mut words[PLANES * N * *row as usize..][..PLANES * N];
        bytemuck::cast_slice_mut(to).copy_from_slice(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_copied_is_put_back(
            rows in 0usize..80, columns in 1usize..1300, less in 0usize..700, seed: u64,
        ) {
            let panels = Panels(MatrixShape { rows, columns });
            let mixed = |n: u64| (n ^ seed ^ n >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let words: Vec<u64> = (0..panels.words() as u64).map(mixed).collect();
            let from = PanelTile { panels, words: &words };
            // Every other row, and not all columns.
            let picked = (0..rows as u32).filter(|row| row % 2 == 0);
            let kept = columns.saturating_sub(less).max(1);
            let to = Panels(MatrixShape { rows, columns: kept });
            let mut buffer = vec![0xa5; 1000];
            let mut bytes = copy(from, picked.clone(), kept, &mut buffer);
            proptest::prop_assert_eq!(bytes.len(), bytes_of(rows.div_ceil(2), kept));
            let places: Vec<u32> = picked.collect();
            let mut back = vec![!0; to.words()];
            for panel in 0..to.count() {
                let words = &mut back[to.words_of(panel)];
                put_back(to.width(panel), &mut bytes, &places, words);
            }
            proptest::prop_assert!(bytes.is_empty());
            let back = PanelTile { panels: to, words: &back };
            for (row, column) in (0..rows).flat_map(|r| (0..kept).map(move |c| (r, c))) {
                let expected = if row % 2 == 0 { from.bits(row, column) } else { [true; 2] };
                proptest::prop_assert_eq!(back.bits(row, column), expected);
            }
        }
    }
}
