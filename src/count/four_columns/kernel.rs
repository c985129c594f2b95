//! The inner loop counts positions of one third column, one second column, and left columns of one
//! group, with the right columns in a block, one bit each.
//!
//! It is written once, over blocks whose length the compiler knows. The other forms are the same
//! source compiled for wider registers.

use super::fill_order::Kind;
use super::strips::{Block, Lanes, WORDS};
use crate::cpu::{Cpu, CpuForm};

/// A left column in the form that the tables use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Left {
    pub(super) number: u16,
    /// The lower and the upper half of its stones.
    pub(super) halves: [u16; 2],
}

/// The tables that say which right columns make a live position with a left one.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) lefts: &'a [Left],
    /// By number of the left column.
    pub(super) kinds: &'a [Kind],
    /// The right columns that fill the board in turn; by kind, `stride` apart.
    pub(super) in_turn: &'a [Block],
    pub(super) stride: usize,
    /// The right columns that complete a four; by code of either half.
    pub(super) completing: [&'a [Block]; 2],
}

impl Way<'_> {
    #[inline(always)]
    fn live(&self, at: usize) -> Block {
        let left = self.lefts[at];
        let kind = usize::from(self.kinds[usize::from(left.number)]);
        let mut live = self.in_turn[kind * self.stride];
        let [lower, upper] = self.completing;
        let (lower, upper) =
            (&lower[usize::from(left.halves[0])], &upper[usize::from(left.halves[1])]);
        for word in 0..WORDS {
            live.0[word] &= !(lower.0[word] | upper.0[word]);
        }
        live
    }
}

/// Numbers of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    /// By word of the right column; the entry of the mixed word means nothing.
    pub(super) of_words: Block,
    /// By mask of the mixed word.
    pub(super) of_masks: Block,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, block: &Block, masks: &[u64; WORDS]) {
        for (sum, word) in self.of_words.0.iter_mut().zip(block.0) {
            *sum += u64::from(word.count_ones());
        }
        let mixed = block.0[WORDS - 1];
        for (sum, mask) in self.of_masks.0.iter_mut().zip(masks) {
            *sum += u64::from((mixed & mask).count_ones());
        }
    }

    /// Adds another sum this many times.
    pub(super) fn add_times(&mut self, other: &Sum, times: u64) {
        for (sum, other) in self.of_words.0.iter_mut().zip(other.of_words.0) {
            *sum += times * other;
        }
        for (sum, other) in self.of_masks.0.iter_mut().zip(other.of_masks.0) {
            *sum += times * other;
        }
    }

    /// The number of stones and of positions of each lane.
    pub(super) fn by_stones<'a>(
        &'a self,
        lanes: &'a Lanes,
    ) -> impl Iterator<Item = (usize, u64)> + 'a {
        let of_words = lanes.of_words.into_iter().zip(self.of_words.0);
        of_words.chain(lanes.of_masks.into_iter().zip(self.of_masks.0))
    }
}

/// Numbers of live positions, and of those that a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sums {
    pub(super) live: Sum,
    pub(super) made: Sum,
}

/// Counts the positions that are live, and those that are live without their last stone in one of
/// the given ways.
pub(super) fn sums(cpu: Cpu, live: Option<&Way>, made: &[Way], masks: &[u64; WORDS]) -> Sums {
    match cpu.form() {
        CpuForm::Portable => portable(live, made, masks),
        // SAFETY: a `Cpu` is made only for a form whose instructions the processor has.
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx2 => unsafe { avx2(live, made, masks) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx512 => unsafe { avx512(live, made, masks) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => unreachable!("no other form is made here"),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn avx2(live: Option<&Way>, made: &[Way], masks: &[u64; WORDS]) -> Sums {
    portable(live, made, masks)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
)]
fn avx512(live: Option<&Way>, made: &[Way], masks: &[u64; WORDS]) -> Sums {
    portable(live, made, masks)
}

#[inline(always)]
fn portable(live: Option<&Way>, made: &[Way], masks: &[u64; WORDS]) -> Sums {
    match *made {
        [] => Sums::default(),
        [a] => sums_of(live, [a], masks),
        [a, b] => sums_of(live, [a, b], masks),
        [a, b, c] => sums_of(live, [a, b, c], masks),
        [a, b, c, d] => sums_of(live, [a, b, c, d], masks),
        _ => unreachable!("four columns have four top stones"),
    }
}

#[inline(always)]
fn sums_of<const N: usize>(live: Option<&Way>, made: [Way; N], masks: &[u64; WORDS]) -> Sums {
    let mut sums = Sums::default();
    for at in 0..made[0].lefts.len() {
        let mut by_any = Block::default();
        for way in &made {
            by_any.or(&way.live(at));
        }
        sums.made.add(&by_any, masks);
        if let Some(live) = live {
            sums.live.add(&live.live(at), masks);
        }
    }
    sums
}
