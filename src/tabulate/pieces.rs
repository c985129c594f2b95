//! The pieces of a run: one per batch that is done.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::reading::names_in;
use crate::sealed::{FileFault, Kind, Label, OfWorkingFile, READ, RunLabel, WorkingFileError};

use super::names::{batch_of_piece, piece_file};
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

    /// Their folder.
    pub fn folder(&self) -> &Path {
        &self.folder
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

    /// The batches that have pieces, judging by their names.
    pub fn there(&self) -> Result<HashSet<usize>, WorkingFileError> {
        let names = match names_in(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashSet::new()),
            names => names.of_working_file(&self.folder, READ)?,
        };
        Ok(names.iter().filter_map(|name| batch_of_piece(name.to_str()?)).collect())
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
