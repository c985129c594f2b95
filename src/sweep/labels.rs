//! What the rows and columns of a tile share with others: fronts and types.
//!
//! The part of a side in fours across the centre depends only on its *front*, the
//! columns that such fours reach: the two nearest to the centre, or the nearest one
//! beside a centre of two columns. Which sides it can be filled in turn with depends
//! only on its move-order *type*. There are few of both, so states carry their numbers.
//!
//! A front says two things about a left side:
//!
//! ```text
//!     face      what it demands of the right side to complete a four, by player
//!     reach     the same of one player, and what it demands after one more stone
//!               of his, on this side or in the centre
//! ```
//!
//! and about a right side which demands it meets, now and after one more stone.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use crate::board::Player;
use crate::index::{Census, Centre, Class, Lister, SideColumn, SideState, Split};
use crate::order::{Answers, CentreSet, OrderType, Orders, RestPlace};

use super::by_class::ByClass;
use super::by_state::ByState;
use super::crossing::CrossingLines;
use super::ordered_side::OrderedSide;

/// Demands of both players.
pub(super) type Face = [u64; 2];

/// Demands of one player on the other side: those after one more stone of his here or in the
/// centre, to be met now, and those as things stand, to be met after one more stone of his there.
pub(super) type Reach = [u64; 2];

/// The move-order types of a board, by class.
pub(super) struct Kinds {
    orders: Orders,
    /// By class, the types of its sides.
    types: Vec<Range<usize>>,
    /// The number of each column state, by its marker code.
    numbers: Vec<u32>,
    /// The number of each state's type, if there is a table.
    of_state: Option<ByState>,
}

