//! The scores in tables, compared with those of the mirror image and of the moves, and with a
//! search that reads no tables.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::report::{Difference, Findings, Proved, Verdict, Witness};
use super::witnesses::SEARCH_BYTES;
use crate::board::Position;
use crate::index::Finder;
use crate::probe::{Evidence, TableProbe};
use crate::search::{Limit, Score, Search};
use crate::table::{TableError, Tables};

/// The result of checking the scores of some positions.
#[derive(Default)]
pub(super) struct Scored {
    /// The number of scores that came from a stored cell.
    pub stored: usize,
    pub proved: Proved,
    pub findings: Findings,
}

/// Compares the scores of positions, if tables have them.
pub(super) fn compare(
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
