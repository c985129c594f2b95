//! A game in which both play their best.
//!
//! A move is right if it brings the score of the position. That takes one question for each:
//! is what it leads to worth more than that to the other player? All moves are asked for with
//! little patience, then with more, and if the whole line is wanted with any.

use std::time::Instant;

use super::Value;
use super::expert::Expert;
use super::value::at_sight;
use crate::board::{Column, Position, Status};
use crate::search::Score;
use crate::table::TableError;

/// Nodes that each move may take in turn, up to some tenths of a second.
const PATIENCE: [Option<u64>; 3] = [Some(10_000), Some(200_000), Some(4_000_000)];

/// What a move leads to, and what is known of it.
struct Candidate {
    column: Column,
    child: Position,
    value: Value,
    /// Do tables tell its outcome?
    tabulated: bool,
}

impl Expert<'_> {
    /// A line that begins with `first` and brings the player to move `score`. Unless it is
    /// to be whole, it ends where the next move takes long to find.
    pub(super) fn line(
        &mut self,
        position: &Position,
        first: Column,
        score: Score,
        whole: bool,
        deadline: Option<Instant>,
    ) -> Result<Vec<Column>, TableError> {
        let (mut line, mut score) = (vec![first], -score);
        let mut position = position.play_unchecked(first);
        while let Some(column) = self.move_worth(&position, score, whole, deadline)? {
            position = position.play_unchecked(column);
            line.push(column);
            score = -score;
        }
        Ok(line)
    }

    /// A move that brings `score`, the score of the position; none if the game is over, or it
    /// takes too long to find.
    fn move_worth(
        &mut self,
        position: &Position,
        score: Score,
        whole: bool,
        deadline: Option<Instant>,
    ) -> Result<Option<Column>, TableError> {
        if position.status() != Status::Open {
            return Ok(None);
        }
        let wanted = -score;
        let mut candidates = Vec::new();
        for column in self.centre_first() {
            if position.has_room(column) {
                let child = position.play_unchecked(column);
                let (value, tabulated) = self.glance(&child)?;
                candidates.push(Candidate { column, child, value, tabulated });
            }
        }
        let last = whole.then_some(None);
        for patience in PATIENCE.into_iter().chain(last) {
            for candidate in &mut candidates {
                // No move is worth more than the position.
                if candidate.value.lower() <= wanted && candidate.value.upper() > wanted {
                    self.ask(candidate, wanted, patience, deadline)?;
                }
                if candidate.value.upper() <= wanted {
                    return Ok(Some(candidate.column));
                }
            }
            candidates.retain(|candidate| candidate.value.lower() <= wanted);
            if let [only] = &candidates[..] {
                return Ok(Some(only.column));
            }
            if self.is_late(deadline) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// What is known of a position without a search, and whether tables told some of it.
    fn glance(&mut self, position: &Position) -> Result<(Value, bool), TableError> {
        if let Some(score) = at_sight(position).or_else(|| self.built_in(position)) {
            return Ok((Value::Exact(score), false));
        }
        let open = Value::of_open(self.board(), position.tier());
        let outcome = self.tabulated(position)?;
        Ok((outcome.map_or(open, |outcome| open.with_outcome(outcome)), outcome.is_some()))
    }

    /// Is a candidate worth more than `wanted` to the other player?
    fn ask(
        &mut self,
        candidate: &mut Candidate,
        wanted: Score,
        patience: Option<u64>,
        deadline: Option<Instant>,
    ) -> Result<(), TableError> {
        let found = if candidate.tabulated && patience != PATIENCE[0] {
            self.above(&candidate.child, wanted, deadline)?
        } else {
            let limit = self.limit(patience, deadline);
            self.search().try_above(&candidate.child, wanted, limit).into()
        };
        candidate.value = candidate.value.and(found);
        Ok(())
    }
}
