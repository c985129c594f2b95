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

use crate::board::Player;
use crate::index::Class;

use super::labels::SideLabels;
use super::side_order::SideOrder;

/// The labels of the rows of a class.
pub(super) struct RowLabels {
    pub faces: Numbered,
    /// The reaches of the player who is to move.
    pub reaches: Numbered,
    pub types: Numbered,
}

/// Numbers for labels.
pub(super) struct Numbered {
    /// By row.
    pub numbers: Box<[u32]>,
    /// By number.
    pub labels: Vec<u32>,
}

impl RowLabels {
    pub fn new(order: &SideOrder, labels: &SideLabels, class: Class, mover: Player) -> RowLabels {
        let held = || order.ranks_held(class, mover);
        let fronts = || labels.fronts(class, held());
        let mut number_of = vec![0; labels.most()];
        RowLabels {
            faces: Numbered::new(fronts().map(|front| front.face), &mut number_of),
            reaches: Numbered::new(
                fronts().map(|front| front.reaches[mover.index()]),
                &mut number_of,
            ),
            types: Numbered::new(labels.types(class, held()), &mut number_of),
        }
    }
}

impl Numbered {
    /// Numbers labels. `number_of` is a buffer of zeros, which maps a label to its number plus one.
    pub fn new(all: impl Iterator<Item = u32>, number_of: &mut Vec<u32>) -> Numbered {
        let mut labels = Vec::with_capacity(64);
        let number = |label: u32| {
            if label as usize >= number_of.len() {
                number_of.resize((label as usize + 1).next_power_of_two().max(64), 0);
            }
            let number = &mut number_of[label as usize];
            if *number == 0 {
                labels.push(label);
                *number = labels.len() as u32;
            }
            *number - 1
        };
        let numbers = all.map(number).collect();
        labels.iter().for_each(|label| number_of[*label as usize] = 0);
        Numbered { numbers, labels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn every_row_keeps_its_label(all in proptest::collection::vec(0u32..40, 0..200)) {
            let mut number_of = vec![0; 7];
            for _ in 0..2 {
                let Numbered { numbers, labels } =
                    Numbered::new(all.iter().copied(), &mut number_of);
                let found: Vec<u32> = numbers.iter().map(|n| labels[*n as usize]).collect();
                proptest::prop_assert_eq!(&found, &all);
                let mut distinct = labels.clone();
                distinct.sort_unstable();
                distinct.dedup();
                proptest::prop_assert_eq!(distinct.len(), labels.len());
            }
        }
    }
}
