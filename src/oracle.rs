//! What tables say about any position: the outcome or the score, without a long search.
//!
//! ```text
//!     a four, or a full board    it is over
//!     the mover can make a four  he wins
//!     his opponent threatens     two: he loses; one: he must move there, and
//!                                what follows is asked of the next tier
//!     few empty cells            a search to the end, microseconds
//!     quiet                      the table of the tier
//! ```
//!
//! Tables of scores are read in the same way. They do not hold positions near the end, whose score
//! is searched for.
//!
//! These are the numbered steps of `docs/table-format.md`; [`lookup`](crate::lookup) shows them.
//!
//! An oracle has a search of its own, so it belongs to one thread; the tables can be shared.

use std::fmt;
use std::sync::Arc;

use crate::board::{Outcome, Position, Sight, Tier};
use crate::index::{Cell, Finder};
use crate::search::{Score, Search};
use crate::table::{Fault, TableError, Tables};

/// Bytes of the search's table: as few as possible, so that it stays in the cache.
const SEARCH_BYTES: usize = 1 << 20;

/// Finds the outcomes and scores of positions of one board.
pub struct Oracle {
    finder: Arc<Finder>,
    tables: Arc<Tables>,
    search: Search,
}

/// What an outcome rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evidence {
    /// It was seen at once, or after forced moves.
    Sight,
    /// The table of a tier.
    Table(Tier),
    /// A search to the end.
    Search,
}

impl fmt::Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracle").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl Oracle {
    /// An oracle that reads these tables.
    pub fn new(finder: &Arc<Finder>, tables: &Arc<Tables>) -> Oracle {
        let search = Search::new(finder.board(), SEARCH_BYTES);
        Oracle { finder: finder.clone(), tables: tables.clone(), search }
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The outcome for the mover of a position that a game can reach, and what it rests on.
    pub fn outcome(&mut self, position: &Position) -> Result<(Outcome, Evidence), TableError> {
        match Sight::of(position) {
            Sight::Over { outcome, .. } => return Ok((outcome, Evidence::Sight)),
            Sight::Forced(column) => {
                let (outcome, evidence) = self.outcome(&position.play_unchecked(column))?;
                return Ok((outcome.for_other(), evidence));
            }
            Sight::Quiet => {}
        }
        let tier = position.tier();
        let table = self.tables.table(tier)?;
        if table.header().horizon.reaches(self.finder.board(), tier) {
            return Ok((self.search.outcome(position), Evidence::Search));
        }
        Ok((table.outcome(self.cell(position))?, Evidence::Table(tier)))
    }

    /// The score for the mover of a position that a game can reach, and what it rests on; `None`
    /// if there is no table of scores of its tier.
    pub fn score(&mut self, position: &Position) -> Result<Option<(Score, Evidence)>, TableError> {
        let Some(scores) = self.tables.scores() else { return Ok(None) };
        let (board, tier) = (self.finder.board(), position.tier());
        let score = |outcome, plies| Score::from_plies_unchecked(board, tier, outcome, plies);
        match Sight::of(position) {
            Sight::Over { outcome, plies } => {
                return Ok(Some((score(outcome, plies), Evidence::Sight)));
            }
            Sight::Forced(column) => {
                let told = self.score(&position.play_unchecked(column))?;
                return Ok(told.map(|(score, evidence)| (-score, evidence)));
            }
            Sight::Quiet => {}
        }
        let table = match scores.table(tier) {
            Err(TableError { fault: Fault::Missing { .. }, .. }) => return Ok(None),
            table => table?,
        };
        if table.header().horizon.reaches(board, tier) {
            return Ok(Some((self.search.score(position), Evidence::Search)));
        }
        let (outcome, plies) = table.ending(self.cell(position))?;
        Ok(Some((score(outcome, plies as u8), Evidence::Table(tier))))
    }

    fn cell(&self, position: &Position) -> Cell {
        self.finder.rank(position).expect("a position that a game can reach").cell
    }
}
