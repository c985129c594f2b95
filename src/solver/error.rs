//! Why a solver has no answer.

use crate::board::{Board, IllegalPosition};
use crate::query::{Contradiction, QueryError};
#[cfg(feature = "tables")]
use crate::table::FolderError;
use crate::table::TableError;
use crate::too_large::BoardTooLarge;

/// Why a solver has no answer.
///
/// ```
/// use strong4::board::{Board, Position};
/// use strong4::{Solver, SolverError};
///
/// let small = Position::empty("5x4".parse()?);
/// let error = Solver::new(Board::STANDARD).score(&small).unwrap_err();
/// assert!(matches!(error, SolverError::OtherBoard { .. }));
/// assert_eq!(error.to_string(), "a position on 5x4, not on 7x6");
/// # Ok::<(), strong4::board::BoardError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The position is of another board.
    #[error("a position on {found}, not on {expected}")]
    OtherBoard {
        /// The board of the solver.
        expected: Board,
        /// The board of the position.
        found: Board,
    },
    /// No game reaches the position.
    #[error("no game leads to this board: {0}")]
    Unreachable(#[from] IllegalPosition),
    /// The folder has no tables.
    #[cfg(feature = "tables")]
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The board is too large for tables.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// A table that cannot be read, or sources that contradict each other.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The question was stopped before the answer was known.
    #[error("stopped before the answer was known")]
    Stopped,
    /// One of many items has no answer.
    #[error("number {number} of {of}: {error}")]
    Item {
        /// The number of the item, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// Why it has no answer.
        #[source]
        error: Box<SolverError>,
    },
}

impl SolverError {
    /// The contradiction between sources, if that is the reason.
    pub fn contradiction(&self) -> Option<&Contradiction> {
        match self {
            SolverError::Query(QueryError::Contradiction(contradiction)) => Some(contradiction),
            SolverError::Item { error, .. } => error.contradiction(),
            _ => None,
        }
    }

    /// The table at fault, if any.
    pub fn table(&self) -> Option<&TableError> {
        match self {
            SolverError::Query(QueryError::Table(table)) => Some(table),
            #[cfg(feature = "tables")]
            SolverError::Folder(FolderError::Table(table)) => Some(table),
            SolverError::Item { error, .. } => error.table(),
            _ => None,
        }
    }
}
