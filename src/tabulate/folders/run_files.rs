//! `run.json` and `plan.json`: which run the pieces in a folder belong to, and into how many parts
//! it is cut.
//!
//! The first is written when the run begins, the second when it is planned. Neither is ever
//! changed, and both are removed when the tables exist. Progress is recorded by the pieces alone:
//! even without `run.json`, the same command continues with them. The parts follow from the board
//! and their number, so nothing else about them is stored.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Tier, TierRange};
use crate::files::sealed::{OfWorkingFile, RunLabel, WRITE};
use crate::files::{Disk, PROGRAM, read_start};
use crate::index::LimitedList;
use crate::sweep::{End, Extent, Scope};

use super::super::error::TabulateError;
use super::super::job::Job;
use super::super::names::{plan_file, run_file};
use super::super::plan::Plan;
use super::super::request::Request;

const FORMAT: u32 = 1;

/// No such file is longer.
const MOST_BYTES: u64 = 1 << 16;

/// A batch has a centre at least.
const MOST_BATCHES: usize = LimitedList::Centres.limit() as usize;

/// A run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabulate) struct RunFile {
    pub label: RunLabel,
    pub batches: usize,
    /// Cells that it works on.
    pub cells: u64,
}

/// How a run was planned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::tabulate) struct PlanFile {
    format: u32,
    program: String,
    /// The number of parts that was asked for.
    pub parts: usize,
}

#[derive(Clone, Serialize, Deserialize)]
struct RawRun {
    format: u32,
    program: String,
    board: String,
    first: u8,
    last: u8,
    /// The ply at which games end.
    end: u8,
    every_cell: bool,
    /// The outcome plane, if it is one alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<u8>,
    batches: usize,
    cells: u64,
    /// The checksum of all this, with nothing here.
    checksum: String,
}

fn text_of(file: &impl Serialize) -> String {
    serde_json::to_string_pretty(file).expect("numbers and names") + "\n"
}

impl RawRun {
    fn checksum(&self) -> String {
        let unchecked = RawRun { checksum: String::new(), ..self.clone() };
        format!("{:08x}", crc32fast::hash(text_of(&unchecked).as_bytes()))
    }
}

/// Refuses a file of another version.
fn check_origin(format: u32, program: &str, what: &str) -> Result<(), String> {
    if format != FORMAT {
        return Err(format!("expected format {FORMAT}, found {format}"));
    }
    if program != PROGRAM {
        return Err(format!("expected a {what} of {PROGRAM}, found one of {program}"));
    }
    Ok(())
}

/// Reads and parses a file, if it exists. Returns why that failed.
fn read<T>(path: &Path, parse: fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    let text = read_start(path, MOST_BYTES).map_err(|error| error.to_string())?;
    text.map(|text| parse(&text)).transpose()
}

fn write(disk: &Disk, path: &Path, text: &str) -> Result<(), TabulateError> {
    Ok(disk.replace(path, text.as_bytes()).of_working_file(path, WRITE)?)
}

impl RunFile {
    /// The run over these tiers.
    pub(crate) fn of(extent: &Extent, tiers: TierRange, end: End) -> RunFile {
        let board = extent.census().board();
        let every_cell = extent.scope() == Scope::EveryCell;
        let (end, plane) = (end.ply(), extent.planes().number());
        let label = RunLabel { board, tiers, end, every_cell, plane };
        let cells = tiers.into_iter().map(|tier| extent.sizes().cells(tier)).sum();
        RunFile { label, batches: extent.schedule().batches().len(), cells }
    }

    fn to_text(self) -> String {
        let RunLabel { board, tiers, end, every_cell, plane } = self.label;
        let raw = RawRun {
            format: FORMAT,
            program: PROGRAM.to_owned(),
            board: board.to_string(),
            first: tiers.first().0,
            last: tiers.last().0,
            end: end.0,
            every_cell,
            plane,
            batches: self.batches,
            cells: self.cells,
            checksum: String::new(),
        };
        text_of(&RawRun { checksum: raw.checksum(), ..raw })
    }

