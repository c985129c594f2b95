//! What the rows and columns of a tile share with others: their labels.
//!
//! Fours across the centre see little of a side: its *front*.
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
//! There are few fronts, and fewer demands and reaches, so all of them are numbered. With which other
//! sides a state can be emptied again, stone by stone in alternating colours, depends only on its
//! [move-order type](crate::order). There are few of these, too, so states carry both numbers. Types
//! are numbered from 0 within each class:
//!
//! ```text
//!     state      s0  s1  s2  s3  s4  …        of a class, in the order in which they stand
//!     front       4   4   7   4   0
//!     type       12  12  12   3  12
//! ```
//!
//! Bit rows are made for each label of a tile, not for each row or column. So of many labels, of
//! which few differ, we need these few, and which of them each row has. They are numbered in order
//! of appearance:
//!
//! ```text
//!     rows       r0  r1  r2  r3  r4
//!     labels     17   3  17  17  60
//!     numbers     0   1   0   0   2        distinct labels   17 3 60
//! ```

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::board::Player;
use crate::index::{ByClass, Census, Centre, Class, Lister, SideState, Split, line_ends};
use crate::order::{Answers, CentreSet, OrderType, Orders, RestPlace};

use super::ByState;
use super::order::{OrderedSide, SideOrder};

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

/// The labels of the states of a side beside one centre.
pub(in crate::sweep) struct SideLabels {
    /// The centre, as move-order types know it.
    pub centre: CentreSet,
    pub fronts: Fronts,
    /// The numbers of the states' fronts, in the order in which they stand.
    numbers: ByClass<u32>,
    /// The numbers of their types.
    types: ByClass<u32>,
}

impl SideLabels {
    /// Labels the states beside a centre.
    pub(crate) fn new(census: &Census, order_types: &OrderTypes, side: &OrderedSide) -> SideLabels {
        let split = census.split();
        let columns = census.centre(side.centre);
        let mut fronts = Fronts::new(split, columns);
        side.all_states().iter().for_each(|state| fronts.add(*state));
        let label = |number_of: &(dyn Fn(Class, SideState) -> u32 + Sync)| {
            let len = |class| side.states(class).len();
            ByClass::new(split, len, |class, labels| {
                let (states, numbers) = (side.states(class), side.order.all_numbers(class));
                for (label, number) in labels.iter_mut().zip(numbers) {
                    *label = number_of(class, states[*number as usize]);
                }
            })
        };
        let numbers = label(&|_, state| fronts.number_of(state));
        let types = label(&|class, state| order_types.number_of(split, class, state));
        SideLabels { centre: order_types.centre(columns), fronts, numbers, types }
    }

    /// The types of the states at these ranks, counted from the first of their class.
    pub(crate) fn types(
        &self,
        class: Class,
        ranks: [Range<usize>; 2],
    ) -> impl Iterator<Item = u32> {
        picked(self.types.of(class), ranks)
    }

    /// The fronts of the states at these ranks.
    pub(crate) fn fronts_of(
        &self,
        class: Class,
        ranks: [Range<usize>; 2],
    ) -> impl Iterator<Item = &Front> + Clone {
        let numbers = picked(self.numbers.of(class), ranks);
        numbers.map(|number| self.fronts.front(number))
    }
}

fn picked(labels: &[u32], ranks: [Range<usize>; 2]) -> impl Iterator<Item = u32> + Clone {
    let [free, others] = ranks.map(|ranks| &labels[ranks]);
    free.iter().chain(others).copied()
}

/// The move-order types of the sides of a board, numbered within their class.
pub(in crate::sweep) struct OrderTypes {
    /// All that is known of the order of moves, cut as the index cuts the board.
    pub orders: Orders,
    /// By class, the types of its sides.
    types: Vec<Range<usize>>,
    /// The number of each column state, by its marker code.
    numbers: Vec<u32>,
    /// The number of each state's type, if there is a table.
    of_state: Option<ByState>,
}

