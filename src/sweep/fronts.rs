//! What fours across the centre see of a side: its front.
//!
//! The part of a side in fours across the centre depends only on its *front*, the columns that such
//! fours reach: the two nearest to the centre, or the nearest one beside a centre of two columns.
//! A front says two things about a left side:
//!
//! ```text
//!     face      what it demands of the right side to complete a four, by player
//!     reach     the same of one player, and what it demands after one more stone
//!               of his, on this side or in the centre
//! ```
//!
//! and about a right side which demands it meets, now and after one more stone. There are few
//! fronts, and fewer faces and reaches, so all of them are numbered.

use std::collections::HashMap;
use std::hash::Hash;

use crate::board::Player;
use crate::index::{Centre, SideColumn, SideState, Split};

use super::crossing::CrossingLines;

/// Demands of both players.
pub(super) type Face = [u64; 2];

/// Demands of one player on the other side: those after one more stone of his here or in the
/// centre, to be met now, and those as things stand, to be met after one more stone of his there.
pub(super) type Reach = [u64; 2];

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
pub(super) struct Fronts {
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
    /// No fronts yet.
    pub fn new(split: Split, centre: Centre) -> Fronts {
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

    /// A front by its number.
    pub fn front(&self, number: u32) -> &Front {
        &self.list[number as usize]
    }

    /// A face by its number.
    pub fn face(&self, number: u32) -> Face {
        self.faces.list[number as usize]
    }

    /// A reach of this player by its number.
    pub fn reach(&self, player: Player, number: u32) -> Reach {
        self.reaches[player.index()].list[number as usize]
    }

    /// The number of the front of a state.
    pub fn number_of(&self, state: SideState) -> u32 {
        self.numbers.get(state.bits() & self.mask).expect("a front that was added")
    }

    /// Adds the front of a state, if no other state had it.
    pub fn add(&mut self, state: SideState) {
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
