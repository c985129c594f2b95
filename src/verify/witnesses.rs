//! Two searches that read no tables, each within its time.
//!
//! Near the end of the game every answer comes at once; near the beginning, one may take minutes.
//! So each search may take a quarter of the remaining time of its tier, or an even share if that is
//! more: some long ones are finished, and no single one takes everything. Searches that are given
//! up are counted.

use std::time::{Duration, Instant};

use super::report::{Difference, Findings, Proved, Verdict, Witness};
use crate::board::{Board, Outcome, Position, Tier};
use crate::probe::Evidence;
use crate::search::{Limit, ProofSearch, Search};

/// Bytes of the table of the search.
pub(super) const SEARCH_BYTES: usize = 64 << 20;
/// Size of the table of the proof-number search, by the largest number of empty cells. It is
/// cleared twice per position, so it is small where proofs are short.
const PROOF_BYTES: [(usize, usize); 3] = [(12, 1 << 16), (20, 1 << 20), (usize::MAX, 1 << 26)];

/// A sampled position, and what the tables say about it.
pub(super) struct Sampled<'a> {
    pub(super) position: &'a Position,
    pub(super) outcome: Outcome,
    pub(super) evidence: Evidence,
}

/// Compares with the search.
pub(super) fn search(board: Board, sampled: &[Sampled], time: Duration) -> (Proved, Findings) {
    let mut search = Search::new(board, SEARCH_BYTES);
    let answer = |position: &Position, limit: Limit| search.try_outcome(position, limit).ok();
    let (mut proved, findings) = compare(sampled, time, Witness::Search, answer);
    proved.nodes = search.nodes();
    (proved, findings)
}

/// Compares with the proof-number search.
pub(super) fn prove(
    board: Board,
    tier: Tier,
    sampled: &[Sampled],
    time: Duration,
) -> (Proved, Findings) {
    let empty = board.cells() - tier.stones();
    let bytes = PROOF_BYTES.iter().find(|(most, _)| empty <= *most).map(|(_, bytes)| *bytes);
    let mut search = ProofSearch::new(board, bytes.expect("no limit in the last row"));
    let answer = |position: &Position, limit: Limit| search.try_outcome(position, limit);
    let (mut proved, findings) = compare(sampled, time, Witness::Proofs, answer);
    proved.nodes = search.nodes();
    (proved, findings)
}

fn compare(
    sampled: &[Sampled],
    time: Duration,
    witness: Witness,
    mut answer: impl FnMut(&Position, Limit) -> Option<Outcome>,
) -> (Proved, Findings) {
    let (mut proved, mut findings) = (Proved::default(), Findings::default());
    let start = Instant::now();
    for (at, &Sampled { position, outcome, evidence }) in sampled.iter().enumerate() {
        let remaining = time.saturating_sub(start.elapsed());
        if remaining.is_zero() {
            proved.given_up += 1;
            continue;
        }
        let share = (remaining / 4).max(remaining / (sampled.len() - at) as u32);
        let deadline = Instant::now().checked_add(share);
        match answer(position, Limit { deadline, ..Limit::default() }) {
            None => proved.given_up += 1,
            Some(other) => {
                proved.answered += 1;
                if other != outcome {
                    let position = *position;
                    let [told, other] = [outcome, other].map(Verdict::Outcome);
                    findings.difference(Difference { position, told, evidence, other, witness });
                }
            }
        }
    }
    proved.time = start.elapsed();
    (proved, findings)
}
