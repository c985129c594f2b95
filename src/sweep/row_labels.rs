//! The labels of the rows of a tile, numbered. The rows are the states of a left class that
//! tiles hold when a player is to move.
//!
//! Bit rows are made for each label of a tile, not for each row. So labels are numbered from 0
//! in order of appearance; the same numbers serve all tiles with these rows.
//!
//! ```text
//!     rows       r0  r1  r2  r3  r4
//!     faces      17   3  17  17  60        labels of the centre
//!     numbers     0   1   0   0   2        labels   17 3 60
//! ```

use std::ops::Range;

use crate::board::Player;
use crate::index::Class;

use super::labels::SideLabels;
use super::side_order::SideOrder;

/// The labels of the rows of a class.
pub(super) struct RowLabels {
    /// Number of rows.
    rows: usize,
    /// The numbers of the rows' faces, reaches and types, end to end.
    numbers: Vec<u32>,
    /// The labels that they stand for, likewise, and where those of each kind end.
    labels: Vec<u32>,
    ends: [usize; 3],
}

/// Numbers for labels.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a> {
    /// By row.
    pub numbers: &'a [u32],
    /// By number.
    pub labels: &'a [u32],
}

impl RowLabels {
    pub fn new(order: &SideOrder, labels: &SideLabels, class: Class, mover: Player) -> RowLabels {
        let held = || order.ranks_held(class, mover);
        let rows = held().iter().map(Range::len).sum();
        let fronts = || labels.fronts(class, held());
        let faces = fronts().map(|front| front.face);
        let reaches = fronts().map(|front| front.reaches[mover.index()]);
        let types = labels.types(class, held());
        // All in two pieces of memory, as there are many small classes.
        let mut all = RowLabels {
            rows,
            numbers: Vec::with_capacity(3 * rows),
            labels: Vec::with_capacity(64),
            ends: [0; 3],
        };
        let mut number_of = vec![0; labels.most()];
        all.add(0, faces, &mut number_of);
        all.add(1, reaches, &mut number_of);
        all.add(2, types, &mut number_of);
        all
    }

    fn add(&mut self, kind: usize, of_rows: impl Iterator<Item = u32>, number_of: &mut Vec<u32>) {
        number(of_rows, number_of, &mut self.numbers, &mut self.labels);
        self.ends[kind] = self.labels.len();
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
        let start = kind.checked_sub(1).map_or(0, |before| self.ends[before]);
        Numbered {
            numbers: &self.numbers[kind * self.rows..][..self.rows],
            labels: &self.labels[start..self.ends[kind]],
        }
    }
}

/// Numbers labels: adds a number for each of `all`, and each label that has not come before.
/// `number_of` is a buffer of zeros, which maps a label to its number plus one.
pub(super) fn number(
    all: impl Iterator<Item = u32>,
    number_of: &mut Vec<u32>,
    numbers: &mut Vec<u32>,
    labels: &mut Vec<u32>,
) {
    let start = labels.len();
    numbers.extend(all.map(|label| {
        if label as usize >= number_of.len() {
            number_of.resize((label as usize + 1).next_power_of_two().max(64), 0);
        }
        let number = &mut number_of[label as usize];
        if *number == 0 {
            labels.push(label);
            *number = (labels.len() - start) as u32;
        }
        *number - 1
    }));
    labels[start..].iter().for_each(|label| number_of[*label as usize] = 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn every_row_keeps_its_label(all in proptest::collection::vec(0u32..40, 0..200)) {
            let mut number_of = vec![0; 7];
            let (mut numbers, mut labels) = (vec![3, 1], vec![12, 7]);
            for start in [2, 2] {
                numbers.truncate(start);
                labels.truncate(start);
                number(all.iter().copied(), &mut number_of, &mut numbers, &mut labels);
                proptest::prop_assert_eq!((&numbers[..2], &labels[..2]), (&[3, 1][..], &[12, 7][..]));
                let distinct = &labels[start..];
                let found: Vec<u32> =
                    numbers[start..].iter().map(|n| distinct[*n as usize]).collect();
                proptest::prop_assert_eq!(&found, &all);
                let mut sorted = distinct.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                proptest::prop_assert_eq!(sorted.len(), distinct.len());
            }
        }
    }
}
