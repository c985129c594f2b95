//! Lists the rows of one centre after another: the side states that make no four with it, class by
//! class, in the order of their codes.
//!
//! The sides beside a near centre column are grown from the outside in, which lists them in the
//! order of their codes, each with its demand on the far column. The rows of a centre are those
//! whose demand it meets, distributed over the classes, whose sizes the [`Census`] knows.
//!
//! Beside a centre of two columns, what the states of a side demand of the far one depends on the
//! near one, which many centres share. So the sides beside the last few near columns are kept.

use std::sync::{Arc, Mutex, PoisonError};

use super::strip::{ColumnState, Demand, Strip};
use super::{Census, CentreId, Class, SideState};
use crate::tromp::ColumnCode;

/// The sides beside a near column, if centres have one.
type NearSides = (Option<ColumnCode>, Arc<[Stem]>);

/// Lists rows, for any number of threads.
pub struct Lister {
    census: Arc<Census>,
    /// The sides beside near columns; those that were asked for last come last.
    stems: Mutex<Vec<NearSides>>,
}

impl Lister {
    /// Bytes of the sides that are kept, unless those beside a single column take more.
    const KEPT: usize = 128 << 20;

    /// A lister that has listed nothing yet.
    pub fn new(census: &Arc<Census>) -> Lister {
        Lister { census: census.clone(), stems: Mutex::default() }
    }

    /// The most bytes that it keeps.
    pub fn bytes(census: &Census) -> u64 {
        // Beside an empty near column, or none, stand as many sides as some centre has rows; while
        // they are listed there are up to three times as many.
        let most_rows = census.centres().map(|centre| census.centre_rows(centre)).max();
        let beside_one = most_rows.unwrap_or(0) * size_of::<Stem>();
        let near_columns =
            if census.split().centre_width() == 2 { census.column_states() } else { 1 };
        (Lister::KEPT.min(near_columns * beside_one) + 3 * beside_one) as u64
    }

    /// The rows of a centre.
    pub fn rows(&self, centre: CentreId) -> CentreRows {
        rows_of(&self.census, centre, &self.stems(self.census.centre(centre).near()))
    }

    /// Forgets what it keeps.
    pub fn clear(&self) {
        self.stems.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn stems(&self, near: Option<ColumnCode>) -> Arc<[Stem]> {
        let lock = || self.stems.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut known = lock();
            if let Some(place) = known.iter().position(|(of, _)| *of == near) {
                known[place..].rotate_left(1);
                return known.last().expect("the one that was found").1.clone();
            }
        }
        let made: Arc<[Stem]> = stems(&self.census, near).into();
        let mut known = lock();
        if known.iter().all(|(of, _)| *of != near) {
            known.push((near, made.clone()));
        }
        let bytes = |stems: &Arc<[Stem]>| stems.len() * size_of::<Stem>();
        let mut all: usize = known.iter().map(|(_, stems)| bytes(stems)).sum();
        let mut over = 0;
        while all > Lister::KEPT && over + 1 < known.len() {
            all -= bytes(&known[over].1);
            over += 1;
        }
        known.drain(..over);
        made
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    #[test]
    fn the_rows_are_those_of_the_index_in_whatever_order_they_are_listed() {
        for board in ["7x4", "6x4", "5x5", "9x2", "2x6", "1x5", "12x1"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            let lister = Lister::new(census);
            let centres: Vec<CentreId> = census.centres().collect();
            for centre in centres.iter().rev().chain(centres.iter().step_by(3)) {
                let rows = lister.rows(*centre);
                for class in census.classes(*centre) {
                    assert_eq!(rows.of(class), index.rows(*centre, class));
                }
                assert_eq!(rows.all().len(), census.centre_rows(*centre));
            }
        }
    }
}
