//! Whether the tables are right: random positions of each tier, looked up in the tables and
//! compared with witnesses that read none.
//!
//! ```text
//!     sample          any live position of a tier, all equally likely; besides, some with stones
//!                     in one, two or three columns
//!     witnesses       the search and the proof-number search, within their time; a value must also
//!                     be that of the best move, and so must a score
//!     report          what was asked, what agreed, and every difference
//! ```
//!
//! Two more checks look at blocks of tables instead of positions, and find every
//! [wrong value](WrongValue) in them:
//!
//! ```text
//!     recompute       each quiet cell of some blocks from its moves
//!     deep            each cell of all blocks from a new sweep of the board
//! ```
//!
//! The search compares whole positions, never hashes alone, so two positions with the same hash
//! cannot mislead it: an agreement proves the value. Values that a table does not hold come from
//! the rules or from a search in [`probe`](crate::probe). So every report says how many values
//! came from stored cells, because only those say anything about the files.
//!
//! *Terminal* positions, in which the last move made a four, are not drawn, because no table holds
//! them. They occur as moves, whose worth the rules give.

mod deep;
mod recompute;
mod report;
mod witnesses;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::board::{Board, Column, Position, Status, Tier};
use crate::index::Finder;
use crate::probe::TableProbe;
use crate::random::SplitMix64;
use crate::sample::Urn;
use crate::table::Tables;

pub use deep::{Deep, DeepError, DeepListener, DeepRequest, deep};
pub use recompute::{BlockSampling, Recomputed, recompute};
use report::Told;
pub use report::{
    Difference, Findings, Proved, Statement, TierReport, Verdict, Witness, WrongValue,
};
use witnesses::Local;

/// For each position that is searched, this many more are compared with their moves.
const CONSISTENCY: usize = 100;

/// How to sample each tier.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Positions drawn from the whole tier, and given to both searches.
    pub samples: usize,
    /// The seed selects the positions.
    pub seed: u64,
    /// The time of each search per tier: for outcomes, for scores, for proofs.
    pub limit: Duration,
}

/// Samples a tier that has a table.
pub fn sample(
    finder: &Arc<Finder>,
    tables: &Arc<Tables>,
    tier: Tier,
    sampling: Sampling,
) -> TierReport {
    let start = Instant::now();
    let Sampling { samples, seed, limit } = sampling;
    let urn = Urn::new(finder, tier);
    let random = |purpose| SplitMix64::of(&[seed, u64::from(tier.0), purpose]);
    let uniform = urn.draw_or_all(samples, &mut random(0));
    let wanted = samples.div_ceil(4);
    let few_columns = in_few_columns(finder.board(), tier, wanted, &mut random(1));

    let positions = [&few_columns[..], &uniform].concat();
    let (mut probe, mut findings) = (TableProbe::new(finder, tables), Findings::default());
    let told: Vec<Told> = positions
        .iter()
        .filter_map(|position| both_ways(&mut probe, position, &mut findings))
        .collect();

    let ((search, scores), proofs) = rayon::join(
        || {
            let search = witnesses::search(finder.board(), &told, limit);
            (search, witnesses::compare_scores(finder, tables, &positions, limit))
        },
        || witnesses::prove(finder.board(), tier, &told, limit),
    );
    let [scores, search, proofs] = [scores, search, proofs].map(|(proved, found)| {
        findings.add(found);
        proved
    });

    let chunks: Vec<Local> = if urn.holds_at_most(CONSISTENCY * samples) {
        let all = urn.draw_or_all(CONSISTENCY * samples, &mut random(2));
        all.par_chunks(CONSISTENCY).map(|chunk| Local::of(finder, tables, chunk)).collect()
    } else {
        let chunks = (0..samples as u64).into_par_iter().map(|chunk| {
            let mut random = random(3 + chunk);
            let drawn = (0..CONSISTENCY).filter_map(|_| urn.draw(&mut random));
            Local::of(finder, tables, &drawn.collect::<Vec<_>>())
        });
        chunks.collect()
    };
    let mut all = Local { findings, ..Local::default() };
    for Local { positions, stored, unknown, findings } in chunks {
        all.positions += positions;
        all.stored += stored;
        all.unknown += unknown;
        all.findings.add(findings);
    }
    TierReport {
        tier,
        samples: uniform.len(),
        complete: urn.holds_at_most(samples),
        few_columns: few_columns.len(),
        stored: told.iter().filter(|told| told.is_stored()).count(),
        unknown: positions.len() - told.len(),
        search,
        proofs,
        scored: scores.answered + scores.given_up,
        scores,
        consistent: all.positions,
        consistent_stored: all.stored,
        consistent_unknown: all.unknown,
        findings: all.findings,
        time: start.elapsed(),
    }
}

