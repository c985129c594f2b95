//! What tables say about any position: the outcome or the score, without a long search.
//!
//! ```text
//!     a four, or a full board      it is over
//!     the mover can make a four    the mover wins
//!     the other player threatens   two fours: the mover loses; one: the mover must prevent it, and
//!                                  the position after that is probed instead, in the next tier
//!     few empty cells              a search to the end, microseconds
//!     quiet                        the table of the tier: tile, row and column of the position or
//!                                  of its mirror image; two bits for outcomes, a byte for scores
//! ```
//!
//! Tables of scores are read in the same way. They do not hold positions near the end, whose score
//! is searched for. These are the numbered steps of `docs/table-format.md`.
//!
//! A [`TableProbe`] returns only the result. [`LookUps`] show the steps, for people who read tables
//! themselves. Every position without four in a row has a cell, even if its value follows from the
//! rules and the cell means nothing. Without tables, the blocks are those that `strong4 solve`
//! would write.

use std::path::Path;
use std::sync::Arc;

use crate::board::{Board, Column, Outcome, Position, Sight, Status, Tier};
use crate::index::{Cell, Finder, Ranked};
use crate::search::{Score, Search};
use crate::table::{CellPlace, Content, Fault, Horizon, Layout, Table, TableError};
use crate::too_large::BoardTooLarge;

pub use crate::table::Tables;

/// Bytes of the search's table: as few as possible, so that it stays in the cache.
const SEARCH_BYTES: usize = 1 << 20;

/// Finds the outcomes and scores of positions of one board. It has a search of its own, so it
/// belongs to one thread; the tables can be shared.
pub struct TableProbe {
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

impl TableProbe {
    /// A probe of these tables.
    pub fn new(finder: &Arc<Finder>, tables: &Arc<Tables>) -> TableProbe {
        let search = Search::new(finder.board(), SEARCH_BYTES);
        TableProbe { finder: finder.clone(), tables: tables.clone(), search }
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
                let found = self.score(&position.play_unchecked(column))?;
                return Ok(found.map(|(score, evidence)| (-score, evidence)));
            }
            Sight::Quiet => {}
        }
        let Some(table) = table_of(scores, tier)? else { return Ok(None) };
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

/// Why the value of a position is not looked up, but follows from the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Skipped {
    /// The last move made a four: the player to move has lost.
    Finished,
    /// The board is full, and nobody has won: a draw.
    Full,
    /// The player to move makes a four with the next stone.
    Won,
    /// The other player could make two fours, and only one can be stopped.
    Lost,
    /// The other player could make one, so the mover must go there. The position after that is
    /// looked up instead, in the next tier.
    Forced(Column),
}

/// Where a position is looked up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LookUp {
    /// Why it is not looked up; `None` if it is quiet.
    pub skipped: Option<Skipped>,
    /// Where its cell is, even if it is skipped; `None` if the game is finished.
    pub stored: Option<Stored>,
}

/// The cell of a position, and what tables have in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stored {
    /// The cell, and whether it holds the mirror image.
    pub ranked: Ranked,
    /// In the table of outcomes of its tier: *first wins*, *first holds*.
    pub outcome: TableCell<[bool; 2]>,
    /// In the table of scores: the ply that makes the four, or 0 for a draw.
    pub score: TableCell<u8>,
}

/// A cell in a table, or in one that would be written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableCell<T> {
    /// A tier with this many empty cells, or fewer, has no blocks.
    pub horizon: Horizon,
    /// The place of the cell; `None` within the horizon.
    pub place: Option<CellPlace>,
    /// What the table has there; `None` without a table.
    pub value: Option<T>,
}

/// Finds where positions of one board are looked up; threads can share it.
pub struct LookUps {
    finder: Finder,
    tables: Option<Tables>,
}

impl LookUps {
    /// Without tables, so values remain unknown.
    pub fn new(board: Board) -> Result<LookUps, BoardTooLarge> {
        Ok(LookUps { finder: Finder::new(board)?, tables: None })
    }

    /// With the tables in a folder, and the scores inside it if there are any.
    pub fn with_tables(self, folder: &Path) -> LookUps {
        let tables = Some(Tables::open(folder, self.finder.census()));
        LookUps { tables, ..self }
    }

