//! The states of a side beside one centre: which there are, in which order tiles hold them, and
//! what a tile must know of each.
//!
//! ```text
//!     threats     whom each state threatens: its group
//!     order       the order of the states by group, and which of them tiles hold, and how many
//!     fronts      what fours across the centre see of a state
//!     labels      the numbers of fronts and of move-order types, which many states share
//!     moves       where the children of each state stand
//! ```
//!
//! Whatever is known of states is a list [for each class](crate::index::ByClass), or a number for
//! each state.
//!
//! Solving a centre takes the lists of its own states, and of the centres that are a stone away
//! from it. The lists of a large board do not all fit into memory, but successive centres have
//! neighbours in common. So the lists that were asked for last are cached.

mod fronts;
mod labels;
mod moves;
mod order;
mod threats;

pub(super) use fronts::{CrossingLines, Front};
pub(super) use labels::{Numbered, Numbering, OrderTypes, RowLabels, SideLabels};
pub(super) use moves::{all_ranks, same_states, side_moves};
pub use order::Scope;
pub(super) use order::{HeldSizes, OrderedSide, SideOrder};

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Tier;
use crate::index::{Census, CentreId, Lister, SideState, Split};

/// A number for each of some states.
pub(super) struct ByState(Box<[u32]>);

impl ByState {
    /// Means no number.
    const NONE: u32 = u32::MAX;

    /// The most bits of a state for which there is a table: those of sides of 7x6.
    const BITS: usize = 21;

    /// A table for the states of a side; `None` if they have too many bits.
    pub(super) fn new(split: Split) -> Option<ByState> {
        let bytes = ByState::bytes(split);
        (bytes > 0).then(|| ByState(vec![ByState::NONE; bytes / size_of::<u32>()].into()))
    }

    /// Bytes of a table, if there is one.
    pub(super) fn bytes(split: Split) -> usize {
        let bits = split.side_width() * split.board().column_bits();
        if bits <= ByState::BITS { size_of::<u32>() << bits } else { 0 }
    }

    /// The number of a state, if it has one.
    #[inline]
    pub(super) fn get(&self, state: SideState) -> Option<u32> {
        Some(self.0[state.bits() as usize]).filter(|number| *number != ByState::NONE)
    }

    /// Gives a state its number.
    pub(super) fn set(&mut self, state: SideState, number: u32) {
        self.0[state.bits() as usize] = number;
    }
}

/// The sides beside all centres, of which some are in memory. A sweep that ends early asks for
/// those that are not fuller than its tiers.
pub(crate) struct Listing {
    census: Arc<Census>,
    scope: Scope,
    lister: Lister,
    cache: Mutex<Cache>,
    cache_bytes: AtomicUsize,
}

/// A centre, and the most stones of the listed sides beside it. Without a number, none are listed.
type Listed = (CentreId, Option<usize>);

/// The sides that were asked for last.
#[derive(Default)]
struct Cache {
    /// Each with the time when it was asked for.
    sides: HashMap<Listed, (Arc<OrderedSide>, u64)>,
    by_time: BTreeMap<u64, Listed>,
    now: u64,
    bytes: usize,
}

impl Listing {
    /// Bytes of the sides that are cached: by default, in a run with less memory, and in one with
    /// little, which lists most sides several times.
    pub(crate) const CACHES: [usize; 3] = [256 << 20, 64 << 20, 16 << 20];

    pub(crate) fn new(census: &Arc<Census>, scope: Scope) -> Listing {
        let (census, lister) = (census.clone(), Lister::new(census));
        let cache_bytes = AtomicUsize::new(Listing::CACHES[0]);
        Listing { census, scope, lister, cache: Mutex::default(), cache_bytes }
    }

    /// Sets how many bytes are cached from now on.
    pub(crate) fn cache_up_to(&self, bytes: usize) {
        self.cache_bytes.store(bytes, Ordering::Relaxed);
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().expect("nothing panics while it is locked")
    }

    /// Forgets all sides.
    pub(crate) fn clear(&self) {
        *self.cache() = Cache::default();
        self.lister.clear();
    }

    /// The side beside a centre, with what tiles have up to this tier. Two threads that ask for the
    /// same one may both list it: a thread that waited for the other would keep it from threads
    /// that help with its work.
    pub(in crate::sweep) fn side(&self, centre: CentreId, last: Tier) -> Arc<OrderedSide> {
        let (in_centre, full) =
            (self.census.centre_class(centre).stones(), self.census.split().side_cells());
        let most = last.stones().checked_sub(in_centre).map(|stones| stones.min(full));
        let known = self.cache().get((centre, most));
        known.unwrap_or_else(|| {
            let rows = self.lister.rows_of_at_most(centre, most);
            let side = Arc::new(OrderedSide::new(&self.census, centre, self.scope, rows));
            let most_bytes = self.cache_bytes.load(Ordering::Relaxed);
            self.cache().add((centre, most), side.clone(), most_bytes);
            side
        })
    }
}

impl Cache {
    fn get(&mut self, listed: Listed) -> Option<Arc<OrderedSide>> {
        let (side, time) = self.sides.get_mut(&listed)?;
        self.by_time.remove(time);
        self.now += 1;
        *time = self.now;
        self.by_time.insert(self.now, listed);
        Some(side.clone())
    }

    /// Keeps a side, and forgets the oldest until all take no more than this many bytes.
    fn add(&mut self, listed: Listed, side: Arc<OrderedSide>, most_bytes: usize) {
        if self.sides.contains_key(&listed) {
            return;
        }
        self.now += 1;
        self.bytes += side.bytes();
        self.by_time.insert(self.now, listed);
        self.sides.insert(listed, (side, self.now));
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
        let most = sides[..3].iter().map(|side| side.bytes()).sum();
        let mut cache = Cache::default();
        let add = |cache: &mut Cache, side: &Arc<OrderedSide>, most| {
            cache.add((side.centre, Some(8)), side.clone(), most);
        };
        sides[..3].iter().for_each(|side| add(&mut cache, side, most));
        assert!(cache.get((sides[0].centre, Some(8))).is_some());
        assert!(cache.get((sides[0].centre, Some(7))).is_none());
        add(&mut cache, &sides[3], most);
        let has =
            |cache: &Cache, side: &OrderedSide| cache.sides.contains_key(&(side.centre, Some(8)));
        assert!(has(&cache, &sides[0]) && !has(&cache, &sides[1]) && has(&cache, &sides[3]));
        // Room for one of them, and for none.
        add(&mut cache, &sides[4], sides[4].bytes());
        assert_eq!((cache.sides.len(), cache.bytes), (1, sides[4].bytes()));
        add(&mut cache, &sides[1], 0);
        assert!(cache.sides.is_empty() && cache.by_time.is_empty() && cache.bytes == 0);
    }

    #[test]
    fn a_side_has_what_tiles_have_up_to_a_tier() {
        let census = Arc::new(Census::new("5x4".parse().unwrap()).unwrap());
        let listing = Listing::new(&census, Scope::InDoubt);
        for centre in census.centres() {
            let all = listing.side(centre, census.board().last_tier());
            for last in census.tiers() {
                let side = listing.side(centre, last);
                for class in census.classes(centre) {
                    let is_there =
                        class.stones() + census.centre_class(centre).stones() <= last.stones();
                    assert_eq!(side.states(class), if is_there { all.states(class) } else { &[] });
                }
            }
        }
    }
}
