//! What kernels work on, what they count, and the kernels in plain Rust. The other forms compile
//! these bodies again, with other instructions allowed, so they must be inlined. Elsewhere the
//! compiler makes vectors of them by itself; `tests/machines/vectors.sh` counts those for AArch64.
//!
//! `N` is the number of words of a row of one plane, `M` of all planes.

use crate::board::Player;

use crate::sweep::bits::{DepositWord, PLANES, WINDOW};

#[inline(always)]
pub(super) fn fold<const N: usize, const M: usize>(
    fold: Fold,
    keep: bool,
    to: &mut [u64],
    children: Children,
) {
    match fold {
        Fold::Or => fold_by::<N, M>(fold, |a, b, in_play| a | b & in_play, keep, to, children),
        Fold::And => fold_by::<N, M>(fold, |a, b, in_play| a & (b | !in_play), keep, to, children),
    }
}

#[inline(always)]
fn fold_by<const N: usize, const M: usize>(
    fold: Fold,
    by: impl Fn(u64, u64, u64) -> u64 + Copy,
    keep: bool,
    to: &mut [u64],
    Children { rows, places, per_row, within, .. }: Children,
) {
    let (to, rest) = to.as_chunks_mut::<M>();
    let rows = rows.as_chunks::<M>().0;
    debug_assert!(rest.is_empty() && places.len() == to.len() * per_row);
    let within: &[u64; N] = within.try_into().expect("a row of one plane");
    let in_play: [u64; M] = std::array::from_fn(|word| within[word % N]);
    let won = [fold.won(); M];
    for (to, places) in to.iter_mut().zip(places.chunks_exact(per_row)) {
        let mut folded = if keep { *to } else { [fold.lost(); M] };
        let mut take = |child: &[u64; M]| {
            for ((folded, child), in_play) in folded.iter_mut().zip(child).zip(&in_play) {
                *folded = by(*folded, *child, *in_play);
            }
        };
        for place in places {
            if let Some(child) = rows.get(*place as usize) {
                take(child);
            } else if *place == FOUR {
                take(&won);
            }
        }
        *to = folded;
    }
}

