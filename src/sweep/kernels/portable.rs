//! The kernels in plain Rust. The other forms compile these bodies again, with
//! other instructions allowed, so they must be inlined.
//!
//! `N` is the number of words of a row of one plane, `M` of all planes.

use crate::sweep::panels::PLANES;

use super::{Children, Finish, Fold, Tally, Threats};

#[inline(always)]
pub(super) fn fold<const N: usize, const M: usize>(
    fold: Fold,
    keep: bool,
    to: &mut [u64],
    children: Children,
) {
    match fold {
        Fold::Or => fold_by::<M>(Fold::Or, |a, b| a | b, keep, to, children),
        Fold::And => fold_by::<M>(Fold::And, |a, b| a & b, keep, to, children),
    }
}

#[inline(always)]
fn fold_by<const M: usize>(
    fold: Fold,
    by: impl Fn(u64, u64) -> u64 + Copy,
    keep: bool,
    to: &mut [u64],
    Children { rows, places, per_row }: Children,
) {
    let (to, rest) = to.as_chunks_mut::<M>();
    let rows = rows.as_chunks::<M>().0;
    debug_assert!(rest.is_empty() && places.len() == to.len() * per_row);
    let nothing = [!fold.won(); M];
    let won = [fold.won(); M];
    for (to, places) in to.iter_mut().zip(places.chunks_exact(per_row)) {
        let mut folded = if keep { *to } else { nothing };
        for place in places {
            let child = rows.get(*place as usize).unwrap_or(&won);
            for (folded, child) in folded.iter_mut().zip(child) {
                *folded = by(*folded, *child);
            }
        }
        *to = folded;
    }
}

#[inline(always)]
pub(super) fn quieten<const N: usize, const M: usize>(
    from: &[u64],
    to: &mut [u64],
    with: Finish,
    threats: Threats,
) {
    let fours = with.fours.as_chunks::<M>().0;
    let in_turn = with.in_turn.as_chunks::<N>().0;
    let met = threats.met.as_chunks::<N>().0;
    let demands = met.len() / 4;
    let row_of = |words: &[u64]| -> [u64; N] { words.try_into().expect("a row of one plane") };
    let (columns, won) = (row_of(with.columns), row_of(threats.columns));
    let rows = from.as_chunks::<M>().0.iter().zip(to.as_chunks_mut::<M>().0);
    let labels = with.faces.iter().zip(with.types).zip(threats.rows.iter().zip(threats.whole));
    for ((from, to), ((face, kind), (demanded, whole))) in rows.zip(labels) {
        if *whole {
            to.fill(0);
            continue;
        }
        let (fours, in_turn) = (&fours[*face as usize], &in_turn[*kind as usize]);
        let mut loud = won;
        for (met, demanded) in met.chunks(demands.max(1)).zip(demanded.as_flattened()) {
            let mut demanded = *demanded;
            while demanded != 0 {
                let met = &met[demanded.trailing_zeros() as usize];
                demanded &= demanded - 1;
                for i in 0..N {
                    loud[i] |= met[i];
                }
            }
        }
        for i in 0..N {
            let quiet = columns[i] & in_turn[i] & !fours[N + i] & !loud[i];
            to[i] = from[i] & quiet;
            to[N + i] = from[N + i] & quiet;
        }
    }
}

#[inline(always)]
pub(super) fn finish<const N: usize, const M: usize>(to: &mut [u64], with: Finish) -> Tally {
    let fours = with.fours.as_chunks::<M>().0;
    let in_turn = with.in_turn.as_chunks::<N>().0;
    let columns: &[u64; N] = with.columns.try_into().expect("a row of one plane");
    let (mut wins, mut holds, mut lives) = ([0u64; N], [0u64; N], [0u64; N]);
    let rows = to.as_chunks_mut::<M>().0.iter_mut();
    for ((row, face), kind) in rows.zip(with.faces).zip(with.types) {
        let (fours, in_turn) = (&fours[*face as usize], &in_turn[*kind as usize]);
        for i in 0..N {
            let (last_mover, either) = (fours[i], fours[N + i]);
            let live = in_turn[i] & !either;
            let won = last_mover & with.won;
            row[i] = (row[i] & !last_mover | won) & columns[i];
            row[N + i] = (row[N + i] & !last_mover | won) & columns[i];
            wins[i] += u64::from((row[i] & live).count_ones());
            holds[i] += u64::from((row[N + i] & live).count_ones());
            lives[i] += u64::from(live.count_ones());
        }
    }
    Tally {
        first_wins: wins.iter().sum(),
        first_holds: holds.iter().sum(),
        live: lives.iter().sum(),
    }
}

#[inline(always)]
pub(super) fn turn<const N: usize, const TO: usize>(from: &[u64], to: &mut [u64]) {
    turn_lanes::<N, TO, 2>(from, to);
}

/// Turns `L` words of each row side by side, of whichever plane: 64 rows of
/// them are as many blocks of 64 words.
#[inline(always)]
fn turn_lanes<const N: usize, const TO: usize, const L: usize>(from: &[u64], to: &mut [u64]) {
    let (stride, to_stride) = (PLANES * N, PLANES * TO);
    let mut block = [[0; L]; 64];
    for first in (0..stride).step_by(L) {
        for to_word in 0..TO {
            let rows = from.get(64 * to_word * stride..).unwrap_or(&[]);
            let rows = rows.chunks_exact(stride).take(64);
            block[rows.len()..].fill([0; L]);
            for (words, row) in block.iter_mut().zip(rows) {
                *words = row[first..first + L].try_into().expect("so many words");
            }
            transpose_blocks(&mut block);
            for lane in 0..L {
                let (plane, word) = ((first + lane) / N, (first + lane) % N);
                let to = to.get_mut(64 * word * to_stride..).unwrap_or(&mut []);
                for (to, row) in to.chunks_exact_mut(to_stride).zip(&block) {
                    to[plane * TO + to_word] = row[lane];
                }
            }
        }
    }
}

/// Transposes `L` blocks side by side: bit `c` of row `r` is exchanged with bit
/// `r` of row `c`. Three exchanges at a time, so that what they need fits into
/// registers.
#[inline(always)]
fn transpose_blocks<const L: usize>(block: &mut [[u64; L]; 64]) {
    for first in 0..8 {
        let rows = std::array::from_fn(|row| block[8 * row + first]);
        let rows = exchange(exchange(exchange(rows, 4, 32), 2, 16), 1, 8);
        (0..8).for_each(|row| block[8 * row + first] = rows[row]);
    }
    for rows in block.as_chunks_mut::<8>().0 {
        *rows = exchange(exchange(exchange(*rows, 4, 4), 2, 2), 1, 1);
    }
}

/// Exchanges the upper right with the lower left quarter of squares of `2 * half`
/// bits, whose upper and lower half are so many rows apart.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "lanes of two rows")]
fn exchange<const L: usize>(mut rows: [[u64; L]; 8], apart: usize, half: u32) -> [[u64; L]; 8] {
    // The left half of the columns of every square.
    let left = u64::MAX / ((1 << half) + 1);
    for upper in (0..8).filter(|row| row & apart == 0) {
        let lower = upper + apart;
        for lane in 0..L {
            let exchanged = (rows[upper][lane] >> half ^ rows[lower][lane]) & left;
            rows[upper][lane] ^= exchanged << half;
            rows[lower][lane] ^= exchanged;
        }
    }
    rows
}
