//! `counts`: how many positions each tier of a run has, as far as they have been counted.
//!
//! On tall boards counting takes minutes. It is stored every now and then beside the pieces, so
//! that a run which is stopped does not count from the beginning.

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use crate::count::{Counted, TierCount, count_on};
use crate::files::Disk;
use crate::files::sealed::{Kind, Label, RunLabel, Sealed, Unsealed, WorkingFileError};
use crate::order::Orders;
use crate::progress::Progress;

use super::super::error::TabulateError;
use super::super::names::COUNTS;
use super::super::pieces::Pieces;
use super::INTERVAL;

fn label(run: RunLabel) -> Label {
    Label { kind: Kind::Counts, run, tier: None, batch: 0 }
}

/// Opens the file of a run.
pub(in crate::tabulate) fn open(folder: &Path, run: RunLabel) -> Result<Sealed, WorkingFileError> {
    Sealed::open(folder.join(COUNTS), label(run))
}

/// Counts the positions of the tiers of a run, as far as they have not been counted.
pub(in crate::tabulate) fn count(
    disk: &Disk,
    pieces: &Pieces,
    orders: &Orders,
    progress: &dyn Progress,
) -> Result<Vec<TierCount>, TabulateError> {
    let Pieces { ref folder, run } = *pieces;
    let found = open(folder, run).ok();
    let found = found.and_then(|file| Counted::from_bytes(file.directory()));
    let stored = Mutex::new((Instant::now(), Ok(())));
    let store = |counted: &Counted| {
        let mut stored = stored.lock().expect("nothing panics while it is locked");
        if stored.0.elapsed() >= INTERVAL && stored.1.is_ok() {
            stored.1 = write(disk, folder, run, counted);
            stored.0 = Instant::now();
        }
    };
    let counts = count_on(run.board, run.tiers, Some(orders), found, &store, progress)?;
    stored.into_inner().expect("nothing panics while it is locked").1?;
    Ok(counts)
}

fn write(
    disk: &Disk,
    folder: &Path,
    run: RunLabel,
    counted: &Counted,
) -> Result<(), WorkingFileError> {
    let file = Unsealed::create(disk, folder.join(COUNTS), label(run))?;
    file.seal(counted.to_bytes())?.publish()
}
