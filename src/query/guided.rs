//! The score of a position whose outcome the tables know.
//!
//! A plain search has to find out which moves win before it can find the fastest
//! one. Here that is known: who wins tries only moves that keep the win, and a
//! drawn position is not searched at all. Looking up takes as long as a search
//! visits some hundred nodes, so each position is first given to the search for a
//! while; what that leaves open is opened up with the help of the tables:
//!
//! ```text
//!     few stones    try the search for a while, ask the tables, and go on with
//!                   each move that keeps the outcome
//!     many stones   search to the end
//! ```

use std::collections::HashMap;
use std::time::Instant;

use super::expert::Expert;
use super::value::Value;
use crate::board::{Outcome, Position, Tier};
use crate::search::{Limit, Score};
use crate::table::TableError;
use crate::tromp::Key;

/// Nodes of the first try.
const TRY_NODES: u64 = 100_000;
/// Nodes of the glance at each move that puts the moves in order.
const GLANCE_NODES: u64 = 2_000;
/// With so many stones, a search to the end is short.
const SEARCH_FROM: Tier = Tier(15);
/// Positions to remember at most.
const MOST_REMEMBERED: usize = 1 << 20;

/// What was found out so far.
#[derive(Default)]
pub(super) struct Guide {
    remembered: HashMap<Key, Value>,
}

/// What is asked: the score if it lies between these.
#[derive(Clone, Copy)]
struct Window {
    above: Score,
    below: Score,
}

impl Window {
    /// Are these bounds all that is asked for?
    fn is_answered_by(self, value: Value) -> bool {
        value.score().is_some() || value.lower() >= self.below || value.upper() <= self.above
    }
}

impl Expert<'_> {
    /// The score of an open position, or bounds on it once the deadline has passed.
    pub(super) fn guided(
        &mut self,
        position: &Position,
        deadline: Option<Instant>,
    ) -> Result<Value, TableError> {
        let open = Value::of_open(self.board(), position.tier());
        let window = Window { above: open.lower(), below: open.upper() };
        self.within(position, window, deadline)
    }

    fn within(
        &mut self,
        position: &Position,
        window: Window,
        deadline: Option<Instant>,
    ) -> Result<Value, TableError> {
        let board = self.board();
        let to_the_end = position.tier() >= SEARCH_FROM;
        let nodes = (!to_the_end).then_some(TRY_NODES);
        let limit = Limit { nodes, deadline, stop: None };
        if to_the_end {
            return Ok(self.search().try_score(position, limit).into());
        }
        let key = Key::of(position).min(Key::of(&position.mirror()));
        let known = self.guide.remembered.get(&key).copied();
        let mut value = known.unwrap_or(Value::of_open(board, position.tier()));
        if window.is_answered_by(value) {
            return Ok(value);
        }
        if known.is_none() {
            value = Value::from(self.search().try_score(position, limit));
            if value.score().is_none() {
                match self.tabulated(position)? {
                    Some(outcome) => value = value.with_outcome(outcome),
                    None => {
                        let limit = Limit { deadline, ..Limit::default() };
                        return Ok(self.search().try_score(position, limit).into());
                    }
                }
            }
            self.remember(key, value);
        }
        let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if window.is_answered_by(value) || late() {
            return Ok(value);
        }
        let value = self.opened_up(position, value, window, deadline)?;
        self.remember(key, value);
        Ok(value)
    }

    /// The value by that of each move; `value` is what is known before, among that the outcome.
    fn opened_up(
        &mut self,
        position: &Position,
        value: Value,
        window: Window,
        deadline: Option<Instant>,
    ) -> Result<Value, TableError> {
        let limit = Limit { nodes: Some(GLANCE_NODES), deadline, stop: None };
        let mut moves = Vec::new();
        for column in self.centre_first() {
            if !position.has_room(column) {
                continue;
            }
            let child = position.play_unchecked(column);
            let wins = value.outcome() == Some(Outcome::Win);
            if wins && self.tabulated(&child)?.is_some_and(|outcome| outcome != Outcome::Loss) {
                continue;
            }
            let glance = Value::from(self.search().try_score(&child, limit)).for_other();
            moves.push((glance, child));
        }
        moves.sort_by_key(|(glance, _)| std::cmp::Reverse((glance.upper(), glance.lower())));
        let below = window.below.min(value.upper());
        let mut above = window.above.max(value.lower());
        let (mut lower, mut upper) = (value.lower(), value.lower());
        for (glance, child) in moves {
            // What can not be better than what there is already need not be asked for.
            let known = if glance.upper() <= above {
                glance
            } else {
                let window = Window { above: -below, below: -above };
                self.within(&child, window, deadline)?.for_other()
            };
            lower = lower.max(known.lower());
            upper = upper.max(known.upper());
            above = above.max(lower);
            if lower >= below {
                return Ok(Value::new(lower, value.upper().max(lower)));
            }
        }
        Ok(Value::new(lower, upper.min(value.upper()).max(lower)))
    }

    fn remember(&mut self, key: Key, value: Value) {
        if self.guide.remembered.len() >= MOST_REMEMBERED {
            self.guide.remembered.clear();
        }
        self.guide.remembered.insert(key, value);
    }
}
