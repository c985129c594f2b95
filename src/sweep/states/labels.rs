//! What the rows and columns of a tile share with others: their labels.
//!
//! Which fours a state makes across the centre depends only on its [front](super::fronts), and with
//! which other sides it can be emptied again, stone by stone in alternating colours, only on its
//! [move-order type](crate::order). There are few of both, so states carry their numbers. Types are
//! numbered from 0 within each class:
//!
//! ```text
//!     state      s0  s1  s2  s3  s4  …        of a class, in the order in which they stand
//!     front       4   4   7   4   0
//!     type       12  12  12   3  12
//! ```
//!
//! Bit rows are made for each label of a tile, not for each row or column. So of many labels, of
//! which few differ, we need these few, and which of them each row has. They are numbered in order
//! of appearance:
//!
//! ```text
//!     rows       r0  r1  r2  r3  r4
//!     labels     17   3  17  17  60
//!     numbers     0   1   0   0   2        distinct labels   17 3 60
//! ```

use std::ops::Range;
use std::sync::Arc;

use crate::board::Player;
use crate::index::{ByClass, Census, Centre, Class, Lister, SideState, Split};
use crate::order::{Answers, CentreSet, OrderType, Orders, RestPlace};

use super::ByState;
use super::fronts::{Front, Fronts};
use super::order::{OrderedSide, SideOrder};

/// The labels of the states of a side beside one centre.
pub(in crate::sweep) struct SideLabels {
    /// The centre, as move-order types know it.
    pub centre: CentreSet,
    pub fronts: Fronts,
    /// The numbers of the states' fronts, in the order in which they stand.
    numbers: ByClass<u32>,
    /// The numbers of their types.
    types: ByClass<u32>,
}

impl SideLabels {
    /// Labels the states beside a centre.
    pub(crate) fn new(census: &Census, order_types: &OrderTypes, side: &OrderedSide) -> SideLabels {
        let split = census.split();
        let columns = census.centre(side.centre);
        let mut fronts = Fronts::new(split, columns);
        side.all_states().iter().for_each(|state| fronts.add(*state));
        let label = |number_of: &(dyn Fn(Class, SideState) -> u32 + Sync)| {
            let len = |class| side.states(class).len();
            ByClass::new(split, len, |class, labels| {
                let (states, numbers) = (side.states(class), side.order.all_numbers(class));
                for (label, number) in labels.iter_mut().zip(numbers) {
                    *label = number_of(class, states[*number as usize]);
                }
            })
        };
        let numbers = label(&|_, state| fronts.number_of(state));
        let types = label(&|class, state| order_types.number_of(split, class, state));
        SideLabels { centre: order_types.centre(columns), fronts, numbers, types }
    }

    /// The types of the states at these ranks, counted from the first of their class.
    pub(crate) fn types(
        &self,
        class: Class,
        ranks: [Range<usize>; 2],
    ) -> impl Iterator<Item = u32> {
        picked(self.types.of(class), ranks)
    }

    /// The fronts of the states at these ranks.
    pub(crate) fn fronts_of(
        &self,
        class: Class,
        ranks: [Range<usize>; 2],
    ) -> impl Iterator<Item = &Front> + Clone {
        let numbers = picked(self.numbers.of(class), ranks);
        numbers.map(|number| self.fronts.front(number))
    }
}

fn picked(labels: &[u32], ranks: [Range<usize>; 2]) -> impl Iterator<Item = u32> + Clone {
    let [free, others] = ranks.map(|ranks| &labels[ranks]);
    free.iter().chain(others).copied()
}

/// The move-order types of the sides of a board, numbered within their class.
pub(in crate::sweep) struct OrderTypes {
    /// All that is known of the order of moves, cut as the index cuts the board.
    pub orders: Orders,
    /// By class, the types of its sides.
    types: Vec<Range<usize>>,
    /// The number of each column state, by its marker code.
    numbers: Vec<u32>,
    /// The number of each state's type, if there is a table.
    of_state: Option<ByState>,
}

impl OrderTypes {
    pub(crate) fn new(census: &Arc<Census>, orders: Orders) -> OrderTypes {
        let split = census.split();
        let mut types = vec![0..0; Class::slots(split.side_cells())];
        for class in orders.left().classes() {
            let first = (class.stones as i32 + class.surplus) / 2;
            let slot = Class::new(class.stones, first as usize).map(Class::slot);
            if let Some(types) = slot.and_then(|slot| types.get_mut(slot)) {
                *types = class.members.clone();
            }
        }
        let codes = &orders.columns().codes;
        let mut numbers = Vec::new();
        // If sides have no columns, none is ever looked up, and codes may be huge.
        if split.side_width() > 0 {
            let last = codes.last().map_or(0, |code| code.marker() as usize);
            numbers.resize(last + 1, 0);
            for (code, number) in codes.iter().zip(0..) {
                numbers[code.marker() as usize] = number;
            }
        }
        let mut order_types = OrderTypes { orders, types, numbers, of_state: None };
        order_types.list(census);
        order_types
    }

