//! Neighbouring columns without a four, grown one column at a time.
//!
//! A line of four that ends in the next column has its other cells in the three columns before it,
//! one in each. So these three, the nearest first, *demand* that some cells of the next column are
//! not of some colour:
//!
//! ```text
//!     z y x next
//!     . . . X !       rising, flat and falling lines of a colour
//!     . . X . .       end in the cells marked "!"
//!     . X X X !
//!     . . X . .
//!     . X . X !
//! ```
//!
//! Lines within a column are excluded by the list of columns. A strip may be grown from either end.
//!
//! [`Growth`] finds the number of ways in which a strip can grow without growing it in each. What
//! may come next depends only on the last three columns, and if only one more column is to come, on
//! their demand. So the numbers are the same for many strips, and are found once:
//!
//! ```text
//!     … z y x │ c      1 more: the columns that meet the demand of x, y and z
//!     … z y x │ c d    2 more: for each such c, the ways for 1 more after c, x and y
//! ```

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Class;
use super::side::class_of_column;
use crate::board::Player;
use crate::tromp::ColumnCode;

/// One state of a column, with the values that growing takes most often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ColumnState {
    pub code: ColumnCode,
    /// The stones of the first and of the second player, bottom at bit 0.
    pub stones: [u64; 2],
    pub class: Class,
}

impl ColumnState {
    pub(super) fn of(code: ColumnCode) -> ColumnState {
        let stones = Player::BOTH.map(|player| code.stones_of(player));
        ColumnState { code, stones, class: class_of_column(code) }
    }

    /// All of these columns.
    pub(super) fn all(codes: &[ColumnCode]) -> Vec<ColumnState> {
        codes.iter().map(|code| ColumnState::of(*code)).collect()
    }
}

/// Cells of a column, the bottom at bit 0, that must not be the first player's, and cells that must
/// not be the second player's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Demand([u64; 2]);

impl Demand {
    /// What three neighbouring columns, the nearest first, demand of the next.
    #[inline]
    fn of(near: Near, cells: u64) -> Demand {
        let [x, y, z] = near;
        Demand([line_ends([x[0], y[0], z[0]]) & cells, line_ends([x[1], y[1], z[1]]) & cells])
    }

    /// Whether a column with these stones meets the demand.
    #[inline]
    pub(super) fn allows(self, column: &ColumnState) -> bool {
        self.0[0] & column.stones[0] | self.0[1] & column.stones[1] == 0
    }
}

/// The cells where lines through three neighbouring columns of stones of one colour, the nearest
/// first, meet the next column. Cells above the board may be among them.
#[inline]
pub(crate) fn line_ends([x, y, z]: [u64; 3]) -> u64 {
    let rising = x << 1 & y << 2 & z << 3;
    let falling = x >> 1 & y >> 2 & z >> 3;
    rising | x & y & z | falling
}

/// The stones of the last three columns of a strip, the last first.
type Near = [[u64; 2]; 3];

/// Columns side by side, without a four.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    near: Near,
    /// The marker codes, the last column in the lowest bits.
    pub code: u32,
    pub class: Class,
    height: usize,
}

impl Strip {
    /// A strip without columns, on a board of this height.
    pub(super) fn empty(height: usize) -> Strip {
        Strip { near: [[0; 2]; 3], code: 0, class: Class::EMPTY, height }
    }

    /// The start of strips that grow beside a column, if there is one: its stones count for fours,
    /// but are not part of the strip.
    pub(super) fn next_to(neighbour: Option<&ColumnState>, height: usize) -> Strip {
        let stones = neighbour.map_or([0; 2], |column| column.stones);
        Strip { near: [stones, [0; 2], [0; 2]], ..Strip::empty(height) }
    }

    /// The strip with one more column.
    #[inline]
    pub(super) fn and(&self, column: &ColumnState) -> Strip {
        let [x, y, _] = self.near;
        Strip {
            near: [column.stones, x, y],
            code: self.code << (self.height + 1) | column.code.marker() as u32,
            class: self.class.plus(column.class),
            height: self.height,
        }
    }

    /// Its demand on the column after its last.
    pub(super) fn demand(&self) -> Demand {
        Demand::of(self.near, self.cells())
    }

    /// The demand of a strip of three columns on the column before its first. Shorter strips demand
    /// nothing, because they make no line.
    pub(super) fn demand_before(&self) -> Demand {
        let [x, y, z] = self.near;
        Demand::of([z, y, x], self.cells())
    }

    /// Its demand on the column after the next one, if there is one in between and it can come
    /// next.
    pub(super) fn demand_past(&self, next: Option<&ColumnState>) -> Option<Demand> {
        match next {
            None => Some(self.demand()),
            Some(next) => self.takes(next).then(|| self.and(next).demand()),
        }
    }