impl OrderTypes {
    pub(crate) fn new(census: &Arc<Census>, orders: Orders) -> OrderTypes {
        let split = census.split();
        let mut types = vec![0..0; Class::slots(split.side_cells())];
        for class in orders.left().classes() {
            let first = (class.stones as i32 + class.surplus) / 2;
            let slot = Class::new(class.stones, first as usize).map(Class::slot);
            if let Some(types) = slot.and_then(|slot| types.get_mut(slot)) {
                *types = class.members.clone();
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
    pub(crate) fn rest(&self, centre: CentreSet, class: Class, number: u32) -> Option<RestPlace> {
        let rest = self.orders.rest(centre, self.order_type(class, number));
        rest.map(|rest| self.orders.place(rest))
    }

    /// The answers of left sides of this class whose type has this number, on boards with
    /// balanced colours.
    pub(crate) fn answers(&self, class: Class, number: u32, is_odd: bool) -> Answers<'_> {
        self.orders.answers(self.order_type(class, number), is_odd)
    }

    fn order_type(&self, class: Class, number: u32) -> OrderType {
        OrderType((self.types[class.slot()].start + number as usize) as u32)
    }

    /// The number of a state's type among those of its class.
    pub(crate) fn number_of(&self, split: Split, class: Class, state: SideState) -> u32 {
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
    pub(crate) fn centre(&self, centre: Centre) -> CentreSet {
        let codes = [centre.near(), Some(centre.far())].into_iter().flatten();
        let columns: Option<Vec<usize>> =
            codes.map(|code| self.orders.columns().find(code)).collect();
        let columns = columns.and_then(|columns| self.orders.centre(&columns));
        columns.expect("a centre of columns of the board")
    }
}

/// Numbers for labels.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Numbered<'a> {
    /// By row or column.
    pub numbers: &'a [u32],
    /// By number.
    pub labels: &'a [u32],
}

/// Memory for lists of labels that are being numbered, reused from list to list.
#[derive(Default)]
pub(in crate::sweep) struct Numbering {
    /// Maps a label to its number plus one. All are 0 between lists.
    number_of: Vec<u32>,
    numbers: Vec<u32>,
    labels: Vec<u32>,
}

impl Numbering {
    /// Forgets all lists.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.labels.clear();
    }

    /// Numbers another list, whose numbers and labels follow those of the lists before.
    pub(crate) fn add(&mut self, list: impl Iterator<Item = u32>) {
        let Numbering { number_of, numbers, labels } = self;
        let start = labels.len();
        numbers.extend(list.map(|label| {
            if label as usize >= number_of.len() {
                number_of.resize((label as usize + 1).next_power_of_two().max(64), 0);
            }
            let number = &mut number_of[label as usize];
            if *number == 0 {
                labels.push(label);
                *number = (labels.len() - start) as u32;
            }
            *number - 1
        }));
        labels[start..].iter().for_each(|label| number_of[*label as usize] = 0);
    }

    /// The numbers of all lists, end to end, and their labels, likewise.
    pub(crate) fn all(&self) -> Numbered<'_> {
        Numbered { numbers: &self.numbers, labels: &self.labels }
    }
}

/// The labels of the rows of a class.
pub(in crate::sweep) struct RowLabels {
    /// Number of rows.
    rows: usize,
    /// The numbers of the rows' demands, reaches and types, end to end, and then the labels that
    /// they stand for, likewise. All in one piece of memory, as there are many small classes.
    all: Box<[u32]>,
    /// Where the labels of each kind end.
    ends: [usize; 3],
}

impl RowLabels {
    pub(crate) fn new(
        order: &SideOrder,
        labels: &SideLabels,
        class: Class,
        mover: Player,
        numbering: &mut Numbering,
    ) -> RowLabels {
        let held = || order.ranks_held(class, mover);
        let rows: usize = held().iter().map(Range::len).sum();
        let fronts = || labels.fronts_of(class, held());
        numbering.clear();
        let end = |numbering: &Numbering| 3 * rows + numbering.all().labels.len();
        numbering.add(fronts().map(|front| front.demands));
        let demands = end(numbering);
        numbering.add(fronts().map(|front| front.reaches[mover.index()]));
        let reaches = end(numbering);
        numbering.add(labels.types(class, held()));
        let ends = [demands, reaches, end(numbering)];
        let Numbered { numbers, labels } = numbering.all();
        RowLabels { rows, all: [numbers, labels].concat().into(), ends }
    }

    pub(crate) fn demands(&self) -> Numbered<'_> {
        self.numbered(0)
    }

    /// The reaches of the player who is to move.
    pub(crate) fn reaches(&self) -> Numbered<'_> {
        self.numbered(1)
    }

    pub(crate) fn types(&self) -> Numbered<'_> {
        self.numbered(2)
    }

    fn numbered(&self, kind: usize) -> Numbered<'_> {
        let start = kind.checked_sub(1).map_or(3 * self.rows, |before| self.ends[before]);
        Numbered {
            numbers: &self.all[kind * self.rows..][..self.rows],
            labels: &self.all[start..self.ends[kind]],
        }
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

    proptest::proptest! {
        #[test]
        fn everything_keeps_its_label(
            lists in proptest::collection::vec(proptest::collection::vec(0u32..140, 0..200), 1..4),
        ) {
            let mut numbering = Numbering::default();
            for round in 0..2 {
                let (mut numbers, mut labels) = (0, 0);
                for list in &lists {
                    numbering.add(list.iter().copied());
                    let all = numbering.all();
                    let distinct = &all.labels[labels..];
                    let found: Vec<u32> =
                        all.numbers[numbers..].iter().map(|n| distinct[*n as usize]).collect();
                    proptest::prop_assert_eq!(&found, list, "in round {}", round);
                    let mut sorted = distinct.to_vec();
                    sorted.sort_unstable();
                    sorted.dedup();
                    proptest::prop_assert_eq!(sorted.len(), distinct.len());
                    (numbers, labels) = (all.numbers.len(), all.labels.len());
                }
                numbering.clear();
            }
        }
    }
}
