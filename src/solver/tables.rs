//! The tables of a solver: which ones it is to have, and which ones it has.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::{Settings, Solver, SolverBuilder, SolverError, lock};
use crate::board::{Board, Tier};
use crate::index::Finder;
use crate::probe::TableProbe;
use crate::query::Session;
use crate::table::{FolderError, Tables, folder_with_tables};

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

/// The tables that a solver is to have.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    None,
    /// Those in a folder.
    In(PathBuf),
    /// Those in a folder, if there are any.
    IfAny(PathBuf),
    /// Those of another solver.
    Open(Arc<OpenTables>),
}

impl Wanted {
    /// Finds them.
    pub fn open(self, board: Board) -> Result<Option<Arc<OpenTables>>, SolverError> {
        let open = |folder: &Path| OpenTables::in_folder(Some(board), folder);
        Ok(match self {
            Wanted::None => None,
            Wanted::Open(tables) => Some(tables),
            Wanted::In(folder) => Some(Arc::new(open(&folder)?)),
            Wanted::IfAny(folder) => match open(&folder) {
                Err(SolverError::Folder(FolderError::NoTables { .. })) => None,
                opened => Some(Arc::new(opened?)),
            },
        })
    }
}

/// A folder of tables, and the way to their cells.
pub(super) struct OpenTables {
    folder: PathBuf,
    finder: Arc<Finder>,
    tables: Arc<Tables>,
    /// Tiers whose tables would have helped, but were missing.
    missed: Mutex<BTreeSet<Tier>>,
}

impl OpenTables {
    /// The tables in a folder: of this board, or of the one that the folder says.
    fn in_folder(board: Option<Board>, folder: &Path) -> Result<OpenTables, SolverError> {
        let (board, folder) = folder_with_tables(board, folder)?;
        let finder = Arc::new(Finder::new(board)?);
        let tables = Arc::new(Tables::open(&folder, finder.census()));
        Ok(OpenTables { folder, finder, tables, missed: Mutex::default() })
    }

    /// Lets a session read them.
    pub(super) fn add_to(&self, session: Session) -> Session {
        session.with_tables(TableProbe::new(&self.finder, &self.tables))
    }

    /// Remembers tiers whose tables were missing.
    pub(super) fn miss(&self, mut tiers: BTreeSet<Tier>) {
        lock(&self.missed).append(&mut tiers);
    }

    /// The tiers whose tables were missing so far.
    fn missed(&self) -> Vec<Tier> {
        lock(&self.missed).iter().copied().collect()
    }
}

impl fmt::Debug for OpenTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folder.fmt(f)
    }
}
