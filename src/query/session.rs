//! A session puts questions to the openings, the tables and a search, each for what it knows best,
//! and keeps what it learns from one question to the next.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::finding::{Claim, Contradiction, Finding, Guide, Origin, Origins, QueryError};
use super::value::at_sight;
use super::{Openings, Source, Value};
use crate::board::{Board, Position, Tier};
use crate::clock::Instant;
use crate::probe::{TableProbe, Tables};
use crate::search::{Limit, Score, Search};
use crate::table::{Fault, TableError};

/// What to find out about positions.
///
/// ```
/// use std::time::Duration;
/// use strong4::Solver;
/// use strong4::board::{Board, Position};
/// use strong4::query::Question;
///
/// let empty = Position::empty(Board::STANDARD);
/// let solver = Solver::builder(Board::STANDARD).without_openings().build()?;
/// let limit = Some(Duration::from_millis(20));
/// let answer = solver.analyze(&empty, Question { limit, ..Question::default() })?;
/// // What is not known is a bound.
/// assert_eq!(answer.value.score(), None);
/// assert!(answer.value.lower() < answer.value.upper());
/// # Ok::<(), strong4::SolverError>(())
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Question<'a> {
    /// Whether only win, draw or loss is wanted.
    pub outcome_only: bool,
    /// The time an answer may take. The answer may use all of it while anything is unknown.
    pub limit: Option<Duration>,
    /// Whether the line must reach the end of the game, however long that takes.
    pub whole_line: bool,
    /// Once this is set, the answer is whatever is known by then.
    pub stop: Option<&'a AtomicBool>,
    /// The threads of a long search, instead of as many as the solver has.
    pub threads: Option<usize>,
}

impl<'a> Question<'a> {
    pub(super) fn until(self) -> Limit<'a> {
        let deadline = self.limit.map(|limit| Instant::now() + limit);
        Limit { nodes: None, deadline, stop: self.stop }
    }

    pub(super) fn aim(self) -> Aim {
        if self.outcome_only { Aim::Outcome } else { Aim::Score }
    }
}

/// How much to find out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Aim {
    /// Win, draw or loss.
    Outcome,
    /// The exact score.
    Score,
}

impl Aim {
    /// Whether this is enough.
    pub(super) fn is_reached(self, value: Value) -> bool {
        match self {
            Aim::Outcome => value.outcome().is_some(),
            Aim::Score => value.score().is_some(),
        }
    }
}

/// Size of the table of a search, unless another one is asked for.
pub(crate) const SEARCH_BYTES: usize = 64 << 20;

/// Answers questions about positions of one board. It keeps what it learns from one answer to the
/// next, and belongs to one thread.
pub struct Session {
    board: Board,
    openings: Option<&'static Openings>,
    probe: Option<TableProbe>,
    /// Created on first use, because its table takes time to clear.
    search: Option<Search>,
    search_bytes: usize,
    threads: usize,
    /// Tiers whose tables would have helped, but were missing.
    pub(super) missed: BTreeSet<Tier>,
    pub(super) guide: Guide,
}

impl Session {
    /// A session with the built-in openings for this board, if there are any.
    pub fn new(board: Board) -> Session {
        let openings = Openings::built_in(board);
        Session {
            board,
            openings,
            probe: None,
            search: None,
            search_bytes: SEARCH_BYTES,
            threads: 1,
            missed: BTreeSet::new(),
            guide: Guide::default(),
        }
    }

    /// Adds tables.
    pub fn with_tables(self, probe: TableProbe) -> Session {
        Session { probe: Some(probe), ..self }
    }

    /// Removes the built-in openings.
    pub fn without_openings(self) -> Session {
        Session { openings: None, ..self }
    }

    /// Sets the size of the search's table, in bytes. An earlier table is dropped, and the next
    /// search makes a new one.
    pub(crate) fn set_search_memory(&mut self, bytes: usize) {
        (self.search, self.search_bytes) = (None, bytes);
    }

    /// Sets the number of threads of rayon's pool that a search uses: of the present search, if
    /// there is one, and of a later one.
    pub(crate) fn use_threads(&mut self, threads: usize) {
        self.threads = threads;
        if let Some(search) = &mut self.search {
            search.use_threads(threads);
        }
    }

