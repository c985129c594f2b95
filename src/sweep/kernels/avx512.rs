//! The kernels compiled for AVX-512, with a transpose of their own.
//!
//! A register holds 8 words of a row. A block of 512 rows and 512 columns is
//! turned by exchanging the three octal digits of the row with those of the
//! column, one after the other:
//!
//! ```text
//!     row  g i k     word of 64 rows, byte in it, bit in that
//!     column w j b   word of the row, byte in it, bit in that
//!
//!     in registers             lanes   bytes   bits
//!     (g i k)                  w       j       b      as loaded
//!     (g w k)                  i       j       b      8 x 8 words of 8 registers
//!     (g w k)                  j       i       b      8 x 8 bytes of one
//!     (g w b)                  j       i       k      8 x 8 bits of 8 registers
//!     (j w b)                  g       i       k      8 x 8 words of 8 registers
//! ```
//!
//! The same goes for 256 columns, where the 8 words of a row are those of both
//! planes, and for 256 rows, where `g` has only four values. With fewer, a register
//! would be half empty. So there a register holds a word of 8 rows, 8 registers are a
//! block of 64 rows and 64 columns, and such blocks are turned one by one:
//!
//! ```text
//!     in registers             lanes   bytes   bits
//!     (i)                      k       j       b      as picked from the rows
//!     (i)                      j       k       b      8 x 8 bytes of one
//!     (i)                      j       b       k      8 x 8 bits of each word
//!     (j)                      i       b       k      8 x 8 words of 8 registers
//!     (j)                      b       i       k      8 x 8 bytes of one
//! ```
//!
//! Children and results of large tiles are in no cache, and processors do not
//! foresee the strides in which rows are read and written. So the next rows to
//! read, of this block or the next, and the lines to write, are prefetched.
//!
//! This transpose and that of AVX2 share nothing but their tests: one exchanges digits,
//! the other halves.

use std::arch::x86_64::*;

use crate::sweep::bits::{LINE, PLANES};

use super::avx2::{self, AllAtOnce, prefetch_after};
use super::portable::filled;
use super::portable::{CellCounts, Children, Finish, Fold, PackedPanel, PackedSize, Rows};
use super::repeats::{ByWord, LineBytes, MOST, Seen};
use super::{portable, repeats};

/// All words of a long line at once.
pub(super) struct WholeLines;

impl LineBytes for WholeLines {
    const IS_QUICK: bool = true;

    #[inline(always)]
    fn put<const N: usize>(line: &[u64; N], to: &mut [u8]) -> usize {
        if N < LINE {
            return ByWord::<AllAtOnce>::put(line, to);
        }
        let to = to.first_chunk_mut::<MOST>().expect("room for a line");
        // SAFETY: only kernels for processors with these instructions write lines like this; the
        // line has 64 bytes, and there is room for as many behind the mask.
        unsafe {
            let bytes = _mm512_loadu_si512(line.as_ptr().cast());
            let mask = _mm512_test_epi8_mask(bytes, bytes);
            let in_use = _mm512_maskz_compress_epi8(mask, bytes);
            to[..8].copy_from_slice(&mask.to_le_bytes());
            _mm512_storeu_si512(to[8..].as_mut_ptr().cast(), in_use);
            8 + mask.count_ones() as usize
        }
    }

    #[inline(always)]
    fn take<const N: usize>(bytes: &[u8; MOST]) -> [u64; N] {
        if N < LINE {
            return ByWord::<AllAtOnce>::take(bytes);
        }
        let (mask, in_use) = bytes.split_first_chunk().expect("a mask of 64 bits");
        let mut line = [0; N];
        // SAFETY: as above; there are 64 bytes behind the mask.
        unsafe {
            let in_use = _mm512_loadu_si512(in_use.as_ptr().cast());
            let bytes = _mm512_maskz_expand_epi8(u64::from_le_bytes(*mask), in_use);
            _mm512_storeu_si512(line.as_mut_ptr().cast(), bytes);
        }
        line
    }
}

compiled_for!(
    WholeLines,
    "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
);

