//! Two searches that read no tables, each within its time.
//!
//! Near the end of the game every answer comes at once; near its beginning one
//! may take minutes. So each search may take a quarter of the time that its tier
//! has left, or its even share if that is more: some long ones are finished, and
//! no single one takes all. What was given up is counted.

use std::time::{Duration, Instant};

use super::report::{Difference, Findings, Proved, Verdict, Witness};
use crate::board::{Board, Outcome, Position, Tier};
use crate::oracle::Source;
use crate::search::{Limit, ProofSearch, Search};

/// Bytes of the table of the search.
pub(super) const SEARCH_BYTES: usize = 64 << 20;
/// Bytes of the table of the proof-number search, which is cleared twice for each position:
/// few where proofs are short, with no more empty cells than this.
const PROOF_BYTES: [(usize, usize); 3] = [(12, 1 << 16), (20, 1 << 20), (usize::MAX, 1 << 26)];

/// What the tables say of a position.
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    pub(super) outcome: Outcome,
    pub(super) source: Source,
}

/// Compares with the search.
pub(super) fn search(board: Board, questions: &[Question], time: Duration) -> (Proved, Findings) {
    let mut search = Search::new(board, SEARCH_BYTES);
    let answer = |position: &Position, limit: Limit| search.try_outcome(position, limit).ok();
    let (mut proved, findings) = compare(questions, time, Witness::Search, answer);
    proved.nodes = search.nodes();
    (proved, findings)
}

/// Compares with the proof-number search.
pub(super) fn prove(
    board: Board,
    tier: Tier,
    questions: &[Question],
    time: Duration,
) -> (Proved, Findings) {
    let empty = board.cells() - tier.stones();
    let bytes = PROOF_BYTES.iter().find(|(most, _)| empty <= *most).map(|(_, bytes)| *bytes);
    let mut search = ProofSearch::new(board, bytes.expect("no limit in the last row"));
    let answer = |position: &Position, limit: Limit| search.try_outcome(position, limit);
    let (mut proved, findings) = compare(questions, time, Witness::Proofs, answer);
    proved.nodes = search.nodes();
    (proved, findings)
}

fn compare(
    questions: &[Question],
    time: Duration,
    witness: Witness,
    mut answer: impl FnMut(&Position, Limit) -> Option<Outcome>,
) -> (Proved, Findings) {
    let (mut proved, mut findings) = (Proved::default(), Findings::default());
    let start = Instant::now();
    for (at, question) in questions.iter().enumerate() {
        let &Question { position, outcome, source } = question;
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() {
            proved.given_up += 1;
            continue;
        }
        let share = (left / 4).max(left / (questions.len() - at) as u32);
        let deadline = Instant::now().checked_add(share);
        match answer(position, Limit { deadline, ..Limit::default() }) {
            None => proved.given_up += 1,
            Some(other) => {
                proved.answered += 1;
                if other != outcome {
                    let position = *position;
                    let [told, other] = [outcome, other].map(Verdict::Outcome);
                    findings.difference(Difference { position, told, source, other, witness });
                }
            }
        }
    }
    proved.time = start.elapsed();
    (proved, findings)
}
