//! The settings of a solver, chosen before there is one.

#[cfg(feature = "tables")]
use std::path::PathBuf;

use super::tables::Wanted;
use super::{Settings, Solver, SolverError};
use crate::board::Board;

/// The settings of a [`Solver`] that is being made.
///
/// ```no_run
/// use strong4::Solver;
/// use strong4::board::Board;
///
/// let solver = Solver::builder(Board::STANDARD)
///     .tables("tables/7x6")
///     .threads(2)
///     .search_memory(256 << 20)
///     .build()?;
/// # Ok::<(), strong4::SolverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolverBuilder {
    pub(super) settings: Settings,
    pub(super) tables: Wanted,
}

impl Solver {
    /// Chooses the settings of a solver for this board.
    pub fn builder(board: Board) -> SolverBuilder {
        SolverBuilder { settings: Settings::new(board), tables: Wanted::None }
    }

    /// Chooses other settings for a second solver, which begins with those of this one. It uses
    /// the same open tables, and shares nothing else.
    pub fn to_builder(&self) -> SolverBuilder {
        let (settings, tables) = (self.shared.settings, self.shared.tables.clone());
        SolverBuilder { settings, tables: tables.map_or(Wanted::None, Wanted::Open) }
    }
}

impl SolverBuilder {
    /// Does without the built-in openings.
    pub fn without_openings(mut self) -> SolverBuilder {
        self.settings.openings = false;
        self
    }

    /// Sets the size of the table of each search in bytes, instead of 64 MiB.
    pub fn search_memory(mut self, bytes: usize) -> SolverBuilder {
        self.settings.search_bytes = bytes;
        self
    }

    /// Limits a long search or a batch to this many threads, instead of all. The answers are the
    /// same.
    pub fn threads(mut self, threads: usize) -> SolverBuilder {
        self.settings.threads = threads.max(1);
        self
    }

    /// Reads the tables in this folder, which must hold at least one. Each is opened when it is
    /// first needed, and a search replaces a missing one.
    #[cfg(feature = "tables")]
    pub fn tables(self, folder: impl Into<PathBuf>) -> SolverBuilder {
        SolverBuilder { tables: Wanted::In(folder.into()), ..self }
    }

    /// Reads the tables in this folder, if it holds any.
    #[cfg(feature = "tables")]
    pub fn tables_if_any(self, folder: impl Into<PathBuf>) -> SolverBuilder {
        SolverBuilder { tables: Wanted::IfAny(folder.into()), ..self }
    }

    /// Makes the solver. Looks at the names in the folder, but opens no table.
    pub fn build(self) -> Result<Solver, SolverError> {
        let SolverBuilder { settings, tables } = self;
        Ok(Solver::of(settings, tables.open(settings.board)?))
    }
}