    /// Where a position that a game can reach is looked up.
    pub fn of(&self, position: &Position) -> Result<LookUp, TableError> {
        let skipped = skipped(position);
        if skipped == Some(Skipped::Finished) {
            return Ok(LookUp { skipped, stored: None });
        }
        let ranked = self.finder.rank(position).expect("a live position has a cell");
        let (tier, cell) = (position.tier(), ranked.cell);
        let outcomes = self.tables.as_ref();
        let scores = outcomes.and_then(Tables::scores);
        let outcome = match outcomes.map(|tables| table_of(tables, tier)).transpose()?.flatten() {
            None => self.unread(tier, cell, Horizon::OF_OUTCOMES, Content::OUTCOMES),
            Some(table) => read_cell(table, cell, Table::outcome_bits)?,
        };
        let score = match scores.map(|tables| table_of(tables, tier)).transpose()?.flatten() {
            None => self.unread(tier, cell, Horizon::OF_SCORES, Content::Scores),
            Some(table) => read_cell(table, cell, |table, cell| {
                let (_, plies) = table.ending(cell)?;
                Ok(if plies == 0 { 0 } else { tier.0 + plies as u8 })
            })?,
        };
        Ok(LookUp { skipped, stored: Some(Stored { ranked, outcome, score }) })
    }

    /// A cell of the table that `solve` would write.
    fn unread<T>(
        &self,
        tier: Tier,
        cell: Cell,
        horizon: Horizon,
        content: Content,
    ) -> TableCell<T> {
        let layout = Layout::with(self.finder.census(), tier, horizon, content);
        TableCell { horizon, place: layout.place(cell), value: None }
    }
}

fn skipped(position: &Position) -> Option<Skipped> {
    match Sight::of(position) {
        Sight::Quiet => None,
        Sight::Forced(column) => Some(Skipped::Forced(column)),
        Sight::Over { outcome, .. } => Some(match (position.status(), outcome) {
            (Status::Won(_), _) => Skipped::Finished,
            (Status::Full, _) => Skipped::Full,
            (Status::Open, Outcome::Win) => Skipped::Won,
            (Status::Open, _) => Skipped::Lost,
        }),
    }
}

/// The table of a tier, if it is there.
fn table_of(tables: &Tables, tier: Tier) -> Result<Option<&Table>, TableError> {
    match tables.table(tier) {
        Err(TableError { fault: Fault::Missing { .. }, .. }) => Ok(None),
        table => table.map(Some),
    }
}

/// A cell of a table that is there.
fn read_cell<T>(
    table: &Table,
    cell: Cell,
    read: impl Fn(&Table, Cell) -> Result<T, TableError>,
) -> Result<TableCell<T>, TableError> {
    let place = table.layout().place(cell);
    let value = place.map(|_| read(table, cell)).transpose()?;
    Ok(TableCell { horizon: table.header().horizon, place, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Moves;

    fn looked_up(board: &str, moves: &str) -> LookUp {
        let board = board.parse().unwrap();
        let position = *Moves::parse(board, moves).unwrap().position();
        LookUps::new(board).unwrap().of(&position).unwrap()
    }

    #[test]
    fn what_is_not_looked_up_says_why() {
        let fourth = Board::STANDARD.columns().nth(3).unwrap();
        for (board, moves, why) in [
            ("7x6", "", None),
            ("7x6", "4453", None),
            ("7x6", "1212121", Some(Skipped::Finished)),
            ("7x6", "112233", Some(Skipped::Won)),
            ("7x6", "1212127", Some(Skipped::Won)),
            ("7x6", "11223", Some(Skipped::Forced(fourth))),
            ("7x6", "44553", Some(Skipped::Lost)),
            ("2x2", "1221", Some(Skipped::Full)),
        ] {
            let look_up = looked_up(board, moves);
            assert_eq!(look_up.skipped, why, "{moves} on {board}");
            assert_eq!(look_up.stored.is_none(), why == Some(Skipped::Finished));
        }
    }

    #[test]
    fn mirror_images_are_looked_up_in_the_same_place() {
        let [a, b] = ["4453", "4435"].map(|moves| looked_up("7x6", moves).stored.unwrap());
        assert_eq!(a.outcome, b.outcome);
        assert_eq!(a.score, b.score);
        assert_eq!(a.ranked.cell, b.ranked.cell);
        assert!(a.ranked.mirrored != b.ranked.mirrored);
    }

    #[test]
    fn the_horizon_of_scores_is_wider() {
        let stored = looked_up("5x4", "33").stored.unwrap();
        assert_eq!([stored.outcome.horizon, stored.score.horizon], [Horizon(14), Horizon(20)]);
        assert!(stored.outcome.place.is_some() && stored.score.place.is_none());
        assert!(stored.outcome.value.is_none());
    }
}
