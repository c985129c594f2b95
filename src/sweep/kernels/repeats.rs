//! The inner loops of lines that repeat: see `handoff::frames`.

use std::marker::PhantomData;

use crate::sweep::bits::LINE;

use super::portable::{LOSES, PackedPanel, PackedSize};

/// How a distinct line is written and read.
pub(super) trait LineBytes {
    /// Whether reading a line again takes no longer than copying it.
    const IS_QUICK: bool;

    /// Writes a line. Returns the number of its bytes, behind which others may be overwritten.
    fn put<const N: usize>(line: &[u64; N], to: &mut [u8]) -> usize;

    /// Reads the line at the front of these bytes.
    fn take<const N: usize>(bytes: &[u8; MOST]) -> [u64; N];
}

/// The most bytes of a distinct line.
pub(super) const MOST: usize = LINE * (1 + size_of::<u64>());

/// One word of a line after the other.
pub(super) struct ByWord<B>(PhantomData<B>);

/// Moves bytes within a word. A mask has all bits of some bytes.
pub(super) trait MoveBytes {
    /// The bytes that a mask has, next to each other; the others are 0.
    fn together(word: u64, mask: u64) -> u64;

    /// The first bytes, to where a mask has some; the others are 0.
    fn apart(bytes: u64, mask: u64) -> u64;