/// Looks up a position and its mirror image.
fn both_ways(probe: &mut TableProbe, position: &Position, findings: &mut Findings) -> Option<Told> {
    let told = findings.look_up(probe, position);
    let mirrored = findings.look_up(probe, &position.mirror());
    let (outcome, evidence) = told?;
    let told = Told { position: *position, verdict: Verdict::Outcome(outcome), evidence };
    if let Some((other, _)) = mirrored {
        findings.compare(told, Verdict::Outcome(other), Witness::Mirror);
    }
    Some(told)
}

// Draws from a whole tier hardly ever meet positions in few columns, and they are where an error of
// a hash hides best: keys with few parts are the most alike, and those near the empty board may
// look like an entry that was never written.

/// Columns of such a position.
const MOST_COLUMNS: usize = 3;
/// Games played for each position that is wanted.
const TRIES: usize = 50;

/// Different live positions of a tier; fewer than wanted if there are not enough.
fn in_few_columns(
    board: Board,
    tier: Tier,
    wanted: usize,
    random: &mut SplitMix64,
) -> Vec<Position> {
    let fewest = tier.stones().div_ceil(board.height()).max(1);
    let choices = (MOST_COLUMNS.min(board.width()) + 1).saturating_sub(fewest);
    let (mut drawn, mut positions) = (HashSet::new(), Vec::new());
    for _ in 0..TRIES * wanted {
        if positions.len() == wanted || choices == 0 {
            break;
        }
        let columns = fewest + random.below(choices as u64) as usize;
        let position = played(board, tier, columns, random);
        positions.extend(position.filter(|position| drawn.insert(*position)));
    }
    positions
}

/// A game in this many columns; `None` if a four ends it.
fn played(board: Board, tier: Tier, columns: usize, random: &mut SplitMix64) -> Option<Position> {
    let mut chosen: Vec<Column> = board.columns().collect();
    while chosen.len() > columns {
        chosen.swap_remove(random.below(chosen.len() as u64) as usize);
    }
    let mut position = Position::empty(board);
    while position.tier() < tier {
        let open: Vec<Column> =
            chosen.iter().copied().filter(|column| position.has_room(*column)).collect();
        let column = open[random.below(open.len() as u64) as usize];
        position = position.play_unchecked(column);
        if matches!(position.status(), Status::Won(_)) {
            return None;
        }
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_live_different_and_in_few_columns() {
        let board = Board::STANDARD;
        for stones in 0..=18 {
            let drawn = in_few_columns(board, Tier(stones), 20, &mut SplitMix64(5));
            let different: HashSet<&Position> = drawn.iter().collect();
            assert_eq!(different.len(), drawn.len());
            for position in &drawn {
                let used = board.columns().filter(|column| position.column_height(*column) > 0);
                assert!(used.count() <= 3);
                assert_eq!(position.tier(), Tier(stones));
                assert_eq!(position.validate(), Ok(()));
                assert!(!matches!(position.status(), Status::Won(_)));
            }
            let expected = match stones {
                0 => 1..=1,
                1 => 7..=7,
                18 => 0..=20,
                _ => 20..=20,
            };
            assert!(expected.contains(&drawn.len()), "tier {stones}: {}", drawn.len());
        }
        assert!(in_few_columns(board, Tier(19), 20, &mut SplitMix64(5)).is_empty());
        assert_eq!(in_few_columns("1x3".parse().unwrap(), Tier(2), 4, &mut SplitMix64(5)).len(), 1);
    }
}
