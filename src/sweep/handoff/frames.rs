//! Lines that wait long are packed and then compressed, many blocks at a time.
//!
//! Lines of a tile repeat, whole or in part, over more than the 512 of a block. So a *frame* holds
//! several [packed](super::packing) blocks, panel by panel, and zstd finds what they have in common:
//!
//! ```text
//!     how many bytes each block takes in each panel: u32
//!     panel 0: block 0, block 1, …     panel 1: block 0, block 1, …     …     compressed
//! ```
//!
//! On 7x6 that takes an eighth of the bits; packing alone takes two fifths, in a third of the time.
//! What is read a moment later is not worth it. Packing leaves half of the bytes to zstd, for which a
//! quick level then does: 7x5 with everything in files takes a fifth less time than unpacked at level 3.
//!
//! Panels have little in common. A few are compressed at a time, which takes half of the time of a
//! whole frame of a wide tile, since they stay in the cache.
//!
//! A reader holds a whole frame. So frames of more than eight megabytes have four blocks only. Those
//! of a single block would be twice as large: see `blocks_in_frame`.

use zstd::bulk::{Compressor, Decompressor};

use crate::cpu::Cpu;
use crate::sweep::bits::{PANEL, PanelTile, Panels};
use crate::sweep::kernels::pack_lines;

use super::packing::most_bytes;

/// Panels are compressed together up to this many bytes.
const TOGETHER: usize = 1 << 18;

/// Bytes of the length of a block.
const LENGTH: usize = size_of::<u32>();

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
    packed: Vec<u8>,
    zstd: Zstd,
}

impl Default for FrameWriter {
    fn default() -> FrameWriter {
        FrameWriter { packed: Vec::new(), zstd: Zstd::at(TIGHT) }
    }
}

impl FrameWriter {
    /// Makes a frame of the first columns of some rows of a tile, given by their places, block by
    /// block. Returns the frame, which fills the buffer.
    pub(super) fn write<'t>(
        &mut self,
        cpu: Cpu,
        tile: PanelTile,
        blocks: impl Iterator<Item = impl Iterator<Item = u32> + Clone> + Clone,
        columns: usize,
        to: &'t mut Vec<u8>,
    ) -> &'t [u8] {
        let panels = tile.panels.part(0, columns);
        let pieces = panels.count() * blocks.clone().count();
        to.clear();
        to.resize(pieces * LENGTH, 0);
        let (mut piece, mut len) = (0, 0);
        for panel in 0..panels.count() {
            let from = (tile.panel(panel), tile.panels.width(panel));
            for rows in blocks.clone() {
                let most = most_bytes(panels.part(PANEL, panels.columns(panel).len()));
                self.packed.resize(self.packed.len().max(len + most), 0);
                let of_line = [panels.planes, panels.width(panel)];
                let bytes = pack_lines(cpu, of_line, from, rows, &mut self.packed[len..]);
                to[piece * LENGTH..][..LENGTH].copy_from_slice(&(bytes as u32).to_le_bytes());
                piece += 1;
                len += bytes;
            }
            if len >= TOGETHER || panel + 1 == panels.count() {
                self.zstd.pack(&self.packed[..len], to);
                len = 0;
            }
        }
        to
    }
}

/// Opens frames, and holds the last one.
#[derive(Default)]
pub(super) struct FrameReader {
    /// The blocks of a panel after those of the one before.
    packed: Vec<u8>,
    /// Where they end.
    ends: Vec<usize>,
    zstd: Zstd,
}

impl FrameReader {
    /// Decompresses a frame with these lines in so many blocks. Returns `None` if it is none.
    pub(super) fn open(&mut self, frame: &[u8], lines: Panels, blocks: usize) -> Option<()> {
        let (lengths, compressed) = frame.split_at_checked(lines.count() * blocks * LENGTH)?;
        self.ends.clear();
        let mut end = 0;
        for length in lengths.as_chunks::<LENGTH>().0 {
            end += u32::from_le_bytes(*length) as usize;
            self.ends.push(end);
        }
        if end > most_bytes(lines) {
            return None;
        }
        self.packed.resize(self.packed.len().max(end), 0);
        self.zstd.unpack(compressed, &mut self.packed[..end])
    }

    /// The bytes of a block in the last frame, panel by panel.
    pub(super) fn block(&self, block: usize, blocks: usize) -> FrameBlock<'_> {
        FrameBlock { frame: self, next: block, blocks }
    }
}

/// A block of a frame that is open.
pub(super) struct FrameBlock<'a> {
    frame: &'a FrameReader,
    next: usize,
    blocks: usize,
}

impl<'a> FrameBlock<'a> {
    /// The packed lines of the next panel.
    pub(super) fn next_panel(&mut self) -> Option<&'a [u8]> {
        let start = self.next.checked_sub(1).map_or(Some(&0), |before| self.frame.ends.get(before));
        let end = self.frame.ends.get(self.next);
        self.next += self.blocks;
        self.frame.packed.get(*start?..*end?)
    }
}
