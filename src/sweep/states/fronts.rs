//! Fours across the centre, and what they see of a side: its *front*.
//!
//! A line with cells on both sides covers one or two columns of the right side:
//!
//! ```text
//!     one centre column       two
//!     b a | M | a b           a | M N | a
//!     * * | * | *             * | * * | *      "alone": needs the cell in a
//!       * | * | * *                            rising, flat, falling: a pair in a and b
//! ```
//!
//! A left side and a centre whose part of the line is of one colour *demand* the rest of it from
//! the right side. Beside two centre columns only single cells are ever demanded.
//!
//! So only the columns that such lines reach matter: the two nearest to the centre, or the nearest
//! one beside a centre of two columns. They are the front. A front says two things about a left
//! side, and about a right side which demands it meets, now and after one more stone:
//!
//! ```text
//!     demands   what the right side must have to complete a four, by player
//!     reach     the same of one player, and what that player demands after one more
//!               stone, on this side or in the centre
//! ```
//!
//! There are few fronts, and fewer demands and reaches, so all of them are numbered.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::board::Player;
use crate::index::{Centre, SideState, Split, line_ends};

/// Demands of both players.
pub(in crate::sweep) type Demands = [u64; 2];

/// Demands of one player on the other side: those after one more stone of that player here or in
/// the centre, to be met now, and those as things stand, to be met after one more stone there.
pub(in crate::sweep) type Reach = [u64; 2];

/// The part of the columns nearest to the centre in fours across it.
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct Front {
    /// The number of its demands.
    pub demands: u32,
    /// The number of each player's reach.
    pub reaches: [u32; 2],
    /// The demands of each player that a side with this front meets, now and after
    /// one more stone of that player.
    pub met: [[u64; 2]; 2],
}

/// The fronts of all sides beside a centre.
pub(in crate::sweep) struct Fronts {
    split: Split,
    centre: Centre,
    lines: CrossingLines,
    /// Bits of the columns that belong to the front.
    mask: u32,
    numbers: Numbers,
    list: Vec<Front>,
    demands: Distinct<Demands>,
    reaches: [Distinct<Reach>; 2],
}

impl Fronts {
    /// No fronts yet.
    pub(super) fn new(split: Split, centre: Centre) -> Fronts {
        let lines = CrossingLines::of(split);
        let bits = lines.columns() * split.board().column_bits();
        Fronts {
            split,
            centre,
            lines,
            mask: (1u64 << bits).wrapping_sub(1) as u32,
            numbers: Numbers::of_keys(bits),
            list: Vec::new(),
            demands: Distinct::default(),
            reaches: Default::default(),
        }
    }

    /// A front by its number.
    pub(super) fn front(&self, number: u32) -> &Front {
        &self.list[number as usize]
    }

    /// Demands by their number.
    pub(crate) fn demands(&self, number: u32) -> Demands {
        self.demands.list[number as usize]
    }

    /// A reach of this player by its number.
    pub(crate) fn reach(&self, player: Player, number: u32) -> Reach {
        self.reaches[player.index()].list[number as usize]
    }

    /// The number of the front of a state.
    pub(super) fn number_of(&self, state: SideState) -> u32 {
        self.numbers.get(state.bits() & self.mask).expect("a front that was added")
    }

    /// Adds the front of a state, if no other state had it.
    pub(super) fn add(&mut self, state: SideState) {
        let key = state.bits() & self.mask;
        if self.numbers.get(key).is_some() {
            return;
        }
        self.numbers.insert(key, self.list.len() as u32);
        let Fronts { split, centre, lines, .. } = *self;
        let demanded = |state, player| lines.demanded(centre, state, player);
        let reach = |player: Player| {
            let height = split.board().height();
            let here = self.after(state, player).map(|state| demanded(state, player));
            let in_centre = centre.after(player, height);
            let in_centre = in_centre.map(|(_, after)| lines.demanded(after, state, player));
            [here.chain(in_centre).fold(0, |all, one| all | one), demanded(state, player)]
        };
        let met = |player: Player| {
            let after = self.after(state, player).map(|state| lines.held(state, player));
            [lines.held(state, player), after.fold(0, |all, one| all | one)]
        };
        let (reaches, met) = (Player::BOTH.map(reach), Player::BOTH.map(met));
        let demands = self.demands.number(Player::BOTH.map(|player| demanded(state, player)));
        let reaches =
            Player::BOTH.map(|player| self.reaches[player.index()].number(reaches[player.index()]));
        self.list.push(Front { demands, reaches, met });
    }

    /// The states that a stone of this player in the columns of the front leads to.
    fn after(&self, state: SideState, player: Player) -> impl Iterator<Item = SideState> + use<> {
        let split = self.split;
        let near = split.side_columns().rev().take(self.lines.columns());
        near.filter_map(move |column| state.dropped(split, column, player))
    }
}

/// Numbers by key: a table, or a map on high and narrow boards, whose keys have too many bits.
enum Numbers {
    Table(Vec<u32>),
    Map(FxHashMap<u32, u32>),
}

