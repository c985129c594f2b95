//! The combined findings of all checks of a folder.

use strong4::board::Board;
use strong4::table::Checked;
use strong4::verify::{Deep, Lie, Recomputed};

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
    pub fn lies(&self) -> impl Iterator<Item = &Lie> {
        self.deep.iter().flat_map(|deep| &deep.lies).chain(&self.recomputed.lies)
    }

    pub fn is_sound(&self) -> bool {
        self.checked.faults.is_empty() && self.lies().next().is_none()
    }

    /// Further remarks on the findings.
    pub fn remarks(&self) -> Vec<String> {
        let Found { board, checked, recomputed, deep } = self;
        let mut remarks = Vec::new();
        let [blocks, bytes, again] =
            [checked.blocks, checked.bytes, recomputed.blocks].map(grouped);
        let values = counted(recomputed.cells, "value", "values");
        if recomputed.more_lies > 0 {
            let more = counted(recomputed.more_lies, "value", "values");
            remarks.push(format!("{more} more in the recomputed blocks are wrong"));
        }
        if let Some(deep) = deep {
            if deep.unread > 0 {
                let unread = counted(deep.unread, "block", "blocks");
                remarks.push(format!("{unread} could not be read or compared"));
            }
            if !deep.full_of_lies.is_empty() {
                let tiers = runs(&deep.full_of_lies);
                remarks.push(format!("the rest of the tables of tiers {tiers} was not compared"));
            }
        }
        if self.is_sound() {
            let tables = checked.tables;
            remarks.push(format!(
                "{tables} tables of {board} are sound: {blocks} blocks, {bytes} bytes"
            ));
            remarks.push(format!(
                "{values} in {again} blocks recomputed: each is the value of the best move"
            ));
            remarks.extend(deep.as_ref().map(|deep| {
                let [blocks, cells] = [deep.blocks, deep.cells].map(grouped);
                format!("all {blocks} blocks match a new sweep of {cells} cells")
            }));
        }
        remarks
    }
}