#[target_feature(
    enable = "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq,gfni"
)]
pub(super) fn turn<const N: usize, const TO: usize, const P: usize>(
    rows: Rows,
    missing: u64,
    to: &mut [u64],
) {
    let from = rows.words;
    // What follows fills registers with words of both planes.
    if P == 1 {
        return avx2::turn::<N, TO, P>(rows, missing, to);
    }
    // Rows too short to fill a register, before or after turning.
    if N < 4 || TO < 4 {
        return turn_short::<N, TO>(from, missing, to);
    }
    let exchanged: [u8; 64] = std::array::from_fn(|byte| (byte % 8 * 8 + byte / 8) as u8);
    // SAFETY: both are 64 bytes long, and every pattern of bits is a value of both.
    let exchanged = unsafe { std::mem::transmute::<[u8; 64], __m512i>(exchanged) };
    // Where there are rows, and where there are columns.
    let (groups, words) = filled::<N, TO, PLANES>(from, to);
    // Registers (w k) of one g; registers (w b g).
    let mut of_rows = [[_mm512_setzero_si512(); 8]; 8];
    let mut turned = [[[_mm512_set1_epi64(missing as i64); TO]; 8]; 8];
    for first in (0..PLANES * N).step_by(8) {
        for g in 0..groups {
            for k in 0..8 {
                let next = 64 * g + 8 * k..64 * g + 8 * k + 8;
                if first == 0 {
                    prefetch_after(rows, next.clone(), PLANES * N);
                }
                next.for_each(|row| prefetch_to(to, (row * PLANES + first / N) * TO));
                let words = std::array::from_fn(|i| {
                    load(from, (64 * g + 8 * i + k) * PLANES * N + first, missing)
                });
                for (of_rows, words) in of_rows.iter_mut().zip(transpose_words(words)) {
                    of_rows[k] = _mm512_permutexvar_epi8(exchanged, words);
                }
            }
            let registers = (first..).zip(turned.iter_mut().zip(&of_rows));
            for (_, (turned, of_rows)) in registers.filter(|(word, _)| word % N < words) {
                for (turned, bits) in turned.iter_mut().zip(transpose_bits(*of_rows)) {
                    turned[g] = bits;
                }
            }
        }
        for (word, turned) in (first..).zip(&turned).filter(|(word, _)| word % N < words) {
            let (plane, w) = (word / N, word % N);
            for (b, turned) in turned.iter().enumerate() {
                let place = |j| (64 * w + 8 * j + b) * PLANES * TO + plane * TO;
                if let Some(turned) = turned.first_chunk::<8>() {
                    for (j, words) in transpose_words(*turned).into_iter().enumerate() {
                        store_8(to, place(j), words);
                    }
                } else if let Some(turned) = turned.first_chunk::<4>() {
                    for (words, j) in pair_words(*turned).into_iter().zip([0, 4, 1, 5]) {
                        store_4(to, place(j), _mm512_castsi512_si256(words));
                        store_4(to, place(j + 2), _mm512_extracti64x4_epi64::<1>(words));
                    }
                }
            }
        }
    }
}

/// Turns 64 rows and 64 columns at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
fn turn_short<const N: usize, const TO: usize>(from: &[u64], missing: u64, to: &mut [u64]) {
    let (groups, words) = filled::<N, TO, PLANES>(from, to);
    let nothing = _mm512_set1_epi64(missing as i64);
    // By plane and word: 64 rows, 8 to a register.
    let mut of_rows = [[[nothing; 8]; N]; PLANES];
    // By plane, word and word of the turned rows: 64 columns, 8 to a register.
    let mut turned = [[[[nothing; 8]; TO]; N]; PLANES];
    for g in 0..groups {
        for i in 0..8 {
            let picked = pick::<N>(from, (64 * g + 8 * i) * PLANES * N, missing);
            for (of_rows, picked) in of_rows.iter_mut().flatten().zip(picked.iter().flatten()) {
                of_rows[i] = *picked;
            }
        }
        for (turned, of_rows) in turned.iter_mut().zip(&of_rows) {
            for (turned, of_rows) in turned.iter_mut().zip(of_rows).take(words) {
                turned[g] = turn_block(*of_rows);
            }
        }
    }
    for w in 0..words {
        for j in 0..8 {
            let columns = turned.each_ref().map(|turned| turned[w].each_ref().map(|to| to[j]));
            put::<TO>(to, (64 * w + 8 * j) * PLANES * TO, columns);
        }
    }
}