    /// A bit for each byte that a mask has.
    #[inline(always)]
    fn bits_of(mask: u64) -> u8 {
        ((mask & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    /// The mask with a byte for each bit.
    #[inline(always)]
    fn mask_of(bits: u8) -> u64 {
        bytes_in_use((u64::from(bits) * LOWEST) & 0x8040_2010_0804_0201)
    }
}

/// One byte after the other.
pub(super) struct OneByOne;

impl MoveBytes for OneByOne {
    #[inline(always)]
    fn together(word: u64, mask: u64) -> u64 {
        if mask == 0 || mask == u64::MAX {
            return word & mask;
        }
        let (mut to, mut shift) = (0, 0);
        for at in (0..64).step_by(8) {
            to |= (word >> at & 0xff) << shift;
            shift += mask >> at & 8;
        }
        to
    }

    #[inline(always)]
    fn apart(mut bytes: u64, mask: u64) -> u64 {
        if mask == 0 || mask == u64::MAX {
            return bytes & mask;
        }
        let mut to = 0;
        for at in (0..64).step_by(8) {
            to |= (bytes << at) & mask & 0xff << at;
            bytes >>= mask >> at & 8;
        }
        to
    }
}

/// The lowest bit of each byte.
pub(super) const LOWEST: u64 = 0x0101_0101_0101_0101;

/// The mask with the bytes that are not 0.
#[inline(always)]
fn bytes_in_use(word: u64) -> u64 {
    let low = 0x7f * LOWEST;
    let lowest = (((word & low) + low) | word) >> 7 & LOWEST;
    (lowest << 8).wrapping_sub(lowest)
}

/// How many bytes a mask has.
#[inline(always)]
fn count(mask: u64) -> usize {
    ((mask & LOWEST).wrapping_mul(LOWEST) >> 56) as usize
}

/// Finds lines that repeat earlier ones of their panel; its memory is reused from panel to panel.
#[derive(Default)]
pub(in crate::sweep) struct Seen {
    /// By slot, one more than the number of the distinct line there.
    slots: Vec<u16>,
    /// By number, the row and the plane of a distinct line.
    places: Vec<(u32, u8)>,
}

impl Seen {
    /// Forgets all lines. The next panel has at most this many.
    fn clear(&mut self, lines: usize) {
        let slots = (2 * lines).next_power_of_two().max(64);
        self.slots.clear();
        self.slots.resize(slots, 0);
        self.places.clear();
    }
}

/// Packs a panel.
#[inline(always)]
pub(super) fn pack<L: LineBytes, const N: usize, const M: usize>(
    (words, width): (&[u64], usize),
    rows: &[u32],
    seen: &mut Seen,
    to: &mut [u8],
) -> PackedSize {
    let planes = M / N;
    // Not a closure, which might be compiled for other instructions.
    macro_rules! line {
        ($row:expr, $plane:expr) => {
            line::<N>(&words[$row as usize * planes * width..], width, $plane)
        };
    }
    let rows = rows.iter().copied().filter(|row| *row < LOSES);
    let lines = rows.clone().count() * planes;
    debug_assert!(lines <= MANY, "tokens number as many");
    seen.clear(lines);
    let Seen { slots, places } = seen;
    let last = slots.len() - 1;
    let (tokens, to) = to.split_at_mut(lines * size_of::<u16>());
    let tokens = tokens.as_chunks_mut::<2>().0.chunks_exact_mut(planes);
    let mut written = 0;
    for (row, tokens) in rows.zip(tokens) {
        for (plane, token) in tokens.iter_mut().enumerate() {
            let found = line!(row, plane);
            let known = &mut slots[slot(&found) & last];
            if let Some(number) = known.checked_sub(1) {
                let (row, plane) = places[usize::from(number)];
                if is_same(&found, &line!(row, plane as usize)) {
                    *token = number.to_le_bytes();
                    continue;
                }
            }
            *token = (places.len() as u16).to_le_bytes();
            places.push((row, plane as u8));
            *known = places.len() as u16;
            written += L::put::<N>(&found, &mut to[written..]);
        }
    }
    PackedSize { distinct: places.len() as u32, bytes: written as u32 }
}

impl<B: MoveBytes> LineBytes for ByWord<B> {
    const IS_QUICK: bool = false;

    #[inline(always)]
    fn put<const N: usize>(line: &[u64; N], to: &mut [u8]) -> usize {
        let (bits, to) = to.split_at_mut(N);
        let masks = line.map(bytes_in_use);
        let mut written = 0;
        for ((word, mask), bits) in line.iter().zip(masks).zip(bits) {
            *bits = B::bits_of(mask);
            to[written..written + 8].copy_from_slice(&B::together(*word, mask).to_le_bytes());
            written += count(mask);
        }
        N + written
    }

    #[inline(always)]
    fn take<const N: usize>(bytes: &[u8; MOST]) -> [u64; N] {
        let (bits, bytes) = bytes.split_at(N);
        let mut line = [0; N];
        let mut read = 0;
        for (word, bits) in line.iter_mut().zip(bits) {
            let mask = B::mask_of(*bits);
            let found = bytes[read..].first_chunk::<8>().expect("no more than a line has");
            *word = B::apart(u64::from_le_bytes(*found), mask);
            read += count(mask);
        }
        line
    }
}

/// Finds where each distinct line of a panel starts. Returns where the last one ends, or `None` if
/// there are fewer bytes.
#[inline(always)]
pub(super) fn find_starts<const N: usize>(
    distinct: usize,
    bytes: &[u8],
    starts: &mut Vec<u32>,
) -> Option<usize> {
    let mut start = 0;
    starts.reserve(distinct.min(bytes.len()));
    for _ in 0..distinct {
        starts.push(start as u32);
        let mut bits = [0; 8];
        bits[..N].copy_from_slice(bytes.get(start..start + N)?);
        start += N + u64::from_le_bytes(bits).count_ones() as usize;
    }
    (start <= bytes.len()).then_some(start)
}

/// A line of this row of a panel: of both planes, the cells that the first player wins, or those
/// that are drawn; or all of one plane.
#[inline(always)]
fn line<const N: usize>(row: &[u64], width: usize, plane: usize) -> [u64; N] {
    let mut line = *row.first_chunk().expect("words of a row");
    if plane > 0 {
        xor(&mut line, row[width..].first_chunk().expect("words of both planes"));
    }
    line
}

#[inline(always)]
fn xor<const N: usize>(line: &mut [u64; N], with: &[u64; N]) {
    line.iter_mut().zip(with).for_each(|(word, with)| *word ^= with);
}

#[inline(always)]
fn is_same<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    a.iter().zip(b).fold(0, |other, (a, b)| other | (a ^ b)) == 0
}

/// The slot of a line, of 2^16: a product for each word, all at the same time.
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
    (sum.wrapping_mul(FACTORS[0]) >> 48) as usize
}

/// Unpacks lines of a panel into some rows. Returns `None` if there are not as many, or if one of
/// them repeats a line that does not exist.
#[inline(always)]
pub(super) fn unpack<L: LineBytes, const N: usize, const M: usize>(
    panel: PackedPanel,
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    if L::IS_QUICK {
        unpack_some::<L, N, M, 0>(panel, rows, words)
    } else if panel.starts.len() <= FEW {
        unpack_some::<L, N, M, FEW>(panel, rows, words)
    } else {
        unpack_some::<L, N, M, MANY>(panel, rows, words)
    }
}

/// Few distinct lines of a panel, and as many as frames have.
const FEW: usize = 512;
const MANY: usize = 1 << 13;

/// The same. Of the first distinct lines, this many, those that have been unpacked are copied.
#[inline(always)]
fn unpack_some<L: LineBytes, const N: usize, const M: usize, const COPIED: usize>(
    panel: PackedPanel,
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    let planes = M / N;
    let all = panel.tokens.as_chunks::<2>().0;
    if all.len() != rows.len() * planes {
        return None;
    }
    // By number, the last of the lines that was unpacked with this token, if any was.
    let mut last = [0u16; COPIED];
    for (number, tokens) in all.chunks_exact(planes).enumerate() {
        let row = rows[number] as usize * M;
        for (plane, token) in tokens.iter().enumerate() {
            let unpack = || distinct::<L, N>(panel, *token);
            let mut found = match last.get_mut(usize::from(u16::from_le_bytes(*token))) {
                None => unpack()?,
                Some(last) => {
                    let line = usize::from(*last);
                    *last = (number * planes + plane) as u16;
                    if line < number * planes && all[line] == *token {
                        let row = rows[line / planes] as usize * M;
                        self::line::<N>(&words[row..], N, line % planes)
                    } else {
                        unpack()?
                    }
                }
            };
            match words[row..].as_chunks_mut::<N>().0 {
                [first, ..] if plane == 0 => *first = found,
                [wins, holds, ..] => {
                    xor(&mut found, wins);
                    *holds = found;
                }
                _ => return None,
            }
        }
    }
    Some(())
}

/// The distinct line with the number in this token.
#[inline(always)]
fn distinct<L: LineBytes, const N: usize>(panel: PackedPanel, token: [u8; 2]) -> Option<[u64; N]> {
    let start = *panel.starts.get(usize::from(u16::from_le_bytes(token)))?;
    let bytes = &panel.bytes[start as usize..];
    Some(match bytes.first_chunk::<MOST>() {
        Some(bytes) => L::take(bytes),
        None => {
            let mut some = [0; MOST];
            some[..bytes.len()].copy_from_slice(bytes);
            L::take(&some)
        }
    })
}
