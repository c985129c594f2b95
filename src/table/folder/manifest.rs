//! `manifest.json` says which tables a folder should have, and how long they took.
//!
//! ```json
//! {
//!   "board": "7x6",
//!   "format": 1,
//!   "program": "strong4 0.2.0",
//!   "seconds": 1800.5,
//!   "tiers": [
//!     {
//!       "tier": 0, "file": "tier-00.s4t", "bytes": 553, "digest": "5e…",
//!       "won": 1, "drawn": 0, "lost": 0, "terminal": 0, "total": 1,
//!       "seconds": 0.25
//!     }
//!   ]
//! }
//! ```
//!
//! Times are stored only here: tables are the same wherever they are made.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Tier};
use crate::files::{self, Disk, PROGRAM};

use super::super::format::{
    Digest, FORMAT_VERSION, Fault, MANIFEST, OfFile, READ, TableError, TableSummary, TierCounts,
    WRITE, table_file,
};

/// A longer manifest is refused.
const MOST_BYTES: u64 = 1 << 20;

/// The tables of a folder.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// The board.
    pub board: Board,
    /// The program that wrote it.
    pub program: String,
    /// The total time.
    pub seconds: f64,
    /// The tables, fewest stones first.
    pub tiers: Vec<ManifestTier>,
}

/// A table in a manifest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ManifestTier {
    /// The summary of the table.
    pub summary: TableSummary,
    /// The time that the tier took.
    pub seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct RawManifest {
    board: String,
    format: u32,
    program: String,
    seconds: f64,
    tiers: Vec<RawTier>,
}

#[derive(Serialize, Deserialize)]
struct RawTier {
    tier: u8,
    file: String,
    bytes: u64,
    digest: String,
    won: u64,
    drawn: u64,
    lost: u64,
    terminal: u64,
    total: u64,
    seconds: f64,
}

impl Manifest {
    /// A manifest of these tables, written by this program.
    pub fn new(board: Board, seconds: f64, mut tiers: Vec<ManifestTier>) -> Manifest {
        tiers.sort_by_key(|tier| tier.summary.tier);
        Manifest { board, program: PROGRAM.to_owned(), seconds, tiers }
    }

    /// The table of a tier.
    pub fn tier(&self, tier: Tier) -> Option<&ManifestTier> {
        self.tiers.iter().find(|there| there.summary.tier == tier)
    }

    /// Whether it lists these tables as they are.
    pub(crate) fn lists(&self, board: Board, tables: &[TableSummary]) -> bool {
        let is_listed = |table: &TableSummary| {
            self.tier(table.tier).is_some_and(|listed| listed.summary == *table)
        };
        self.board == board && tables.iter().all(is_listed)
    }

    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Manifest, TableError> {
        let path = folder.join(MANIFEST);
        let mut text = String::new();
        let file = files::open(&path).of_file(&path, READ)?;
        file.take(MOST_BYTES + 1).read_to_string(&mut text).of_file(&path, READ)?;
        if text.len() as u64 > MOST_BYTES {
            let reason = format!("it is longer than {MOST_BYTES} bytes");
            return Err(TableError::new(&path, Fault::Manifest { reason }));
        }
        Manifest::parse(&text).map_err(|reason| TableError::new(&path, Fault::Manifest { reason }))
    }

    /// Writes the manifest of a folder, in place of any that it has.
    pub fn write(&self, folder: &Path) -> Result<(), TableError> {
        self.write_on(&Disk::default(), folder)
    }

    /// The same on this disk.
    pub(crate) fn write_on(&self, disk: &Disk, folder: &Path) -> Result<(), TableError> {
        let path = folder.join(MANIFEST);
        disk.replace(&path, self.to_text().as_bytes()).of_file(&path, WRITE)
    }

    fn parse(text: &str) -> Result<Manifest, String> {
        let raw: RawManifest = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if raw.format != FORMAT_VERSION {
            return Err(format!("expected format {FORMAT_VERSION}, found {}", raw.format));
        }
        let board: Board = raw.board.parse().map_err(|error| format!("{error}"))?;
        let tiers = raw.tiers.iter().map(|tier| tier_of(board, tier));
        let tiers = tiers.collect::<Result<Vec<_>, _>>()?;
        if !tiers.is_sorted_by(|a, b| a.summary.tier < b.summary.tier) {
            return Err("expected its tiers in order, each once".to_owned());
        }
        check_seconds(raw.seconds)?;
        Ok(Manifest { board, program: raw.program, seconds: raw.seconds, tiers })
    }

