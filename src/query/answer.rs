//! The answer to a question about a position.

use std::cmp::Reverse;
use std::time::Duration;

use super::Value;
use crate::board::{Column, Outcome, Position, Status};
use crate::search::Plies;

/// Everything that was asked about a position.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, Source};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let answer = solver.answer(game.position(), Question::default())?;
/// let best: Vec<usize> = answer.best.iter().map(|column| column.number()).collect();
/// assert_eq!((best, answer.source), (vec![3, 6, 7], Source::Embedded));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// What it is worth to the player to move.
    pub value: Value,
    /// What each move is worth to the player who makes it; `None` if the column is full or the game
    /// is over.
    pub columns: Vec<Option<Value>>,
    /// The moves that keep the outcome and that no other move is known to beat, those nearest to
    /// the centre first; empty if the outcome is not known.
    pub best: Vec<Column>,
    /// A game from here on in which both play their best, as far as it was found.
    pub line: Vec<Column>,
    /// Where the value of the position came from.
    pub source: Source,
    /// How long it took.
    pub time: Duration,
}

/// Where a value came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The tables; distances by a search that they guided.
    Table,
    /// The built-in openings.
    Embedded,
    /// A search that knew only the rules.
    Search,
}

impl Answer {
    /// Is the game over?
    pub fn is_over(&self) -> bool {
        self.position.status() != Status::Open
    }

    /// A move to make, if there is one: one of the best, or else the most promising.
    pub fn choice(&self) -> Option<Column> {
        let promise = |column: &Column| {
            let value = self.columns[column.index()]?;
            let from_centre = (2 * column.index() + 1).abs_diff(self.columns.len());
            Some((value.lower(), value.upper(), Reverse(from_centre)))
        };
        let columns = self.position.board().columns();
        let open = columns.filter(|column| promise(column).is_some());
        self.best.first().copied().or_else(|| open.max_by_key(promise))
    }

    /// The number of moves in a game that ends with this value; `None` if the value is unknown or a
    /// draw.
    pub fn plies(&self, value: Value) -> Option<Plies> {
        let score = value.score()?;
        let (board, tier) = (self.position.board(), self.position.tier());
        if score.outcome() == Outcome::Draw { None } else { score.plies(board, tier) }
    }

    /// Does the line reach the end of the game?
    pub fn line_ends(&self) -> bool {
        let play = |position: Position, column: &Column| position.play_unchecked(*column);
        self.line.iter().fold(self.position, play).status() != Status::Open
    }
}
