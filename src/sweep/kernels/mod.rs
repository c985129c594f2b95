//! The inner loops of the backward step, for the instructions that the processor offers.
//!
//! Each kernel is written once, in `portable`, over rows whose length the
//! compiler knows; the other forms are the same source compiled for wider
//! registers, and each has a transpose of its own. All forms give the same bytes,
//! those of the slow twins in the tests.
//!
//! The kernels know nothing of tiers and tiles. A *row* here is a row of a
//! panel: the same number of words, 1, 2, 4 or 8, of each plane, of both or of one alone.
//!
//! ```text
//!     fold      row <- OR or AND of rows of children, by places
//!     turn      exchanges rows and columns of a block of 512 x 512
//!     finish    writes in wins across the centre, counts live outcomes
//!     quieten   clears cells in which a single stone may end the game
//!     deposit   moves bits apart, to where their columns stand in a table
//!     pack      writes rows without zeros, those that repeat only by name; unpack reads them
//! ```

/// The kernels of `portable` and `repeats`, compiled for these instructions, or for those that the
/// whole program is compiled for, with this way to write and read lines. Each is a function of its own: of
/// bodies that are inlined into one `match`, LLVM makes fewer vectors.
macro_rules! compiled_for {
    ($lines:ty $(, $features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        pub(super) fn fold<const N: usize, const M: usize>(
            fold: Fold,
            keep: bool,
            to: &mut [u64],
            children: Children,
        ) {
            portable::fold::<N, M>(fold, keep, to, children);
        }

        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        pub(super) fn quieten<const N: usize, const M: usize>(
            from: &[u64],
            to: &mut [u64],
            with: Finish,
            waiting: (&[u64], &[u32]),
        ) {
            portable::quieten::<N, M>(from, to, with, waiting);
        }

        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        pub(super) fn finish<const N: usize, const M: usize>(
            fold: Fold,
            to: &mut [u64],
            with: Finish,
        ) -> CellCounts {
            portable::finish::<N, M>(fold, to, with)
        }

        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        pub(super) fn pack<const N: usize, const M: usize>(
            from: (&[u64], usize),
            rows: &[u32],
            seen: &mut Seen,
            to: &mut [u8],
        ) -> PackedSize {
            repeats::pack::<$lines, N, M>(from, rows, seen, to)
        }

        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        pub(super) fn unpack<const N: usize, const M: usize>(
            panel: PackedPanel,
            rows: &[u32],
            words: &mut [u64],
        ) -> Option<()> {
            repeats::unpack::<$lines, N, M>(panel, rows, words)
        }

        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        pub(super) fn find_starts<const N: usize, const M: usize>(
            distinct: usize,
            bytes: &[u8],
            starts: &mut Vec<u32>,
        ) -> Option<usize> {
            repeats::find_starts::<N>(distinct, bytes, starts)
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
/// The kernels for the instructions that the whole program is compiled for.
mod baseline {
    pub(super) use super::portable::turn;
    use super::portable::{CellCounts, Children, Finish, Fold, PackedPanel, PackedSize};
    use super::repeats::{ByWord, OneByOne, Seen};
    use super::{portable, repeats};

    compiled_for!(ByWord<OneByOne>);
}
mod portable;
mod repeats;

use crate::cpu::{Cpu, CpuForm};

use super::bits::{DepositWord, PLANES, WINDOW};

pub(super) use portable::{
    CellCounts, Children, FOUR, Finish, Fold, LOSES, PackedPanel, PackedSize, Rows,
};
pub(super) use repeats::Seen;

/// Runs a kernel in the form that the processor has, with the length of a row
/// known to the compiler.
macro_rules! dispatch {
    ($cpu:expr, $widths:tt, $kernel:ident $arguments:tt) => {
        match $cpu.form() {
            CpuForm::Portable => by_width!($widths, baseline::$kernel $arguments),
            // SAFETY: a `Cpu` is only made of a form whose instructions the processor has.
            #[cfg(target_arch = "x86_64")]
            CpuForm::Avx2 => unsafe { by_width!($widths, avx2::$kernel $arguments) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            CpuForm::Avx512 => unsafe { by_width!($widths, avx512::$kernel $arguments) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("no other form is made here"),
        }
    };
}

/// The planes, the words of a row in each, and, for kernels that turn, those of a turned row.
macro_rules! by_width {
    (($planes:expr, $width:expr, $to_width:expr), $form:ident::$kernel:ident $arguments:tt) => {
        match $width {
            1 => by_width!(1, $planes, $to_width, $form::$kernel $arguments),
            2 => by_width!(2, $planes, $to_width, $form::$kernel $arguments),
            4 => by_width!(4, $planes, $to_width, $form::$kernel $arguments),
            8 => by_width!(8, $planes, $to_width, $form::$kernel $arguments),
            width => unreachable!("rows of {width} words"),
        }
    };
    ($width:literal, $planes:expr, $to_width:expr, $form:ident::$kernel:ident $arguments:tt) => {
        match ($planes, $to_width) {
            (PLANES, 1) => $form::$kernel::<$width, 1, PLANES> $arguments,
            (PLANES, 2) => $form::$kernel::<$width, 2, PLANES> $arguments,
            (PLANES, 4) => $form::$kernel::<$width, 4, PLANES> $arguments,
            (PLANES, 8) => $form::$kernel::<$width, 8, PLANES> $arguments,
            (1, 1) => $form::$kernel::<$width, 1, 1> $arguments,
            (1, 2) => $form::$kernel::<$width, 2, 1> $arguments,
            (1, 4) => $form::$kernel::<$width, 4, 1> $arguments,
            (1, 8) => $form::$kernel::<$width, 8, 1> $arguments,
            (planes, width) => unreachable!("{planes} planes, rows of {width} words"),
        }
    };
    ((PLANES, $width:expr), $form:ident::$kernel:ident $arguments:tt) => {
        match $width {
            1 => $form::$kernel::<1, { PLANES }> $arguments,
            2 => $form::$kernel::<2, { 2 * PLANES }> $arguments,
            4 => $form::$kernel::<4, { 4 * PLANES }> $arguments,
            8 => $form::$kernel::<8, { 8 * PLANES }> $arguments,
            width => unreachable!("rows of {width} words"),
        }
    };
    (($planes:expr, $width:expr), $form:ident::$kernel:ident $arguments:tt) => {
        match ($planes, $width) {
            (1, 1) => $form::$kernel::<1, 1> $arguments,
            (1, 2) => $form::$kernel::<2, 2> $arguments,
            (1, 4) => $form::$kernel::<4, 4> $arguments,
            (1, 8) => $form::$kernel::<8, 8> $arguments,
            (_, width) => by_width!((PLANES, width), $form::$kernel $arguments),
        }
    };
}

/// Folds the children of each row, and what the row already holds if `keep`.
pub(super) fn fold(
    cpu: Cpu,
    fold: Fold,
    [planes, width]: [usize; 2],
    keep: bool,
    to: &mut [u64],
    children: Children,
) {
    if children.width != width {
        return portable::fold_across(fold, planes, width, keep, to, children);
    }
    dispatch!(cpu, (planes, width), fold(fold, keep, to, children))
}

/// Turns columns into rows: writes to `to`, as far as it has room, a row of `to_width`
/// words per plane for each column of `from`, with a bit for each of the at most 512
/// rows there. Rows beyond the last have the bits of `missing`.
pub(super) fn turn(
    cpu: Cpu,
    [planes, width]: [usize; 2],
    from: Rows,
    missing: u64,
    to_width: usize,
    to: &mut [u64],
) {
    debug_assert!(from.words.len() <= planes * width * 64 * to_width);
    debug_assert!(to.len() <= planes * to_width * 64 * width);
    dispatch!(cpu, (planes, width, to_width), turn(from, missing, to))
}

/// Writes the cells that the mover wins across the centre with the next stone into each
/// row, clears all cells that are not live, and counts those that are. What is set in one plane
/// alone is counted as wins.
pub(super) fn finish(
    cpu: Cpu,
    fold: Fold,
    [planes, width]: [usize; 2],
    to: &mut [u64],
    with: Finish,
) -> CellCounts {
    dispatch!(cpu, (planes, width), finish(fold, to, with))
}

/// Copies the outcomes of live cells in which neither player can complete a four across
/// the centre with a next stone; all others become 0. `waiting` is the reach of the
/// player who is not to move: the columns of each label, and the label of each row.
pub(super) fn quieten(
    cpu: Cpu,
    width: usize,
    from: &[u64],
    to: &mut [u64],
    with: Finish,
    waiting: (&[u64], &[u32]),
) {
    dispatch!(cpu, (PLANES, width), quieten(from, to, with, waiting))
}

/// Moves the bits of both planes of a row apart, to the columns of a row made of `words`.
pub(super) fn deposit(
    cpu: Cpu,
    from: &[[u64; WINDOW]; PLANES],
    to: &mut [u64],
    words: &[DepositWord],
) {
    match cpu.form() {
        CpuForm::Portable => portable::deposit(from, to, words),
        // SAFETY: a `Cpu` is only made of a form whose instructions the processor has.
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx2 | CpuForm::Avx512 => unsafe { avx2::deposit(from, to, words) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => unreachable!("no other form is made here"),
    }
}

/// Packs the rows at some places of a panel, which comes with the words of its rows: the first
/// `width` words of each plane. Special values among the places stand for no row.
pub(super) fn pack_lines(
    cpu: Cpu,
    [planes, width]: [usize; 2],
    from: (&[u64], usize),
    rows: &[u32],
    seen: &mut Seen,
    to: &mut [u8],
) -> PackedSize {
    dispatch!(cpu, (planes, width), pack(from, rows, seen, to))
}

/// Finds where each of so many distinct lines of a packed panel starts. Returns where the last one
/// ends, or `None` if there are fewer bytes.
pub(super) fn find_starts(
    cpu: Cpu,
    width: usize,
    distinct: usize,
    bytes: &[u8],
    starts: &mut Vec<u32>,
) -> Option<usize> {
    dispatch!(cpu, (1, width), find_starts(distinct, bytes, starts))
}

/// Unpacks lines of a panel into the rows at these places, in order. Returns `None` if there are
/// not as many lines, or if one of them repeats a line that does not exist.
pub(super) fn unpack_lines(
    cpu: Cpu,
    [planes, width]: [usize; 2],
    panel: PackedPanel,
    rows: &[u32],
    words: &mut [u64],
) -> Option<()> {
    dispatch!(cpu, (planes, width), unpack(panel, rows, words))
}

#[cfg(test)]
mod tests {
    //! Compares all forms of the kernels with slow twins, which go bit by bit.

    use super::*;
    use crate::board::Player;
    use crate::random::SplitMix64;
    use crate::sweep::bits;
    use proptest::prelude::*;

    /// Pseudorandom words.
    fn noise(seed: u64, words: usize) -> Vec<u64> {
        let mut random = SplitMix64(seed);
        (0..words).map(|_| random.word()).collect()
    }

    /// The slow twin: bit by bit.
    fn turned_by_bits(
        [planes, width]: [usize; 2],
        from: &[u64],
        missing: u64,
        to_width: usize,
        to: &mut [u64],
    ) {
        for (column, to) in to.chunks_exact_mut(planes * to_width).enumerate() {
            let row = |row| (0..planes).map(move |plane| (row, plane));
            for (row, plane) in (0..64 * to_width).flat_map(row) {
                let word = from.get((row * planes + plane) * width + column / 64);
                let bit = word.unwrap_or(&missing) >> (column % 64) & 1;
                to[plane * to_width + row / 64] &= !(1 << (row % 64));
                to[plane * to_width + row / 64] |= bit << (row % 64);
            }
        }
    }

    fn check_turning(rows: usize, columns: usize, ones: bool, seed: u64) {
        let (width, to_width) = (bits::width(columns), bits::width(rows));
        let missing = if ones { u64::MAX } else { 0 };
        for planes in [1, 2] {
            let from = noise(seed, rows * planes * width);
            let mut expected = vec![0; columns * planes * to_width];
            turned_by_bits([planes, width], &from, missing, to_width, &mut expected);
            for cpu in Cpu::all() {
                let mut to = noise(!seed, expected.len());
                let rows = Rows { words: &from, next: &expected };
                turn(cpu, [planes, width], rows, missing, to_width, &mut to);
                assert!(to == expected, "{} {planes}", cpu.form());
            }
        }
    }

    /// One plane of rows of both.
    fn one_of(plane: usize, width: usize, words: &[u64]) -> Vec<u64> {
        words.chunks_exact(width).skip(plane).step_by(PLANES).flatten().copied().collect()
    }

    fn check_finishing(log_width: usize, rows: usize, first: bool, seed: u64) {
        let width = 1 << log_width;
        // Few bits, so that some cells stay quiet.
        let sparse = |salt, words| -> Vec<u64> {
            noise(seed ^ salt, words).iter().map(|n| n & n >> 21 & n << 17).collect()
        };
        let labels = |salt, number: u32| -> Vec<u32> {
            noise(seed ^ salt, rows).iter().map(|noise| (noise >> 9) as u32 % number).collect()
        };
        let (fours, within_reach) = (sparse(1, 5 * width), sparse(2, 4 * width));
        let (fillable, columns) = (noise(seed ^ 3, 3 * width), noise(seed ^ 4, width));
        let (demands, reaches, types) = (labels(5, 5), labels(6, 4), labels(7, 3));
        let (other, others) = (sparse(8, 6 * width), labels(9, 6));
        let with = Finish {
            fours: &fours,
            within_reach: &within_reach,
            fillable: &fillable,
            columns: &columns,
            demands: &demands,
            reaches: &reaches,
            types: &types,
        };
        let start = noise(seed, rows * PLANES * width);
        let (mut finished, mut quiet) = (start.clone(), start.clone());
        let mut tally = CellCounts::default();
        for row in 0..rows {
            for bit in 0..64 * width {
                let of = |words: &[u64], labels: &[u32]| {
                    words[labels[row] as usize * width + bit / 64] >> (bit % 64) & 1 == 1
                };
                let column = columns[bit / 64] >> (bit % 64) & 1 == 1;
                let live = of(&fillable, &types) && !of(&fours, &demands) && column;
                let wins = of(&within_reach, &reaches);
                let values = [0, 1].map(|plane| {
                    let at = (row * PLANES + plane) * width + bit / 64;
                    let value = start[at] >> (bit % 64) & 1 == 1;
                    let value = (if wins { first } else { value }) && live;
                    let set = |words: &mut [u64], value: bool| {
                        words[at] &= !(1 << (bit % 64));
                        words[at] |= u64::from(value) << (bit % 64);
                    };
                    set(&mut finished, value);
                    let calm = live && !wins && !of(&other, &others);
                    set(&mut quiet, start[at] >> (bit % 64) & 1 == 1 && calm);
                    u64::from(value)
                });
                tally.first_wins += values[0];
                tally.first_holds += values[1];
                tally.live += u64::from(live);
            }
        }
        let by = Fold::of(if first { Player::First } else { Player::Second });
        for cpu in Cpu::all() {
            let mut to = start.clone();
            assert_eq!(finish(cpu, by, [PLANES, width], &mut to, with), tally, "{}", cpu.form());
            assert!(to == finished, "{}", cpu.form());
            for (plane, count) in [tally.first_wins, tally.first_holds].into_iter().enumerate() {
                let mut to = one_of(plane, width, &start);
                let alone = CellCounts { first_wins: count, first_holds: 0, live: tally.live };
                assert_eq!(finish(cpu, by, [1, width], &mut to, with), alone, "{}", cpu.form());
                assert!(to == one_of(plane, width, &finished), "{}", cpu.form());
            }
            let mut to = noise(!seed, start.len());
            quieten(cpu, width, &start, &mut to, with, (&other, &others));
            assert!(to == quiet, "{}", cpu.form());
        }
    }

    fn check_depositing(masks: &[u64], sparse: bool, seed: u64) {
        let masks: Vec<u64> =
            masks.iter().map(|mask| if sparse { mask & mask >> 7 } else { *mask }).collect();
        let mut first = 0;
        let words: Vec<DepositWord> = masks
            .iter()
            .map(|mask| {
                let word = DepositWord::new(*mask, first);
                first += mask.count_ones() as usize;
                word
            })
            .collect();
        let from = [0, 1].map(|plane| noise(seed ^ plane, WINDOW).try_into().unwrap());
        let mut expected = vec![0; PLANES * masks.len()];
        for (plane, words) in expected.chunks_exact_mut(masks.len()).enumerate() {
            let window: &[u64; WINDOW] = &from[plane];
            let bits = (0..64 * WINDOW).map(|bit| window[bit / 64] >> (bit % 64) & 1);
            let columns = (0..64 * masks.len()).filter(|c| masks[c / 64] >> (c % 64) & 1 == 1);
            bits.zip(columns).for_each(|(bit, c)| words[c / 64] |= bit << (c % 64));
        }
        for cpu in Cpu::all() {
            let mut to = noise(!seed, expected.len());
            deposit(cpu, &from, &mut to, &words);
            assert!(to == expected, "{}", cpu.form());
        }
    }

    /// Rows of every width before and after turning, and some that end within a register.
    #[test]
    fn all_forms_turn_blocks_of_all_widths() {
        let lengths = [1, 7, 8, 9, 63, 64, 65, 100, 128, 129, 250, 256, 300, 512];
        for (number, rows) in lengths.into_iter().enumerate() {
            for columns in lengths {
                check_turning(rows, columns, number % 2 == 0, (512 * rows + columns) as u64);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn all_forms_turn_blocks_as_bit_by_bit(
            rows in 1usize..=512, columns in 1usize..=512, ones: bool, seed: u64,
        ) {
            check_turning(rows, columns, ones, seed);
        }

        #[test]
        fn all_forms_fold_alike(
            log_width in 0usize..4, log_from in 0usize..4, same: bool, rows in 0usize..100,
            per_row in 1usize..5, keep: bool, first: bool, planes in 1usize..=2, seed: u64,
        ) {
            let width = 1 << log_width;
            let from = if same { width } else { 1 << log_from };
            let children = noise(seed, 60 * planes * from);
            let place = |noise: &u64| match (noise >> 9) as u32 % 64 {
                62 => LOSES,
                63 => FOUR,
                place => place,
            };
            let places: Vec<u32> = noise(seed ^ 1, rows * per_row).iter().map(place).collect();
            let mut within = noise(seed ^ 3, width);
            // Where children have no columns, none is in play.
            within.iter_mut().skip(from).for_each(|word| *word = 0);
            let children =
                Children { rows: &children, width: from, places: &places, per_row, within: &within };
            let by = Fold::of(if first { Player::First } else { Player::Second });
            let start = noise(seed ^ 2, rows * planes * width);
            let folded = |cpu| {
                let mut to = start.clone();
                fold(cpu, by, [planes, width], keep, &mut to, children);
                to
            };
            let word = |row: usize, plane: usize, word: usize| {
                let at = (row * planes + plane) * width + word;
                let start = if keep { start[at] } else { by.lost() };
                places[row * per_row..][..per_row].iter().fold(start, |folded, place| {
                    let child = match *place {
                        FOUR => by.won(),
                        place => {
                            let at = (place as usize * planes + plane) * from + word;
                            let there = word < from && (place as usize) < 60;
                            if there { children.rows[at] } else { by.lost() }
                        }
                    };
                    let child = child & within[word] | by.lost() & !within[word];
                    if first { folded | child } else { folded & child }
                })
            };
            let words = (0..rows).flat_map(|row| (0..planes).map(move |plane| (row, plane)));
            let expected: Vec<u64> = words
                .flat_map(|(row, plane)| (0..width).map(move |at| (row, plane, at)))
                .map(|(row, plane, at)| word(row, plane, at))
                .collect();
            for cpu in Cpu::all() {
                prop_assert!(folded(cpu) == expected, "{}", cpu.form());
            }
        }

        #[test]
        fn all_forms_finish_and_quieten_alike(
            log_width in 0usize..4, rows in 0usize..100, first: bool, seed: u64,
        ) {
            check_finishing(log_width, rows, first, seed);
        }

        #[test]
        fn all_forms_deposit_alike(
            masks in proptest::collection::vec(0u64.., 1..=bits::PANEL / 64), sparse: bool, seed: u64,
        ) {
            check_depositing(&masks, sparse, seed);
        }
    }

    #[test]
    fn cases_that_once_failed_are_right() {
        check_turning(129, 1, false, 0);
        check_turning(129, 1, true, 0);
        check_finishing(0, 1, false, 0);
        let masks = [
            3_462_261,
            8_922_135_295_059_262_717,
            1_026_729_087_101_021_657,
            1_674_070_934_126_092_135,
            10_314_189_201_177_026_526,
            4_792_869_969_906_741_948,
        ];
        let panel = &masks[..masks.len().min(bits::PANEL / 64)];
        check_depositing(panel, false, 4_641_448_226_833_508_325);
    }
}
