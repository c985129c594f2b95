//! A position is worth what its best move is worth.
//!
//! Checking that takes no search, so many more positions can be checked. A table in which every
//! value follows from the next tier, down to the end of the game, is right.

use std::sync::Arc;

use super::report::{Difference, Findings, Verdict, Witness};
use crate::board::Position;
use crate::index::Finder;
use crate::probe::{Evidence, TableProbe};
use crate::table::Tables;

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
