//! The number of ways in which a strip can grow, found without growing it in each of them.
//!
//! What may come next depends only on the last three columns, and if only one more column is to
//! come, on their demand. So the numbers are the same for many strips, and are found once:
//!
//! ```text
//!     … z y x │ c      1 more: the columns that meet the demand of x, y and z
//!     … z y x │ c d    2 more: for each such c, the ways for 1 more after c, x and y
//! ```

use std::hash::Hash;
use std::rc::Rc;

use super::Class;
use super::strip::{ColumnState, Demand, Near, Strip};
use crate::quick_map::QuickMap;

/// Numbers of ways to grow, by the class of the stones added.
type Ways = Rc<[(Class, u32)]>;

/// Counts how strips grow, and remembers it.
pub(super) struct Growth<'a> {
    columns: &'a [ColumnState],
    /// The only way to add no column.
    nothing: Ways,
    by_demand: QuickMap<Demand, Ways>,
    by_near: QuickMap<(Near, usize), Ways>,
}

impl<'a> Growth<'a> {
    /// Counts growth by these columns.
    pub fn new(columns: &'a [ColumnState]) -> Growth<'a> {
        let nothing = [(Class::EMPTY, 1)].into();
        Growth { columns, nothing, by_demand: QuickMap::default(), by_near: QuickMap::default() }
    }

    /// The ways to add this many columns to a strip.
    pub fn ways(&mut self, strip: &Strip, more: usize) -> Ways {
        match more {
            0 => self.nothing.clone(),
            1 => {
                let demand = strip.demand();
                let columns = self.columns;
                remember(&mut self.by_demand, demand, || {
                    let next = columns.iter().filter(|column| demand.allows(column));
                    sum(next.map(|column| (column.class, 1)))
                })
            }
            _ => {
                let key = (strip.near(), more);
                if let Some(known) = self.by_near.get(&key) {
                    return known.clone();
                }
                let mut all = Vec::new();
                for column in self.columns.iter().filter(|column| strip.takes(column)) {
                    let ways = self.ways(&strip.and(column), more - 1);
                    all.extend(ways.iter().map(|(class, ways)| (class.plus(column.class), *ways)));
                }
                remember(&mut self.by_near, key, || sum(all))
            }
        }
    }
}

fn remember<K: Hash + Eq>(
    known: &mut QuickMap<K, Ways>,
    key: K,
    find: impl FnOnce() -> Ways,
) -> Ways {
    known.entry(key).or_insert_with(find).clone()
}

/// One number for each class.
fn sum(ways: impl IntoIterator<Item = (Class, u32)>) -> Ways {
    let mut by_slot: Vec<(Class, u32)> = Vec::new();
    for (class, number) in ways {
        let slot = class.slot();
        if by_slot.len() <= slot {
            by_slot.resize(slot + 1, (Class::EMPTY, 0));
        }
        by_slot[slot] = (class, by_slot[slot].1 + number);
    }
    by_slot.into_iter().filter(|(_, number)| *number > 0).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::Board;
    use crate::columns::column_states;

    #[test]
    fn as_many_strips_as_grow_are_counted() {
        for (height, more) in [(2, 4), (3, 3), (4, 2), (5, 1), (1, 6), (4, 0)] {
            let board = Board::new(7, height).unwrap();
            let columns = ColumnState::all(&column_states(board).unwrap());
            let mut growth = Growth::new(&columns);
            Strip::empty(board.height()).grow(&columns, 2, &mut |strip| {
                let mut expected: HashMap<Class, u32> = HashMap::new();
                strip.grow(&columns, more, &mut |grown| {
                    let added = grown.class.minus(strip.class).unwrap();
                    *expected.entry(added).or_default() += 1;
                });
                let ways = growth.ways(strip, more);
                assert_eq!(ways.len(), expected.len());
                assert!(ways.iter().all(|(class, ways)| expected[class] == *ways));
            });
        }
    }
}
