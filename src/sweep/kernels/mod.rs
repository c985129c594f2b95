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
/// whole program is compiled for, with this way to write and read lines. Each is a function of its
/// own: of bodies that are inlined into one `match`, LLVM makes fewer vectors.
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
#[cfg(test)]
mod tests;

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

/// Finds where each of this many distinct lines of a packed panel starts. Returns where the last
/// one ends, or `None` if there are fewer bytes.
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
