//! What the parts of a solver are made of.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::SolverError;
use crate::board::{Board, Tier};
use crate::index::Finder;
use crate::probe::TableProbe;
use crate::query::{SEARCH_BYTES, Session};
use crate::table::{Tables, folder_with_tables};

/// Everything that is chosen but the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub board: Board,
    pub openings: bool,
    pub search_bytes: usize,
    pub threads: usize,
}

impl Settings {
    pub fn new(board: Board) -> Settings {
        let threads = rayon::current_num_threads();
        Settings { board, openings: true, search_bytes: SEARCH_BYTES, threads }
    }

    /// A session with these settings.
    pub fn session(&self, tables: Option<&OpenTables>) -> Session {
        let mut session = Session::new(self.board);
        session.set_search_memory(self.search_bytes);
        if !self.openings {
            session = session.without_openings();
        }
        match tables {
            Some(OpenTables { finder, tables, .. }) => {
                session.with_tables(TableProbe::new(finder, tables))
            }
            None => session,
        }
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
    pub fn in_folder(board: Option<Board>, folder: &Path) -> Result<OpenTables, SolverError> {
        let (board, folder) = folder_with_tables(board, folder)?;
        let finder = Arc::new(Finder::new(board)?);
        let tables = Arc::new(Tables::open(&folder, finder.census()));
        Ok(OpenTables { folder, finder, tables, missed: Mutex::default() })
    }

    pub fn board(&self) -> Board {
        self.finder.board()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Remembers tiers whose tables were missing.
    pub fn miss(&self, mut tiers: BTreeSet<Tier>) {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).append(&mut tiers);
    }

    /// The tiers whose tables were missing so far.
    pub fn missed(&self) -> Vec<Tier> {
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        missed.iter().copied().collect()
    }
}

impl fmt::Debug for OpenTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folder.fmt(f)
    }
}
