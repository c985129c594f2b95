//! The tables of a solver: which ones it is to have, and which ones it has.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::SolverError;
use crate::board::{Board, Tier};
use crate::index::Finder;
use crate::probe::TableProbe;
use crate::query::Session;
use crate::table::{FolderError, Tables, folder_with_tables};

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
    pub(super) fn open(self, board: Board) -> Result<Option<Arc<OpenTables>>, SolverError> {
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
    pub(super) folder: PathBuf,
    pub(super) finder: Arc<Finder>,
    tables: Arc<Tables>,
    /// Tiers whose tables would have helped, but were missing.
    missed: Mutex<BTreeSet<Tier>>,
}

impl OpenTables {
    /// The tables in a folder: of this board, or of the one that the folder says.
    pub(super) fn in_folder(
        board: Option<Board>,
        folder: &Path,
    ) -> Result<OpenTables, SolverError> {
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
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).append(&mut tiers);
    }

    /// The tiers whose tables were missing so far.
    pub(super) fn missed(&self) -> Vec<Tier> {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

impl fmt::Debug for OpenTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folder.fmt(f)
    }
}
