//! Lists the rows of one centre after another.
//!
//! Beside a centre of two columns, what the states of a side demand of the far one depends on the
//! near one, which many centres share. So the sides beside the last few near columns are kept.

use std::sync::{Arc, Mutex, PoisonError};

use super::centre_rows::{CentreRows, Stem, rows_of, stems};
use super::{Census, CentreId};
use crate::tromp::ColumnCode;

/// The sides beside a near column, if centres have one.
type Beside = (Option<ColumnCode>, Arc<[Stem]>);

/// Lists rows, for any number of threads.
pub struct Lister {
    census: Arc<Census>,
    /// The sides beside near columns; those that were asked for last come last.
    stems: Mutex<Vec<Beside>>,
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
