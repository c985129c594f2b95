//! Whether the tables are right: random positions of each tier, looked up in the tables and compared
//! with witnesses that read none.
//!
//! ```text
//!     sample          any live position of a tier, all equally likely
//!     few_columns     positions that such draws hardly ever meet
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
mod few_columns;
mod recompute;
mod report;
mod witnesses;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::board::{Position, Tier};
use crate::index::Finder;
use crate::probe::{Evidence, TableProbe};
use crate::random::SplitMix64;
use crate::sample::Urn;
use crate::table::Tables;

pub use deep::{Deep, DeepError, DeepListener, DeepRequest, deep};
pub use recompute::{BlockSampling, Recomputed, recompute};
use report::LookedUp;
pub use report::{Difference, Findings, Proved, TierReport, Verdict, Witness};
pub use report::{Statement, WrongValue};
use witnesses::Local;
use witnesses::Sampled;

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
    let few_columns = few_columns::draw(finder.board(), tier, wanted, &mut random(1));

    let mut report = TierReport::new(tier);
    report.samples = uniform.len();
    report.complete = urn.holds_at_most(samples);
    report.few_columns = few_columns.len();
    let positions = [few_columns, uniform].concat();
    let mut probe = TableProbe::new(finder, tables);
    let told: Vec<LookedUp> =
        positions.iter().map(|position| both_ways(&mut probe, position, &mut report)).collect();

    let sampled: Vec<Sampled> = positions
        .iter()
        .zip(&told)
        .filter_map(|(position, told)| {
            told.map(|(outcome, evidence)| Sampled { position, outcome, evidence })
        })
        .collect();
    let ((search, scored), proofs) = rayon::join(
        || {
            let search = witnesses::search(finder.board(), &sampled, limit);
            (search, witnesses::compare_scores(finder, tables, &positions, limit))
        },
        || witnesses::prove(finder.board(), tier, &sampled, limit),
    );
    (report.scored, report.scores) = (scored.stored, scored.proved);
    report.findings.add(scored.findings);
    for (proved, findings) in [(&mut report.search, search), (&mut report.proofs, proofs)] {
        *proved = findings.0;
        report.findings.add(findings.1);
    }

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
    for Local { positions, stored, unknown, findings } in chunks {
        report.consistent += positions;
        report.consistent_stored += stored;
        report.consistent_unknown += unknown;
        report.findings.add(findings);
    }
    report.time = start.elapsed();
    report
}

/// Looks up a position and its mirror image.
fn both_ways(probe: &mut TableProbe, position: &Position, report: &mut TierReport) -> LookedUp {
    let told = report.findings.look_up(probe, position);
    let mirrored = report.findings.look_up(probe, &position.mirror());
    report.stored += usize::from(matches!(told, Some((_, Evidence::Table(_)))));
    report.unknown += usize::from(told.is_none());
    if let (Some((outcome, evidence)), Some((other, _))) = (told, mirrored)
        && outcome != other
    {
        let position = *position;
        let witness = Witness::Mirror;
        let [told, other] = [outcome, other].map(Verdict::Outcome);
        report.findings.difference(Difference { position, told, evidence, other, witness });
    }
    told
}
