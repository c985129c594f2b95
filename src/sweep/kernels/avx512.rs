//! The kernels compiled for AVX-512, and a transpose of its own.
//!
//! A register holds 8 words of a row: 512 columns. A block of 512 rows and 512
//! columns is turned by exchanging the three octal digits of the row with those
//! of the column, one after the other:
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

use std::arch::x86_64::*;

use crate::sweep::panels::PLANES;

use super::{Children, Finish, Fold, Tally, Threats, portable};

#[target_feature(
    enable = "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
)]
pub(super) fn fold<const N: usize, const M: usize>(
    fold: Fold,
    keep: bool,
    to: &mut [u64],
    children: Children,
) {
    portable::fold::<N, M>(fold, keep, to, children);
}

#[target_feature(
    enable = "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
)]
pub(super) fn quieten<const N: usize, const M: usize>(
    from: &[u64],
    to: &mut [u64],
    with: Finish,
    threats: Threats,
) {
    portable::quieten::<N, M>(from, to, with, threats);
}

#[target_feature(
    enable = "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
)]
pub(super) fn finish<const N: usize, const M: usize>(to: &mut [u64], with: Finish) -> Tally {
    portable::finish::<N, M>(to, with)
}

#[target_feature(
    enable = "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
)]
#[allow(clippy::needless_range_loop, reason = "digits that count places in several arrays")]
pub(super) fn turn(width: usize, from: &[u64], to_width: usize, to: &mut [u64]) {
    let (stride, to_stride) = (PLANES * width, PLANES * to_width);
    let (rows, to_rows) = (from.len() / stride, to.len() / to_stride);
    let zero = _mm512_setzero_si512();
    let exchanged: [u8; 64] = std::array::from_fn(|byte| (byte % 8 * 8 + byte / 8) as u8);
    // SAFETY: 64 bytes are as long as a register, and all bits are fine in one.
    let exchanged = unsafe { std::mem::transmute::<[u8; 64], __m512i>(exchanged) };
    // Registers (w k) of one g; registers (w b g).
    let mut of_rows = [[zero; 8]; 8];
    let mut turned = [[[zero; 8]; 8]; 8];
    for plane in 0..PLANES {
        for g in 0..to_width {
            for k in 0..8 {
                let words = transpose_words(std::array::from_fn(|i| {
                    let row = 64 * g + 8 * i + k;
                    if row < rows {
                        load(&from[row * stride + plane * width..][..width])
                    } else {
                        zero
                    }
                }));
                for w in 0..width {
                    of_rows[w][k] = _mm512_permutexvar_epi8(exchanged, words[w]);
                }
            }
            for w in 0..width {
                let bits = transpose_bits(of_rows[w]);
                for b in 0..8 {
                    turned[w][b][g] = bits[b];
                }
            }
        }
        for w in 0..width {
            for b in 0..8 {
                let words = transpose_words(turned[w][b]);
                for (j, words) in words.into_iter().enumerate() {
                    let row = 64 * w + 8 * j + b;
                    if row < to_rows {
                        store(&mut to[row * to_stride + plane * to_width..][..to_width], words);
                    }
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

/// Bit `c` of every byte of register `r` is exchanged with bit `r` of register `c`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_bits(mut r: [__m512i; 8]) -> [__m512i; 8] {
    macro_rules! exchange {
        ($half:literal, $left:literal, $($upper:literal)*) => {$(
            let (upper, lower) = (r[$upper], r[$upper + $half]);
            let shifted = _mm512_srli_epi64::<$half>(upper);
            let left = _mm512_set1_epi8($left);
            let exchanged = _mm512_and_si512(_mm512_xor_si512(shifted, lower), left);
            r[$upper] = _mm512_xor_si512(upper, _mm512_slli_epi64::<$half>(exchanged));
            r[$upper + $half] = _mm512_xor_si512(lower, exchanged);
        )*};
    }
    exchange!(4, 0x0f, 0 1 2 3);
    exchange!(2, 0x33, 0 1 4 5);
    exchange!(1, 0x55, 0 2 4 6);
    r
}

/// Up to 8 words, and zeros.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64]) -> __m512i {
    let present = (0xff_u32 >> (8 - words.len())) as __mmask8;
    // SAFETY: reads no more words than there are, wherever they lie.
    unsafe { _mm512_maskz_loadu_epi64(present, words.as_ptr().cast()) }
}

/// The first words of a register, as many as there is room for.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [u64], words: __m512i) {
    let present = (0xff_u32 >> (8 - to.len())) as __mmask8;
    // SAFETY: writes no more words than there is room for, wherever they lie.
    unsafe { _mm512_mask_storeu_epi64(to.as_mut_ptr().cast(), present, words) }
}