/// A block of 64 rows and 64 columns.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
fn turn_block(rows: [__m512i; 8]) -> [__m512i; 8] {
    let index = |byte_of: fn(usize) -> usize| {
        let bytes: [u8; 64] = std::array::from_fn(|byte| byte_of(byte) as u8);
        // SAFETY: both are 64 bytes long, and every pattern of bits is a value of both.
        unsafe { std::mem::transmute::<[u8; 64], __m512i>(bytes) }
    };
    let exchanged = index(|byte| byte % 8 * 8 + byte / 8);
    // The product below takes the bytes of a word from the last to the first.
    let reversed = index(|byte| (7 - byte % 8) * 8 + byte / 8);
    let ones = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    let by_columns = rows.map(|rows| {
        let bytes = _mm512_permutexvar_epi8(reversed, rows);
        _mm512_gf2p8affine_epi64_epi8::<0>(ones, bytes)
    });
    transpose_words(by_columns).map(|words| _mm512_permutexvar_epi8(exchanged, words))
}

/// By plane and word, the words of 8 rows from a place on; beyond the last, `missing`.
#[inline]
#[target_feature(enable = "avx512f")]
fn pick<const N: usize>(from: &[u64], place: usize, missing: u64) -> [[__m512i; N]; PLANES] {
    let next = |number: usize| load_some(from, place + 8 * number, missing);
    let mut words = [_mm512_setzero_si512(); PLANES * LINE];
    match N {
        1 => {
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            let [a, b] = [next(0), next(1)];
            words[0] = _mm512_permutex2var_epi64(a, even, b);
            words[1] = _mm512_permutex2var_epi64(a, odd, b);
        }
        2 => {
            // Words 0 and 1 of four rows, and words 2 and 3.
            let low = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
            let high = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
            let [a, b] = [[next(0), next(1)], [next(2), next(3)]];
            for (number, index) in [low, high].into_iter().enumerate() {
                let [a, b] = [a, b].map(|[a, b]| _mm512_permutex2var_epi64(a, index, b));
                words[2 * number] = _mm512_shuffle_i64x2::<0x44>(a, b);
                words[2 * number + 1] = _mm512_shuffle_i64x2::<0xee>(a, b);
            }
        }
        _ => {
            let registers = PLANES * N / 8;
            for first in 0..registers {
                let rows = std::array::from_fn(|row| next(registers * row + first));
                words[8 * first..][..8].copy_from_slice(&transpose_words(rows));
            }
        }
    }
    std::array::from_fn(|plane| std::array::from_fn(|word| words[plane * N + word]))
}

/// The words of one register, each followed by that of the other.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_pairs(a: __m512i, b: __m512i) -> [__m512i; 2] {
    let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    [_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b)]
}

/// Puts 8 rows at a place, as far as there is room, given by plane and word.
#[inline]
#[target_feature(enable = "avx512f")]
fn put<const N: usize>(to: &mut [u64], place: usize, words: [[__m512i; N]; PLANES]) {
    let words = |number: usize| words[number / N][number % N];
    match N {
        1 => {
            for (number, rows) in in_pairs(words(0), words(1)).into_iter().enumerate() {
                store_some(to, place + 8 * number, rows);
            }
        }
        2 => {
            let low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            let [ab, cd] = [in_pairs(words(0), words(1)), in_pairs(words(2), words(3))];
            for (number, (ab, cd)) in ab.into_iter().zip(cd).enumerate() {
                let place = place + 16 * number;
                store_some(to, place, _mm512_permutex2var_epi64(ab, low, cd));
                store_some(to, place + 8, _mm512_permutex2var_epi64(ab, high, cd));
            }
        }
        _ => {
            let registers = PLANES * N / 8;
            for first in 0..registers {
                let rows = transpose_words(std::array::from_fn(|word| words(8 * first + word)));
                for (row, rows) in rows.into_iter().enumerate() {
                    store_some(to, place + 8 * (registers * row + first), rows);
                }
            }
        }
    }
}

