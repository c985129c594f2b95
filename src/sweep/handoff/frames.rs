//! How the lines of a tile are stored that wait for their reader: packed, or plain.
//!
//! **Packed**, a line that repeats an earlier one is named, not stored again. In a panel, two
//! thirds of the lines do, since most of what a side holds does not matter to the 512 states of the
//! other. So each line of a panel has two tokens, one for the cells that the first player wins and
//! one for drawn cells. They are numbers of distinct lines, of which the bytes are stored that are
//! not 0:
//!
//! ```text
//!     tokens             for each line, wins and draws: the number of a distinct line u16
//!     distinct line      for each of its 1, 2, 4 or 8 words u8: bit i is set if byte i is not 0
//!                        these bytes, in order
//!     …
//! ```
//!
//! **Plain** lines are only picked, panel by panel. Few lines of a small tile repeat, and what
//! waits in memory is read soon, so small tiles in memory stay plain:
//!
//! ```text
//!     line 0   wins, draws or wins     line 1   wins, draws or wins     …
//! ```
//!
//! Lines of a tile repeat over more than the 512 of a block: on 7x6, packing leaves 0.30 of each
//! block alone and 0.23 of eight together. So a *frame* holds the packed lines of several blocks:
//!
//! ```text
//!     for each panel     distinct lines u32, bytes of them u32
//!     for each panel     tokens of all lines, block by block; distinct lines
//! ```
//!
//! If it waits long, what follows the first numbers is compressed on top, which leaves half as much
//! and takes several times as long: zstd also finds lines that repeat in part, and leaves an eighth
//! of the bits. A quick level suffices, as packing leaves few bytes to compress.
//!
//! Panels have little in common. A few are compressed at a time, which takes half of the time of a
//! whole frame of a wide tile, since they stay in the cache.
//!
//! A reader holds a whole frame. So frames of more than eight megabytes have four blocks only.
//! Those of a single block would be twice as large: see `blocks_in_frame`.

use zstd::bulk::{Compressor, Decompressor};

use crate::cpu::Cpu;
use crate::files::word;

use crate::sweep::bits::{PanelTile, Panels};
use crate::sweep::kernels::{PackedPanel, PackedSize, Seen, find_starts, pack_lines};

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

/// Panels are compressed together up to this many bytes.
const TOGETHER: usize = 1 << 18;

/// Bytes of the numbers of a panel.
const HEAD: usize = 2 * size_of::<u32>();

/// Bytes of a token.
const TOKEN: usize = size_of::<u16>();

/// The level of zstd for what is read soon.
const QUICK: i32 = -1;

/// The level for frames. On 7x5, level 3 makes files smaller by a fifteenth, and a run that keeps
/// everything in files takes an eighth longer; level -1 makes them larger by a sixth, and saves a
/// sixteenth.
const TIGHT: i32 = 1;

/// Compresses bytes, and decompresses them.
pub(in crate::sweep) struct Zstd {
    level: i32,
    compressor: Option<Compressor<'static>>,
    decompressor: Option<Decompressor<'static>>,
    packed: Vec<u8>,
}

/// For what is read soon.
impl Default for Zstd {
    fn default() -> Zstd {
        Zstd::at(QUICK)
    }
}

impl Zstd {
    fn at(level: i32) -> Zstd {
        Zstd { level, compressor: None, decompressor: None, packed: Vec::new() }
    }

    /// Compresses bytes, and appends them to others.
    pub(crate) fn pack(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        let zstd = self
            .compressor
            .get_or_insert_with(|| Compressor::new(self.level).expect("a level that zstd knows"));
        let most = zstd::zstd_safe::compress_bound(bytes.len());
        self.packed.resize(self.packed.len().max(most), 0);
        let packed = zstd.compress_to_buffer(bytes, &mut self.packed[..]);
        to.extend_from_slice(&self.packed[..packed.expect("room for whatever zstd makes of it")]);
    }

    /// Decompresses as many bytes as there is room for, compressed at once or one after the other.
    /// Returns `None` if there are others.
    pub(crate) fn unpack(&mut self, packed: &[u8], to: &mut [u8]) -> Option<()> {
        let zstd = self
            .decompressor
            .get_or_insert_with(|| Decompressor::new().expect("a decoder without a dictionary"));
        let found = zstd.decompress_to_buffer(packed, to).ok()?;
        (found == to.len()).then_some(())
    }
}

/// Makes frames.
pub(super) struct FrameWriter {
    seen: Seen,
    packed: Vec<u8>,
    zstd: Zstd,
    compressed: Vec<u8>,
}

impl Default for FrameWriter {
    fn default() -> FrameWriter {
        let [packed, compressed] = [Vec::new(), Vec::new()];
        FrameWriter { seen: Seen::default(), packed, zstd: Zstd::at(TIGHT), compressed }
    }
}

