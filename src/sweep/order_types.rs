//! The [move-order types](crate::order) of sides, as the sweep knows them: by class, and within
//! each class by a number from 0.
//!
//! ```text
//!     classes    … ┌──────────┐ ┌────┐ ┌───────┐ …
//!     types      …  41  42  43    44    45  46   …     as `order` numbers them
//!     numbers    …   0   1   2     0     0   1   …
//! ```

use std::ops::Range;
use std::sync::Arc;

use crate::index::{Census, Centre, Class, Lister, SideState, Split};
use crate::order::{Answers, CentreSet, OrderType, Orders, RestPlace};

use super::by_state::ByState;

/// The move-order types of the sides of a board, numbered within their class.
pub(super) struct OrderTypes {
    orders: Orders,
    /// By class, the types of its sides.
    types: Vec<Range<usize>>,
    /// The number of each column state, by its marker code.
    numbers: Vec<u32>,
    /// The number of each state's type, if there is a table.
    of_state: Option<ByState>,
}

impl OrderTypes {
    pub fn new(census: &Arc<Census>, orders: Orders) -> OrderTypes {
        let split = census.split();
        let mut types = vec![0..0; Class::slots(split.side_cells())];
        for class in orders.left().classes() {
            let first = (class.stones as i32 + class.surplus) / 2;
            let slot = Class::new(class.stones, first as usize).map(Class::slot);
            if let Some(types) = slot.and_then(|slot| types.get_mut(slot)) {
                *types = class.types.clone();
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

    pub fn orders(&self) -> &Orders {
        &self.orders
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
    pub fn rest(&self, centre: CentreSet, class: Class, number: u32) -> Option<RestPlace> {
        let rest = self.orders.rest(centre, self.order_type(class, number));
        rest.map(|rest| self.orders.place(rest))
    }

    /// The answers of left sides of this class whose type has this number, on boards with
    /// balanced colours.
    pub fn answers(&self, class: Class, number: u32, is_odd: bool) -> Answers<'_> {
        self.orders.answers(self.order_type(class, number), is_odd)
    }

    fn order_type(&self, class: Class, number: u32) -> OrderType {
        OrderType((self.types[class.slot()].start + number as usize) as u32)
    }

    /// The number of a state's type among those of its class.
    pub fn number_of(&self, split: Split, class: Class, state: SideState) -> u32 {
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
    pub fn centre(&self, centre: Centre) -> CentreSet {
        let codes = [centre.near(), Some(centre.far())].into_iter().flatten();
        let columns: Option<Vec<usize>> =
            codes.map(|code| self.orders.columns().find(code)).collect();
        let columns = columns.and_then(|columns| self.orders.centre(&columns));
        columns.expect("a centre of columns of the board")
    }
}