/// Folds children whose rows have another width than those of the result: the last panel
/// of a tile and of its child. Columns that only the wider one has are not in play.
pub(super) fn fold_across(
    fold: Fold,
    planes: usize,
    width: usize,
    keep: bool,
    to: &mut [u64],
    Children { rows, width: from_width, places, per_row, within }: Children,
) {
    let row_words = planes * from_width;
    for (to, places) in to.chunks_exact_mut(planes * width).zip(places.chunks_exact(per_row)) {
        if !keep {
            to.fill(fold.lost());
        }
        for place in places {
            let start = *place as usize * row_words;
            let child = rows.get(start..start + row_words);
            for (plane, to) in to.chunks_exact_mut(width).enumerate() {
                let child = child.map(|child| &child[plane * from_width..][..from_width]);
                let special = if *place == FOUR { fold.won() } else { fold.lost() };
                for (word, (to, in_play)) in to.iter_mut().zip(within).enumerate() {
                    let beyond = if child.is_some() { fold.lost() } else { special };
                    let child = child.and_then(|child| child.get(word)).unwrap_or(&beyond);
                    match fold {
                        Fold::Or => *to |= child & in_play,
                        Fold::And => *to &= child | !in_play,
                    }
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn finish<const N: usize, const M: usize>(
    fold: Fold,
    to: &mut [u64],
    with: Finish,
) -> CellCounts {
    match fold {
        Fold::Or => finish_by::<N, M>(|outcome, wins| outcome | wins, to, with),
        Fold::And => finish_by::<N, M>(|outcome, wins| outcome & !wins, to, with),
    }
}

#[inline(always)]
fn finish_by<const N: usize, const M: usize>(
    win: impl Fn(u64, u64) -> u64,
    to: &mut [u64],
    with: Finish,
) -> CellCounts {
    let fours = with.fours.as_chunks::<N>().0;
    let within_reach = with.within_reach.as_chunks::<N>().0;
    let fillable = with.fillable.as_chunks::<N>().0;
    let columns: &[u64; N] = with.columns.try_into().expect("a row of one plane");
    let (mut counts, mut lives) = ([[0u64; N]; PLANES], [0u64; N]);
    let labels = with.demands.iter().zip(with.reaches).zip(with.types);
    for (row, ((demands, reach), kind)) in to.as_chunks_mut::<M>().0.iter_mut().zip(labels) {
        let (fours, fillable) = (&fours[*demands as usize], &fillable[*kind as usize]);
        let within_reach = &within_reach[*reach as usize];
        for i in 0..N {
            let live = fillable[i] & !fours[i] & columns[i];
            for (plane, counts) in counts.iter_mut().enumerate().take(M / N) {
                let word = &mut row[plane * N + i];
                *word = win(*word, within_reach[i]) & live;
                counts[i] += u64::from(word.count_ones());
            }
            lives[i] += u64::from(live.count_ones());
        }
    }
    let [first_wins, first_holds] = counts.map(|counts| counts.iter().sum());
    CellCounts { first_wins, first_holds, live: lives.iter().sum() }
}

#[inline(always)]
pub(super) fn quieten<const N: usize, const M: usize>(
    from: &[u64],
    to: &mut [u64],
    with: Finish,
    (waiting, labels): (&[u64], &[u32]),
) {
    let fours = with.fours.as_chunks::<N>().0;
    let within_reach = with.within_reach.as_chunks::<N>().0;
    let waiting = waiting.as_chunks::<N>().0;
    let fillable = with.fillable.as_chunks::<N>().0;
    let columns: &[u64; N] = with.columns.try_into().expect("a row of one plane");
    let labels = with.demands.iter().zip(with.types).zip(with.reaches.iter().zip(labels));
    let rows = from.as_chunks::<M>().0.iter().zip(to.as_chunks_mut::<M>().0);
    for ((from, to), ((demands, kind), (reach, other))) in rows.zip(labels) {
        let (fours, fillable) = (&fours[*demands as usize], &fillable[*kind as usize]);
        let (reach, other) = (&within_reach[*reach as usize], &waiting[*other as usize]);
        for i in 0..N {
            let quiet = columns[i] & fillable[i] & !(fours[i] | reach[i] | other[i]);
            to[i] = from[i] & quiet;
            to[N + i] = from[N + i] & quiet;
        }
    }
}

#[inline(always)]
pub(super) fn deposit(from: &[[u64; WINDOW]; PLANES], to: &mut [u64], words: &[DepositWord]) {
    deposit_by(DepositWord::deposit, from, to, words);
}

/// Deposits with a function that moves the low bits of a word to the ones of its mask.
#[inline(always)]
pub(super) fn deposit_by(
    deposit: impl Fn(&DepositWord, u64) -> u64,
    from: &[[u64; WINDOW]; PLANES],
    to: &mut [u64],
    words: &[DepositWord],
) {
    for (from, to) in from.iter().zip(to.chunks_exact_mut(words.len())) {
        for (to, word) in to.iter_mut().zip(words) {
            *to = deposit(word, word.window(from));
        }
    }
}

#[inline(always)]
pub(super) fn turn<const N: usize, const TO: usize, const P: usize>(
    from: Rows,
    missing: u64,
    to: &mut [u64],
) {
    match P * N {
        1 => turn_lanes::<N, TO, P, 1>(from.words, missing, to),
        _ => turn_lanes::<N, TO, P, 2>(from.words, missing, to),
    }
}

/// How many words of a turned row get rows, and how many words of a row have columns. Those
/// that only round up to a power of two need not be turned.
#[inline(always)]
pub(super) fn filled<const N: usize, const TO: usize, const P: usize>(
    from: &[u64],
    to: &[u64],
) -> (usize, usize) {
    (from.len().div_ceil(64 * P * N), to.len().div_ceil(64 * P * TO))
}

/// Fills the words of turned rows that get no row.
#[inline(always)]
pub(super) fn fill_rest<const TO: usize>(to: &mut [u64], filled: usize, missing: u64) {
    if filled < TO {
        to.chunks_exact_mut(TO).for_each(|words| words[filled..].fill(missing));
    }
}

/// Turns `L` words of each row side by side, of whichever plane: 64 rows of them
/// are `L` blocks of 64 words.
#[inline(always)]
fn turn_lanes<const N: usize, const TO: usize, const P: usize, const L: usize>(
    from: &[u64],
    missing: u64,
    to: &mut [u64],
) {
    let (stride, to_stride) = (P * N, P * TO);
    let (groups, words) = filled::<N, TO, P>(from, to);
    let mut block = [[0; L]; 64];
    for first in (0..stride).step_by(L).filter(|first| N < L || first % N < words) {
        for to_word in 0..groups {
            let rows = from.get(64 * to_word * stride..).unwrap_or(&[]);
            let rows = rows.chunks_exact(stride).take(64);
            block[rows.len()..].fill([missing; L]);
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
    fill_rest::<TO>(to, groups, missing);
}

/// Transposes `L` blocks side by side: bit `c` of row `r` is exchanged with bit
/// `r` of row `c`. Three exchanges at a time, so that their rows fit into
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
/// bits, whose upper and lower half are this many rows apart.
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

/// How the outcomes of all moves of a player are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) enum Fold {
    /// The first player takes the best.
    Or,
    /// The second player takes what is worst for the first.
    And,
}

impl Fold {
    pub(crate) fn of(mover: Player) -> Fold {
        match mover {
            Player::First => Fold::Or,
            Player::Second => Fold::And,
        }
    }

    /// A word of cells that this mover has won.
    pub(crate) fn won(self) -> u64 {
        match self {
            Fold::Or => u64::MAX,
            Fold::And => 0,
        }
    }

    /// A word of cells that this mover has lost, which changes nothing.
    pub(crate) fn lost(self) -> u64 {
        !self.won()
    }
}

/// Rows that are turned.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Rows<'a> {
    pub words: &'a [u64],
    /// If they may be far from the cache, what will be turned next, as far as it is known. Both
    /// are prefetched.
    pub next: Option<&'a [u64]>,
}

/// Instead of the place of a child: the move makes a four, so its player has won.
pub(in crate::sweep) const FOUR: u32 = u32::MAX;

/// The same: the opponent completes a four at once, so the child has no cells, and any other move
/// is at least as good.
pub(in crate::sweep) const LOSES: u32 = u32::MAX - 1;

/// The children of some rows.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Children<'a> {
    /// The rows that the places count.
    pub rows: &'a [u64],
    /// Words of one plane of such a row.
    pub width: usize,
    /// For each row of the result `per_row` places among them, or [`FOUR`]
    /// or [`LOSES`].
    pub places: &'a [u32],
    /// Places per row of the result.
    pub per_row: usize,
    /// The columns in which children count, in words of the result.
    pub within: &'a [u64],
}

/// How much the distinct lines of a panel are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) struct PackedSize {
    pub distinct: u32,
    pub bytes: u32,
}

/// Lines of a packed panel, and all its distinct lines.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct PackedPanel<'a> {
    /// The number of a distinct line for each of the lines: u16.
    pub tokens: &'a [u8],
    /// Where the distinct lines start, all of which are whole.
    pub starts: &'a [u32],
    pub bytes: &'a [u8],
}

/// What finishing the rows of a block takes.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Finish<'a> {
    /// For each kind of demands, the columns that complete a four of either player.
    pub fours: &'a [u64],
    /// For each reach, the columns with which the player to move completes a four.
    pub within_reach: &'a [u64],
    /// For each move-order type, the columns with which it makes a board that can be filled.
    pub fillable: &'a [u64],
    /// The columns that exist.
    pub columns: &'a [u64],
    /// The demands of each row.
    pub demands: &'a [u32],
    /// The reach of each row.
    pub reaches: &'a [u32],
    /// The type of each row.
    pub types: &'a [u32],
}

/// Numbers of live cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::sweep) struct CellCounts {
    /// Those that the first player wins.
    pub first_wins: u64,
    /// Those that the first player does not lose.
    pub first_holds: u64,
    /// All.
    pub live: u64,
}

impl CellCounts {
    /// The sum. It overflows only if a file was forged; then it stays too large, and so is found
    /// to be wrong.
    pub(crate) fn plus(self, other: CellCounts) -> CellCounts {
        CellCounts {
            first_wins: self.first_wins.saturating_add(other.first_wins),
            first_holds: self.first_holds.saturating_add(other.first_holds),
            live: self.live.saturating_add(other.live),
        }
    }

    pub(crate) fn times(self, factor: u64) -> CellCounts {
        CellCounts {
            first_wins: self.first_wins * factor,
            first_holds: self.first_holds * factor,
            live: self.live * factor,
        }
    }
}
