//! The states of a side beside a centre, and the order in which they stand in tiles.

use crate::index::{Census, CentreId, CentreRows, Class, SideState, Split};

use super::groups::groups;
use super::scope::Scope;
use super::side_order::SideOrder;

/// The states of a side beside a centre, in order.
pub(super) struct OrderedSide {
    pub split: Split,
    pub centre: CentreId,
    pub order: SideOrder,
    rows: CentreRows,
}

impl OrderedSide {
    /// Puts the rows of a centre in order.
    pub fn new(census: &Census, centre: CentreId, scope: Scope, rows: CentreRows) -> OrderedSide {
        let split = census.split();
        let order = SideOrder::new(split, scope, &groups(census, centre, &rows));
        OrderedSide { split, centre, order, rows }
    }

    /// The states of a class, in the order of their codes.
    pub fn states(&self, class: Class) -> &[SideState] {
        self.rows.of(class)
    }

    /// The states of all classes.
    pub fn all_states(&self) -> &[SideState] {
        self.rows.all()
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        OrderedSide::bytes_of(self.split, self.all_states().len())
    }

    /// Bytes that this many states take.
    pub fn bytes_of(split: Split, states: usize) -> usize {
        states * size_of::<SideState>() + SideOrder::bytes(split, states)
    }
}