impl FrameWriter {
    /// Makes a frame of the first columns of some rows of a tile, given by their places, of which
    /// so many stand for a row.
    pub(super) fn write(
        &mut self,
        cpu: Cpu,
        tile: PanelTile,
        (rows, lines): (&[u32], usize),
        columns: usize,
        is_compressed: bool,
    ) -> &[u8] {
        let FrameWriter { seen, packed, zstd, compressed } = self;
        let panels = tile.panels.part(lines, columns);
        let head = panels.count() * HEAD;
        let mut end = head;
        compressed.clear();
        compressed.resize(head, 0);
        for panel in 0..panels.count() {
            let one = panels.part(lines, panels.columns(panel).len());
            packed.resize(packed.len().max(end + most_bytes(one)), 0);
            let from = (tile.panel(panel), tile.panels.width(panel));
            let of_line = [one.planes, one.width(0)];
            let PackedSize { distinct, bytes } =
                pack_lines(cpu, of_line, from, rows, seen, &mut packed[end..]);
            let numbers = packed[panel * HEAD..][..HEAD].as_chunks_mut::<4>().0;
            numbers.copy_from_slice(&[distinct.to_le_bytes(), bytes.to_le_bytes()]);
            end += lines * one.planes * TOKEN + bytes as usize;
            let is_last = panel + 1 == panels.count();
            if is_compressed && (is_last || end - head >= TOGETHER) {
                zstd.pack(&packed[head..end], compressed);
                end = head;
            }
        }
        if !is_compressed {
            return &packed[..end];
        }
        compressed[..head].copy_from_slice(&packed[..head]);
        compressed
    }
}

/// Opens frames, and knows what is where in the last one.
#[derive(Default)]
pub(super) struct FrameReader {
    panels: Vec<FramePanel>,
    /// Where the distinct lines of all panels start, among those of their panel.
    starts: Vec<u32>,
    /// What was compressed.
    bytes: Vec<u8>,
    zstd: Zstd,
}

/// Where a panel is in the frame that is open.
struct FramePanel {
    /// Its first distinct line, among those of all panels.
    first: usize,
    /// The bytes before its tokens, and before its distinct lines, without the numbers.
    tokens: usize,
    lines: usize,
}

impl FrameReader {
    /// Opens a frame of these lines. Returns `None` if it is none.
    pub(super) fn open(
        &mut self,
        cpu: Cpu,
        frame: &[u8],
        lines: Panels,
        is_compressed: bool,
    ) -> Option<()> {
        let FrameReader { panels, starts, bytes, zstd } = self;
        let (head, body) = frame.split_at_checked(lines.count() * HEAD)?;
        let tokens = lines.shape.rows * lines.planes * TOKEN;
        let of_lines = |panel: usize| word(head, panel * HEAD + 4) as usize;
        let all: usize = (0..lines.count()).map(|panel| tokens + of_lines(panel)).sum();
        let body = if is_compressed {
            let most = |panel| most_bytes(lines.part(lines.shape.rows, lines.columns(panel).len()));
            if all > (0..lines.count()).map(most).sum() {
                return None;
            }
            bytes.resize(bytes.len().max(all), 0);
            zstd.unpack(body, &mut bytes[..all])?;
            &bytes[..all]
        } else {
            Some(body).filter(|body| body.len() == all)?
        };
        panels.clear();
        starts.clear();
        let mut end = 0;
        for panel in 0..lines.count() {
            let (distinct, len) = (word(head, panel * HEAD) as usize, of_lines(panel));
            let (first, at) = (starts.len(), end + tokens);
            panels.push(FramePanel { first, tokens: end, lines: at });
            end = at + len;
            let width = lines.width(panel);
            if find_starts(cpu, width, distinct, &body[at..end], starts)? != len {
                return None;
            }
        }
        Some(())
    }

    /// The lines of a block in the frame that is open, `before` lines after its first one. These
    /// are its bytes, if it is not compressed.
    pub(super) fn block<'a>(&'a self, frame: Option<&'a [u8]>, before: usize) -> FrameBlock<'a> {
        let body = frame.map_or(&self.bytes[..], |frame| &frame[self.panels.len() * HEAD..]);
        FrameBlock { frame: self, body, before, next: 0 }
    }
}

/// A block of a frame that is open.
pub(super) struct FrameBlock<'a> {
    frame: &'a FrameReader,
    body: &'a [u8],
    before: usize,
    next: usize,
}