    /// Whether this column can come next.
    pub(super) fn takes(&self, column: &ColumnState) -> bool {
        self.demand().allows(column)
    }

    fn cells(&self) -> u64 {
        (1 << self.height) - 1
    }

    /// Calls `visit` with every strip of `more` more columns, in the order of the codes.
    pub(super) fn grow(
        &self,
        columns: &[ColumnState],
        more: usize,
        visit: &mut impl FnMut(&Strip),
    ) {
        if more == 0 {
            return visit(self);
        }
        let demand = self.demand();
        for column in columns.iter().filter(|column| demand.allows(column)) {
            self.and(column).grow(columns, more - 1, visit);
        }
    }

    /// The number of those strips, or a number above `limit` as soon as that is exceeded.
    pub(super) fn count(&self, columns: &[ColumnState], more: usize, limit: u64) -> u64 {
        let demand = self.demand();
        let next = columns.iter().filter(|column| demand.allows(column));
        match more {
            0 => 1,
            1 => next.count() as u64,
            _ => next.fold(0, |count, column| match count {
                count if count > limit => count,
                count => count + self.and(column).count(columns, more - 1, limit - count),
            }),
        }
    }
}

/// Numbers of ways to grow, by the class of the stones added.
type Ways = Rc<[(Class, u32)]>;

/// Counts how strips grow, and remembers it.
pub(super) struct Growth<'a> {
    columns: &'a [ColumnState],
    /// The only way to add no column.
    nothing: Ways,
    by_demand: FxHashMap<Demand, Ways>,
    by_near: FxHashMap<(Near, usize), Ways>,
}

impl<'a> Growth<'a> {
    /// Counts growth by these columns.
    pub(super) fn new(columns: &'a [ColumnState]) -> Growth<'a> {
        let nothing = [(Class::EMPTY, 1)].into();
        Growth { columns, nothing, by_demand: FxHashMap::default(), by_near: FxHashMap::default() }
    }

    /// The ways to add this many columns to a strip.
    pub(super) fn ways(&mut self, strip: &Strip, more: usize) -> Ways {
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
                let key = (strip.near, more);
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
    known: &mut FxHashMap<K, Ways>,
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
    use crate::board::{Board, has_four};
    use crate::columns::column_states;
    use crate::tromp::position_of;

    /// All ways to fill the whole board with columns, checked as a whole.
    fn strips_by_filling(board: Board) -> Vec<u32> {
        let states = column_states(board).unwrap();
        let mut strips: Vec<Vec<ColumnCode>> = vec![Vec::new()];
        for _ in board.columns() {
            let longer = |strip: &Vec<ColumnCode>| {
                let strip = strip.clone();
                states.iter().map(move |code| [&strip[..], &[*code]].concat())
            };
            strips = strips.iter().flat_map(longer).collect();
        }
        strips.retain(|strip| {
            let position = position_of(board, strip.iter().copied());
            !Player::BOTH.into_iter().any(|player| has_four(board, position.stones(player)))
        });
        let marker =
            |all: u32, code: &ColumnCode| all << board.column_bits() | code.marker() as u32;
        strips.iter().map(|strip| strip.iter().fold(0, marker)).collect()
    }

    #[test]
    fn strips_are_the_boards_without_four_in_order() {
        for (width, height) in [(1, 5), (3, 4), (4, 3), (5, 2), (6, 2), (4, 4), (5, 3), (9, 1)] {
            let board = Board::new(width, height).unwrap();
            let columns = ColumnState::all(&column_states(board).unwrap());
            let mut grown = Vec::new();
            let empty = Strip::empty(board.height());
            empty.grow(&columns, board.width(), &mut |strip| grown.push(strip.code));
            assert!(grown == strips_by_filling(board), "{board}");
            assert!(grown.is_sorted());
            assert_eq!(empty.count(&columns, board.width(), u64::MAX), grown.len() as u64);
            let limit = grown.len() as u64 / 2;
            assert!(empty.count(&columns, board.width(), limit) > limit);
        }
    }

    #[test]
    fn demands_look_the_same_from_both_ends() {
        let board = Board::new(4, 4).unwrap();
        let columns = ColumnState::all(&column_states(board).unwrap());
        Strip::empty(4).grow(&columns, 3, &mut |strip| {
            let [x, y, z] = strip.near;
            let turned = Strip { near: [z, y, x], ..*strip };
            assert_eq!(strip.demand_before(), turned.demand());
            for column in &columns {
                let crossed = Player::BOTH.into_iter().any(|player| {
                    let join = |all: u64, stones: &[u64; 2]| all << 5 | stones[player.index()];
                    has_four(board, [z, y, x, column.stones].iter().fold(0, join))
                });
                assert_eq!(strip.takes(column), !crossed);
            }
        });
    }

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
