//! Counts how the positions of each tier end, with one sweep in memory.

use std::sync::Arc;

use crate::board::{Board, OutcomeCounts, Tier, TierRange, TierRangeError};
use crate::count::{TierCount, count_on};
use crate::index::Census;
use crate::memory::{self, Bytes};
use crate::plies::{self, NotNested, TierPlies};
use crate::progress::{Preparing, Progress};
use crate::sweep::{Cpu, End, Extent, MemorySweep, Scope};
use crate::too_large::BoardTooLarge;

/// The positions of one tier by their outcome for the mover.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TierSolution {
    /// Which tier.
    pub tier: Tier,
    /// The live positions.
    pub outcomes: OutcomeCounts,
    /// Positions whose last move made a four.
    pub terminal: u64,
    /// How long the sweep of the tier took.
    pub seconds: f64,
}

/// A sweep has not met the live positions of a tier that exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tier {tier} of {board} has {expected} live positions, but the sweep came to {found}: this is \
     a mistake in strong4, please report it"
)]
pub struct Disagreement {
    /// The board.
    pub board: Board,
    /// The tier.
    pub tier: Tier,
    /// The live positions as [counted](mod@crate::count) by sides and move-order types.
    pub expected: u64,
    /// Those that the sweep met.
    pub found: u64,
}

impl TierSolution {
    /// The result of a sweep for a tier, from the live positions that it met, by outcome. Positions
    /// that are not in doubt are won; a sweep that leaves them out meets fewer of these.
    pub(crate) fn new(
        board: Board,
        count: TierCount,
        met: OutcomeCounts,
        scope: Scope,
        seconds: f64,
    ) -> Result<TierSolution, Disagreement> {
        let TierCount { tier, live: expected, terminal } = count;
        let found = met.total();
        let agrees = match scope {
            Scope::EveryCell => found == expected,
            Scope::InDoubt => found <= expected,
        };
        if !agrees {
            return Err(Disagreement { board, tier, expected, found });
        }
        let outcomes = OutcomeCounts { won: expected - met.drawn - met.lost, ..met };
        Ok(TierSolution { tier, outcomes, terminal, seconds })
    }

    /// How many positions the tier has.
    pub(crate) fn count(&self) -> TierCount {
        TierCount { tier: self.tier, live: self.outcomes.total(), terminal: self.terminal }
    }

    /// All positions of the tier.
    pub fn total(&self) -> u64 {
        self.outcomes.total() + self.terminal
    }
}

/// Why tiers could not be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// Tiers that the board does not have.
    #[error(transparent)]
    Tiers(#[from] TierRangeError),
    /// A board too large to be indexed, to be sorted by move order, or to be counted.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// More memory than is available.
    #[error(
        "solving tiers {first} to {last} of {board} in memory takes {}, and {} are available",
        Bytes(*.needed), Bytes(*.available)
    )]
    Memory {
        /// The board.
        board: Board,
        /// The first tier of the sweep.
        first: Tier,
        /// The last one.
        last: Tier,
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that are available.
        available: u64,
    },
    /// The sweep has met other live positions than there are.
    #[error(transparent)]
    Disagreement(#[from] Disagreement),
    /// Fewer positions are won when games end later.
    #[error(transparent)]
    NotNested(#[from] NotNested),
}

/// Solves all tiers from the last one down to the first of the range, and
/// returns those of the range, fewest stones first. Nothing is written: for
/// tables see [`tabulate`](mod@crate::tabulate).
pub fn solve(
    board: Board,
    tiers: TierRange,
    cpu: Cpu,
    scope: Scope,
    progress: &dyn Progress,
) -> Result<Vec<TierSolution>, SolveError> {
    let tiers = tiers.within(board)?;
    let extent = Extent::new(&Arc::new(Census::new(board)?), scope);
    let range = TierRange::new(tiers.first(), board.last_tier())?;
    refuse_what_does_not_fit(&extent, range)?;
    let mut sweep = MemorySweep::new(&extent, cpu, End::full_board(board), range.first())?;
    let counting = Preparing { what: "counting", listener: progress };
    let counts = count_on(board, tiers, Some(sweep.orders()), None, &|_| (), &counting)?;
    while sweep.advance(&()).expect("nothing is written") {
        let (solved, batches) = sweep.solved();
        progress.advance(solved as u64, batches as u64);
    }
    let solution = |count: TierCount| {
        let seconds = sweep.work()[count.tier.stones()].seconds;
        Ok(TierSolution::new(board, count, sweep.met(count.tier), scope, seconds)?)
    };
    counts.into_iter().map(solution).collect()
}

/// Counts the positions of these tiers by how soon they are over, in memory: solves the game again
/// and again, cut off ever later.
pub fn solve_plies(
    board: Board,
    tiers: TierRange,
    cpu: Cpu,
    progress: &dyn Progress,
) -> Result<Vec<TierPlies>, SolveError> {
    let tiers = tiers.within(board)?;
    let scope = Scope::InDoubt;
    let extent = Extent::new(&Arc::new(Census::new(board)?), scope);
    let full = End::full_board(board);
    refuse_what_does_not_fit(&extent, full.tiers(tiers.first()))?;
    let counting = Preparing { what: "counting", listener: progress };
    let counts = count_on(board, tiers, None, None, &|_| (), &counting)?;
    let cuts = plies::cuts(board, tiers.first()).filter_map(|ply| End::cut_off(&extent, ply));
    let ends = cuts.chain([full]);
    let cells = |end: &End| -> u64 {
        end.tiers(tiers.first()).into_iter().map(|tier| extent.sizes().cells(tier)).sum()
    };
    let ends: Vec<(End, u64)> = ends.map(|end| (end, cells(&end))).collect();
    let all = ends.iter().map(|(_, cells)| cells).sum();
    let mut done = 0;
    let mut found = vec![Vec::new(); counts.len()];
    for (end, cells) in ends {
        let mut sweep = MemorySweep::new(&extent, cpu, end, tiers.first())?;
        while sweep.advance(&()).expect("nothing is written") {
            let (solved, batches) = sweep.solved();
            progress.advance(done + cells * solved as u64 / batches as u64, all);
        }
        done += cells;
        for (count, found) in counts.iter().zip(&mut found) {
            if end.tiers(tiers.first()).contains(count.tier) {
                let met = sweep.met(count.tier);
                let solution = TierSolution::new(board, *count, met, scope, 0.0)?;
                found.push((end.ply(), solution.outcomes));
            }
        }
    }
    let tiers = counts.iter().zip(found);
    tiers.map(|(count, found)| Ok(TierPlies::of(board, count.tier, found)?)).collect()
}

fn refuse_what_does_not_fit(extent: &Extent, tiers: TierRange) -> Result<(), SolveError> {
    let (board, first, last) = (extent.census().board(), tiers.first(), tiers.last());
    // What is kept stays in memory.
    let kept = extent.handoff_memory(tiers);
    let needed = extent.bytes(tiers, rayon::current_num_threads()).saturating_add(kept);
    match memory::available() {
        Some(available) if available < needed => {
            Err(SolveError::Memory { board, first, last, needed, available })
        }
        _ => Ok(()),
    }
}
