//! What tables say of any position: the outcome, without a long search.
//!
//! ```text
//!     a four on the board        it is over
//!     few empty cells            a search to the end, microseconds
//!     the mover can make a four  he wins
//!     his opponent threatens     two: he loses; one: he must move there, and
//!                                what follows is asked of the next tier
//!     quiet                      the table of the tier
//! ```
//!
//! An oracle has a search of its own, so it is for one thread; the tables can be
//! shared.

use crate::board::{Outcome, Position, Status, Tier, threats};
use crate::index::Finder;
use crate::search::Search;
use crate::table::{TableError, Tables};

/// Bytes of the table of the search: as few as there can be, so that it stays in the cache.
const SEARCH_BYTES: usize = 1 << 20;

/// Tells the outcome of positions of one board.
pub struct Oracle<'a> {
    finder: &'a Finder,
    tables: &'a Tables<'a>,
    search: Search,
}

/// Where an outcome came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// It was seen at once, or after forced moves.
    Sight,
    /// The table of a tier.
    Table(Tier),
    /// A search to the end.
    Search,
}

impl<'a> Oracle<'a> {
    /// An oracle that reads these tables.
    pub fn new(finder: &'a Finder, tables: &'a Tables<'a>) -> Oracle<'a> {
        Oracle { finder, tables, search: Search::new(finder.board(), SEARCH_BYTES) }
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &'a Tables<'a> {
        self.tables
    }

    /// The outcome for the mover, of a position that a game can reach, and where
    /// it came from.
    pub fn outcome(&mut self, position: &Position) -> Result<(Outcome, Source), TableError> {
        let mover = position.mover();
        match position.status() {
            Status::Won(winner) if winner == mover => return Ok((Outcome::Win, Source::Sight)),
            Status::Won(_) => return Ok((Outcome::Loss, Source::Sight)),
            Status::Full => return Ok((Outcome::Draw, Source::Sight)),
            Status::Open => {}
        }
        if threats(position, mover).next().is_some() {
            return Ok((Outcome::Win, Source::Sight));
        }
        let mut threats = threats(position, mover.other());
        match (threats.next(), threats.next()) {
            (Some(_), Some(_)) => return Ok((Outcome::Loss, Source::Sight)),
            (Some(forced), None) => {
                let (outcome, source) = self.outcome(&position.play_unchecked(forced))?;
                return Ok((outcome.for_other(), source));
            }
            (None, _) => {}
        }
        let tier = position.tier();
        let table = self.tables.table(tier)?;
        if table.header().horizon.reaches(self.finder.board(), tier) {
            return Ok((self.search.outcome(position), Source::Search));
        }
        let cell = self.finder.rank(position).expect("a position that a game can reach").cell;
        Ok((table.outcome(cell)?, Source::Table(tier)))
    }
}
