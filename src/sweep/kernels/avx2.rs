//! The kernels compiled for AVX2.

use super::{Children, Finish, Fold, Tally, Threats, portable};

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn fold<const N: usize, const M: usize>(
    fold: Fold,
    keep: bool,
    to: &mut [u64],
    children: Children,
) {
    portable::fold::<N, M>(fold, keep, to, children);
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn quieten<const N: usize, const M: usize>(
    from: &[u64],
    to: &mut [u64],
    with: Finish,
    threats: Threats,
) {
    portable::quieten::<N, M>(from, to, with, threats);
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn finish<const N: usize, const M: usize>(to: &mut [u64], with: Finish) -> Tally {
    portable::finish::<N, M>(to, with)
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn turn(width: usize, from: &[u64], to_width: usize, to: &mut [u64]) {
    portable::turn(width, from, to_width, to);
}
