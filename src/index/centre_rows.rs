//! The rows of a centre: the side states that make no four with it, class by class, in the order of
//! their codes.
//!
//! The sides beside a near centre column are grown from the outside in, which lists them in the
//! order of their codes, each with its demand on the far column. The rows of a centre are those
//! whose demand it meets, distributed over the classes, whose sizes the [`Census`] knows.

use super::columns::ColumnState;
use super::strip::{Demand, Strip};
use super::{Census, CentreId, Class, SideState};
use crate::tromp::ColumnCode;

/// The rows of a centre.
#[derive(Clone, Debug)]
pub struct CentreRows {
    states: Box<[SideState]>,
    /// The rows before each class slot, and after the last.
    starts: Box<[u32]>,
}

impl CentreRows {
    /// The rows of a class.
    pub fn of(&self, class: Class) -> &[SideState] {
        match self.starts.get(class.slot() + 1) {
            Some(end) => &self.states[self.starts[class.slot()] as usize..*end as usize],
            None => &[],
        }
    }

    /// The rows of all classes, one class after another.
    pub fn all(&self) -> &[SideState] {
        &self.states
    }
}

/// A side state beside a near column, with its demand on the far one.
pub(super) struct Stem {
    state: SideState,
    class: Class,
    demand: Demand,
}

/// The sides beside a near column, if the centre has two, in the order of their codes.
pub(super) fn stems(census: &Census, near: Option<ColumnCode>) -> Vec<Stem> {
    let near = near.map(ColumnState::of);
    let split = census.split();
    let mut stems = Vec::new();
    let empty = Strip::empty(split.board().height());
    empty.grow(&census.columns, split.side_width(), &mut |side| {
        let demand = match &near {
            None => side.demand(),
            Some(near) if side.takes(near) => side.and(near).demand(),
            Some(_) => return,
        };
        stems.push(Stem { state: SideState(side.code), class: side.class, demand });
    });
    stems
}

/// The rows of a centre, picked from the sides beside its near column.
pub(super) fn rows_of(census: &Census, centre: CentreId, stems: &[Stem]) -> CentreRows {
    let far = ColumnState::of(census.centre(centre).far());
    let starts = census.starts(centre);
    let mut next = starts.to_vec();
    let mut states = vec![SideState(0); census.centre_rows(centre)].into_boxed_slice();
    for stem in stems.iter().filter(|stem| stem.demand.allows(&far)) {
        let place = &mut next[stem.class.slot()];
        states[*place as usize] = stem.state;
        *place += 1;
    }
    debug_assert!(next.iter().zip(&starts[1..]).all(|(filled, end)| filled == end));
    CentreRows { states, starts: starts.into() }
}