    /// The tiers whose tables were missing when asked for, since the last call.
    pub fn take_missed_tiers(&mut self) -> BTreeSet<Tier> {
        std::mem::take(&mut self.missed)
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
    pub fn value(&mut self, position: &Position, question: Question) -> Result<Value, QueryError> {
        let until = question.until();
        let (known, source) = self.first_look(position)?;
        Ok(self.deepen(position, known, source, question.aim(), until)?.value)
    }

    /// What is known without a search, and the source that will know the rest.
    pub(super) fn first_look(
        &mut self,
        position: &Position,
    ) -> Result<(Finding, Source), QueryError> {
        if let Some(score) = at_sight(position) {
            return Ok((Finding::by_rules(Value::Exact(score)), Source::Search));
        }
        let mut known = Finding::of_open(position);
        let mut source = Source::Search;
        if let Some(score) = self.built_in(position) {
            known = self.both(position, known, Finding::by_openings(score))?;
            source = Source::Embedded;
        }
        match self.tabulated(position) {
            Ok(Some(found)) => {
                known = self.both(position, known, found)?;
                source = if source == Source::Embedded { source } else { Source::Table };
            }
            Ok(None) => {}
            // The openings suffice, so a table that cannot be read does not matter.
            Err(_) if source == Source::Embedded => {}
            Err(error) => return Err(error.into()),
        }
        Ok((known, source))
    }

    /// Adds what a search finds out before time is up. If the tables know the position, they guide
    /// it.
    pub(super) fn deepen(
        &mut self,
        position: &Position,
        known: Finding,
        source: Source,
        aim: Aim,
        until: Limit,
    ) -> Result<Finding, QueryError> {
        if aim.is_reached(known.value) {
            return Ok(known);
        }
        if source == Source::Table {
            return self.guided(position, known, until);
        }
        let (search, bounds) = (self.search(), known.value.into());
        let found = match aim {
            Aim::Score => search.narrow(position, bounds, until),
            Aim::Outcome => search.narrow_outcome(position, bounds, until),
        };
        let found = Finding::by_search(found.unwrap_or_else(|found| found));
        let narrowed = self.both(position, known, found)?;
        Ok(match narrowed.value.outcome() {
            // Anything beyond the outcome depends on earlier searches, so it is dropped.
            Some(outcome) if aim == Aim::Outcome => {
                let outcome = Finding::by_search(Value::of_outcome(outcome));
                self.both(position, known, outcome)?
            }
            _ => narrowed,
        })
    }

    /// The score according to the tables, or else the outcome; `None` if there is no table of the
    /// tier.
    pub(super) fn tabulated(&mut self, position: &Position) -> Result<Option<Finding>, TableError> {
        let Some(probe) = &mut self.probe else { return Ok(None) };
        if let Some((score, source)) = probe.score(position)? {
            return Ok(Some(Finding::by_scores(score, source)));
        }
        match probe.outcome(position) {
            Ok((outcome, source)) => Ok(Some(Finding::by_outcomes(outcome, source))),
            Err(TableError { fault: Fault::Missing { tier, .. }, .. }) => {
                if self.built_in(position).is_none() {
                    self.missed.insert(tier);
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// What is known if both findings are true of a position. If they contradict each other,
    /// everything learnt so far may rest on the wrong one, so it is forgotten.
    pub(super) fn both(
        &mut self,
        position: &Position,
        one: Finding,
        other: Finding,
    ) -> Result<Finding, QueryError> {
        one.and(other).ok_or_else(|| {
            self.guide = Guide::default();
            let [one, other] = [one, other].map(|finding| self.claim(finding));
            Box::new(Contradiction { position: *position, one, other }).into()
        })
    }

    /// A finding, with the names of its origins.
    fn claim(&self, Finding { value, origins }: Finding) -> Claim {
        let outcomes = self.probe.as_ref().map(TableProbe::tables);
        let scores = outcomes.and_then(Tables::scores);
        let tables = origins
            .tables()
            .filter_map(|tier| Some(Origin::Table { tier, file: outcomes?.file(tier) }));
        let score_tables = origins
            .score_tables()
            .filter_map(|tier| Some(Origin::ScoreTable { tier, file: scores?.file(tier) }));
        let Origins { rules, openings, search, of_moves, .. } = origins;
        let others = [openings.then_some(Origin::Openings), search.then_some(Origin::Search)];
        let mut origins: Vec<Origin> =
            tables.chain(score_tables).chain(others.into_iter().flatten()).collect();
        // Everything rests on the rules, so they are only named alone.
        if rules && origins.is_empty() {
            origins.push(Origin::Rules);
        }
        Claim { value, of_moves, origins }
    }

    /// The score from the built-in openings, if they have it.
    pub(super) fn built_in(&self, position: &Position) -> Option<Score> {
        self.openings.as_ref()?.score(position)
    }
}
