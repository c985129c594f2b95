//! The kernels compiled for AVX2, with a transpose of their own.
//!
//! A register holds 4 words of a row, of either plane, or 2 words of two rows
//! that are 64 apart. So 64 registers are 4 blocks of 64 x 64 bits, lane by lane. Turned, a lane
//! is a word of a row. Two words that stand next to each other there are written at once: as a rule
//! those of two blocks, which are 64 rows apart or, if rows turn into single words, of two planes.

use std::arch::x86_64::*;
use std::ops::Range;

use crate::sweep::bits::{DepositWord, LINE, PLANES, WINDOW};

use super::portable::{CellCounts, Children, Finish, Fold, PackedPanel, PackedSize, Rows};
use super::repeats::{ByWord, LOWEST, MoveBytes, Seen};
use super::{portable, repeats};

/// Rows between the one that is read and the one that is prefetched.
const ROWS_AHEAD: usize = 128;

/// Moves all bytes of a word at once.
pub(super) struct AllAtOnce;

impl MoveBytes for AllAtOnce {
    #[inline(always)]
    fn together(word: u64, mask: u64) -> u64 {
        // SAFETY: only kernels for processors with BMI2 move bytes like this.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn apart(bytes: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { _pdep_u64(bytes, mask) }
    }

    #[inline(always)]
    fn bits_of(mask: u64) -> u8 {
        // SAFETY: as above.
        unsafe { _pext_u64(mask, LOWEST) as u8 }
    }

    #[inline(always)]
    fn mask_of(bits: u8) -> u64 {
        // SAFETY: as above.
        let lowest = unsafe { _pdep_u64(bits.into(), LOWEST) };
        (lowest << 8).wrapping_sub(lowest)
    }
}

