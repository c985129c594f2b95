//! How small tiles are kept in memory: line by line, as they are.
//!
//! In a small tile few lines repeat, so that packing would take longer than it saves.

use super::MatrixShape;
use super::panels::{PLANES, PanelTile, Panels};

/// Bytes of a tile from which on it is worth packing, as lines repeat.
pub(super) const LARGE_TILE: usize = 1 << 18;

/// Is a tile of which this many lines and columns are kept a small one?
pub(super) fn is_small(rows: usize, columns: usize) -> bool {
    Panels(MatrixShape { rows, columns }).words() * size_of::<u64>() < LARGE_TILE
}

/// The first columns of some rows of a tile, by their places: panel by panel.
pub(super) fn pick(
    tile: PanelTile,
    rows: impl Iterator<Item = u32> + Clone,
    columns: usize,
) -> Box<[u64]> {
    let panels = Panels(MatrixShape { rows: rows.clone().count(), columns });
    let mut picked = Vec::with_capacity(panels.words());
    for panel in 0..panels.count() {
        let from = (tile.panel(panel), tile.panels.width(panel));
        match panels.width(panel) {
            1 => pick_rows::<1>(from, rows.clone(), &mut picked),
            2 => pick_rows::<2>(from, rows.clone(), &mut picked),
            4 => pick_rows::<4>(from, rows.clone(), &mut picked),
            _ => pick_rows::<8>(from, rows.clone(), &mut picked),
        }
    }
    picked.into()
}

fn pick_rows<const N: usize>(
    (words, width): (&[u64], usize),
    rows: impl Iterator<Item = u32>,
    to: &mut Vec<u64>,
) {
    for row in rows {
        let row = &words[row as usize * PLANES * width..][..PLANES * width];
        row.chunks_exact(width).for_each(|plane| to.extend::<[u64; N]>(first_words(plane)));
    }
}

fn first_words<const N: usize>(words: &[u64]) -> [u64; N] {
    *words.first_chunk().expect("as many columns as are kept")
}

/// Puts the next panel of picked lines into the rows that are to get one, in order, and
/// takes it from the front; `rows` is their places among those of the panel. Nothing if
/// there are not as many lines.
pub(super) fn put_panel(
    lines: &mut &[u64],
    width: usize,
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    let lines = lines.split_off(..rows.len() * PLANES * width)?;
    match width {
        1 => put_rows::<{ PLANES }>(lines, rows, words),
        2 => put_rows::<{ 2 * PLANES }>(lines, rows, words),
        4 => put_rows::<{ 4 * PLANES }>(lines, rows, words),
        _ => put_rows::<{ 8 * PLANES }>(lines, rows, words),
    }
}

fn put_rows<const M: usize>(lines: &[u64], rows: &[u32], words: &mut [u64]) -> Option<()> {
    let words = words.as_chunks_mut::<M>().0;
    for (row, line) in rows.iter().zip(lines.as_chunks::<M>().0) {
        *words.get_mut(*row as usize)? = *line;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_picked_is_put_back(
            rows in 1usize..100, columns in 1usize..1300, less in 0usize..700, seed: u64,
        ) {
            let panels = Panels(MatrixShape { rows, columns });
            let words: Vec<u64> = (0..panels.words() as u64)
                .map(|word| (word ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let from = PanelTile { panels, words: &words };
            let kept = columns.saturating_sub(less).max(1);
            // Every other row, the last one first.
            let places: Vec<u32> = (0..rows as u32).rev().step_by(2).collect();
            let picked = pick(from, places.iter().copied(), kept);
            let to = Panels(MatrixShape { rows, columns: kept });
            let (mut lines, mut put) = (&picked[..], vec![0; to.words()]);
            for panel in 0..to.count() {
                let words = &mut put[to.words_of(panel)];
                let done = put_panel(&mut lines, to.width(panel), &places, words);
                proptest::prop_assert_eq!(done, Some(()));
            }
            proptest::prop_assert!(lines.is_empty());
            let put = PanelTile { panels: to, words: &put };
            for (row, column) in places.iter().flat_map(|r| (0..kept).map(move |c| (*r, c))) {
                let (row, column) = (row as usize, column);
                proptest::prop_assert_eq!(put.bits(row, column), from.bits(row, column));
            }
        }
    }
}
