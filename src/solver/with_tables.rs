//! A solver with tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::tables::{OpenTables, Wanted};
use super::{Settings, Solver, SolverBuilder, SolverError};
use crate::board::Tier;

impl Solver {
    /// A solver for the board whose tables are in this folder.
    ///
    /// ```
    /// use strong4::Solver;
    ///
    /// let error = Solver::open("nowhere").err().unwrap();
    /// assert!(error.to_string().starts_with("there is no folder nowhere"));
    /// ```
    pub fn open(folder: impl AsRef<Path>) -> Result<Solver, SolverError> {
        let tables = OpenTables::in_folder(None, folder.as_ref())?;
        Ok(Solver::of(Settings::new(tables.finder.board()), Some(Arc::new(tables))))
    }

    /// The folder of its tables, if it has any.
    pub fn folder(&self) -> Option<&Path> {
        self.shared.tables.as_ref().map(|tables| &*tables.folder)
    }

    /// The tiers whose tables would have helped so far, but were missing.
    pub fn missed_tiers(&self) -> Vec<Tier> {
        self.shared.tables.as_ref().map(|tables| tables.missed()).unwrap_or_default()
    }
}

impl SolverBuilder {
    /// Reads the tables in this folder, which must hold at least one. Each is opened when it is
    /// first needed, and a search replaces a missing one.
    pub fn tables(self, folder: impl Into<PathBuf>) -> SolverBuilder {
        SolverBuilder { tables: Wanted::In(folder.into()), ..self }
    }

    /// Reads the tables in this folder, if it holds any.
    pub fn tables_if_any(self, folder: impl Into<PathBuf>) -> SolverBuilder {
        SolverBuilder { tables: Wanted::IfAny(folder.into()), ..self }
    }
}
