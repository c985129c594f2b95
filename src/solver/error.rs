//! Why a solver has no answer.

use crate::board::{Board, IllegalPosition};
use crate::index::IndexError;
use crate::query::QueryError;
use crate::table::{FolderError, TableError};

/// Why a solver has no answer.
///
/// ```
/// use strong4::board::{Board, Position};
/// use strong4::{Solver, SolverError};
///
/// let small = Position::empty("5x4".parse()?);
/// let error = Solver::new(Board::STANDARD).score(&small).unwrap_err();
/// assert!(matches!(error, SolverError::OtherBoard { .. }));
/// assert_eq!(error.to_string(), "a position on 5x4, and not on 7x6");
/// # Ok::<(), strong4::board::BoardError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A position of another board.
    #[error("a position on {found}, and not on {expected}")]
    OtherBoard {
        /// The board of the solver.
        expected: Board,
        /// The board of the position.
        found: Board,
    },
    /// A position that no game reaches.
    #[error("no game leads to this board: {0}")]
    Unreachable(#[from] IllegalPosition),
    /// A folder without tables.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A board that is too large for tables.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A table that cannot be read, or sources that contradict each other.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Stopped before the answer was known.
    #[error("stopped before this was known")]
    Stopped,
    /// One of many has no answer.
    #[error("number {number} of {of}: {error}")]
    Item {
        /// Which one, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// Why.
        #[source]
        error: Box<SolverError>,
    },
}

impl SolverError {
    /// The table that is to blame, if one is.
    pub fn table(&self) -> Option<&TableError> {
        match self {
            SolverError::Query(QueryError::Table(table))
            | SolverError::Folder(FolderError::Table(table)) => Some(table),
            SolverError::Item { error, .. } => error.table(),
            _ => None,
        }
    }
}
