//! Lines that wait long are compressed, many blocks at a time.
//!
//! Lines of a tile repeat, whole or in part, over more than the 512 of a block. So a *frame* holds
//! the lines of several blocks, panel by panel and plane by plane:
//!
//! ```text
//!     panel 0                              panel 1                    …
//!     wins of all lines │ draws of all     wins of all │ draws of all
//! ```
//!
//! On 7x6 that takes an eighth of the bits; the references of [`packing`](super::packing) take two
//! fifths, in a third of the time. What is read a moment later is not worth it.
//!
//! Panels have little in common. A few are compressed at a time, which takes half of the time of a
//! whole frame of a wide tile, since they stay in the cache.
//!
//! A reader holds a whole frame. So frames of more than eight megabytes have four blocks only. Those
//! of a single block would be twice as large: see [`blocks_in_frame`].

use std::ops::Range;

use zstd::bulk::{Compressor, Decompressor};

use crate::sweep::bits::{PANEL, PLANES, PanelTile, Panels};

/// The most blocks of a frame: more of them save little.
const MOST_BLOCKS: usize = 8;

/// The blocks of a frame, if it has many, when more would take more bytes than this before they are
/// compressed.
pub(in crate::sweep) const FEW_BLOCKS: usize = 4;
const MANY_BYTES: usize = 1 << 23;

/// Panels are compressed together up to this many bytes.
const TOGETHER: usize = 1 << 18;

/// The fewest bytes that are worth a frame.
const WORTH_A_FRAME: usize = 1 << 12;

/// The level of zstd for what is read soon.
const QUICK: i32 = -1;

/// The level for frames. The other one makes files larger by a twelfth (8x4, 6x6) to a fifth (7x5), and
/// saves a fourteenth of the time of a run that keeps everything in files; level 5 makes them smaller
/// by a twentieth, and takes a fifth longer.
const TIGHT: i32 = 3;

/// The blocks that share a frame in a tile like this, however many rows it has.
pub(in crate::sweep) fn blocks_in_frame(panels: Panels) -> usize {
    (MANY_BYTES / panels.with_rows(PANEL).bytes().max(1)).clamp(FEW_BLOCKS, MOST_BLOCKS)
}

/// Whether these lines are too few for a frame.
pub(super) fn stay_plain(lines: Panels) -> bool {
    lines.bytes() < WORTH_A_FRAME
}

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
    plain: Vec<u8>,
    zstd: Zstd,
}

impl Default for FrameWriter {
    fn default() -> FrameWriter {
        FrameWriter { plain: Vec::new(), zstd: Zstd::at(TIGHT) }
    }
}

impl FrameWriter {
    /// Compresses the first columns of some rows of a tile, given by their places. Returns the
    /// frame, which fills the buffer.
    pub(super) fn write<'t>(
        &mut self,
        tile: PanelTile,
        rows: impl Iterator<Item = u32> + Clone,
        columns: usize,
        to: &'t mut Vec<u8>,
    ) -> &'t [u8] {
        let panels = tile.panels.part(rows.clone().count(), columns);
        to.clear();
        let mut len = 0;
        for panel in 0..panels.count() {
            let start = len;
            len += size_of::<u64>() * panels.words_of(panel).len();
            self.plain.resize(self.plain.len().max(len), 0);
            let lines = &mut self.plain[start..len];
            let from = (tile.panel(panel), tile.panels.width(panel));
            match panels.width(panel) {
                1 => pick::<1>(panels.planes, from, rows.clone(), lines),
                2 => pick::<2>(panels.planes, from, rows.clone(), lines),
                4 => pick::<4>(panels.planes, from, rows.clone(), lines),
                _ => pick::<8>(panels.planes, from, rows.clone(), lines),
            }
            if len >= TOGETHER || panel + 1 == panels.count() {
                self.zstd.pack(&self.plain[..len], to);
                len = 0;
            }
        }
        to
    }
}

/// Picks the lines of a panel, of both planes all wins first.
fn pick<const N: usize>(
    planes: usize,
    (from, width): (&[u64], usize),
    rows: impl Iterator<Item = u32>,
    to: &mut [u8],
) {
    let to = to.as_chunks_mut::<8>().0.as_chunks_mut::<N>().0;
    if planes < PLANES {
        for (to, row) in to.iter_mut().zip(rows) {
            let from = &from[row as usize * width..][..N];
            to.iter_mut().zip(from).for_each(|(to, word)| *to = word.to_le_bytes());
        }
        return;
    }
    let lines = to.len() / PLANES;
    let (all_wins, all_draws) = to.split_at_mut(lines);
    for ((wins, draws), row) in all_wins.iter_mut().zip(all_draws).zip(rows) {
        let from = &from[row as usize * PLANES * width..][..width + N];
        for word in 0..N {
            wins[word] = from[word].to_le_bytes();
            draws[word] = (from[word] ^ from[width + word]).to_le_bytes();
        }
    }
}

/// Opens frames, and holds the last one.
#[derive(Default)]
pub(super) struct FrameReader {
    plain: Vec<u8>,
    zstd: Zstd,
}

impl FrameReader {
    /// Decompresses a frame with these lines. Returns `None` if it is none.
    pub(super) fn open(&mut self, frame: &[u8], lines: Panels) -> Option<()> {
        let bytes = lines.bytes();
        self.plain.resize(self.plain.len().max(bytes), 0);
        self.zstd.unpack(frame, &mut self.plain[..bytes])
    }

    /// The bytes of the last frame.
    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }
}

/// Some lines of a frame that is open, panel by panel.
#[derive(Clone)]
pub(super) struct FrameLines<'a> {
    /// The panels to come.
    plain: &'a [u8],
    planes: usize,
    /// How many lines the frame has.
    all: usize,
    /// Which of them.
    lines: Range<usize>,
}

impl<'a> FrameLines<'a> {
    /// Of a frame with all these lines.
    pub(super) fn new(plain: &'a [u8], all: Panels, lines: Range<usize>) -> FrameLines<'a> {
        FrameLines { plain, planes: all.planes, all: all.shape.rows, lines }
    }

    /// Copies the lines of the next panel into the rows at these places, in order.
    pub(super) fn next_panel(&mut self, width: usize, rows: &[u32], to: &mut [u64]) {
        let bytes = self.planes * size_of::<u64>() * width * self.all;
        let panel = self.plain.split_off(..bytes).expect("as many panels as the frame has");
        match width {
            1 => self.put_back::<1>(panel, rows, to),
            2 => self.put_back::<2>(panel, rows, to),
            4 => self.put_back::<4>(panel, rows, to),
            _ => self.put_back::<8>(panel, rows, to),
        }
    }

    fn put_back<const N: usize>(&self, panel: &[u8], rows: &[u32], to: &mut [u64]) {
        let all = panel.as_chunks::<8>().0.as_chunks::<N>().0;
        if self.planes < PLANES {
            for (line, row) in all[self.lines.clone()].iter().zip(rows) {
                let to = &mut to[*row as usize * N..][..N];
                to.iter_mut().zip(line).for_each(|(to, word)| *to = u64::from_le_bytes(*word));
            }
            return;
        }
        let (wins, draws) = all.split_at(self.all);
        let lines = wins[self.lines.clone()].iter().zip(&draws[self.lines.clone()]);
        for ((wins, draws), row) in lines.zip(rows) {
            let to = &mut to[*row as usize * PLANES * N..][..PLANES * N];
            for word in 0..N {
                let [won, drawn] = [wins[word], draws[word]].map(u64::from_le_bytes);
                to[word] = won;
                to[N + word] = won ^ drawn;
            }
        }
    }
}
