//! `run.json`: which run the pieces in a folder belong to.
//!
//! It is written when the run begins, never changed, and removed when the tables exist. Progress is
//! recorded by the pieces alone: even without this file, the same command continues with them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Tier, TierRange};
use crate::disk::{Disk, read_start};
use crate::index::LimitedList;
use crate::program::PROGRAM;
use crate::sealed::{OfWorkingFile, RunLabel, WRITE};
use crate::sweep::{End, Extent, Scope};

use super::error::TabulateError;
use super::names::{run_file, run_folder};
use super::request::Request;

const FORMAT: u32 = 1;

/// No such file is longer.
const MOST_BYTES: u64 = 1 << 16;

/// A batch has a centre at least.
const MOST_BATCHES: usize = LimitedList::Centres.limit() as usize;

/// A run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunFile {
    pub label: RunLabel,
    pub batches: usize,
    /// Cells that it works on.
    pub cells: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Raw {
    format: u32,
    program: String,
    board: String,
    first: u8,
    last: u8,
    /// The ply at which games end.
    end: u8,
    every_cell: bool,
    batches: usize,
    cells: u64,
    /// The checksum of all this, with nothing here.
    checksum: String,
}

impl Raw {
    fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and names") + "\n"
    }

    fn checksum(&self) -> String {
        let unchecked = Raw { checksum: String::new(), ..self.clone() };
        format!("{:08x}", crc32fast::hash(unchecked.text().as_bytes()))
    }
}

impl RunFile {
    /// The run over these tiers.
    pub fn of(extent: &Extent, tiers: TierRange, end: End) -> RunFile {
        let board = extent.census().board();
        let every_cell = extent.scope() == Scope::EveryCell;
        let label = RunLabel { board, tiers, end: end.ply(), every_cell };
        let cells = tiers.into_iter().map(|tier| extent.sizes().cells(tier)).sum();
        RunFile { label, batches: extent.schedule().batches().len(), cells }
    }

    fn to_text(self) -> String {
        let RunLabel { board, tiers, end, every_cell } = self.label;
        let raw = Raw {
            format: FORMAT,
            program: PROGRAM.to_owned(),
            board: board.to_string(),
            first: tiers.first().0,
            last: tiers.last().0,
            end: end.0,
            every_cell,
            batches: self.batches,
            cells: self.cells,
            checksum: String::new(),
        };
        Raw { checksum: raw.checksum(), ..raw }.text()
    }

    fn parse(text: &str) -> Result<RunFile, String> {
        let raw: Raw = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if raw.format != FORMAT {
            return Err(format!("expected format {FORMAT}, found {}", raw.format));
        }
        if raw.program != PROGRAM {
            return Err(format!("expected a run of {PROGRAM}, found one of {}", raw.program));
        }
        let (expected, found) = (raw.checksum(), &raw.checksum);
        if *found != expected {
            return Err(format!("expected checksum {expected}, found {found}"));
        }
        let board: Board = raw.board.parse().map_err(|error| format!("{error}"))?;
        let tiers = TierRange::new(Tier(raw.first), Tier(raw.last));
        let tiers = tiers.and_then(|tiers| tiers.within(board)).map_err(|e| e.to_string())?;
        let end = Tier(raw.end);
        let is_end = end == board.last_tier() || tiers.last() < end && end < board.last_tier();
        if !is_end {
            return Err(format!(
                "expected games that end after tier {}, at ply {end}",
                tiers.last()
            ));
        }
        if !(1..=MOST_BATCHES).contains(&raw.batches) {
            let found = raw.batches;
            return Err(format!("expected from 1 to {MOST_BATCHES} batches, found {found}"));
        }
        let label = RunLabel { board, tiers, end, every_cell: raw.every_cell };
        Ok(RunFile { label, batches: raw.batches, cells: raw.cells })
    }

    /// Can files of these two runs be used together?
    pub fn is_the_same_run(&self, other: &RunFile) -> bool {
        self.label == other.label && self.batches == other.batches
    }

    /// The run in this folder, if there is one.
    pub fn read(run: &Path) -> Result<Option<RunFile>, TabulateError> {
        let path = run_file(run);
        let failed = |reason: String| TabulateError::RunFile { path: path.clone(), reason };
        let text = read_start(&path, MOST_BYTES).map_err(|error| failed(error.to_string()))?;
        text.map(|text| RunFile::parse(&text)).transpose().map_err(failed)
    }

    /// The tiers of the run, if it is the one that is asked for.
    pub fn tiers_of(
        &self,
        request: &Request,
        tiers: TierRange,
    ) -> Result<TierRange, TabulateError> {
        let RunLabel { board, tiers: found, end, every_cell } = self.label;
        let inside = tiers.first() <= found.first() && found.last() <= tiers.last();
        let same_cells = (request.scope == Scope::EveryCell) == every_cell;
        let same_end = end == request.cut.unwrap_or(board.last_tier());
        if board == request.board && inside && same_cells && same_end {
            return Ok(found);
        }
        let run = run_folder(&request.tables);
        Err(TabulateError::Unfinished { board, found, every_cell, run })
    }

    /// A run begins in this folder.
    pub fn write(self, disk: &Disk, run: &Path) -> Result<(), TabulateError> {
        let path = run_file(run);
        Ok(disk.replace(&path, self.to_text().as_bytes()).of_working_file(&path, WRITE)?)
    }
}

/// What is accepted, as it is or with the right checksum, is read again as it is written.
#[cfg(fuzzing)]
pub(crate) fn fuzz_run_file(text: &str) -> bool {
    let accepts = |text: &str| {
        let Ok(run) = RunFile::parse(text) else { return false };
        assert_eq!(RunFile::parse(&run.to_text()), Ok(run));
        true
    };
    let sealed = serde_json::from_str::<Raw>(text)
        .is_ok_and(|raw| accepts(&Raw { checksum: raw.checksum(), ..raw }.text()));
    accepts(text) | sealed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(batches: usize) -> RunFile {
        let board: Board = "5x4".parse().unwrap();
        let (tiers, end) = (TierRange::all(board), board.last_tier());
        let label = RunLabel { board, tiers, end, every_cell: false };
        RunFile { label, batches, cells: 12_345 }
    }

    /// Its status would never come to an end.
    #[test]
    fn a_run_of_more_batches_than_centres_is_refused() {
        for batches in [1, 7, MOST_BATCHES] {
            assert_eq!(RunFile::parse(&run(batches).to_text()), Ok(run(batches)));
        }
        for batches in [0, MOST_BATCHES + 1, usize::MAX] {
            let error = RunFile::parse(&run(batches).to_text()).unwrap_err();
            assert_eq!(error, format!("expected from 1 to 262144 batches, found {batches}"));
        }
    }
}
