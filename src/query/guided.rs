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
//!
//! The same question finds a line in which both play their best. A move keeps the score of the
//! position unless the next position is worth more than that to the other player. So this is asked
//! of every move: with a brief search, then a longer one, and without limit if the whole line is
//! wanted.

use std::cmp::Reverse;

use super::finding::{Finding, QueryError, Remembered};
use super::session::Session;
use super::value::{Value, at_sight};
use crate::board::{Column, Position, Status, Tier};
use crate::search::{Limit, Score, next_question};
use crate::tromp::Key;

/// From this many stones on, a search to the end is short.
const SEARCH_FROM: Tier = Tier(16);
/// Nodes of the first try, before a position is opened up.
const TRY_NODES: u64 = 5_000;
/// Nodes of the first glance at each of its moves.
const GLANCE_NODES: u64 = 200;

/// Nodes for each move of a line in successive rounds; the last takes a few tenths of a second.
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
    /// The score of an open position whose outcome the tables know, or bounds on it if the deadline
    /// passes first.
    pub(super) fn guided(
        &mut self,
        position: &Position,
        outcome: Finding,
        until: Limit,
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
        until: Limit,
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
        until: Limit,
    ) -> Finding {
        Finding::by_search(self.search().try_above(position, bound, Limit { nodes, ..until }))
    }

    /// What the tables say about an open position.
    pub(super) fn by_tables(&mut self, position: &Position) -> Result<Option<Finding>, QueryError> {
        let Some(found) = self.tabulated(position)? else { return Ok(None) };
        self.both(position, Finding::of_open(position), found).map(Some)
    }

    /// Settles the question through the replies to each move; `known` is what was known before.
    fn opened_up(
        &mut self,
        position: &Position,
        known: Finding,
        bound: Score,
        best: Option<Column>,
        until: Limit,
    ) -> Result<(Finding, Option<Column>), QueryError> {
        // The bound for the player who replies.
        let below = Score::new(-bound.get() - 1).expect("a score");
        let mut moves = Vec::new();
        let forced = position.threats(position.mover().other()).next();
        let is_open = |column| forced.is_none_or(|forced| forced == column);
        for (column, child) in position.children_from_centre().filter(|(c, _)| is_open(*c)) {
            let found = self.glanced(&child, below, until)?;
            if found.value.upper() <= below {
                return Ok((self.because_of(position, known, found)?, Some(column)));
            }
            let threats_made = child.threats(position.mover()).count();
            moves.push(((best != Some(column), Reverse(threats_made)), column, child, found));
        }
        // Of moves that are alike, the one nearer to the centre stays first.
        moves.sort_by_key(|(rank, ..)| *rank);
        let mut all = Vec::with_capacity(moves.len());
        for (_, column, child, mut found) in moves {
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
        until: Limit,
    ) -> Result<Finding, QueryError> {
        if child.status() != Status::Open {
            return self.above(child, below, until);
        }
        let known = match self.guide.get(Key::of_either(child)) {
            Some(remembered) => Some(remembered.known),
            None => self.by_tables(child)?,
        };
        let known = known.unwrap_or_else(|| Finding::of_open(child));
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

impl Session {
    /// A line that begins with `first`, a move that is worth the score `worth` to the player to
    /// move. Unless the whole line is wanted, it ends where the next move takes long to find.
    pub(super) fn line(
        &mut self,
        position: &Position,
        first: Column,
        worth: Finding,
        whole: bool,
        until: Limit,
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
        until: Limit,
    ) -> Result<Option<Column>, QueryError> {
        if let Some(score) = at_sight(position) {
            self.both(position, worth, Finding::by_rules(Value::Exact(score)))?;
            return Ok(None);
        }
        let wanted = worth.for_other().value.upper();
        let mut candidates = Vec::new();
        for (column, child) in position.children_from_centre() {
            let (known, tabulated) = self.glance(&child)?;
            candidates.push(Candidate { column, child, known, tabulated });
            if known.value.upper() <= wanted {
                self.is_best(position, worth, &candidates)?;
                return Ok(Some(column));
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
        Ok((found.unwrap_or_else(|| Finding::of_open(position)), found.is_some()))
    }

    /// Whether a candidate is worth more than `wanted` to the other player.
    fn ask(
        &mut self,
        candidate: &mut Candidate,
        wanted: Score,
        patience: Option<u64>,
        until: Limit,
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

/// Of a position and its mirror image, which share what is known, the one with the smaller key.
fn canonical(position: &Position) -> (Key, Position) {
    let mirrored = position.mirror();
    let (key, other) = (Key::of(position), Key::of(&mirrored));
    if other < key { (other, mirrored) } else { (key, *position) }
}