/// Word `c` of register `r` is exchanged with word `r` of register `c`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_words(r: [__m512i; 8]) -> [__m512i; 8] {
    let pair =
        |a: usize| (_mm512_unpacklo_epi64(r[a], r[a + 1]), _mm512_unpackhi_epi64(r[a], r[a + 1]));
    let ((a0, a1), (b0, b1), (c0, c1), (d0, d1)) = (pair(0), pair(2), pair(4), pair(6));
    // Pairs of rows in 128-bit lanes, a column or its neighbour in each: 4 x 4 of them.
    let lanes = |a, b, c, d| {
        let (ab, ab_odd) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
        let (cd, cd_odd) = (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
        [
            _mm512_shuffle_i64x2::<0x88>(ab, cd),
            _mm512_shuffle_i64x2::<0x88>(ab_odd, cd_odd),
            _mm512_shuffle_i64x2::<0xdd>(ab, cd),
            _mm512_shuffle_i64x2::<0xdd>(ab_odd, cd_odd),
        ]
    };
    let [c0, c2, c4, c6, c1, c3, c5, c7] = {
        let ([a, b, c, d], [e, f, g, h]) = (lanes(a0, b0, c0, d0), lanes(a1, b1, c1, d1));
        [a, b, c, d, e, f, g, h]
    };
    [c0, c1, c2, c3, c4, c5, c6, c7]
}

/// Word `c` of register `r` becomes word `r` of four, for all `c`: 0 and 2, 4
/// and 6, 1 and 3, 5 and 7 in a register.
#[inline]
#[target_feature(enable = "avx512f")]
fn pair_words([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, ab_odd) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let (cd, cd_odd) = (_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    let low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    [
        _mm512_permutex2var_epi64(ab, low, cd),
        _mm512_permutex2var_epi64(ab, high, cd),
        _mm512_permutex2var_epi64(ab_odd, low, cd_odd),
        _mm512_permutex2var_epi64(ab_odd, high, cd_odd),
    ]
}

/// Bit `c` of every byte of register `r` is exchanged with bit `r` of register `c`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_bits(mut r: [__m512i; 8]) -> [__m512i; 8] {
    /// Bits of the first register where the mask has ones, else of the second.
    const SELECT: i32 = 0xca;
    macro_rules! exchange {
        ($half:literal, $left:literal, $($upper:literal)*) => {$(
            let (upper, lower) = (r[$upper], r[$upper + $half]);
            let left = _mm512_set1_epi8($left);
            let down = _mm512_srli_epi64::<$half>(upper);
            let up = _mm512_slli_epi64::<$half>(lower);
            r[$upper] = _mm512_ternarylogic_epi64::<SELECT>(left, upper, up);
            r[$upper + $half] = _mm512_ternarylogic_epi64::<SELECT>(left, down, lower);
        )*};
    }
    exchange!(4, 0x0f, 0 1 2 3);
    exchange!(2, 0x33, 0 1 4 5);
    exchange!(1, 0x55, 0 2 4 6);
    r
}

/// 8 words from a place on; beyond the last, 8 times `missing`.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64], place: usize, missing: u64) -> __m512i {
    match words.get(place..place + 8) {
        // SAFETY: the 8 words of the slice are read, and the load needs no alignment.
        Some(words) => unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) },
        None => _mm512_set1_epi64(missing as i64),
    }
}

/// 8 words from a place on; beyond the last, `missing`.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_some(words: &[u64], place: usize, missing: u64) -> __m512i {
    let words = words.get(place..).unwrap_or(&[]);
    if words.len() >= 8 {
        return load(words, 0, missing);
    }
    let mut some = [missing; 8];
    some[..words.len()].copy_from_slice(words);
    load(&some, 0, missing)
}

/// Writes as many of 8 words at a place as there is room for.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_some(to: &mut [u64], place: usize, words: __m512i) {
    let to = to.get_mut(place..).unwrap_or(&mut []);
    if to.len() >= 8 {
        return store_8(to, 0, words);
    }
    let mut some = [0; 8];
    store_8(&mut some, 0, words);
    let room = to.len();
    to.copy_from_slice(&some[..room]);
}

/// Writes 4 words at a place, if there is room.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_4(to: &mut [u64], place: usize, words: __m256i) {
    if let Some(to) = to.get_mut(place..place + 4) {
        // SAFETY: the 4 words of the slice are written, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), words) }
    }
}

/// Writes 8 words at a place, if there is room.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_8(to: &mut [u64], place: usize, words: __m512i) {
    if let Some(to) = to.get_mut(place..place + 8) {
        // SAFETY: the 8 words of the slice are written, and the store needs no alignment.
        unsafe { _mm512_storeu_epi64(to.as_mut_ptr().cast(), words) }
    }
}

/// Prefetches a cache line that will be written.
#[inline(always)]
fn prefetch_to(to: &[u64], place: usize) {
    if let Some(word) = to.get(place) {
        // SAFETY: a hint, which changes no memory that Rust could see.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(std::ptr::from_ref(word).cast()) }
    }
}
