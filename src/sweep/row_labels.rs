//! The labels of the rows of a tile, [numbered](super::numbering). The rows are the states of a
//! left class that tiles hold when a player is to move; the same numbers serve all tiles with
//! these rows.

use std::ops::Range;

use crate::board::Player;
use crate::index::Class;

use super::labels::SideLabels;
use super::numbering::{Numbered, Numbering};
use super::side_order::SideOrder;

/// The labels of the rows of a class.
pub(super) struct RowLabels {
    /// Number of rows.
    rows: usize,
    /// The numbers of the rows' faces, reaches and types, end to end, and then the labels that
    /// they stand for, likewise. All in one piece of memory, as there are many small classes.
    all: Box<[u32]>,
    /// Where the labels of each kind end.
    ends: [usize; 3],
}

impl RowLabels {
    pub fn new(
        order: &SideOrder,
        labels: &SideLabels,
        class: Class,
        mover: Player,
        numbering: &mut Numbering,
    ) -> RowLabels {
        let held = || order.ranks_held(class, mover);
        let rows: usize = held().iter().map(Range::len).sum();
        let fronts = || labels.fronts(class, held());
        numbering.clear();
        let end = |numbering: &Numbering| 3 * rows + numbering.all().labels.len();
        numbering.add(fronts().map(|front| front.face));
        let faces = end(numbering);
        numbering.add(fronts().map(|front| front.reaches[mover.index()]));
        let reaches = end(numbering);
        numbering.add(labels.types(class, held()));
        let ends = [faces, reaches, end(numbering)];
        let Numbered { numbers, labels } = numbering.all();
        RowLabels { rows, all: [numbers, labels].concat().into(), ends }
    }

    pub fn faces(&self) -> Numbered<'_> {
        self.numbered(0)
    }

    /// The reaches of the player who is to move.
    pub fn reaches(&self) -> Numbered<'_> {
        self.numbered(1)
    }

    pub fn types(&self) -> Numbered<'_> {
        self.numbered(2)
    }

    fn numbered(&self, kind: usize) -> Numbered<'_> {
        let start = kind.checked_sub(1).map_or(3 * self.rows, |before| self.ends[before]);
        Numbered {
            numbers: &self.all[kind * self.rows..][..self.rows],
            labels: &self.all[start..self.ends[kind]],
        }
    }
}
