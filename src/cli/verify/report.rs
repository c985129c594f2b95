//! The findings of all checks of a folder, in words and as JSON: one object per fault and one for
//! the folder; with samples, one per difference, fault and tier.

use serde::Serialize;
use strong4::board::Board;
use strong4::query::JsonInteger;
use strong4::table::{Checked, TableError};
use strong4::tromp::Key;
use strong4::verify::{Deep, Difference, Proved, Recomputed, Statement, TierReport, WrongValue};

use crate::cli::advice::{fault_in_words, wrong_in_words};
use crate::cli::input::args::runs;
use crate::cli::output::numbers::{counted, grouped};
use crate::cli::output::{json, record};

/// What was read, recomputed and swept.
pub(super) struct Found {
    pub board: Board,
    pub checked: Checked,
    pub recomputed: Recomputed,
    pub deep: Option<Deep>,
}

impl Found {
    /// The false values. A sweep knows which table is wrong, so its findings come first.
    pub(super) fn wrong_values(&self) -> impl Iterator<Item = &WrongValue> {
        self.deep.iter().flat_map(|deep| &deep.wrong_values).chain(&self.recomputed.wrong_values)
    }

    pub(super) fn is_sound(&self) -> bool {
        self.checked.faults.is_empty() && self.wrong_values().next().is_none()
    }

    /// Further remarks on the findings.
    pub(super) fn remarks(&self) -> Vec<String> {
        let Found { board, checked, recomputed, deep } = self;
        let mut remarks = Vec::new();
        if recomputed.more_wrong_values > 0 {
            let more = counted(recomputed.more_wrong_values, "value", "values");
            remarks.push(format!("{more} more in the recomputed blocks are wrong"));
        }
        if let Some(deep) = deep {
            if deep.unread > 0 {
                let unread = counted(deep.unread, "block", "blocks");
                remarks.push(format!("{unread} could not be read or compared"));
            }
            if !deep.cut_short.is_empty() {
                let tiers = runs(&deep.cut_short);
                remarks.push(format!("the rest of the tables of tiers {tiers} was not compared"));
            }
        }
        if self.is_sound() {
            let [blocks, bytes] = [checked.blocks, checked.bytes].map(grouped);
            let tables = checked.tables;
            remarks.push(format!(
                "{tables} tables of {board} are as they were written: {blocks} blocks, {bytes} bytes"
            ));
            remarks.push(self.recomputed_in_words());
            remarks.extend(deep.as_ref().map(|deep| {
                let [blocks, cells] = [deep.blocks, deep.cells].map(grouped);
                format!("all {blocks} blocks of outcomes match a new sweep of {cells} cells")
            }));
            if checked.score_blocks > 0 {
                let scores = counted(checked.score_blocks, "block", "blocks");
                remarks.push(format!(
                    "{scores} of scores agree with the outcomes, and were not recomputed"
                ));
            }
        }
        remarks
    }

    /// Which values were recomputed, and which were not.
    fn recomputed_in_words(&self) -> String {
        let Found { checked, recomputed, deep, .. } = self;
        let (blocks, all) = (recomputed.blocks, checked.blocks - checked.score_blocks);
        if blocks == 0 {
            return "no block was recomputed".to_owned();
        }
        let values = counted(recomputed.cells, "value", "values");
        let of = match all - blocks {
            0 => "all".to_owned(),
            _ => format!("{} of", grouped(blocks)),
        };
        let others = match all - blocks {
            // A sweep has compared them.
            others if others == 0 || deep.is_some() => String::new(),
            others => format!("; the other {} were not recomputed", grouped(others)),
        };
        format!(
            "{values} in {of} {} blocks of outcomes recomputed: each is the value of the best \
             move{others}",
            grouped(all)
        )
    }
}

/// A difference, as JSON.
pub(super) fn of_difference(difference: &Difference) -> String {
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
pub(super) fn of_fault(fault: &TableError) -> String {
    json(&record! { fault: fault_in_words(fault) })
}

/// A folder of tables, as JSON. `deep` is null if no sweep was requested. The keys are those of
/// 0.2.0, for the programs that read them.
pub(super) fn of_folder(Found { board, checked, recomputed, deep }: &Found) -> String {
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
pub(super) fn of_wrong_value(wrong: &WrongValue) -> String {
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
        fault: wrong_in_words(wrong),
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
pub(super) fn of_tier(report: &TierReport) -> String {
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
    use super::*;
    use strong4::board::{Outcome, Position, Tier};
    use strong4::table::BlockNumber;
    use strong4::verify::Witness;

    fn remarks(score_blocks: u64, recomputed: u64, deep: bool) -> Vec<String> {
        let checked = Checked {
            tables: 26,
            blocks: 1400 + score_blocks,
            score_blocks,
            bytes: 98_818,
            faults: Vec::new(),
        };
        let recomputed = Recomputed { blocks: recomputed, cells: 836, ..Recomputed::default() };
        let deep = deep.then(|| Deep { blocks: 1400, cells: 5000, ..Deep::default() });
        Found { board: "5x5".parse().unwrap(), checked, recomputed, deep }.remarks()
    }

    #[test]
    fn only_what_was_recomputed_is_said_to_be_true() {
        let best = "blocks of outcomes recomputed: each is the value of the best move";
        assert_eq!(
            remarks(0, 39, false),
            [
                "26 tables of 5x5 are as they were written: 1,400 blocks, 98,818 bytes",
                &format!("836 values in 39 of 1,400 {best}; the other 1,361 were not recomputed"),
            ]
        );
        assert_eq!(remarks(0, 1400, false)[1..], [format!("836 values in all 1,400 {best}")]);
        assert_eq!(remarks(0, 0, false)[1..], ["no block was recomputed"]);
        assert_eq!(
            remarks(7, 39, true)[1..],
            [
                &format!("836 values in 39 of 1,400 {best}"),
                "all 1,400 blocks of outcomes match a new sweep of 5,000 cells",
                "7 blocks of scores agree with the outcomes, and were not recomputed",
            ]
        );
    }

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
