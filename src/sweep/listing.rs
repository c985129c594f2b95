//! The sides of centres, listed when they are needed.
//!
//! Solving a centre takes the lists of its own states, and of the centres that are a stone away
//! from it. The lists of a large board do not all fit into memory, but successive centres have
//! neighbours in common. So the lists that were asked for last are kept.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::index::{Census, CentreId, Lister};

use super::ordered_side::OrderedSide;
use super::scope::Scope;

/// The sides beside all centres, of which some are in memory.
pub(super) struct Listing {
    census: Arc<Census>,
    scope: Scope,
    lister: Lister,
    kept: Mutex<Kept>,
}

/// The sides that were asked for last.
#[derive(Default)]
struct Kept {
    /// Each with the time when it was asked for.
    sides: HashMap<CentreId, (Arc<OrderedSide>, u64)>,
    by_time: BTreeMap<u64, CentreId>,
    now: u64,
    bytes: usize,
}

impl Listing {
    /// The most bytes of the sides that are kept while nobody uses them.
    pub const KEPT: usize = 256 << 20;

    pub fn new(census: &Arc<Census>, scope: Scope) -> Listing {
        let (census, lister) = (census.clone(), Lister::new(census));
        Listing { census, scope, lister, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("nothing panics while it is locked")
    }

    /// Forgets all sides.
    pub fn clear(&self) {
        *self.kept() = Kept::default();
        self.lister.clear();
    }

    /// The side beside a centre. Two threads that ask for the same one may both list it: a thread
    /// that waited for the other would keep it from threads that help with its work.
    pub fn side(&self, centre: CentreId) -> Arc<OrderedSide> {
        let known = self.kept().get(centre);
        known.unwrap_or_else(|| {
            let rows = self.lister.rows(centre);
            let side = Arc::new(OrderedSide::new(&self.census, centre, self.scope, rows));
            self.kept().add(side.clone(), Listing::KEPT);
            side
        })
    }
}

impl Kept {
    fn get(&mut self, centre: CentreId) -> Option<Arc<OrderedSide>> {
        let (side, time) = self.sides.get_mut(&centre)?;
        self.by_time.remove(time);
        self.now += 1;
        *time = self.now;
        self.by_time.insert(self.now, centre);
        Some(side.clone())
    }

    /// Keeps a side, and forgets the oldest until all take no more than this many bytes.
    fn add(&mut self, side: Arc<OrderedSide>, most_bytes: usize) {
        if self.sides.contains_key(&side.centre) {
            return;
        }
        self.now += 1;
        self.bytes += side.bytes();
        self.by_time.insert(self.now, side.centre);
        self.sides.insert(side.centre, (side, self.now));
        while self.bytes > most_bytes
            && let Some((_, oldest)) = self.by_time.pop_first()
        {
            let (side, _) = self.sides.remove(&oldest).expect("it has a time");
            self.bytes -= side.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_that_were_asked_for_last_are_kept() {
        let census = Arc::new(Census::new("6x4".parse().unwrap()).unwrap());
        let lister = Lister::new(&census);
        let side = |centre: CentreId| {
            let rows = lister.rows(centre);
            Arc::new(OrderedSide::new(&census, centre, Scope::InDoubt, rows))
        };
        let sides: Vec<_> = census.centres().take(5).map(side).collect();
        let room = sides[..3].iter().map(|side| side.bytes()).sum();
        let mut kept = Kept::default();
        sides[..3].iter().for_each(|side| kept.add(side.clone(), room));
        assert!(kept.get(sides[0].centre).is_some());
        kept.add(sides[3].clone(), room);
        let has = |kept: &Kept, side: &OrderedSide| kept.sides.contains_key(&side.centre);
        assert!(has(&kept, &sides[0]) && !has(&kept, &sides[1]) && has(&kept, &sides[3]));
        // Room for one of them, and for none.
        kept.add(sides[4].clone(), sides[4].bytes());
        assert_eq!((kept.sides.len(), kept.bytes), (1, sides[4].bytes()));
        kept.add(sides[1].clone(), 0);
        assert!(kept.sides.is_empty() && kept.by_time.is_empty() && kept.bytes == 0);
    }
}
