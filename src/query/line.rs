//! A game in which both play their best.
//!
//! A move is right if it keeps the score of the position. One question per move decides that: is
//! the next position worth more than that to the other player? Every move is searched briefly, then
//! longer, and without limit if the whole line is wanted.

use super::Value;
use super::contradiction::QueryError;
use super::finding::Finding;
use super::question::Until;
use super::session::Session;
use super::value::at_sight;
use crate::board::{Column, Position};
use crate::search::Score;

/// Nodes for each move in successive rounds; the last takes a few tenths of a second.
const PATIENCE: [Option<u64>; 3] = [Some(10_000), Some(200_000), Some(4_000_000)];

/// What a move leads to, and what is known of it.
struct Candidate {
    column: Column,
    child: Position,
    known: Finding,
    /// Whether tables know its outcome.
    tabulated: bool,
}

impl Session {
    /// A line that begins with `first`, a move that is worth the score `worth` to the player to
    /// move. Unless the whole line is wanted, it ends where the next move takes long to find.
    pub(super) fn line(
        &mut self,
        position: &Position,
        first: Column,
        worth: Finding,
        whole: bool,
        until: Until,
    ) -> Result<Vec<Column>, QueryError> {
        let (mut line, mut worth) = (vec![first], worth.for_other());
        let mut position = position.play_unchecked(first);
        while let Some(column) = self.move_worth(&position, worth, whole, until)? {
            position = position.play_unchecked(column);
            line.push(column);
            worth = worth.for_other();
        }
        Ok(line)
    }

    /// A move that keeps the score `worth` of the position; `None` if the game is over, or if
    /// finding one takes too long.
    fn move_worth(
        &mut self,
        position: &Position,
        worth: Finding,
        whole: bool,
        until: Until,
    ) -> Result<Option<Column>, QueryError> {
        if let Some(score) = at_sight(position) {
            self.both(position, worth, Finding::by_rules(Value::Exact(score)))?;
            return Ok(None);
        }
        let wanted = worth.for_other().value.upper();
        let mut candidates = Vec::new();
        for column in self.centre_first() {
            if position.has_room(column) {
                let child = position.play_unchecked(column);
                let (known, tabulated) = self.glance(&child)?;
                candidates.push(Candidate { column, child, known, tabulated });
                if known.value.upper() <= wanted {
                    self.is_best(position, worth, &candidates)?;
                    return Ok(Some(column));
                }
            }
        }
        let last = whole.then_some(None);
        for patience in PATIENCE.into_iter().chain(last) {
            for at in 0..candidates.len() {
                let value = candidates[at].known.value;
                if value.lower() <= wanted && value.upper() > wanted {
                    self.ask(&mut candidates[at], wanted, patience, until)?;
                }
                if candidates[at].known.value.upper() <= wanted {
                    self.is_best(position, worth, &candidates)?;
                    return Ok(Some(candidates[at].column));
                }
            }
            self.is_best(position, worth, &candidates)?;
            // All others are worth less.
            let mut open = candidates.iter().filter(|other| other.known.value.lower() <= wanted);
            if let (Some(only), None) = (open.next(), open.next()) {
                return Ok(Some(only.column));
            }
            if until.is_over() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Checks that the best move is worth as much as the position.
    fn is_best(
        &mut self,
        position: &Position,
        worth: Finding,
        candidates: &[Candidate],
    ) -> Result<(), QueryError> {
        let moves = candidates.iter().map(|candidate| candidate.known.for_other());
        if let Some(best) = Finding::of_best(moves) {
            self.both(position, worth, best)?;
        }
        Ok(())
    }

    /// What is known of a position without a search, and whether tables contributed.
    fn glance(&mut self, position: &Position) -> Result<(Finding, bool), QueryError> {
        if let Some(score) = at_sight(position) {
            return Ok((Finding::by_rules(Value::Exact(score)), false));
        }
        if let Some(score) = self.built_in(position) {
            return Ok((Finding::by_openings(score), false));
        }
        let found = self.by_tables(position)?;
        let open = || Finding::by_rules(Value::of_open(position.board(), position.tier()));
        Ok((found.unwrap_or_else(open), found.is_some()))
    }

    /// Whether a candidate is worth more than `wanted` to the other player.
    fn ask(
        &mut self,
        candidate: &mut Candidate,
        wanted: Score,
        patience: Option<u64>,
        until: Until,
    ) -> Result<(), QueryError> {
        let found = if candidate.tabulated && patience != PATIENCE[0] {
            self.above(&candidate.child, wanted, until)?
        } else {
            self.tried(&candidate.child, wanted, patience, until)
        };
        candidate.known = self.both(&candidate.child, candidate.known, found)?;
        Ok(())
    }
}
