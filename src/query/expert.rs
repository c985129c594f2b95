//! Who answers: openings, tables and a search, and what each is asked for.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::guided::Guide;
use super::value::at_sight;
use super::{Answer, Openings, Source, Value};
use crate::board::{Board, Column, Outcome, Position, Status, Tier};
use crate::oracle::Oracle;
use crate::search::{Limit, Score, Search};
use crate::table::{Fault, TableError};

/// Bytes of the table of the search.
const SEARCH_BYTES: usize = 64 << 20;
/// Nodes that a search without tables may take to find the next move of a line: a
/// fraction of a second.
const LINE_NODES: u64 = 100_000;
/// Nodes that a first look at each of its moves may take.
const GLANCE_NODES: u64 = 10_000;

/// What is asked about positions.
#[derive(Clone, Copy, Default, Debug)]
pub struct Question {
    /// Only win, draw or loss?
    pub outcome_only: bool,
    /// How long an answer may take.
    pub limit: Option<Duration>,
}

/// Answers questions about positions of one board. What it learns is kept from one
/// answer to the next; it is for one thread.
pub struct Expert<'a> {
    board: Board,
    openings: Option<Openings>,
    pub(super) oracle: Option<Oracle<'a>>,
    /// Made when it is first needed: its table takes time to clear.
    search: Option<Search>,
    search_bytes: usize,
    threads: usize,
    /// Tiers whose tables would have helped, and were not there.
    missed: BTreeSet<Tier>,
    pub(super) guide: Guide,
}