    fn parse(text: &str) -> Result<RunFile, String> {
        let raw: RawRun = serde_json::from_str(text).map_err(|error| error.to_string())?;
        check_origin(raw.format, &raw.program, "run")?;
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
        let (every_cell, plane) = (raw.every_cell, raw.plane);
        let label = RunLabel { board, tiers, end, every_cell, plane };
        Ok(RunFile { label, batches: raw.batches, cells: raw.cells })
    }

    /// Whether files of these two runs can be used together.
    pub(crate) fn is_the_same_run(&self, other: &RunFile) -> bool {
        self.label == other.label && self.batches == other.batches
    }

    /// The run in this folder, if there is one.
    pub(crate) fn read(run: &Path) -> Result<Option<RunFile>, TabulateError> {
        let path = run_file(run);
        read(&path, RunFile::parse).map_err(|reason| TabulateError::RunFile { path, reason })
    }

    /// The tiers of the run, if it is the one that is asked for.
    pub(crate) fn tiers_of(&self, job: &Job) -> Result<TierRange, TabulateError> {
        let RunLabel { board, tiers: found, end, every_cell, plane } = self.label;
        let Request { scope, cut, .. } = *job.request;
        let inside = job.tiers.first() <= found.first() && found.last() <= job.tiers.last();
        let same_cells = (scope == Scope::EveryCell) == every_cell;
        let same_planes = plane == job.planes().number();
        let same_end = end == cut.unwrap_or(board.last_tier());
        if board == job.request.board && inside && same_cells && same_planes && same_end {
            return Ok(found);
        }
        Err(TabulateError::Unfinished { board, found, every_cell, run: job.run.clone() })
    }

    /// A run begins in this folder.
    pub(crate) fn write(self, disk: &Disk, run: &Path) -> Result<(), TabulateError> {
        write(disk, &run_file(run), &self.to_text())
    }
}

impl PlanFile {
    /// A plan of this many parts.
    pub(crate) fn of(parts: usize) -> PlanFile {
        PlanFile { format: FORMAT, program: PROGRAM.to_owned(), parts }
    }

    fn parse(text: &str) -> Result<PlanFile, String> {
        let plan: PlanFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        check_origin(plan.format, &plan.program, "plan")?;
        if !(1..=Plan::MOST_PARTS).contains(&plan.parts) {
            let (most, found) = (Plan::MOST_PARTS, plan.parts);
            return Err(format!("expected from 1 to {most} parts, found {found}"));
        }
        Ok(plan)
    }

    /// The plan in the folder of a run, if there is one.
    pub(crate) fn read(run: &Path) -> Result<Option<PlanFile>, TabulateError> {
        let path = plan_file(run);
        read(&path, PlanFile::parse).map_err(|reason| TabulateError::PlanFile { path, reason })
    }

    /// Plans the run in this folder.
    pub(crate) fn write(&self, disk: &Disk, run: &Path) -> Result<(), TabulateError> {
        write(disk, &plan_file(run), &text_of(self))
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
    let sealed = serde_json::from_str::<RawRun>(text)
        .is_ok_and(|raw| accepts(&text_of(&RawRun { checksum: raw.checksum(), ..raw })));
    accepts(text) | sealed
}

/// What is accepted is read again as it is written.
#[cfg(fuzzing)]
pub(crate) fn fuzz_plan_file(text: &str) -> bool {
    let Ok(plan) = PlanFile::parse(text) else { return false };
    assert_eq!(PlanFile::parse(&text_of(&plan)), Ok(plan));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(batches: usize) -> RunFile {
        let board: Board = "5x4".parse().unwrap();
        let (tiers, end) = (TierRange::all(board), board.last_tier());
        let label = RunLabel { board, tiers, end, every_cell: false, plane: None };
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

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let plan = PlanFile::of(240);
        let text = text_of(&plan);
        assert_eq!(PlanFile::parse(&text), Ok(plan));
        for (from, to, reason) in [
            ("240", "0", "expected from 1 to 1000 parts, found 0"),
            ("240", "1001", "expected from 1 to 1000 parts, found 1001"),
            ("240", "-1", "invalid value"),
            ("\"format\": 1", "\"format\": 2", "expected format 1, found 2"),
            ("strong4 ", "strong5 ", "expected a plan of strong4 "),
            ("parts", "shares", "unknown field"),
            ("}", "", "EOF"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = PlanFile::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
