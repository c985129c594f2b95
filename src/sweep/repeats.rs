//! How kept lines are packed: a line that has been there before is named, not repeated.
//!
//! In a panel half of the lines are the same as an earlier one, as most of what a side
//! holds does not matter to the 512 states of the other. So for each line of a panel
//! there are two tokens, one for the cells that the first player wins and one for the
//! cells that are drawn; and for each line that is new, its words that are not 0:
//!
//! ```text
//!     tokens     for each line, wins and draws: u16
//!                0 … 1023       the same as the new line with this number
//!                0xff00 + m     new; bit i of m tells that word i is not 0
//!     words      of the new lines: u64 each
//! ```
//!
//! A general codec packs this twice as tightly, and takes five times as long, which
//! would be as long as all the rest of the sweep.

use super::MatrixShape;
use super::panels::{PANEL, PLANES, PanelTile, Panels};

/// Tokens from here on are of new lines.
const NEW: u16 = 0xff00;

/// Places where lines that have been there are looked for.
const SLOTS: usize = 2048;

/// Lines of a panel, wins and draws, at most: what tokens count.
const LINES: usize = PANEL * PLANES;

const _: () = assert!(LINES <= NEW as usize && PANEL / 64 <= 8);

/// Bytes that packed words take at most, and room for a word that is written but does not
/// count.
fn most_bytes(panels: Panels) -> usize {
    (panels.words() + 1) * size_of::<u64>()
        + panels.count() * panels.0.rows * PLANES * size_of::<u16>()
}

/// Packs the first columns of some rows of a tile, at most 512, by their places.
pub(super) fn pack(
    tile: PanelTile,
    rows: impl Iterator<Item = u32> + Clone,
    columns: usize,
    to: &mut Vec<u8>,
) {
    let panels = Panels(MatrixShape { rows: rows.clone().count(), columns });
    to.clear();
    to.resize(most_bytes(panels), 0);
    let mut at = 0;
    for panel in 0..panels.count() {
        let from = (tile.panel(panel), tile.panels.width(panel));
        let (rows, to) = (rows.clone(), &mut to[at..]);
        at += match panels.width(panel) {
            1 => pack_panel::<1>(from, rows, to),
            2 => pack_panel::<2>(from, rows, to),
            4 => pack_panel::<4>(from, rows, to),
            _ => pack_panel::<8>(from, rows, to),
        };
    }
    to.truncate(at);
}

/// Unpacks a panel into the rows that are to get one, in order, and takes its bytes from the
/// front; `rows` is their places among those of the panel. Nothing if the bytes are not
/// those of a panel.
pub(super) fn unpack_panel(
    bytes: &mut &[u8],
    width: usize,
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    match width {
        1 => unpack_rows::<1>(bytes, rows, words),
        2 => unpack_rows::<2>(bytes, rows, words),
        4 => unpack_rows::<4>(bytes, rows, words),
        _ => unpack_rows::<8>(bytes, rows, words),
    }
}

/// Packs a panel; how many bytes that took.
fn pack_panel<const N: usize>(
    (words, width): (&[u64], usize),
    rows: impl Iterator<Item = u32> + Clone,
    to: &mut [u8],
) -> usize {
    let line =
        |row: u32, plane: usize| line::<N>(&words[row as usize * PLANES * width..], width, plane);
    let all_tokens = rows.clone().count() * PLANES * size_of::<u16>();
    let (tokens, to) = to.split_at_mut(all_tokens);
    let tokens = tokens.as_chunks_mut::<2>().0.as_chunks_mut::<PLANES>().0;
    let to = to.as_chunks_mut::<8>().0;
    // For each slot one more than the number of the new line there, and by number where it is.
    let mut seen = [0u16; SLOTS];
    let mut places = [(0u32, 0u8); LINES];
    let (mut count, mut written) = (0, 0);
    for (row, tokens) in rows.zip(tokens) {
        for (plane, token) in tokens.iter_mut().enumerate() {
            let words = line(row, plane);
            let known = &mut seen[slot(&words)];
            if let Some(number) = known.checked_sub(1) {
                let (row, plane) = places[usize::from(number)];
                if is_same(&words, &line(row, plane.into())) {
                    *token = number.to_le_bytes();
                    continue;
                }
            }
            places[count] = (row, plane as u8);
            count += 1;
            *known = count as u16;
            let mut mask = 0;
            for (word, bits) in words.into_iter().enumerate() {
                to[written] = bits.to_le_bytes();
                written += usize::from(bits != 0);
                mask |= u16::from(bits != 0) << word;
            }
            *token = (NEW | mask).to_le_bytes();
        }
    }
    all_tokens + written * size_of::<u64>()
}

/// A line of a panel, of which this is the row: what the first player wins, or what is drawn.
#[inline(always)]
fn line<const N: usize>(row: &[u64], width: usize, plane: usize) -> [u64; N] {
    let [wins, holds] = [&row[..N], &row[width..width + N]];
    match plane {
        0 => std::array::from_fn(|word| wins[word]),
        _ => std::array::from_fn(|word| wins[word] ^ holds[word]),
    }
}

#[inline(always)]
fn is_same<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    a.iter().zip(b).fold(0, |other, (a, b)| other | (a ^ b)) == 0
}