    /// Lists the types of all states, which are those beside the empty centre.
    fn list(&mut self, census: &Arc<Census>) {
        let split = census.split();
        let empty = census.centres().find(|centre| census.centre_class(*centre) == Class::EMPTY);
        let (Some(empty), Some(mut of_state)) = (empty, ByState::new(split)) else { return };
        let rows = Lister::new(census).rows(empty);
        for class in census.classes(empty) {
            for state in rows.of(class) {
                of_state.set(*state, self.find(split, class, *state));
            }
        }
        self.of_state = Some(of_state);
    }

    /// Where left sides have their answers to a centre and a right side of this class, whose type
    /// has this number.
    pub(crate) fn rest(&self, centre: CentreSet, class: Class, number: u32) -> Option<RestPlace> {
        let rest = self.orders.rest(centre, self.order_type(class, number));
        rest.map(|rest| self.orders.place(rest))
    }

    /// The answers of left sides of this class whose type has this number, on boards with
    /// balanced colours.
    pub(crate) fn answers(&self, class: Class, number: u32, is_odd: bool) -> Answers<'_> {
        self.orders.answers(self.order_type(class, number), is_odd)
    }

    fn order_type(&self, class: Class, number: u32) -> OrderType {
        OrderType((self.types[class.slot()].start + number as usize) as u32)
    }

    /// The number of a state's type among those of its class.
    pub(crate) fn number_of(&self, split: Split, class: Class, state: SideState) -> u32 {
        let known = self.of_state.as_ref().and_then(|of_state| of_state.get(state));
        known.unwrap_or_else(|| self.find(split, class, state))
    }

    fn find(&self, split: Split, class: Class, state: SideState) -> u32 {
        let mut columns = [0; Split::MOST_SIDE_COLUMNS];
        let columns = &mut columns[..split.side_width()];
        for (number, column) in columns.iter_mut().zip(split.side_columns()) {
            *number = self.numbers[state.column(split, column).marker() as usize] as usize;
        }
        let found = self.orders.left().type_of(columns).expect("types of all sides");
        (found.index() - self.types[class.slot()].start) as u32
    }

    /// A centre, as move-order types know it.
    pub(crate) fn centre(&self, centre: Centre) -> CentreSet {
        let codes = [centre.near(), Some(centre.far())].into_iter().flatten();
        let columns: Option<Vec<usize>> =
            codes.map(|code| self.orders.columns().find(code)).collect();
        let columns = columns.and_then(|columns| self.orders.centre(&columns));
        columns.expect("a centre of columns of the board")
    }
}

/// Numbers for labels.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Numbered<'a> {
    /// By row or column.
    pub numbers: &'a [u32],
    /// By number.
    pub labels: &'a [u32],
}

/// Memory for lists of labels that are being numbered, reused from list to list.
#[derive(Default)]
pub(in crate::sweep) struct Numbering {
    /// Maps a label to its number plus one. All are 0 between lists.
    number_of: Vec<u32>,
    numbers: Vec<u32>,
    labels: Vec<u32>,
}

impl Numbering {
    /// Forgets all lists.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.labels.clear();
    }

    /// Numbers another list, whose numbers and labels follow those of the lists before.
    pub(crate) fn add(&mut self, list: impl Iterator<Item = u32>) {
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
    pub(crate) fn all(&self) -> Numbered<'_> {
        Numbered { numbers: &self.numbers, labels: &self.labels }
    }
}

/// The labels of the rows of a class.
pub(in crate::sweep) struct RowLabels {
    /// Number of rows.
    rows: usize,
    /// The numbers of the rows' demands, reaches and types, end to end, and then the labels that
    /// they stand for, likewise. All in one piece of memory, as there are many small classes.
    all: Box<[u32]>,
    /// Where the labels of each kind end.
    ends: [usize; 3],
}

impl RowLabels {
    pub(crate) fn new(
        order: &SideOrder,
        labels: &SideLabels,
        class: Class,
        mover: Player,
        numbering: &mut Numbering,
    ) -> RowLabels {
        let held = || order.ranks_held(class, mover);
        let rows: usize = held().iter().map(Range::len).sum();
        let fronts = || labels.fronts_of(class, held());
        numbering.clear();
        let end = |numbering: &Numbering| 3 * rows + numbering.all().labels.len();
        numbering.add(fronts().map(|front| front.demands));
        let demands = end(numbering);
        numbering.add(fronts().map(|front| front.reaches[mover.index()]));
        let reaches = end(numbering);
        numbering.add(labels.types(class, held()));
        let ends = [demands, reaches, end(numbering)];
        let Numbered { numbers, labels } = numbering.all();
        RowLabels { rows, all: [numbers, labels].concat().into(), ends }
    }

    pub(crate) fn demands(&self) -> Numbered<'_> {
        self.numbered(0)
    }

    /// The reaches of the player who is to move.
    pub(crate) fn reaches(&self) -> Numbered<'_> {
        self.numbered(1)
    }

    pub(crate) fn types(&self) -> Numbered<'_> {
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
