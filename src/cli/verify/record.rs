//! The findings of checks as JSON: one object per fault and one for the folder; with samples, one
//! per difference, fault and tier.

use serde::Serialize;
use strong4::json_integer::JsonInteger;
use strong4::table::{Checked, TableError};
use strong4::tromp::Key;
use strong4::verify::{Difference, Proved, Statement, TierReport, WrongValue};

use super::found::Found;

/// A difference, as JSON.
#[derive(Serialize)]
pub struct DifferenceRecord {
    tier: u8,
    key: JsonInteger,
    drawing: String,
    value: String,
    source: String,
    other_value: String,
    other_source: String,
}

/// A fault in a file, as JSON.
#[derive(Serialize)]
pub struct FaultRecord {
    fault: String,
}

/// A false value in a file, as JSON. A wrong number in the header has no block.
#[derive(Serialize)]
pub struct WrongValueRecord {
    fault: String,
    file: String,
    tier: u8,
    block: Option<u64>,
    row: Option<usize>,
    column: Option<usize>,
    key: Option<JsonInteger>,
    value: Option<String>,
    other_value: String,
    other_source: String,
}

/// A folder of tables, as JSON.
#[derive(Serialize)]
pub struct FolderRecord {
    board: String,
    tables: usize,
    blocks: u64,
    bytes: u64,
    faults: usize,
    recomputed: RecomputedRecord,
    /// Null if not requested.
    deep: Option<DeepRecord>,
}

/// The recomputed blocks, as JSON.
#[derive(Serialize)]
struct RecomputedRecord {
    blocks: u64,
    values: u64,
    untold: u64,
    lies: u64,
}

/// A sweep, as JSON.
#[derive(Serialize)]
struct DeepRecord {
    tables: u64,
    blocks: u64,
    cells: JsonInteger,
    unread: u64,
    lies: usize,
    /// Tiers whose table was not compared to the end.
    full_of_lies: Vec<u8>,
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
    /// Of these positions, those whose score came from a stored cell.
    scored: usize,
    scores: ProvedRecord,
    consistent: u64,
    consistent_stored: u64,
    consistent_untold: u64,
    differences: u64,
    faults: u64,
    seconds: f64,
}

/// The findings of a search, as JSON.
#[derive(Serialize)]
struct ProvedRecord {
    answered: usize,
    given_up: usize,
    nodes: u64,
    seconds: f64,
}

impl DifferenceRecord {
    pub fn of(difference: &Difference) -> DifferenceRecord {
        let Difference { position, told, other, witness, .. } = difference;
        DifferenceRecord {
            tier: position.tier().get(),
            key: Key::of(position).0.into(),
            drawing: position.to_string(),
            value: told.to_string(),
            source: difference.evidence_in_words(),
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
    pub fn of(Found { board, checked, recomputed, deep }: &Found) -> FolderRecord {
        let Checked { tables, blocks, bytes, faults, .. } = checked;
        FolderRecord {
            board: board.to_string(),
            tables: *tables,
            blocks: *blocks,
            bytes: *bytes,
            faults: faults.len(),
            recomputed: RecomputedRecord {
                blocks: recomputed.blocks,
                values: recomputed.cells,
                untold: recomputed.unknown,
                lies: recomputed.wrong_values.len() as u64 + recomputed.more_wrong_values,
            },
            deep: deep.as_ref().map(|deep| DeepRecord {
                tables: deep.tables,
                blocks: deep.blocks,
                cells: deep.cells.into(),
                unread: deep.unread,
                lies: deep.wrong_values.len(),
                full_of_lies: deep.cut_short.iter().map(|tier| tier.get()).collect(),
            }),
        }
    }
}

impl WrongValueRecord {
    pub fn of(wrong: &WrongValue) -> WrongValueRecord {
        let WrongValue { file, tier, what, witness } = wrong;
        let mut record = WrongValueRecord {
            fault: wrong.to_string(),
            file: file.display().to_string(),
            tier: tier.get(),
            block: None,
            row: None,
            column: None,
            key: None,
            value: None,
            other_value: String::new(),
            other_source: witness.to_string(),
        };
        match what {
            Statement::Value { block, row, column, position, found, expected } => {
                record.block = Some(block.0);
                (record.row, record.column) = (Some(*row), Some(*column));
                record.key = Some(Key::of(position).0.into());
                record.value = found.map(|found| found.to_string());
                record.other_value = expected.to_string();
            }
            Statement::Count { found, expected, .. } => {
                record.value = Some(found.to_string());
                record.other_value = expected.to_string();
            }
        }
        record
    }
}

impl TierRecord {
    pub fn of(report: &TierReport) -> TierRecord {
        TierRecord {
            tier: report.tier.get(),
            samples: report.samples,
            complete: report.complete,
            few_columns: report.few_columns,
            stored: report.stored,
            untold: report.unknown,
            search: ProvedRecord::of(report.search),
            proofs: ProvedRecord::of(report.proofs),
            scored: report.scored,
            scores: ProvedRecord::of(report.scores),
            consistent: report.consistent,
            consistent_stored: report.consistent_stored,
            consistent_untold: report.consistent_unknown,
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

#[cfg(test)]
mod tests {
    use strong4::board::{Outcome, Position, Tier};
    use strong4::table::BlockNumber;
    use strong4::verify::Witness;

    use super::*;

    #[test]
    fn keys_that_would_lose_digits_are_strings() {
        let position = Position::empty("8x7".parse().unwrap());
        let what = Statement::Value {
            block: BlockNumber(0),
            row: 0,
            column: 0,
            position,
            found: Some(Outcome::Draw),
            expected: Outcome::Win,
        };
        let wrong = WrongValue {
            file: "tier-00.s4t".into(),
            tier: Tier::new(0).unwrap(),
            what,
            witness: Witness::Sweep,
        };
        let json = serde_json::to_value(WrongValueRecord::of(&wrong)).unwrap();
        assert_eq!(json["key"], Key::of(&position).to_string());
        assert!(Key::of(&position).0 > 1 << 53);
    }
}
