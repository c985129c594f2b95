//! The score of a position whose outcome the tables know.
//!
//! A plain search has to find out which moves win before it can find the fastest one. Here that is
//! known: the winner tries only moves that keep the win, and a position whose outcome settles the
//! question is not searched at all. A lookup costs as much as a few hundred nodes of search, so it
//! is only done with few stones on the board:
//!
//! ```text
//!     few stones    ask the tables, try the search for a while, and go on with
//!                   each move that keeps the outcome
//!     many stones   search to the end
//! ```
//!
//! Every question has the same form: is the score above a bound? What one question finds out is
//! remembered for the next.

use super::contradiction::QueryError;
use super::finding::{Finding, Remembered};
use super::question::Until;
use super::session::Session;
use super::value::{Value, at_sight};
use crate::board::{Column, Position, Status, Tier, threats};
use crate::search::{Score, next_question};
use crate::tromp::Key;

/// From this many stones on, a search to the end is short.
const SEARCH_FROM: Tier = Tier(16);
/// Nodes of the first try, before a position is opened up.
const TRY_NODES: u64 = 5_000;
/// Nodes of the first glance at each of its moves.
const GLANCE_NODES: u64 = 200;

impl Session {
    /// The score of an open position whose outcome the tables know, or bounds on it if the deadline
    /// passes first.
    pub(super) fn guided(
        &mut self,
        position: &Position,
        outcome: Finding,
        until: Until,
    ) -> Result<Finding, QueryError> {
        let mut known = outcome;
        let soon = (self.board().cells() - position.tier().stones()) as i32 / 4;
        let ask = |value: Value| next_question(value.lower().get(), value.upper().get(), soon);
        while let Some(bound) = ask(known.value) {
            let bound = Score::new(bound).expect("between two scores");
            let found = self.above(position, bound, until)?;
            known = self.both(position, known, found)?;
            if !known.value.settles(bound) {
                break;
            }
        }
        Ok(known)
    }

    /// Whether the score is above `bound`. The result settles that unless the deadline has passed.
    pub(super) fn above(
        &mut self,
        position: &Position,
        bound: Score,
        until: Until,
    ) -> Result<Finding, QueryError> {
        if let Some(score) = at_sight(position) {
            return Ok(Finding::by_rules(Value::Exact(score)));
        }
        if position.tier() >= SEARCH_FROM {
            return Ok(self.tried(position, bound, None, until));
        }
        let (key, position) = &canonical(position);
        let remembered = self.guide.get(*key);
        let mut known = match remembered {
            Some(remembered) => remembered.known,
            None => match self.by_tables(position)? {
                Some(known) => known,
                None => return Ok(self.tried(position, bound, None, until)),
            },
        };
        let mut best = remembered.and_then(|remembered| remembered.best);
        if !known.value.settles(bound) {
            let found = self.tried(position, bound, Some(TRY_NODES), until);
            known = self.both(position, known, found)?;
        }
        if !known.value.settles(bound) && !until.is_over() {
            (known, best) = self.opened_up(position, known, bound, best, until)?;
        }
        self.guide.remember(*key, Remembered { known, best });
        Ok(known)
    }

    /// What a search of at most this many nodes finds.
    pub(super) fn tried(
        &mut self,
        position: &Position,
        bound: Score,
        nodes: Option<u64>,
        until: Until,
    ) -> Finding {
        let limit = until.limit(nodes);
        Finding::by_search(self.search().try_above(position, bound, limit))
    }

    /// What the tables say about an open position.
    pub(super) fn by_tables(&mut self, position: &Position) -> Result<Option<Finding>, QueryError> {
        let Some(found) = self.tabulated(position)? else { return Ok(None) };
        let open = Finding::by_rules(Value::of_open(self.board(), position.tier()));
        self.both(position, open, found).map(Some)
    }

    /// Settles the question through the replies to each move; `known` is what was known before.
    fn opened_up(
        &mut self,
        position: &Position,
        known: Finding,
        bound: Score,
        best: Option<Column>,
        until: Until,
    ) -> Result<(Finding, Option<Column>), QueryError> {
        // The bound for the player who replies.
        let below = Score::new(-bound.get() - 1).expect("a score");
        let mut moves = Vec::new();
        let mut forced = threats(position, position.mover().other());
        let forced = forced.next();
        for (at, column) in self.centre_first().into_iter().enumerate() {
            if !position.has_room(column) || forced.is_some_and(|forced| forced != column) {
                continue;
            }
            let child = position.play_unchecked(column);
            let found = self.glanced(&child, below, until)?;
            if found.value.upper() <= below {
                return Ok((self.because_of(position, known, found)?, Some(column)));
            }
            let threats_made = threats(&child, position.mover()).count();
            moves.push((
                best != Some(column),
                std::cmp::Reverse(threats_made),
                at,
                column,
                child,
                found,
            ));
        }
        moves.sort_by_key(|(not_best, threats, at, ..)| (*not_best, *threats, *at));
        let mut all = Vec::with_capacity(moves.len());
        for (.., column, child, mut found) in moves {
            if !found.value.settles(below) {
                found = self.above(&child, below, until)?;
            }
            if found.value.upper() <= below {
                return Ok((self.because_of(position, known, found)?, Some(column)));
            }
            all.push(found.for_other());
        }
        let Some(most) = Finding::of_best(all.into_iter()) else { return Ok((known, best)) };
        let most = Finding { value: Value::at_most(most.value.upper()), ..most };
        Ok((self.both(position, known, most)?, best))
    }

    /// What is known of a position that a move leads to, and what a glance adds.
    fn glanced(
        &mut self,
        child: &Position,
        below: Score,
        until: Until,
    ) -> Result<Finding, QueryError> {
        if child.status() != Status::Open {
            return self.above(child, below, until);
        }
        let known = match self.guide.get(canonical(child).0) {
            Some(remembered) => Some(remembered.known),
            None => self.by_tables(child)?,
        };
        let known =
            known.unwrap_or_else(|| Finding::by_rules(Value::of_open(child.board(), child.tier())));
        if known.value.settles(below) {
            return Ok(known);
        }
        let found = self.tried(child, below, Some(GLANCE_NODES), until);
        self.both(child, known, found)
    }

    /// What is known of a position, given a finding about one that a move leads to.
    fn because_of(
        &mut self,
        position: &Position,
        known: Finding,
        child: Finding,
    ) -> Result<Finding, QueryError> {
        let value = Value::at_least(-child.value.upper());
        self.both(position, known, Finding { value, ..child }.of_moves())
    }
}

/// Of a position and its mirror image, which share what is known, the one with the smaller key.
fn canonical(position: &Position) -> (Key, Position) {
    let mirrored = position.mirror();
    let (key, other) = (Key::of(position), Key::of(&mirrored));
    if other < key { (other, mirrored) } else { (key, *position) }
}