impl<'a> FrameBlock<'a> {
    /// This many lines of the next panel.
    pub(super) fn next_panel(&mut self, lines: usize, planes: usize) -> Option<PackedPanel<'a>> {
        let FrameReader { panels, starts, .. } = self.frame;
        let FramePanel { first, tokens, lines: bytes } = panels.get(self.next)?;
        self.next += 1;
        let end = panels.get(self.next).map_or(starts.len(), |next| next.first);
        let of_line = planes * TOKEN;
        let tokens = self.body[*tokens..*bytes].get(self.before * of_line..)?;
        Some(PackedPanel {
            tokens: tokens.get(..lines * of_line)?,
            starts: &starts[*first..end],
            // All that follow, so that the last lines can be read as words, too.
            bytes: &self.body[*bytes..],
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::random::SplitMix64;

    use crate::sweep::bits::{MatrixShape, PANEL};
    use crate::sweep::kernels::{LOSES, unpack_lines};

    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_copied_is_put_back(
            rows in 0usize..80, columns in 1usize..1300, less in 0usize..700,
            planes in 1usize..=2, seed: u64,
        ) {
            let panels = Panels { shape: MatrixShape { rows, columns }, planes };
            let mut random = SplitMix64(seed);
            let words: Vec<u64> = (0..panels.words()).map(|_| random.word()).collect();
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

    /// A frame of some rows and columns, unpacked into them block by block.
    fn unpack(
        cpu: Cpu,
        lines: Panels,
        (frame, is_compressed): (&[u8], bool),
        rows: &[u32],
        words: &mut [u64],
    ) -> Option<()> {
        let mut reader = FrameReader::default();
        reader.open(cpu, frame, lines.part(rows.len(), lines.shape.columns), is_compressed)?;
        let mut before = 0;
        for rows in rows.chunks(PANEL / 3) {
            let mut block = reader.block((!is_compressed).then_some(frame), before);
            for panel in 0..lines.count() {
                let of_line = [lines.planes, lines.width(panel)];
                let packed = block.next_panel(rows.len(), lines.planes)?;
                let words = &mut words[lines.words_of(panel)];
                unpack_lines(cpu, of_line, packed, rows, words)?;
            }
            before += rows.len();
        }
        Some(())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_packed_is_unpacked(
            rows in 0usize..=4 * PANEL, columns in 1usize..1300, less in 0usize..700,
            planes in 1usize..=2, seed: u64, repeats in 0u64..=8, is_compressed: bool,
        ) {
            let panels = Panels { shape: MatrixShape { rows, columns }, planes };
            let words = tile(panels, seed, repeats);
            let from = PanelTile { panels, words: &words };
            // Every other row, and not all columns.
            let given = |row| if row % 2 == 0 { row } else { LOSES + row % 4 / 2 };
            let all: Vec<u32> = (0..rows as u32).map(given).collect();
            let places: Vec<u32> = (0..rows as u32).step_by(2).collect();
            let some = columns.saturating_sub(less).max(1);
            let to = panels.part(rows, some);
            let pack = |cpu| {
                let rows = (&all[..], places.len());
                FrameWriter::default().write(cpu, from, rows, some, is_compressed).to_vec()
            };
            let frame = pack(Cpu::widest());
            let mut unpacked = Vec::new();
            for cpu in Cpu::all() {
                proptest::prop_assert!(pack(cpu) == frame, "{cpu}");
                unpacked = vec![!0; to.words()];
                let done = unpack(cpu, to, (&frame, is_compressed), &places, &mut unpacked);
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
            rows in 0usize..=2 * PANEL, columns in 1usize..1300, planes in 1usize..=2, seed: u64,
            at: usize, cut: usize, is_compressed: bool,
        ) {
            let panels = Panels { shape: MatrixShape { rows, columns }, planes };
            let mut words = tile(panels, seed, 4);
            let places: Vec<u32> = (0..rows as u32).collect();
            let (cpu, from) = (Cpu::widest(), PanelTile { panels, words: &words });
            let mut writer = FrameWriter::default();
            let mut bytes =
                writer.write(cpu, from, (&places, rows), columns, is_compressed).to_vec();
            let at = at % bytes.len();
            bytes[at] ^= (seed >> 56) as u8 | 1;
            for cpu in Cpu::all() {
                let _ = unpack(cpu, panels, (&bytes, is_compressed), &places, &mut words);
            }
            bytes.truncate(cut % bytes.len());
            let _ = unpack(cpu, panels, (&bytes, is_compressed), &places, &mut words);
        }
    }

    #[test]
    fn repeats_take_two_bytes() {
        let panels = Panels::of_both(MatrixShape { rows: 2 * PANEL, columns: PANEL });
        let words = vec![0x0123_4567_00ab_cdef; panels.words()];
        let (cpu, from) = (Cpu::widest(), PanelTile { panels, words: &words });
        let places: Vec<u32> = (0..2 * PANEL as u32).collect();
        let mut writer = FrameWriter::default();
        let mut frame = writer.write(cpu, from, (&places, places.len()), PANEL, false).to_vec();
        // One line of wins, and one of draws, which is all zeros.
        let tokens = places.len() * 2 * TOKEN;
        assert_eq!(frame.len(), HEAD + tokens + PANEL / 64 * (1 + 7) + PANEL / 64);
        let mut unpacked = words.clone();
        assert_eq!(unpack(cpu, panels, (&frame, false), &places, &mut unpacked), Some(()));
        assert_eq!(unpacked, words);
        // A line that does not exist.
        frame[HEAD..][..2].copy_from_slice(&2u16.to_le_bytes());
        assert_eq!(unpack(cpu, panels, (&frame, false), &places, &mut unpacked), None);
    }
}