impl Numbers {
    const NONE: u32 = u32::MAX;

    fn of_keys(bits: usize) -> Numbers {
        if bits <= 18 {
            Numbers::Table(vec![Numbers::NONE; 1 << bits])
        } else {
            Numbers::Map(FxHashMap::default())
        }
    }

    fn get(&self, key: u32) -> Option<u32> {
        match self {
            Numbers::Table(table) => Some(table[key as usize]).filter(|n| *n != Numbers::NONE),
            Numbers::Map(map) => map.get(&key).copied(),
        }
    }

    fn insert(&mut self, key: u32, number: u32) {
        match self {
            Numbers::Table(table) => table[key as usize] = number,
            Numbers::Map(map) => _ = map.insert(key, number),
        }
    }
}

/// Distinct things, numbered in order of appearance.
struct Distinct<T> {
    numbers: FxHashMap<T, u32>,
    list: Vec<T>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { numbers: FxHashMap::default(), list: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    fn number(&mut self, thing: T) -> u32 {
        *self.numbers.entry(thing).or_insert_with(|| {
            self.list.push(thing);
            self.list.len() as u32 - 1
        })
    }
}

/// Demands for a cell by itself, or for a pair that rises, is flat or falls
/// outward; cells are counted in the innermost column.
const KINDS: usize = 4;

/// The lines with cells on both sides, and the parts of them that sides have.
///
/// A demand is numbered `kind * height + cell`. There are fewer than 64, except
/// on boards of up to three columns, which have no such lines.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct CrossingLines {
    split: Split,
}

impl CrossingLines {
    /// The most columns of a side that lines reach into.
    const COLUMNS: usize = 2;

    pub(crate) fn of(split: Split) -> CrossingLines {
        CrossingLines { split }
    }

    /// Columns of a side that lines reach into.
    pub(crate) fn columns(self) -> usize {
        self.split.side_width().min(3 - self.split.centre_width())
    }

    /// Number of different demands.
    pub(crate) fn demand_count(self) -> usize {
        if self.split.board().width() < 4 { 0 } else { self.kinds() * self.split.board().height() }
    }

    /// Number of kinds of demands: pairs occur only beside a single centre column.
    fn kinds(self) -> usize {
        if self.split.centre_width() == 1 { KINDS } else { 1 }
    }

    /// The demands by which the other side would complete a four of this player
    /// with a left side and a centre.
    pub(crate) fn demanded(self, centre: Centre, left: SideState, player: Player) -> u64 {
        let [a, b] = self.innermost(left, player);
        let far = centre.far().stones_of(player);
        let cells = (1 << self.split.board().height()) - 1;
        let demanded = match centre.near() {
            Some(near) => [line_ends([far, near.stones_of(player), a]), 0, 0, 0],
            None => [line_ends([far, a, b]), far << 1 & a << 2, far & a, far >> 1 & a >> 2],
        };
        self.numbered(demanded.map(|kind| kind & cells))
    }

    /// The demands that a right side meets.
    pub(crate) fn held(self, right: SideState, player: Player) -> u64 {
        let [a, b] = self.innermost(right, player);
        self.numbered([a, a & b >> 1, a & b, a & b << 1])
    }

    fn numbered(self, kinds: [u64; KINDS]) -> u64 {
        if self.demand_count() == 0 {
            return 0;
        }
        let height = self.split.board().height();
        let kinds = (0..).zip(kinds).take(self.kinds());
        kinds.fold(0, |all, (number, kind)| all | kind << (number * height % 64))
    }

    /// The stones in the two innermost columns, the innermost first.
    fn innermost(self, state: SideState, player: Player) -> [u64; CrossingLines::COLUMNS] {
        let mut columns = self.split.side_columns().rev();
        [(); CrossingLines::COLUMNS].map(|()| {
            let column = columns.next();
            column.map_or(0, |column| state.column(self.split, column).stones_of(player))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::index::{Cell, Index};

    use super::*;

    #[test]
    fn demands_that_are_met_are_the_fours_of_each_cell() {
        for board in ["5x4", "4x4", "6x3", "7x2", "3x4", "2x3", "1x4", "7x1"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            let lines = CrossingLines::of(census.split());
            for tile in census.tiers().flat_map(|tier| census.tiles(tier)) {
                let centre = census.centre(tile.centre);
                let lefts = index.rows(tile.centre, tile.left);
                let rights = index.rows(census.reversed(tile.centre), tile.right);
                for player in Player::BOTH {
                    let held = |right: &SideState| lines.held(*right, player);
                    let held: Vec<u64> = rights.iter().map(held).collect();
                    for (row, left) in (0..).zip(lefts) {
                        let demanded = lines.demanded(centre, *left, player);
                        for (column, held) in (0..).zip(&held) {
                            let cell = Cell { tile, row, column };
                            let four = index.has_crossing_four_of(cell, player);
                            assert_eq!(demanded & held != 0, four, "{}", index.unrank(cell));
                        }
                    }
                }
            }
        }
    }
}