impl Kinds {
    pub fn new(census: &Arc<Census>, orders: Orders) -> Kinds {
        let split = census.split();
        let mut types = vec![0..0; Class::slots(split.side_cells())];
        for class in orders.left().classes() {
            let first = (class.stones as i32 + class.surplus) / 2;
            let slot = Class::new(class.stones, first as usize).map(Class::slot);
            if let Some(types) = slot.and_then(|slot| types.get_mut(slot)) {
                *types = class.types.clone();
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
        let mut kinds = Kinds { orders, types, numbers, of_state: None };
        kinds.list(census);
        kinds
    }

    pub fn orders(&self) -> &Orders {
        &self.orders
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
    pub fn rest(&self, centre: CentreSet, class: Class, number: u32) -> Option<RestPlace> {
        let rest = self.orders.rest(centre, self.kind(class, number));
        rest.map(|rest| self.orders.place(rest))
    }

    /// The answers of left sides of this class whose type has this number, on boards with
    /// balanced colours.
    pub fn answers(&self, class: Class, number: u32, is_odd: bool) -> Answers<'_> {
        self.orders.answers(self.kind(class, number), is_odd)
    }

    fn kind(&self, class: Class, number: u32) -> OrderType {
        OrderType((self.types[class.slot()].start + number as usize) as u32)
    }

    /// The number of a state's type among those of its class.
    fn of(&self, split: Split, class: Class, state: SideState) -> u32 {
        let known = self.of_state.as_ref().and_then(|of_state| of_state.get(state));
        known.unwrap_or_else(|| self.find(split, class, state))
    }

    fn find(&self, split: Split, class: Class, state: SideState) -> u32 {
        let mut columns = [0; Split::MOST_SIDE_COLUMNS];
        let columns = &mut columns[..split.side_width()];
        for (number, column) in columns.iter_mut().zip(split.side_columns()) {
            *number = self.numbers[state.column(split, column).marker() as usize] as usize;
        }
        let kind = self.orders.left().type_of(columns).expect("types of all sides");
        (kind.index() - self.types[class.slot()].start) as u32
    }

    fn centre(&self, centre: Centre) -> CentreSet {
        let codes = [centre.near(), Some(centre.far())].into_iter().flatten();
        let columns: Option<Vec<usize>> =
            codes.map(|code| self.orders.columns().find(code)).collect();
        let columns = columns.and_then(|columns| self.orders.centre(&columns));
        columns.expect("a centre of columns of the board")
    }
}

/// The labels of the states of a side beside one centre.
pub(super) struct SideLabels {
    /// The centre, as move-order types know it.
    pub centre: CentreSet,
    fronts: Fronts,
    /// The fronts of the states, as they stand.
    numbers: ByClass<u32>,
    /// Their types.
    types: ByClass<u32>,
}

impl SideLabels {
    /// Labels the states beside a centre.
    pub fn new(census: &Census, kinds: &Kinds, side: &OrderedSide) -> SideLabels {
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
        let types = label(&|class, state| kinds.of(split, class, state));
        SideLabels { centre: kinds.centre(columns), fronts, numbers, types }
    }

    /// The types of the states at these ranks, counted from the first of their class.
    pub fn types(&self, class: Class, ranks: [Range<usize>; 2]) -> impl Iterator<Item = u32> {
        picked(self.types.of(class), ranks)
    }

    /// The fronts of the states at these ranks.
    pub fn fronts(
        &self,
        class: Class,
        ranks: [Range<usize>; 2],
    ) -> impl Iterator<Item = &Front> + Clone {
        let numbers = picked(self.numbers.of(class), ranks);
        numbers.map(|number| &self.fronts.list[number as usize])
    }

    /// A face by its number.
    pub fn face(&self, number: u32) -> Face {
        self.fronts.faces.list[number as usize]
    }

    /// A reach of this player by its number.
    pub fn reach(&self, player: Player, number: u32) -> Reach {
        self.fronts.reaches[player.index()].list[number as usize]
    }
}

fn picked(labels: &[u32], ranks: [Range<usize>; 2]) -> impl Iterator<Item = u32> + Clone {
    let [free, others] = ranks.map(|ranks| &labels[ranks]);
    free.iter().chain(others).copied()
}

/// The part of the columns nearest to the centre in fours across it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    /// The number of the face.
    pub face: u32,
    /// The number of each player's reach.
    pub reaches: [u32; 2],
    /// The demands of each player that a side with this front meets, now and after
    /// one more stone of his.
    pub met: [[u64; 2]; 2],
}

/// The fronts of all sides beside a centre.
struct Fronts {
    split: Split,
    centre: Centre,
    lines: CrossingLines,
    /// Bits of the columns that belong to the front.
    mask: u32,
    numbers: Numbers,
    list: Vec<Front>,
    faces: Distinct<Face>,
    reaches: [Distinct<Reach>; 2],
}

impl Fronts {
    fn new(split: Split, centre: Centre) -> Fronts {
        let lines = CrossingLines::of(split);
        let bits = lines.columns() * split.board().column_bits();
        Fronts {
            split,
            centre,
            lines,
            mask: (1u64 << bits).wrapping_sub(1) as u32,
            numbers: Numbers::of_keys(bits),
            list: Vec::new(),
            faces: Distinct::default(),
            reaches: Default::default(),
        }
    }

    fn number_of(&self, state: SideState) -> u32 {
        self.numbers.get(state.bits() & self.mask).expect("a front that was added")
    }

    fn add(&mut self, state: SideState) {
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
        let face = self.faces.number(Player::BOTH.map(|player| demanded(state, player)));
        let reaches =
            Player::BOTH.map(|player| self.reaches[player.index()].number(reaches[player.index()]));
        self.list.push(Front { face, reaches, met });
    }

    /// The states that a stone of this player in the columns of the front leads to.
    fn after(&self, state: SideState, player: Player) -> impl Iterator<Item = SideState> + use<> {
        let split = self.split;
        let near = split.side_columns().rev().take(self.lines.columns());
        near.filter_map(move |column: SideColumn| {
            let code = state.column(split, column);
            let open = code.stones() < split.board().height();
            open.then(|| state.with_column(split, column, code.dropped(player)))
        })
    }
}

/// Numbers by key: a table, or a map on high and narrow boards, whose keys have too many bits.
enum Numbers {
    Table(Vec<u32>),
    Map(HashMap<u32, u32>),
}

impl Numbers {
    const NONE: u32 = u32::MAX;

    fn of_keys(bits: usize) -> Numbers {
        if bits <= 18 {
            Numbers::Table(vec![Numbers::NONE; 1 << bits])
        } else {
            Numbers::Map(HashMap::new())
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
    numbers: HashMap<T, u32>,
    list: Vec<T>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { numbers: HashMap::new(), list: Vec::new() }
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
