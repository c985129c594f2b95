//! What checks have shown, as JSON: an object for each fault and one for the
//! folder; of samples, one for each difference, fault and tier.

use serde::Serialize;
use strong4::board::Board;
use strong4::table::{TableError, Verified};
use strong4::tromp::Key;
use strong4::verify::{Difference, Proved, TierReport};

use crate::cli::whole::Whole;

/// A difference, as JSON.
#[derive(Serialize)]
pub struct DifferenceRecord {
    tier: u8,
    key: Whole,
    drawing: Vec<String>,
    value: String,
    source: String,
    other_value: String,
    other_source: String,
}

/// What is wrong with a file, as JSON.
#[derive(Serialize)]
pub struct FaultRecord {
    fault: String,
}

/// A folder of tables, as JSON.
#[derive(Serialize)]
pub struct FolderRecord {
    board: String,
    tables: usize,
    blocks: u64,
    bytes: u64,
    faults: usize,
}

/// A tier, as JSON.
#[derive(Serialize)]
pub struct TierRecord {
    tier: u8,
    samples: usize,
    complete: bool,
    few_columns: usize,
    stored: usize,
    untold: usize,
    search: ProvedRecord,
    proofs: ProvedRecord,
    consistent: u64,
    consistent_stored: u64,
    consistent_untold: u64,
    differences: u64,
    faults: u64,
    seconds: f64,
}

/// What a search has shown, as JSON.
#[derive(Serialize)]
struct ProvedRecord {
    answered: usize,
    given_up: usize,
    nodes: u64,
    seconds: f64,
}

impl DifferenceRecord {
    pub fn of(difference: &Difference) -> DifferenceRecord {
        let Difference { position, outcome, other, witness, .. } = difference;
        DifferenceRecord {
            tier: position.tier().0,
            key: Key::of(position).0.into(),
            drawing: position.to_string().lines().map(str::to_owned).collect(),
            value: outcome.to_string(),
            source: difference.source_in_words(),
            other_value: other.to_string(),
            other_source: witness.to_string(),
        }
    }
}

impl FaultRecord {
    pub fn of(fault: &TableError) -> FaultRecord {
        FaultRecord { fault: fault.to_string() }
    }
}

impl FolderRecord {
    pub fn of(board: Board, verified: &Verified) -> FolderRecord {
        let Verified { tables, blocks, bytes, faults } = verified;
        FolderRecord {
            board: board.to_string(),
            tables: *tables,
            blocks: *blocks,
            bytes: *bytes,
            faults: faults.len(),
        }
    }
}

impl TierRecord {
    pub fn of(report: &TierReport) -> TierRecord {
        TierRecord {
            tier: report.tier.0,
            samples: report.samples,
            complete: report.complete,
            few_columns: report.few_columns,
            stored: report.stored,
            untold: report.untold,
            search: ProvedRecord::of(report.search),
            proofs: ProvedRecord::of(report.proofs),
            consistent: report.consistent,
            consistent_stored: report.consistent_stored,
            consistent_untold: report.consistent_untold,
            differences: report.findings.differences(),
            faults: report.findings.faults(),
            seconds: report.time.as_secs_f64(),
        }
    }
}

impl ProvedRecord {
    fn of(proved: Proved) -> ProvedRecord {
        let Proved { answered, given_up, nodes, time } = proved;
        ProvedRecord { answered, given_up, nodes, seconds: time.as_secs_f64() }
    }
}
