//! Replaces `tables` if that feature is disabled: a solver asks for no tables, and has none.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::SolverError;
use crate::board::{Board, Tier};
use crate::query::Session;

/// The tables that a solver is to have.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    None,
    Open(Arc<OpenTables>),
}

/// Tables, of which there are none.
#[derive(Debug)]
pub(super) enum OpenTables {}

impl Wanted {
    pub fn open(self, _: Board) -> Result<Option<Arc<OpenTables>>, SolverError> {
        Ok(None)
    }
}

impl OpenTables {
    pub fn add_to(&self, _: Session) -> Session {
        match *self {}
    }

    pub fn miss(&self, _: BTreeSet<Tier>) {
        match *self {}
    }
}
