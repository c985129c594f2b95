//! How the lines of a block are stored: packed, or plain.
//!
//! **Packed**, a line that repeats an earlier one is named, not stored again. In a panel, half of
//! the lines do, since most of what a side holds does not matter to the 512 states of the other. So
//! each line of a panel has two tokens, one for the cells that the first player wins and one for
//! drawn cells; and each line that is new has its words that are not 0:
//!
//! ```text
//!     tokens     for each line, wins and draws: u16
//!                0 … 1023       the same as the new line with this number
//!                0xff00 + m     new; bit i of m is set if word i is not 0
//!     words      of the new lines: u64 each
//! ```
//!
//! A general codec packs this twice as tightly, but takes five times as long: as long as all the
//! rest of the sweep.
//!
//! **Plain** lines are only picked, panel by panel. Few lines of a small tile repeat, and what waits
//! in memory is read soon, so small blocks in memory stay plain:
//!
//! ```text
//!     line 0   wins, draws or wins     line 1   wins, draws or wins     …
//! ```

use crate::cpu::Cpu;
use crate::sweep::bits::{PanelTile, Panels};
use crate::sweep::kernels::pack_lines;

/// The most bytes that packed words take, with room for a word that is written but does not
/// count.
pub(super) fn most_bytes(panels: Panels) -> usize {
    (panels.words() + 1) * size_of::<u64>()
        + panels.count() * panels.shape.rows * panels.planes * size_of::<u16>()
}

/// Packs the first columns of some rows of a tile, at most 512 rows, given by their places. Returns
/// the packed bytes, which begin the buffer.
pub(super) fn pack<'t>(
    cpu: Cpu,
    tile: PanelTile,
    rows: impl Iterator<Item = u32> + Clone,
    columns: usize,
    to: &'t mut Vec<u8>,
) -> &'t [u8] {
    let panels = tile.panels.part(rows.clone().count(), columns);
    to.resize(to.len().max(most_bytes(panels)), 0);
    let mut at = 0;
    for panel in 0..panels.count() {
        let from = (tile.panel(panel), tile.panels.width(panel));
        let (rows, to) = (rows.clone(), &mut to[at..]);
        at += pack_lines(cpu, [panels.planes, panels.width(panel)], from, rows, to);
    }
    &to[..at]
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
    use crate::random::SplitMix64;
    use crate::sweep::bits::{MatrixShape, PANEL};
    use crate::sweep::kernels::unpack_lines;

    use super::*;

    /// A tile with some repeated lines, and with zeros.
    fn tile(panels: Panels, seed: u64, repeats: u64) -> Vec<u64> {
        let mut random = SplitMix64(seed);
        let mut next = || random.word();
        let mut words = vec![0; panels.words()];
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            let mut lines: Vec<Vec<u64>> = vec![vec![0; width]];
            for line in words[panels.words_of(panel)].chunks_exact_mut(width) {
                if next() % 8 < repeats {
                    line.copy_from_slice(&lines[next() as usize % lines.len()]);
                } else {
                    line.iter_mut().for_each(|word| *word = next() * (next() >> 7 & 1));
                    lines.push(line.to_vec());
                }
            }
        }
        words
    }

    /// Unpacks all panels into these rows.
    fn unpack(
        cpu: Cpu,
        panels: Panels,
        mut bytes: &[u8],
        rows: &[u32],
        words: &mut [u64],
    ) -> Option<()> {
        for panel in 0..panels.count() {
            let words = &mut words[panels.words_of(panel)];
            unpack_lines(cpu, [panels.planes, panels.width(panel)], &mut bytes, rows, words)?;
        }
        bytes.is_empty().then_some(())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_packed_is_unpacked(
            rows in 0usize..=PANEL, columns in 1usize..1300, less in 0usize..700,
            planes in 1usize..=2, seed: u64,
            repeats in 0u64..=8,
        ) {
            let panels = Panels { shape: MatrixShape { rows, columns }, planes };
            let words = tile(panels, seed, repeats);
            let from = PanelTile { panels, words: &words };
            // Every other row, and not all columns.
            let picked = (0..rows as u32).filter(|row| row % 2 == 0);
            let some = columns.saturating_sub(less).max(1);
            let to = panels.part(rows, some);
            let places: Vec<u32> = picked.clone().collect();
            let [mut buffer, mut same] = [Vec::new(), Vec::new()];
            let bytes = pack(Cpu::widest(), from, picked.clone(), some, &mut buffer);
            let mut unpacked = Vec::new();
            for cpu in Cpu::all() {
                same.fill(0xa5);
                let same = pack(cpu, from, picked.clone(), some, &mut same);
                proptest::prop_assert!(same == bytes, "{}", cpu.form());
                unpacked = vec![!0; to.words()];
                let done = unpack(cpu, to, bytes, &places, &mut unpacked);
                proptest::prop_assert_eq!(done, Some(()));
            }
            let unpacked = PanelTile { panels: to, words: &unpacked };
            for (row, column) in (0..rows).flat_map(|r| (0..some).map(move |c| (r, c))) {
                for plane in 0..planes {
                    let expected = row % 2 == 1 || from.bit(plane, row, column);
                    proptest::prop_assert_eq!(unpacked.bit(plane, row, column), expected);
                }
            }
        }

        #[test]
        fn no_bytes_whatsoever_make_it_panic(
            rows in 0usize..=PANEL, columns in 1usize..1300, planes in 1usize..=2, seed: u64,
            at: usize, cut: usize,
        ) {
            let panels = Panels { shape: MatrixShape { rows, columns }, planes };
            let mut words = tile(panels, seed, 4);
            let places: Vec<u32> = (0..rows as u32).collect();
            let (cpu, from) = (Cpu::widest(), PanelTile { panels, words: &words });
            let mut bytes = pack(cpu, from, 0..rows as u32, columns, &mut Vec::new()).to_vec();
            if !bytes.is_empty() {
                let at = at % bytes.len();
                bytes[at] ^= (seed >> 56) as u8 | 1;
                let _ = unpack(cpu, panels, &bytes, &places, &mut words);
                bytes.truncate(cut % bytes.len());
                let _ = unpack(cpu, panels, &bytes, &places, &mut words);
            }
        }
    }

    #[test]
    fn repeats_take_two_bytes() {
        let panels = Panels::of_both(MatrixShape { rows: PANEL, columns: PANEL });
        let words = vec![0x0123_4567_89ab_cdef; panels.words()];
        let (cpu, from) = (Cpu::widest(), PanelTile { panels, words: &words });
        let mut bytes = pack(cpu, from, 0..PANEL as u32, PANEL, &mut Vec::new()).to_vec();
        // One line of wins, and one of draws, which is all zeros.
        assert_eq!(bytes.len(), PANEL * 2 * 2 + PANEL / 64 * 8);
        let mut unpacked = words.clone();
        let places: Vec<u32> = (0..PANEL as u32).collect();
        // A line that does not exist yet.
        bytes[0..2].copy_from_slice(&7u16.to_le_bytes());
        assert_eq!(unpack(cpu, panels, &bytes, &places, &mut unpacked), None);
    }

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
