//! The findings of checks as JSON: one object per fault and one for the folder; with samples, one
//! per difference, fault and tier.

use serde::Serialize;
use strong4::json_integer::JsonInteger;
use strong4::table::TableError;
use strong4::tromp::Key;
use strong4::verify::{Difference, Proved, Statement, TierReport, WrongValue};

use super::found::Found;
use crate::cli::advice::fault_in_words;
use crate::cli::output::{json, record};

/// A difference, as JSON.
pub fn of_difference(difference: &Difference) -> String {
    let Difference { position, told, other, witness, .. } = difference;
    json(&record! {
        tier: position.tier().get(),
        key: JsonInteger::from(Key::of(position).0),
        drawing: position.to_string(),
        value: told.to_string(),
        source: difference.evidence_in_words(),
        other_value: other.to_string(),
        other_source: witness.to_string(),
    })
}

/// A fault in a file, as JSON.
pub fn of_fault(fault: &TableError) -> String {
    json(&record! { fault: fault_in_words(fault) })
}

/// A folder of tables, as JSON. `deep` is null if no sweep was requested.
pub fn of_folder(Found { board, checked, recomputed, deep }: &Found) -> String {
    json(&record! {
        board: board.to_string(),
        tables: checked.tables,
        blocks: checked.blocks,
        bytes: checked.bytes,
        faults: checked.faults.len(),
        recomputed: record! {
            blocks: recomputed.blocks,
            values: recomputed.cells,
            untold: recomputed.unknown,
            lies: recomputed.wrong_values.len() as u64 + recomputed.more_wrong_values,
        },
        deep: deep.as_ref().map(|deep| record! {
            tables: deep.tables,
            blocks: deep.blocks,
            cells: JsonInteger::from(deep.cells),
            unread: deep.unread,
            lies: deep.wrong_values.len(),
            // Tiers whose table was not compared to the end.
            full_of_lies: deep.cut_short.iter().map(|tier| tier.get()).collect::<Vec<_>>(),
        }),
    })
}

/// A wrong value in a file, as JSON. A wrong number in the header has no block.
pub fn of_wrong_value(wrong: &WrongValue) -> String {
    let WrongValue { file, tier, what, witness } = wrong;
    let (place, value, other_value) = match what {
        Statement::Value { block, row, column, position, found, expected } => {
            let place = (block.0, *row, *column, JsonInteger::from(Key::of(position).0));
            (Some(place), found.map(|found| found.to_string()), expected.to_string())
        }
        Statement::Count { found, expected, .. } => {
            (None, Some(found.to_string()), expected.to_string())
        }
    };
    json(&record! {
        fault: wrong.to_string(),
        file: file.display().to_string(),
        tier: tier.get(),
        block: place.map(|(block, ..)| block),
        row: place.map(|(_, row, ..)| row),
        column: place.map(|(_, _, column, _)| column),
        key: place.map(|(.., key)| key),
        value,
        other_value,
        other_source: witness.to_string(),
    })
}

/// A tier, as JSON. `scored` counts the positions whose score came from a stored cell.
pub fn of_tier(report: &TierReport) -> String {
    json(&record! {
        tier: report.tier.get(),
        samples: report.samples,
        complete: report.complete,
        few_columns: report.few_columns,
        stored: report.stored,
        untold: report.unknown,
        search: of_search(report.search),
        proofs: of_search(report.proofs),
        scored: report.scored,
        scores: of_search(report.scores),
        consistent: report.consistent,
        consistent_stored: report.consistent_stored,
        consistent_untold: report.consistent_unknown,
        differences: report.findings.differences(),
        faults: report.findings.faults(),
        seconds: report.time.as_secs_f64(),
    })
}

/// The findings of a search, as JSON.
fn of_search(Proved { answered, given_up, nodes, time }: Proved) -> impl Serialize {
    record! { answered, given_up, nodes, seconds: time.as_secs_f64() }
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
        let json: serde_json::Value = serde_json::from_str(&of_wrong_value(&wrong)).unwrap();
        assert_eq!(json["key"], Key::of(&position).to_string());
        assert!(Key::of(&position).0 > 1 << 53);
    }
}
