//! What tables are compared with: two searches that read no tables, and the tables themselves.
//!
//! Near the end of the game every answer comes at once; near the beginning, one may take minutes.
//! So each search may take a quarter of the remaining time of its tier, or an even share if that is
//! more: some long ones are finished, and no single one takes everything. Searches that are given
//! up are counted.
//!
//! A position is worth what its best move is worth. Checking that takes no search, so many more
//! positions can be checked. A table in which every value follows from the next tier, down to the
//! end of the game, is right.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::report::{Findings, Proved, Told, Verdict, Witness};
use crate::board::{Board, Position, Tier};
use crate::index::Finder;
use crate::probe::TableProbe;
use crate::search::{Limit, ProofSearch, Search};
use crate::table::{TableError, Tables};

/// Bytes of the table of the search.
const SEARCH_BYTES: usize = 64 << 20;
/// Size of the table of the proof-number search, by the largest number of empty cells. It is
/// cleared twice per position, so it is small where proofs are short.
const PROOF_BYTES: [(usize, usize); 3] = [(12, 1 << 16), (20, 1 << 20), (usize::MAX, 1 << 26)];

/// Compares outcomes with the search.
pub(super) fn search(board: Board, told: &[Told], time: Duration) -> (Proved, Findings) {
    let mut search = Search::new(board, SEARCH_BYTES);
    let answer = |position: &Position, limit: Limit| {
        search.try_outcome(position, limit).ok().map(Verdict::Outcome)
    };
    let (mut proved, findings) = compare(told, time, Witness::Search, answer);
    proved.nodes = search.nodes();
    (proved, findings)
}

/// Compares with the proof-number search.
pub(super) fn prove(board: Board, tier: Tier, told: &[Told], time: Duration) -> (Proved, Findings) {
    let empty = board.cells() - tier.stones();
    let bytes = PROOF_BYTES.iter().find(|(most, _)| empty <= *most).map(|(_, bytes)| *bytes);
    let mut search = ProofSearch::new(board, bytes.expect("no limit in the last row"));
    let answer = |position: &Position, limit: Limit| {
        search.try_outcome(position, limit).map(Verdict::Outcome)
    };
    let (mut proved, findings) = compare(told, time, Witness::Proofs, answer);
    proved.nodes = search.nodes();
    (proved, findings)
}

fn compare(
    told: &[Told],
    time: Duration,
    witness: Witness,
    mut answer: impl FnMut(&Position, Limit) -> Option<Verdict>,
) -> (Proved, Findings) {
    let (mut proved, mut findings) = (Proved::default(), Findings::default());
    let (start, all) = (Instant::now(), told.len());
    for (at, told) in told.iter().enumerate() {
        let remaining = time.saturating_sub(start.elapsed());
        if remaining.is_zero() {
            proved.given_up += 1;
            continue;
        }
        let share = (remaining / 4).max(remaining / (all - at) as u32);
        let deadline = Instant::now().checked_add(share);
        match answer(&told.position, Limit { deadline, ..Limit::default() }) {
            None => proved.given_up += 1,
            Some(other) => {
                proved.answered += 1;
                findings.compare(*told, other, witness);
            }
        }
    }
    proved.time = start.elapsed();
    (proved, findings)
}

/// The result of comparing positions with their moves.
#[derive(Default)]
pub(super) struct Local {
    pub(super) positions: u64,
    /// Those of them whose own value was stored.
    pub(super) stored: u64,
    /// Positions whose value, or that of a move, needs a table that is missing or damaged.
    pub(super) unknown: u64,
    pub(super) findings: Findings,
}

impl Local {
    pub(super) fn of(finder: &Arc<Finder>, tables: &Arc<Tables>, positions: &[Position]) -> Local {
        let mut probe = TableProbe::new(finder, tables);
        let mut local = Local::default();
        for position in positions {
            local.compare(&mut probe, position);
        }
        local
    }

    fn compare(&mut self, probe: &mut TableProbe, position: &Position) {
        let told = self.findings.look_up(probe, position);
        let mut best = None;
        for (_, child) in position.children() {
            let Some((value, _)) = self.findings.look_up(probe, &child) else {
                self.unknown += 1;
                return;
            };
            best = best.max(Some(value.for_other()));
        }
        let Some((outcome, evidence)) = told else {
            self.unknown += 1;
            return;
        };
        let told = Told { position: *position, verdict: Verdict::Outcome(outcome), evidence };
        self.positions += 1;
        self.stored += u64::from(told.is_stored());
        // Without moves, the board is full and nobody has won.
        if let Some(best) = best {
            self.findings.compare(told, Verdict::Outcome(best), Witness::Moves);
        }
    }
}

/// Compares scores, if tables have them, with the search.
pub(super) fn compare_scores(
    finder: &Arc<Finder>,
    tables: &Arc<Tables>,
    positions: &[Position],
    time: Duration,
) -> (Proved, Findings) {
    let (mut probe, mut findings) = (TableProbe::new(finder, tables), Findings::default());
    let mut stored = Vec::new();
    for position in positions {
        match score_of(&mut findings, &mut probe, position) {
            Ok(told) => stored.extend(told.filter(Told::is_stored)),
            Err(fault) => findings.fault(fault),
        }
    }
    if stored.is_empty() {
        return (Proved::default(), findings);
    }
    let mut search = Search::new(finder.board(), SEARCH_BYTES);
    let answer = |position: &Position, limit: Limit| {
        search.try_score(position, limit).ok().map(Verdict::Score)
    };
    let (mut proved, found) = compare(&stored, time, Witness::Search, answer);
    proved.nodes = search.nodes();
    findings.add(found);
    (proved, findings)
}

/// The score of a position, which must be that of its mirror image and of its best move.
fn score_of(
    findings: &mut Findings,
    probe: &mut TableProbe,
    position: &Position,
) -> Result<Option<Told>, TableError> {
    let Some((score, evidence)) = probe.score(position)? else { return Ok(None) };
    let told = Told { position: *position, verdict: Verdict::Score(score), evidence };
    if let Some((other, _)) = probe.score(&position.mirror())? {
        findings.compare(told, Verdict::Score(other), Witness::Mirror);
    }
    let mut best = None;
    for (_, child) in position.children() {
        let Some((score, _)) = probe.score(&child)? else { return Ok(Some(told)) };
        best = best.max(Some(-score));
    }
    if let Some(best) = best {
        findings.compare(told, Verdict::Score(best), Witness::Moves);
    }
    Ok(Some(told))
}
