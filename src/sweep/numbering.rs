//! Labels, numbered from 0 in order of appearance.
//!
//! Bit rows are made for each label of a tile, not for each row or column. So of many labels, of
//! which few differ, we need these few, and which of them each row has:
//!
//! ```text
//!     rows       r0  r1  r2  r3  r4
//!     faces      17   3  17  17  60        labels of the centre
//!     numbers     0   1   0   0   2        labels   17 3 60
//! ```

/// Numbers for labels.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a> {
    /// By row or column.
    pub numbers: &'a [u32],
    /// By number.
    pub labels: &'a [u32],
}

/// Memory for lists of labels that are being numbered, reused from list to list.
#[derive(Default)]
pub(super) struct Numbering {
    /// Maps a label to its number plus one. All are 0 between lists.
    number_of: Vec<u32>,
    numbers: Vec<u32>,
    labels: Vec<u32>,
}

impl Numbering {
    /// Forgets all lists.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.labels.clear();
    }

    /// Numbers another list, whose numbers and labels follow those of the lists before.
    pub fn add(&mut self, list: impl Iterator<Item = u32>) {
        let Numbering { number_of, numbers, labels } = self;
        let start = labels.len();
        numbers.extend(list.map(|label| {
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

    /// The numbers of all lists, end to end, and their labels, likewise.
    pub fn all(&self) -> Numbered<'_> {
        Numbered { numbers: &self.numbers, labels: &self.labels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn everything_keeps_its_label(
            lists in proptest::collection::vec(proptest::collection::vec(0u32..140, 0..200), 1..4),
        ) {
            let mut numbering = Numbering::default();
            for round in 0..2 {
                let (mut numbers, mut labels) = (0, 0);
                for list in &lists {
                    numbering.add(list.iter().copied());
                    let all = numbering.all();
                    let distinct = &all.labels[labels..];
                    let found: Vec<u32> =
                        all.numbers[numbers..].iter().map(|n| distinct[*n as usize]).collect();
                    proptest::prop_assert_eq!(&found, list, "in round {}", round);
                    let mut sorted = distinct.to_vec();
                    sorted.sort_unstable();
                    sorted.dedup();
                    proptest::prop_assert_eq!(sorted.len(), distinct.len());
                    (numbers, labels) = (all.numbers.len(), all.labels.len());
                }
                numbering.clear();
            }
        }
    }
}
