//! The pieces of a run: one per batch that is done.

use std::path::PathBuf;

use crate::sealed::{FileFault, Kind, Label, RunLabel, WorkingFileError};

use super::names::piece_file;
use super::piece::Piece;

/// Where the pieces of a run are.
#[derive(Clone)]
pub(super) struct Pieces {
    folder: PathBuf,
    run: RunLabel,
}

impl Pieces {
    /// Those of this run, in its folder.
    pub fn new(folder: PathBuf, run: RunLabel) -> Pieces {
        Pieces { folder, run }
    }

    /// The run.
    pub fn run(&self) -> RunLabel {
        self.run
    }

    /// The file of a batch.
    pub fn file(&self, batch: usize) -> PathBuf {
        piece_file(&self.folder, batch)
    }

    /// The label of that file.
    pub fn label(&self, batch: usize) -> Label {
        Label { kind: Kind::Piece, run: self.run, tier: None, batch }
    }

    /// The piece of a batch, if it is there.
    pub fn find(&self, batch: usize) -> Result<Option<Piece>, WorkingFileError> {
        match self.open(batch) {
            Err(WorkingFileError { fault: FileFault::Missing, .. }) => Ok(None),
            piece => piece.map(Some),
        }
    }

    /// The piece of a batch that is done.
    pub fn open(&self, batch: usize) -> Result<Piece, WorkingFileError> {
        Piece::open(self.file(batch), self.label(batch))
    }
}
