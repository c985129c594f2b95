//! The inner loops of lines that repeat: see `handoff::packing`.

use crate::sweep::bits::{PANEL, PLANES};

/// Tokens from here on mean new lines.
const NEW: u16 = 0xff00;

/// Slots in which earlier lines are looked up.
const SLOTS: usize = 2048;

/// The most lines of a panel, of wins and of draws: tokens number them.
const LINES: usize = PANEL * PLANES;

const _: () = assert!(LINES <= NEW as usize && PANEL / 64 <= 8);

/// At most this many lines get fewer slots: clearing all would take longer than packing them.
const FEW: usize = 128;

/// Packs a panel. Returns the number of bytes.
#[inline(always)]
pub(super) fn pack<const N: usize, const M: usize>(
    from: (&[u64], usize),
    rows: impl Iterator<Item = u32> + Clone,
    to: &mut [u8],
) -> usize {
    if rows.clone().count() * M / N <= FEW {
        pack_some::<N, M, { 4 * FEW }, FEW>(from, rows, to)
    } else {
        pack_some::<N, M, SLOTS, LINES>(from, rows, to)
    }
}

/// The same with this many slots, for at most this many lines.
#[inline(always)]
fn pack_some<const N: usize, const M: usize, const SLOTS: usize, const LINES: usize>(
    (words, width): (&[u64], usize),
    rows: impl Iterator<Item = u32> + Clone,
    to: &mut [u8],
) -> usize {
    let planes = M / N;
    let line =
        |row: u32, plane: usize| line::<N>(&words[row as usize * planes * width..], width, plane);
    let all_tokens = rows.clone().count() * planes * size_of::<u16>();
    let (tokens, to) = to.split_at_mut(all_tokens);
    let tokens = tokens.as_chunks_mut::<2>().0.chunks_exact_mut(planes);
    let to = to.as_chunks_mut::<8>().0;
    // By slot, one more than the number of the new line there; by number, where the line is.
    let mut seen = [0u16; SLOTS];
    let mut places = [(0u32, 0u8); LINES];
    let (mut count, mut written) = (0, 0);
    for (row, tokens) in rows.zip(tokens) {
        for (plane, token) in tokens.iter_mut().enumerate() {
            let words = line(row, plane);
            let known = &mut seen[slot(&words) % SLOTS];
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

/// A line of this row of a panel: of both planes, the cells that the first player wins, or those
/// that are drawn; or all of one plane.
#[inline(always)]
fn line<const N: usize>(row: &[u64], width: usize, plane: usize) -> [u64; N] {
    let first = &row[..N];
    match plane {
        0 => std::array::from_fn(|word| first[word]),
        _ => {
            let holds = &row[width..width + N];
            std::array::from_fn(|word| first[word] ^ holds[word])
        }
    }
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

/// Unpacks a panel into some rows. Returns `None` if the bytes are not those of a panel.
#[inline(always)]
pub(super) fn unpack<const N: usize, const M: usize>(
    bytes: &mut &[u8],
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    if rows.len() * M / N <= FEW {
        unpack_some::<N, M, FEW>(bytes, rows, words)
    } else {
        unpack_some::<N, M, LINES>(bytes, rows, words)
    }
}

/// The same, for at most this many lines.
#[inline(always)]
fn unpack_some<const N: usize, const M: usize, const LINES: usize>(
    bytes: &mut &[u8],
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    let planes = M / N;
    let tokens = bytes.split_off(..rows.len() * planes * size_of::<u16>())?;
    let tokens = tokens.as_chunks::<2>().0.chunks_exact(planes);
    let mut places = [(0u32, 0u8); LINES];
    let mut count = 0;
    let start = |row: u32| row as usize * M;
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
            match words[start(*row)..].as_chunks_mut::<N>().0 {
                [first, ..] if plane == 0 => *first = found,
                [wins, holds, ..] => *holds = std::array::from_fn(|word| wins[word] ^ found[word]),
                _ => return None,
            }
        }
    }
    Some(())
}