impl<'a> Expert<'a> {
    /// An expert with the openings that are built in for this board, if any.
    pub fn new(board: Board) -> Expert<'a> {
        let openings = Openings::built_in(board);
        Expert {
            board,
            openings,
            oracle: None,
            search: None,
            search_bytes: SEARCH_BYTES,
            threads: 1,
            missed: BTreeSet::new(),
            guide: Guide::default(),
        }
    }

    /// With tables, too.
    pub fn with_tables(self, oracle: Oracle<'a>) -> Expert<'a> {
        Expert { oracle: Some(oracle), ..self }
    }

    /// Without the openings that are built in.
    pub fn without_openings(self) -> Expert<'a> {
        Expert { openings: None, ..self }
    }

    /// From the next search on, remembers positions in a table of so many bytes.
    pub fn search_in(&mut self, bytes: usize) {
        (self.search, self.search_bytes) = (None, bytes);
    }

    /// From the next search on, works with so many threads of rayon's pool.
    pub fn search_on(&mut self, threads: usize) {
        (self.search, self.threads) = (None, threads);
    }

    /// The tiers whose tables were asked for so far, and were not there.
    pub fn missed_tiers(&self) -> impl Iterator<Item = Tier> {
        self.missed.iter().copied()
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    pub(super) fn search(&mut self) -> &mut Search {
        let (board, bytes, threads) = (self.board, self.search_bytes, self.threads);
        self.search.get_or_insert_with(|| {
            let mut search = Search::new(board, bytes);
            search.use_threads(threads);
            search
        })
    }

    /// The value of a position that a game can reach, for the player to move.
    pub fn value(
        &mut self,
        position: &Position,
        question: Question,
    ) -> Result<(Value, Source), TableError> {
        let deadline = question.limit.map(|limit| Instant::now() + limit);
        self.value_until(position, question.outcome_only, deadline)
    }

    /// Everything about a position that a game can reach.
    pub fn answer(
        &mut self,
        position: &Position,
        question: Question,
    ) -> Result<Answer, TableError> {
        let start = Instant::now();
        let deadline = question.limit.map(|limit| start + limit);
        let half = deadline.map(|deadline| share(deadline, 2));
        // Who asks only for outcomes gets that of the position from those of its moves.
        let by_moves = question.outcome_only
            && deadline.is_none()
            && position.status() == Status::Open
            && self.built_in(position).is_none();
        let (mut value, mut source) = if by_moves {
            (Value::of_open(self.board, position.tier()), Source::Search)
        } else {
            self.value_until(position, question.outcome_only, half)?
        };
        let mut columns = vec![None; self.board.width()];
        let children: Vec<_> = position.children().collect();
        for (at, (column, child)) in children.iter().enumerate() {
            let deadline = deadline.map(|deadline| share(deadline, children.len() - at));
            let (value, from) = self.value_until(child, question.outcome_only, deadline)?;
            columns[column.index()] = Some(value.for_other());
            if by_moves && from == Source::Table {
                source = from;
            }
        }
        if position.status() == Status::Open {
            // The value of a position is that of its best move.
            let best =
                |bound: fn(Value) -> Score| columns.iter().flatten().map(|v| bound(*v)).max();
            if let (Some(lower), Some(upper)) = (best(Value::lower), best(Value::upper)) {
                value = value.and(Value::new(lower, upper));
            }
        }
        let best = self.best(&columns);
        let line = match (value, best.first()) {
            (Value::Exact(score), Some(first)) if !question.outcome_only => {
                self.line(position, *first, score, deadline)?
            }
            _ => Vec::new(),
        };
        let time = start.elapsed();
        Ok(Answer { position: *position, value, columns, best, line, source, time })
    }

    pub(super) fn value_until(
        &mut self,
        position: &Position,
        outcome_only: bool,
        deadline: Option<Instant>,
    ) -> Result<(Value, Source), TableError> {
        if let Some(score) = at_sight(position) {
            return Ok((Value::Exact(score), Source::Search));
        }
        if let Some(score) = self.built_in(position) {
            return Ok((Value::Exact(score), Source::Embedded));
        }
        let open = Value::of_open(self.board, position.tier());
        let limit = Limit { deadline, ..Limit::default() };
        let Some(outcome) = self.tabulated(position)? else {
            if !outcome_only {
                return Ok((self.search().try_score(position, limit).into(), Source::Search));
            }
            let value = match self.search().try_outcome(position, limit) {
                Ok(outcome) => open.with_outcome(outcome),
                Err(between) => Value::Between(between),
            };
            return Ok((value, Source::Search));
        };
        let value = open.with_outcome(outcome);
        let known = outcome_only || value.score().is_some();
        Ok((if known { value } else { self.guided(position, value, deadline)? }, Source::Table))
    }

    /// The outcome as the tables tell it; `None` if none is there for the tier.
    pub(super) fn tabulated(&mut self, position: &Position) -> Result<Option<Outcome>, TableError> {
        let Some(oracle) = &mut self.oracle else { return Ok(None) };
        match oracle.outcome(position) {
            Ok((outcome, _)) => Ok(Some(outcome)),
            Err(TableError { fault: Fault::Missing { tier, .. }, .. }) => {
                self.missed.insert(tier);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The score, if it is one of the openings that are built in.
    fn built_in(&self, position: &Position) -> Option<Score> {
        self.openings.as_ref()?.score(position)
    }

    /// The moves that are as good as any, as far as is known.
    fn best(&self, columns: &[Option<Value>]) -> Vec<Column> {
        let Some(most) = columns.iter().flatten().map(|value| value.lower()).max() else {
            return Vec::new();
        };
        let value = |column: Column| columns[column.index()];
        let mut best: Vec<Column> = self.centre_first();
        best.retain(|column| value(*column).is_some_and(|value| value.lower() == most));
        // Of two with the same lower bound, the one that may be better still.
        best.sort_by_key(|column| std::cmp::Reverse(value(*column).map(Value::upper)));
        best
    }

    /// The columns, those nearest to the centre first, and of two such the left one.
    pub(super) fn centre_first(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = self.board.columns().collect();
        let width = self.board.width();
        columns.sort_by_key(|column| (2 * column.index() + 1).abs_diff(width));
        columns
    }

    /// A line that begins with `first` and brings the player to move `score`.
    fn line(
        &mut self,
        position: &Position,
        first: Column,
        score: Score,
        deadline: Option<Instant>,
    ) -> Result<Vec<Column>, TableError> {
        let (mut line, mut score) = (vec![first], -score);
        let mut position = position.play_unchecked(first);
        while let Some(column) = self.move_worth(&position, score, deadline)? {
            position = position.play_unchecked(column);
            line.push(column);
            score = -score;
        }
        Ok(line)
    }

    /// The first move that brings `score`, the score of the position, unless it takes
    /// too long to find.
    fn move_worth(
        &mut self,
        position: &Position,
        score: Score,
        deadline: Option<Instant>,
    ) -> Result<Option<Column>, TableError> {
        if position.status() != Status::Open {
            return Ok(None);
        }
        let mut moves = Vec::new();
        for (at, column) in self.centre_first().into_iter().enumerate() {
            if position.has_room(column) {
                let child = position.play_unchecked(column);
                let value = self.quick_value(&child, -score, deadline)?;
                if value == Value::Exact(-score) {
                    return Ok(Some(column));
                }
                if (value.lower()..=value.upper()).contains(&-score) {
                    moves.push((value.upper(), at, column, child));
                }
            }
        }
        moves.sort_by_key(|(upper, at, ..)| (*upper, *at));
        if let [(.., only, _)] = moves[..] {
            return Ok(Some(only));
        }
        for (.., column, child) in moves {
            let value = match self.tabulated(&child)? {
                Some(_) => self.value_until(&child, false, deadline)?.0,
                None => {
                    let limit = Limit { nodes: Some(LINE_NODES), deadline, stop: None };
                    self.search().try_score(&child, limit).into()
                }
            };
            if value == Value::Exact(-score) {
                return Ok(Some(column));
            }
        }
        Ok(None)
    }

    /// What little work tells of a position, to see whether it is worth `asked`.
    fn quick_value(
        &mut self,
        position: &Position,
        asked: Score,
        deadline: Option<Instant>,
    ) -> Result<Value, TableError> {
        if let Some(score) = at_sight(position) {
            return Ok(Value::Exact(score));
        }
        if let Some(score) = self.built_in(position) {
            return Ok(Value::Exact(score));
        }
        let mut value = Value::of_open(self.board, position.tier());
        if let Some(outcome) = self.tabulated(position)? {
            value = value.with_outcome(outcome);
            if outcome != asked.outcome() || value.score().is_some() {
                return Ok(value);
            }
        }
        let limit = Limit { nodes: Some(GLANCE_NODES), deadline, stop: None };
        Ok(value.and(self.search().try_score(position, limit).into()))
    }
}

/// When the first of `parts` equal parts of the time until the deadline is over.
fn share(deadline: Instant, parts: usize) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) / parts.max(1) as u32
}
