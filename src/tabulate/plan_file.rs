//! `plan.json`: into how many parts a run is cut.
//!
//! It is written when a run is planned, and removed with the run. The parts themselves follow from
//! the board and that number, so nothing else needs to be stored.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk::{Disk, read_start};
use crate::program::PROGRAM;
use crate::sealed::{OfWorkingFile, WRITE};

use super::error::TabulateError;
use super::names::plan_file;
use super::plan::Plan;

const FORMAT: u32 = 1;

/// No such file is longer.
const MOST_BYTES: u64 = 1 << 12;

/// How a run was planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlanFile {
    /// The number of parts that was asked for.
    pub wanted: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    format: u32,
    program: String,
    parts: usize,
}

impl PlanFile {
    /// The plan in the folder of a run, if there is one.
    pub fn read(run: &Path) -> Result<Option<PlanFile>, TabulateError> {
        let path = plan_file(run);
        let failed = |reason: String| TabulateError::PlanFile { path: path.clone(), reason };
        let text = read_start(&path, MOST_BYTES).map_err(|error| failed(error.to_string()))?;
        text.map(|text| PlanFile::parse(&text)).transpose().map_err(failed)
    }

    fn parse(text: &str) -> Result<PlanFile, String> {
        let raw: Raw = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if raw.format != FORMAT {
            return Err(format!("expected format {FORMAT}, found {}", raw.format));
        }
        if raw.program != PROGRAM {
            return Err(format!("expected a plan of {PROGRAM}, found one of {}", raw.program));
        }
        if !(1..=Plan::MOST_PARTS).contains(&raw.parts) {
            let (most, found) = (Plan::MOST_PARTS, raw.parts);
            return Err(format!("expected from 1 to {most} parts, found {found}"));
        }
        Ok(PlanFile { wanted: raw.parts })
    }

    fn to_text(self) -> String {
        let raw = Raw { format: FORMAT, program: PROGRAM.to_owned(), parts: self.wanted };
        serde_json::to_string_pretty(&raw).expect("numbers and names") + "\n"
    }

    /// Plans the run in this folder.
    pub fn write(self, disk: &Disk, run: &Path) -> Result<(), TabulateError> {
        let path = plan_file(run);
        Ok(disk.replace(&path, self.to_text().as_bytes()).of_working_file(&path, WRITE)?)
    }
}

/// What is accepted is read again as it is written.
#[cfg(fuzzing)]
pub(crate) fn fuzz_plan_file(text: &str) -> bool {
    let Ok(plan) = PlanFile::parse(text) else { return false };
    assert_eq!(PlanFile::parse(&plan.to_text()), Ok(plan));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let plan = PlanFile { wanted: 240 };
        let text = plan.to_text();
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