compiled_for!(ByWord<AllAtOnce>, "avx2,bmi2,popcnt");

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn deposit(from: &[[u64; WINDOW]; PLANES], to: &mut [u64], words: &[DepositWord]) {
    portable::deposit_by(|word, bits| _pdep_u64(bits, word.mask), from, to, words);
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn turn<const N: usize, const TO: usize, const P: usize>(
    rows: Rows,
    missing: u64,
    to: &mut [u64],
) {
    if P * N >= 4 && (TO > 1 || P == 2 && N >= 4) {
        turn_blocks::<N, TO, P, 2>(rows, missing, to);
    } else {
        turn_blocks::<N, TO, P, 1>(rows, missing, to);
    }
}

/// Turns this many blocks of 64 registers at a time.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
#[expect(clippy::needless_range_loop, reason = "rows are read and written eight apart")]
fn turn_blocks<const N: usize, const TO: usize, const P: usize, const BLOCKS: usize>(
    rows: Rows,
    missing: u64,
    to: &mut [u64],
) {
    let from = rows.words;
    let (stride, to_stride) = (P * N, P * TO);
    // Words of each row in a register: it takes as many rows, 64 apart, as fit.
    let lanes = if stride < 4 { stride } else { 4 };
    let rows_at_once = 64 * 4 / lanes;
    // How far the second block is from the first, in rows and in words of a row.
    let (rows_apart, words_apart) = if TO > 1 { (rows_at_once, 0) } else { (0, N) };
    let words_at_once = (rows_at_once + (BLOCKS - 1) * rows_apart) / 64;
    let (groups, _) = portable::filled::<N, TO, P>(from, to);
    let mut blocks = [[[_mm256_setzero_si256(); 8]; 8]; BLOCKS];
    for first in (0..stride - (BLOCKS - 1) * words_apart).step_by(4) {
        for to_word in (0..groups).step_by(words_at_once) {
            for (number, block) in blocks.iter_mut().enumerate() {
                let first_row = 64 * to_word + number * rows_apart;
                let first = first + number * words_apart;
                for i in 0..8 {
                    if first == 0 {
                        let next = first_row + i * rows_at_once / 8;
                        prefetch_after(rows, next..next + rows_at_once / 8, stride);
                    }
                    let rows = std::array::from_fn(|k| {
                        let place = (first_row + 8 * k + i) * stride + first;
                        match lanes {
                            1 => load_four(from, place, 64 * stride, missing),
                            2 => load_two(from, place, 64 * stride, missing),
                            _ => load(from, place, missing),
                        }
                    });
                    let rows = exchange::<32, 16, 8>(rows);
                    (0..8).for_each(|k| block[k][i] = rows[k]);
                }
            }
            for k in 0..8 {
                let (one, two) = (&blocks[0][k], &blocks[BLOCKS - 1][k]);
                let one = exchange::<4, 2, 1>(*one);
                let two = if BLOCKS == 1 { one } else { exchange::<4, 2, 1>(*two) };
                let place = |lane| {
                    let (plane, from_word) = ((first + lane) / N, (first + lane) % N);
                    (64 * from_word + 8 * k) * to_stride + plane * TO + to_word
                };
                match (TO, lanes) {
                    (1, _) if P == 1 => {
                        for (row, words) in one.into_iter().enumerate() {
                            let places = std::array::from_fn(|lane| place(lane) + row * to_stride);
                            store_each(to, places, words, lanes);
                        }
                    }
                    (1, 2) => store_rows::<0>(to, place(0), to_stride, one),
                    (_, 1) => {
                        store_rows::<0>(to, place(0), to_stride, one);
                        if to_word + 2 < TO {
                            store_rows::<1>(to, place(0) + 2, to_stride, one);
                        }
                    }
                    _ if BLOCKS == 1 => {
                        let words =
                            one.map(|words| _mm256_permute4x64_epi64::<0b11_01_10_00>(words));
                        store_rows::<0>(to, place(0), to_stride, words);
                        store_rows::<1>(to, place(1), to_stride, words);
                    }
                    _ => {
                        let even =
                            std::array::from_fn(|row| _mm256_unpacklo_epi64(one[row], two[row]));
                        let odd =
                            std::array::from_fn(|row| _mm256_unpackhi_epi64(one[row], two[row]));
                        store_rows::<0>(to, place(0), to_stride, even);
                        store_rows::<0>(to, place(1), to_stride, odd);
                        store_rows::<1>(to, place(2), to_stride, even);
                        store_rows::<1>(to, place(3), to_stride, odd);
                    }
                }
            }
        }
    }
    portable::fill_rest::<TO>(to, groups.next_multiple_of(words_at_once), missing);
}

/// Prefetches the rows of this many words that will be read some rows after these.
#[inline(always)]
pub(super) fn prefetch_after(Rows { words: from, next }: Rows, rows: Range<usize>, words: usize) {
    let Some(next) = next else { return };
    let [first, end] = [rows.start, rows.end].map(|row| (row + ROWS_AHEAD) * words);
    for place in (first..end.min(from.len() + next.len())).step_by(LINE) {
        if let Some(word) = from.get(place).or_else(|| next.get(place - from.len())) {
            // SAFETY: a hint, which reads no memory that Rust could see.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(word).cast()) }
        }
    }
}

/// Exchanges quarters of squares of twice as many bits as each of these numbers, one after the
/// other, of which upper and lower half are 4, 2 and 1 registers apart. Written without a loop,
/// because all must stay in registers.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const FIRST: i32, const SECOND: i32, const THIRD: i32>(
    [a, b, c, d, e, f, g, h]: [__m256i; 8],
) -> [__m256i; 8] {
    let ((a, e), (b, f)) = (exchange_two::<FIRST>(a, e), exchange_two::<FIRST>(b, f));
    let ((c, g), (d, h)) = (exchange_two::<FIRST>(c, g), exchange_two::<FIRST>(d, h));
    let ((a, c), (b, d)) = (exchange_two::<SECOND>(a, c), exchange_two::<SECOND>(b, d));
    let ((e, g), (f, h)) = (exchange_two::<SECOND>(e, g), exchange_two::<SECOND>(f, h));
    let ((a, b), (c, d)) = (exchange_two::<THIRD>(a, b), exchange_two::<THIRD>(c, d));
    let ((e, f), (g, h)) = (exchange_two::<THIRD>(e, f), exchange_two::<THIRD>(g, h));
    [a, b, c, d, e, f, g, h]
}