    fn to_text(&self) -> String {
        let tiers = self.tiers.iter().map(|ManifestTier { summary, seconds }| {
            let TierCounts { won, drawn, lost, terminal } = summary.counts;
            RawTier {
                tier: summary.tier.0,
                file: file_name(summary.tier),
                bytes: summary.bytes,
                digest: summary.digest.to_string(),
                won,
                drawn,
                lost,
                terminal,
                total: summary.counts.total(),
                seconds: *seconds,
            }
        });
        let raw = RawManifest {
            board: self.board.to_string(),
            format: FORMAT_VERSION,
            program: self.program.clone(),
            seconds: self.seconds,
            tiers: tiers.collect(),
        };
        serde_json::to_string_pretty(&raw).expect("numbers and text") + "\n"
    }
}

fn tier_of(board: Board, raw: &RawTier) -> Result<ManifestTier, String> {
    let tier = Tier(raw.tier);
    if tier > board.last_tier() {
        let last = board.last_tier();
        return Err(format!("expected tiers up to {last}, the last of {board}, found {tier}"));
    }
    let (expected, found) = (file_name(tier), &raw.file);
    if *found != expected {
        return Err(format!("expected the table of tier {tier} to be {expected}, found {found}"));
    }
    let RawTier { won, drawn, lost, terminal, .. } = *raw;
    let counts = TierCounts { won, drawn, lost, terminal };
    if counts.checked_total() != Some(raw.total) {
        return Err(format!("the counts of tier {tier} do not add up to {}", raw.total));
    }
    check_seconds(raw.seconds)?;
    let digest = raw.digest.parse::<Digest>().map_err(|error| error.to_string())?;
    let summary = TableSummary { tier, bytes: raw.bytes, digest, counts };
    Ok(ManifestTier { summary, seconds: raw.seconds })
}

fn check_seconds(seconds: f64) -> Result<(), String> {
    let sound = seconds.is_finite() && seconds >= 0.0;
    if sound { Ok(()) } else { Err(format!("{seconds} is not a number of seconds")) }
}

fn file_name(tier: Tier) -> String {
    table_file(Path::new(""), tier).display().to_string()
}

/// What is accepted is read back as it was written, except for times, which may be off by a bit.
#[cfg(fuzzing)]
pub(crate) fn fuzz_manifest(text: &str) -> bool {
    let untimed = |manifest: &Manifest| {
        let summaries: Vec<TableSummary> = manifest.tiers.iter().map(|tier| tier.summary).collect();
        (manifest.board, manifest.program.clone(), summaries)
    };
    let Ok(manifest) = Manifest::parse(text) else { return false };
    let again = Manifest::parse(&manifest.to_text()).expect("what was written is read");
    assert_eq!(untimed(&again), untimed(&manifest));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn manifest() -> Manifest {
        let tier = |tier, won| {
            let counts = TierCounts { won, drawn: 2, lost: 3, terminal: 4 };
            let digest = Digest([tier; 32]);
            let summary = TableSummary { tier: Tier(tier), bytes: 512, digest, counts };
            ManifestTier { summary, seconds: 0.5 }
        };
        Manifest::new("4x3".parse().unwrap(), 1.25, vec![tier(9, 7), tier(8, u64::MAX - 9)])
    }

    #[test]
    fn manifests_are_read_as_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        manifest().write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest());
        assert_eq!(manifest().tier(Tier(9)).unwrap().summary.counts.won, 7);
        assert_eq!(manifest().tier(Tier(7)), None);
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.eq(["manifest.json"]), "nothing else is there");
    }

    #[test]
    fn what_is_no_manifest_says_why() {
        let text = manifest().to_text();
        for (from, to, reason) in [
            ("{", "[", "expected"),
            ("\"format\": 1", "\"format\": 2", "expected format 1, found 2"),
            ("4x3", "2x3", "expected tiers up to 6, the last of 2x3, found 8"),
            ("4x3", "4y3", "'4y3' is not a board"),
            ("\"tier\": 8", "\"tier\": 10", "expected the table of tier 10 to be tier-10.s4t"),
            ("tier-09", "tier-9", "expected the table of tier 9 to be tier-09.s4t"),
            ("\"total\": 16", "\"total\": 17", "the counts of tier 9 do not add up to 17"),
            ("\"drawn\": 2", "\"drawn\": 12", "the counts of tier 8 do not add up"),
            ("\"won\": 7", "\"won\": -7", "invalid value"),
            ("\"seconds\": 0.5", "\"seconds\": -0.5", "-0.5 is not a number of seconds"),
            ("0909", "09", "is not a digest"),
            ("\"terminal\": 4,", "", "missing field `terminal`"),
        ] {
            let error = Manifest::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let twice = text.replace("tier\": 8", "tier\": 9").replace("tier-08", "tier-09");
        assert!(Manifest::parse(&twice).unwrap_err().contains("in order, each once"));
    }

    #[test]
    fn a_manifest_that_never_ends_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MANIFEST), vec![b' '; 2 << 20]).unwrap();
        let error = Manifest::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("it is longer than 1048576 bytes"), "{error}");
    }
}
