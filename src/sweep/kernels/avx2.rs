//! The kernels compiled for AVX2, with a transpose of their own.
//!
//! A register holds 4 words of a row, of either plane, or 2 words of two rows
//! that are 64 apart. So 64 registers are 4 blocks of 64 x 64 bits, lane by lane.

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
    let from = rows.words;
    let (stride, to_stride) = (P * N, P * TO);
    // Words of each row in a register: it takes as many rows, 64 apart, as fit.
    let lanes = if stride < 4 { stride } else { 4 };
    let rows_at_once = 64 * 4 / lanes;
    let (groups, _) = portable::filled::<N, TO, P>(from, to);
    let mut block = [_mm256_setzero_si256(); 64];
    for first in (0..stride).step_by(4) {
        for to_word in (0..groups).step_by(rows_at_once / 64) {
            for i in 0..8 {
                if first == 0 {
                    let next = 64 * to_word + i * rows_at_once / 8;
                    prefetch_after(rows, next..next + rows_at_once / 8, stride);
                }
                let rows = std::array::from_fn(|k| {
                    let place = (64 * to_word + 8 * k + i) * stride + first;
                    match lanes {
                        1 => load_four(from, place, 64 * stride, missing),
                        2 => load_two(from, place, 64 * stride, missing),
                        _ => load(from, place, missing),
                    }
                });
                let rows = exchange::<4, 32>(rows);
                let rows = exchange::<2, 16>(rows);
                let rows = exchange::<1, 8>(rows);
                (0..8).for_each(|k| block[8 * k + i] = rows[k]);
            }
            for (k, rows) in block.as_chunks::<8>().0.iter().enumerate() {
                let rows = exchange::<4, 4>(*rows);
                let rows = exchange::<2, 2>(rows);
                let rows = exchange::<1, 1>(rows);
                for (row, words) in (8 * k..).zip(rows) {
                    let low = _mm256_castsi256_si128(words);
                    let high = _mm256_extracti128_si256::<1>(words);
                    let words = [
                        _mm_cvtsi128_si64(low) as u64,
                        _mm_extract_epi64::<1>(low) as u64,
                        _mm_cvtsi128_si64(high) as u64,
                        _mm_extract_epi64::<1>(high) as u64,
                    ];
                    for (lane, word) in words.into_iter().enumerate() {
                        let (word_of_row, to_word) = (first + lane % lanes, to_word + lane / lanes);
                        let (plane, from_word) = (word_of_row / N, word_of_row % N);
                        let place = (64 * from_word + row) * to_stride + plane * TO + to_word;
                        if to_word < TO
                            && let Some(to) = to.get_mut(place)
                        {
                            *to = word;
                        }
                    }
                }
            }
        }
    }
    portable::fill_rest::<TO>(to, groups, missing);
}

/// Prefetches the rows of this many words that will be read some rows after these.
#[inline(always)]
pub(super) fn prefetch_after(Rows { words: from, next }: Rows, rows: Range<usize>, words: usize) {
    let [first, end] = [rows.start, rows.end].map(|row| (row + ROWS_AHEAD) * words);
    for place in (first..end.min(from.len() + next.len())).step_by(LINE) {
        if let Some(word) = from.get(place).or_else(|| next.get(place - from.len())) {
            // SAFETY: a hint, which reads no memory that Rust could see.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(word).cast()) }
        }
    }
}

/// Exchanges the upper right with the lower left quarter of squares of `2 * HALF`
/// bits, whose upper and lower half are this many registers apart.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const APART: usize, const HALF: i32>(mut r: [__m256i; 8]) -> [__m256i; 8] {
    // The left half of the columns of every square.
    let left = _mm256_set1_epi64x((u64::MAX / ((1 << HALF) + 1)) as i64);
    for upper in 0..8 {
        if upper & APART == 0 {
            let shifted = _mm256_srli_epi64::<HALF>(r[upper]);
            let exchanged = _mm256_and_si256(_mm256_xor_si256(shifted, r[upper + APART]), left);
            r[upper] = _mm256_xor_si256(r[upper], _mm256_slli_epi64::<HALF>(exchanged));
            r[upper + APART] = _mm256_xor_si256(r[upper + APART], exchanged);
        }
    }
    r
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
