//! The score of a position whose outcome the tables know.
//!
//! A plain search has to find out which moves win before it can find the fastest
//! one. Here that is known: who wins tries only moves that keep the win, and a
//! position whose outcome settles the question is not searched at all. Looking up
//! takes as long as a search visits some hundred nodes, so it is done only while
//! there are few stones:
//!
//! ```text
//!     few stones    ask the tables, try the search for a while, and go on with
//!                   each move that keeps the outcome
//!     many stones   search to the end
//! ```
//!
//! All questions are of one kind: is the score above a bound? What was learnt from
//! one is remembered for the next.

use std::collections::HashMap;
use std::time::Instant;

use super::expert::Expert;
use super::value::{Value, at_sight};
use crate::board::{Column, Position, Status, Tier, threats};
use crate::search::{Score, next_question};
use crate::table::TableError;
use crate::tromp::Key;

/// With so many stones, a search to the end is short.
const SEARCH_FROM: Tier = Tier(16);
/// Nodes that a try may take, before a position is opened up.
const TRY_NODES: u64 = 5_000;
/// Nodes of the glance at each of its moves.
const GLANCE_NODES: u64 = 200;
/// Positions to remember at most: some hundred megabytes.
const MOST_REMEMBERED: usize = 1 << 22;

/// What was found out so far.
#[derive(Default)]
pub(super) struct Guide {
    remembered: HashMap<Key, Remembered>,
}

#[derive(Clone, Copy)]
struct Remembered {
    value: Value,
    /// The move that settled the last question.
    best: Option<Column>,
}

impl Expert<'_> {
    /// The score of an open position, or bounds on it once the deadline has passed.
    /// The tables know its outcome.
    pub(super) fn guided(
        &mut self,
        position: &Position,
        outcome: Value,
        deadline: Option<Instant>,
    ) -> Result<Value, TableError> {
        let mut value = outcome;
        let soon = (self.board().cells() - position.tier().stones()) as i32 / 4;
        let ask = |value: Value| next_question(value.lower().get(), value.upper().get(), soon);
        while let Some(bound) = ask(value) {
            let bound = Score::new(bound).expect("between two scores");
            let found = value.and(self.above(position, bound, deadline)?);
            if !found.settles(bound) {
                return Ok(found);
            }
            value = found;
        }
        Ok(value)
    }

    /// Is the score above `bound`? What comes back leaves that open only once the
    /// deadline has passed.
    pub(super) fn above(
        &mut self,
        position: &Position,
        bound: Score,
        deadline: Option<Instant>,
    ) -> Result<Value, TableError> {
        if let Some(score) = at_sight(position) {
            return Ok(Value::Exact(score));
        }
        if position.tier() >= SEARCH_FROM {
            let limit = self.limit(None, deadline);
            return Ok(self.search().try_above(position, bound, limit).into());
        }
        let (key, position) = &canonical(position);
        let known = self.guide.remembered.get(key).copied();
        let mut value = match known {
            Some(known) => known.value,
            None => {
                let open = Value::of_open(self.board(), position.tier());
                match self.tabulated(position)? {
                    Some(outcome) => open.with_outcome(outcome),
                    None => {
                        let limit = self.limit(None, deadline);
                        return Ok(self.search().try_above(position, bound, limit).into());
                    }
                }
            }
        };
        let mut best = known.and_then(|known| known.best);
        if !value.settles(bound) {
            let limit = self.limit(Some(TRY_NODES), deadline);
            value = value.and(self.search().try_above(position, bound, limit).into());
        }
        if !value.settles(bound) && !self.is_late(deadline) {
            (value, best) = self.opened_up(position, value, bound, best, deadline)?;
        }
        if self.guide.remembered.len() >= MOST_REMEMBERED {
            self.guide.remembered.clear();
        }
        self.guide.remembered.insert(*key, Remembered { value, best });
        Ok(value)
    }

    /// The same by the answers of its moves; `value` is what is known before.
    fn opened_up(
        &mut self,
        position: &Position,
        value: Value,
        bound: Score,
        best: Option<Column>,
        deadline: Option<Instant>,
    ) -> Result<(Value, Option<Column>), TableError> {
        // What a move must not be above for the one who answers it.
        let below = Score::new(-bound.get() - 1).expect("a score");
        let open = |child: &Position| Value::of_open(child.board(), child.tier());
        let mut moves = Vec::new();
        let mut forced = threats(position, position.mover().other());
        let forced = forced.next();
        for (at, column) in self.centre_first().into_iter().enumerate() {
            if !position.has_room(column) || forced.is_some_and(|forced| forced != column) {
                continue;
            }
            let child = position.play_unchecked(column);
            let mut known = Value::of_open(self.board(), child.tier());
            if child.status() == Status::Open {
                if let Some(remembered) = self.guide.remembered.get(&canonical(&child).0) {
                    known = remembered.value;
                } else if let Some(outcome) = self.tabulated(&child)? {
                    known = open(&child).with_outcome(outcome);
                }
                if !known.settles(below) {
                    let limit = self.limit(Some(GLANCE_NODES), deadline);
                    known = known.and(self.search().try_above(&child, below, limit).into());
                }
            } else {
                known = self.above(&child, below, deadline)?;
            }
            if known.upper() <= below {
                let lower = known.for_other().lower();
                return Ok((value.and(Value::new(lower, value.upper().max(lower))), Some(column)));
            }
            let threats_made = threats(&child, position.mover()).count();
            moves.push((
                best != Some(column),
                std::cmp::Reverse(threats_made),
                at,
                column,
                child,
                known,
            ));
        }
        moves.sort_by_key(|(not_best, threats, at, ..)| (*not_best, *threats, *at));
        let mut upper = value.lower();
        for (.., column, child, known) in moves {
            let known =
                if known.settles(below) { known } else { self.above(&child, below, deadline)? };
            let known = known.for_other();
            if known.lower() > bound {
                return Ok((
                    Value::new(known.lower(), value.upper().max(known.lower())),
                    Some(column),
                ));
            }
            upper = upper.max(known.upper());
        }
        Ok((Value::new(value.lower(), upper.min(value.upper()).max(value.lower())), best))
    }
}

/// Of a position and its mirror image, which share what is known, the one with the smaller key.
fn canonical(position: &Position) -> (Key, Position) {
    let mirrored = position.mirror();
    let (key, other) = (Key::of(position), Key::of(&mirrored));
    if other < key { (other, mirrored) } else { (key, *position) }
}
