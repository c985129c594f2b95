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

use super::report::{Difference, Findings, Proved, Verdict, Witness};
use crate::board::{Board, Outcome, Position, Tier};
use crate::index::Finder;
use crate::probe::{Evidence, TableProbe};
use crate::search::{Limit, ProofSearch, Score, Search};
use crate::table::{TableError, Tables};

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
        self.positions += 1;
        self.stored += u64::from(matches!(evidence, Evidence::Table(_)));
        // Without moves, the board is full and nobody has won.
        if let Some(other) = best.filter(|best| *best != outcome) {
            let (position, witness) = (*position, Witness::Moves);
            let [told, other] = [outcome, other].map(Verdict::Outcome);
            self.findings.difference(Difference { position, told, evidence, other, witness });
        }
    }
}

/// The result of checking the scores of some positions.
#[derive(Default)]
pub(super) struct Scored {
    /// The number of scores that came from a stored cell.
    pub stored: usize,
    pub proved: Proved,
    pub findings: Findings,
}

/// Compares the scores of positions, if tables have them.
pub(super) fn compare_scores(
    finder: &Arc<Finder>,
    tables: &Arc<Tables>,
    positions: &[Position],
    time: Duration,
) -> Scored {
    let mut scored = Scored::default();
    let mut probe = TableProbe::new(finder, tables);
    let mut told = Vec::new();
    for position in positions {
        match scored.by_tables(&mut probe, position) {
            Ok(Some((score, evidence @ Evidence::Table(_)))) => {
                told.push((*position, score, evidence))
            }
            Ok(_) => {}
            Err(fault) => scored.findings.fault(fault),
        }
    }
    scored.stored = told.len();
    if !told.is_empty() {
        scored.by_search(&mut Search::new(finder.board(), SEARCH_BYTES), &told, time);
    }
    scored
}

impl Scored {
    /// The score of a position, which must be that of its mirror image and of its best move.
    fn by_tables(
        &mut self,
        probe: &mut TableProbe,
        position: &Position,
    ) -> Result<Option<(Score, Evidence)>, TableError> {
        let Some((score, evidence)) = probe.score(position)? else { return Ok(None) };
        if let Some((other, _)) = probe.score(&position.mirror())? {
            self.hold_against(position, score, evidence, other, Witness::Mirror);
        }
        let mut best = None;
        for (_, child) in position.children() {
            let Some((score, _)) = probe.score(&child)? else {
                return Ok(Some((score, evidence)));
            };
            best = best.max(Some(-score));
        }
        if let Some(other) = best {
            self.hold_against(position, score, evidence, other, Witness::Moves);
        }
        Ok(Some((score, evidence)))
    }

    fn by_search(
        &mut self,
        search: &mut Search,
        told: &[(Position, Score, Evidence)],
        time: Duration,
    ) {
        let start = Instant::now();
        for (at, (position, score, evidence)) in told.iter().enumerate() {
            let remaining = time.saturating_sub(start.elapsed());
            let share = (remaining / 4).max(remaining / (told.len() - at) as u32);
            let deadline = Instant::now().checked_add(share);
            let found = match remaining.is_zero() {
                true => None,
                false => search.try_score(position, Limit { deadline, ..Limit::default() }).ok(),
            };
            match found {
                None => self.proved.given_up += 1,
                Some(other) => {
                    self.proved.answered += 1;
                    self.hold_against(position, *score, *evidence, other, Witness::Search);
                }
            }
        }
        (self.proved.nodes, self.proved.time) = (search.nodes(), start.elapsed());
    }

    fn hold_against(
        &mut self,
        position: &Position,
        score: Score,
        evidence: Evidence,
        other: Score,
        witness: Witness,
    ) {
        if other != score {
            let (told, other) = (Verdict::Score(score), Verdict::Score(other));
            let position = *position;
            self.findings.difference(Difference { position, told, evidence, other, witness });
        }
    }
}