/// Where to look for a line: a product for each word, all of them at a time.
#[inline(always)]
fn slot<const N: usize>(line: &[u64; N]) -> usize {
    const FACTORS: [u64; 8] = [
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
        0xd6e8_feb8_6659_fd93,
        0xa076_1d64_78bd_642f,
        0xe703_7ed1_a0b4_28db,
        0x8ebc_6af0_9c88_c6e3,
        0x5899_65cc_7537_4cc3,
    ];
    let products = line.iter().zip(FACTORS).map(|(word, factor)| word.wrapping_mul(factor));
    let sum = products.fold(0, |sum: u64, product| sum.wrapping_add(product ^ product >> 32));
    (sum.wrapping_mul(FACTORS[0]) >> 48) as usize % SLOTS
}

fn unpack_rows<const N: usize>(bytes: &mut &[u8], rows: &[u32], words: &mut [u64]) -> Option<()> {
    let tokens = bytes.split_off(..rows.len() * PLANES * size_of::<u16>())?;
    let tokens = tokens.as_chunks::<2>().0.as_chunks::<PLANES>().0;
    let mut places = [(0u32, 0u8); LINES];
    let mut count = 0;
    let start = |row: u32| row as usize * PLANES * N;
    for (row, tokens) in rows.iter().zip(tokens) {
        for (plane, token) in tokens.iter().enumerate() {
            let token = u16::from_le_bytes(*token);
            let found = if token < NEW {
                let (row, plane) = *places[..count].get(usize::from(token))?;
                line::<N>(&words[start(row)..], N, plane.into())
            } else {
                *places.get_mut(count)? = (*row, plane as u8);
                count += 1;
                let mut found = [0; N];
                for (word, bits) in found.iter_mut().enumerate() {
                    if token >> word & 1 == 1 {
                        *bits = u64::from_le_bytes(*bytes.split_off(..8)?.first_chunk()?);
                    }
                }
                found
            };
            let [wins, holds] = words[start(*row)..].as_chunks_mut::<N>().0.first_chunk_mut()?;
            match plane {
                0 => *wins = found,
                _ => *holds = std::array::from_fn(|word| wins[word] ^ found[word]),
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::MatrixShape;

    /// A tile whose lines repeat now and then, and have zeros.
    fn tile(panels: Panels, seed: u64, repeats: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
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

    /// All panels, into rows that have the first of the places.
    fn unpack(panels: Panels, mut bytes: &[u8], rows: &[u32], words: &mut [u64]) -> Option<()> {
        for panel in 0..panels.count() {
            let words = &mut words[panels.words_of(panel)];
            unpack_panel(&mut bytes, panels.width(panel), rows, words)?;
        }
        bytes.is_empty().then_some(())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_packed_is_unpacked(
            rows in 0usize..=PANEL, columns in 1usize..1300, less in 0usize..700, seed: u64,
            repeats in 0u64..=8,
        ) {
            let panels = Panels(MatrixShape { rows, columns });
            let words = tile(panels, seed, repeats);
            let from = PanelTile { panels, words: &words };
            // Every other row, and not all columns.
            let picked = (0..rows as u32).filter(|row| row % 2 == 0);
            let kept = columns.saturating_sub(less).max(1);
            let mut bytes = Vec::new();
            pack(from, picked.clone(), kept, &mut bytes);
            let to = Panels(MatrixShape { rows, columns: kept });
            let mut unpacked = vec![!0; to.words()];
            let places: Vec<u32> = picked.collect();
            proptest::prop_assert_eq!(unpack(to, &bytes, &places, &mut unpacked), Some(()));
            let unpacked = PanelTile { panels: to, words: &unpacked };
            for (row, column) in (0..rows).flat_map(|r| (0..kept).map(move |c| (r, c))) {
                let expected = if row % 2 == 0 { from.bits(row, column) } else { [true; 2] };
                proptest::prop_assert_eq!(unpacked.bits(row, column), expected);
            }
        }

        #[test]
        fn no_bytes_whatsoever_make_it_panic(
            rows in 0usize..=PANEL, columns in 1usize..1300, seed: u64, at: usize, cut: usize,
        ) {
            let panels = Panels(MatrixShape { rows, columns });
            let mut words = tile(panels, seed, 4);
            let mut bytes = Vec::new();
            let places: Vec<u32> = (0..rows as u32).collect();
            pack(PanelTile { panels, words: &words }, 0..rows as u32, columns, &mut bytes);
            if !bytes.is_empty() {
                let at = at % bytes.len();
                bytes[at] ^= (seed >> 56) as u8 | 1;
                let _ = unpack(panels, &bytes, &places, &mut words);
                bytes.truncate(cut % bytes.len());
                let _ = unpack(panels, &bytes, &places, &mut words);
            }
        }
    }

    #[test]
    fn repeats_take_two_bytes() {
        let panels = Panels(MatrixShape { rows: 512, columns: 512 });
        let words = vec![0x0123_4567_89ab_cdef; panels.words()];
        let mut bytes = Vec::new();
        pack(PanelTile { panels, words: &words }, 0..512, 512, &mut bytes);
        // One line of wins, and one of draws, which is all zeros.
        assert_eq!(bytes.len(), 512 * 2 * 2 + 8 * 8);
        let mut unpacked = words.clone();
        let places: Vec<u32> = (0..512).collect();
        // A line that is not there yet.
        bytes[0..2].copy_from_slice(&7u16.to_le_bytes());
        assert_eq!(unpack(panels, &bytes, &places, &mut unpacked), None);
    }
}
