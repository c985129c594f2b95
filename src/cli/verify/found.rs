//! The combined findings of all checks of a folder.

use strong4::board::Board;
use strong4::table::Checked;
use strong4::verify::{Deep, Recomputed, WrongValue};

use crate::cli::numbers::{counted, grouped};
use crate::cli::tiers::runs;

/// What was read, recomputed and swept.
pub struct Found {
    pub board: Board,
    pub checked: Checked,
    pub recomputed: Recomputed,
    pub deep: Option<Deep>,
}

impl Found {
    /// The false values. A sweep knows which table is wrong, so its findings come first.
    pub fn wrong_values(&self) -> impl Iterator<Item = &WrongValue> {
        self.deep.iter().flat_map(|deep| &deep.wrong_values).chain(&self.recomputed.wrong_values)
    }

    pub fn is_sound(&self) -> bool {
        self.checked.faults.is_empty() && self.wrong_values().next().is_none()
    }

    /// Further remarks on the findings.
    pub fn remarks(&self) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