/// Exchanges the upper right with the lower left quarter of squares of `2 * HALF` bits.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange_two<const HALF: i32>(upper: __m256i, lower: __m256i) -> (__m256i, __m256i) {
    let down = _mm256_srli_epi64::<HALF>(upper);
    let up = |lower| _mm256_slli_epi64::<HALF>(lower);
    match HALF {
        // Quarters of whole bytes are picked.
        32 => (
            _mm256_blend_epi32::<0b1010_1010>(upper, up(lower)),
            _mm256_blend_epi32::<0b1010_1010>(down, lower),
        ),
        16 => (
            _mm256_blend_epi16::<0b1010_1010>(upper, up(lower)),
            _mm256_blend_epi16::<0b1010_1010>(down, lower),
        ),
        _ => {
            // The left half of the columns of every square.
            let left = _mm256_set1_epi64x((u64::MAX / ((1 << HALF) + 1)) as i64);
            let exchanged = _mm256_and_si256(_mm256_xor_si256(down, lower), left);
            (_mm256_xor_si256(upper, up(exchanged)), _mm256_xor_si256(lower, exchanged))
        }
    }
}

/// 4 words from a place on; beyond the last, 4 times `missing`.
#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u64], place: usize, missing: u64) -> __m256i {
    match words.get(place..place + 4) {
        // SAFETY: the 4 words of the slice are read, and the load needs no alignment.
        Some(words) => unsafe { _mm256_loadu_si256(words.as_ptr().cast()) },
        None => _mm256_set1_epi64x(missing as i64),
    }
}

/// 2 words from a place on, and 2 more this many words later; beyond the last, `missing`.
#[inline]
#[target_feature(enable = "avx2")]
fn load_two(words: &[u64], place: usize, later: usize, missing: u64) -> __m256i {
    let [low, high] = [place, place + later].map(|place| match words.get(place..place + 2) {
        // SAFETY: the 2 words of the slice are read, and the load needs no alignment.
        Some(words) => unsafe { _mm_loadu_si128(words.as_ptr().cast()) },
        None => _mm_set1_epi64x(missing as i64),
    });
    _mm256_set_m128i(high, low)
}

/// A word, and 3 more, each this many words later; beyond the last, `missing`.
#[inline]
#[target_feature(enable = "avx2")]
fn load_four(words: &[u64], place: usize, later: usize, missing: u64) -> __m256i {
    let word = |number: usize| *words.get(place + number * later).unwrap_or(&missing) as i64;
    _mm256_setr_epi64x(word(0), word(1), word(2), word(3))
}

/// Stores the first of 4 words at places of their own, except those beyond the last.
#[inline]
#[target_feature(enable = "avx2")]
fn store_each(words: &mut [u64], places: [usize; 4], four: __m256i, number: usize) {
    let (low, high) = (_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    let [first, third] = [low, high].map(|two| _mm_cvtsi128_si64(two));
    let [second, fourth] = [low, high].map(|two| _mm_extract_epi64::<1>(two));
    let four = [first, second, third, fourth];
    for (place, word) in places.into_iter().zip(four).take(number) {
        if let Some(to) = words.get_mut(place) {
            *to = word as u64;
        }
    }
}

/// Stores the first or the second two of 4 words of each of 8 rows from a place on, except those
/// beyond the last.
#[inline]
#[target_feature(enable = "avx2")]
fn store_rows<const HALF: i32>(words: &mut [u64], place: usize, stride: usize, rows: [__m256i; 8]) {
    let two = |row: usize| _mm256_extracti128_si256::<HALF>(rows[row]);
    match words.get_mut(place..place + 7 * stride + 2) {
        Some(all) => (0..8).for_each(|row| store_two(all, row * stride, two(row))),
        None => (0..8).for_each(|row| store_two(words, place + row * stride, two(row))),
    }
}

/// Stores 2 words from a place on, if it is not beyond the last.
#[inline]
#[target_feature(enable = "avx2")]
fn store_two(words: &mut [u64], place: usize, two: __m128i) {
    if let Some(to) = words.get_mut(place..place + 2) {
        // SAFETY: the 2 words of the slice are written, and the store needs no alignment.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), two) }
    }
}
