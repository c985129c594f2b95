//! Exact numbers of positions, tier by tier.
use rayon::prelude::*;

mod beside;
mod centre;
mod face;
mod pairing;
mod partners;
mod runs;
mod sides;

use crate::board::{Board, Tier};
use crate::order::{Orders, Split};
use centre::{Ground, Tally};
use sides::Sides;

/// Positions of one tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TierCount {
    /// The tier.
    pub tier: Tier,
    /// Positions without four.
    pub live: u64,
    /// Positions whose last move made a four.
    pub terminal: u64,
}

/// temp
pub fn count(board: Board, up_to: Tier) -> Vec<TierCount> {
    let t = std::time::Instant::now();
    let left = (board.width() - 1) / 2;
    let split = Split { left, centre: 1, right: board.width() - 1 - left };
    let orders = Orders::new(board, split, up_to).unwrap();
    eprintln!("orders {:?}", t.elapsed());
    let left = Sides::new(board, orders.columns(), split.left, orders.left(), up_to);
    let right = (split.left != split.right)
        .then(|| Sides::new(board, orders.columns(), split.right, orders.right(), up_to));
    eprintln!("sides {:?}", t.elapsed());
    let ground = Ground { board, orders: &orders, left: &left, right: right.as_ref(), up_to };
    let tally = (0..orders.columns().len())
        .into_par_iter()
        .map(|id| centre::count(&ground, id))
        .reduce(|| Tally::new(up_to), Tally::plus);
    eprintln!("all {:?}", t.elapsed());
    tally
        .live
        .iter()
        .zip(&tally.terminal)
        .enumerate()
        .map(|(tier, (live, terminal))| TierCount { tier: Tier(tier as u8), live: *live, terminal: *terminal })
        .collect()
}
