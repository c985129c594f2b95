//! The state of a side: the marker codes of its columns in one number. Its class is the number of
//! stones and whose they are, which is all that a tier needs to know about it.
//!
//! The outermost column lies in the highest bits and the innermost in the lowest, on the left and
//! on the right side alike:
//!
//! ```text
//!     3 columns of height 6     aaaaaaa bbbbbbb ccccccc     a outermost
//! ```
//!
//! So neighbours in the order of the codes share the outer columns, and dropping a stone into a
//! given column keeps the order: it maps a marker code `m` with highest bit `2^s` to `m + 2^s` or
//! `m + 2^(s+1)`, both of which grow with `m`, and leaves the other digits alone.

use rayon::prelude::*;

use super::{SideColumn, Split};
use crate::board::Player;
use crate::tromp::ColumnCode;

/// The states of a side with the same number of stones, equally many of them the first player's.
/// Ordered by stones, then by the first player's stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Class {
    stones: u8,
    first: u8,
}

impl Class {
    /// The class of the side without stones.
    pub const EMPTY: Class = Class { stones: 0, first: 0 };

    /// The class with this many stones, `first` of them the first player's.
    pub fn new(stones: usize, first: usize) -> Option<Class> {
        let small = first <= stones && stones <= usize::from(u8::MAX);
        small.then_some(Class { stones: stones as u8, first: first as u8 })
    }

    /// Number of stones.
    pub fn stones(self) -> usize {
        self.stones.into()
    }

    /// Number of the first player's stones.
    pub fn first_stones(self) -> usize {
        self.first.into()
    }

    /// First player's stones minus second player's.
    pub fn surplus(self) -> i32 {
        2 * i32::from(self.first) - i32::from(self.stones)
    }

    /// The stones of both.
    pub fn plus(self, other: Class) -> Class {
        Class { stones: self.stones + other.stones, first: self.first + other.first }
    }

    /// The stones without those of `other`, if they include them.
    pub fn minus(self, other: Class) -> Option<Class> {
        let stones = self.stones().checked_sub(other.stones())?;
        Class::new(stones, self.first_stones().checked_sub(other.first_stones())?)
    }

    /// The class of a single stone.
    pub fn one(player: Player) -> Class {
        Class { stones: 1, first: u8::from(player == Player::First) }
    }

    /// The class of a whole board with `stones` stones, dropped alternately.
    pub(super) fn of_board(stones: usize) -> Class {
        Class { stones: stones as u8, first: stones.div_ceil(2) as u8 }
    }

    /// The place of the class among all classes, whether it has any states or not:
    ///
    /// ```text
    ///     stones    0   1   2     3
    ///     first     0   0 1 0 1 2 0 1 2 3 …
    ///     slot      0   1 2 3 4 5 6 7 8 9
    /// ```
    pub(crate) fn slot(self) -> usize {
        let stones = self.stones();
        stones * (stones + 1) / 2 + self.first_stones()
    }

    /// Slots of all classes of at most `stones` stones.
    pub(crate) fn slots(stones: usize) -> usize {
        (stones + 1) * (stones + 2) / 2
    }

    /// All classes of at most `stones` stones, in the order of their slots.
    pub(crate) fn all(stones: usize) -> impl Iterator<Item = Class> {
        (0..=stones as u8).flat_map(|stones| (0..=stones).map(move |first| Class { stones, first }))
    }
}

/// A list for each class of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByClass<T> {
    pub(super) all: Box<[T]>,
    /// Where the list of each class slot begins, and where the last one ends.
    pub(super) starts: Box<[u32]>,
}

/// With this many elements or more, several threads make the lists.
const WORTH_SHARING: usize = 1 << 14;

impl<T: Copy + Default + Send> ByClass<T> {
    /// Lists of these lengths, made on several threads if they are long. `fill` gets lists of
    /// defaults.
    pub(crate) fn new(
        split: Split,
        len: impl Fn(Class) -> usize,
        fill: impl Fn(Class, &mut [T]) + Sync,
    ) -> ByClass<T> {
        let classes = || Class::all(split.side_cells());
        let mut starts = Vec::with_capacity(Class::slots(split.side_cells()) + 1);
        starts.push(0);
        let mut end = 0;
        starts.extend(classes().map(|class| {
            end += len(class) as u32;
            end
        }));
        let mut all = vec![T::default(); end as usize].into_boxed_slice();
        let mut rest = &mut all[..];
        let lists = classes().zip(starts.windows(2)).map(|(class, ends)| {
            let list = rest.split_off_mut(..(ends[1] - ends[0]) as usize);
            (class, list.expect("as long as all lists"))
        });
        if end < WORTH_SHARING as u32 {
            lists.for_each(|(class, list)| fill(class, list));
        } else {
            let lists: Vec<(Class, &mut [T])> = lists.collect();
            lists.into_par_iter().for_each(|(class, list)| fill(class, list));
        }
        ByClass { all, starts: starts.into() }
    }
}

impl<T> ByClass<T> {
    /// The list of a class; empty if the class has more stones than a side has room for.
    pub fn of(&self, class: Class) -> &[T] {
        match self.starts.get(class.slot() + 1) {
            Some(end) => &self.all[self.starts[class.slot()] as usize..*end as usize],
            None => &[],
        }
    }

    /// The lists of all classes, one after another.
    pub fn all(&self) -> &[T] {
        &self.all
    }
}

/// The stones of a side. Its columns take at most 31 bits on any board, because two sides and a
/// centre fit into 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideState(pub(super) u32);

impl SideState {
    /// The side with these columns, from the outside in.
    pub(crate) fn from_columns(
        split: Split,
        columns: impl IntoIterator<Item = ColumnCode>,
    ) -> SideState {
        let bits = split.board().column_bits();
        SideState(columns.into_iter().fold(0, |code, column| code << bits | column.marker() as u32))
    }

    /// The stones of one of its columns.
    pub fn column(self, split: Split, column: SideColumn) -> ColumnCode {
        let code = self.0 >> shift(split, column) & digit(split);
        ColumnCode::from_marker(code.into()).expect("a side state has no empty digit")
    }

    /// The same side with other stones in one column.
    pub(crate) fn with_column(
        self,
        split: Split,
        column: SideColumn,
        code: ColumnCode,
    ) -> SideState {
        let shift = shift(split, column);
        SideState(self.0 & !(digit(split) << shift) | (code.marker() as u32) << shift)
    }

    /// The side after a stone of this player in one of its columns, if the column has room.
    pub(crate) fn dropped(
        self,
        split: Split,
        column: SideColumn,
        player: Player,
    ) -> Option<SideState> {
        let code = self.column(split, column);
        let has_room = code.stones() < split.board().height();
        has_room.then(|| self.with_column(split, column, code.dropped_unchecked(player)))
    }

    /// The marker codes of all columns, the innermost lowest.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The class that the state is in.
    pub fn class(self, split: Split) -> Class {
        split
            .side_columns()
            .map(|column| class_of_column(self.column(split, column)))
            .fold(Class::EMPTY, Class::plus)
    }
}

/// The stones of a column, and the first player's among them.
pub(super) fn class_of_column(code: ColumnCode) -> Class {
    Class::new(code.stones(), code.first_stones().count_ones() as usize)
        .expect("a player's stones are among the stones")
}

fn shift(split: Split, column: SideColumn) -> usize {
    (split.side_width() - 1 - usize::from(column.0)) * split.board().column_bits()
}

fn digit(split: Split) -> u32 {
    u32::MAX >> (32 - split.board().column_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn slots_count_the_classes_in_their_order() {
        for stones in 0..=31 {
            let classes: Vec<Class> = Class::all(stones).collect();
            assert_eq!(classes.len(), Class::slots(stones));
            assert!(classes.is_sorted());
            assert!(classes.iter().enumerate().all(|(slot, class)| class.slot() == slot));
        }
    }

    #[test]
    fn stones_are_added_and_taken_away() {
        let class = Class::EMPTY.plus(Class::one(Player::First)).plus(Class::one(Player::Second));
        assert_eq!((class.stones(), class.first_stones(), class.surplus()), (2, 1, 0));
        assert_eq!(class.minus(Class::one(Player::First)), Some(Class::one(Player::Second)));
        assert_eq!(Class::one(Player::Second).minus(Class::one(Player::First)), None);
        assert_eq!(Class::EMPTY.minus(Class::one(Player::Second)), None);
        assert_eq!(Class::new(2, 3), None);
    }

    fn marker(code: u64) -> ColumnCode {
        ColumnCode::from_marker(code).unwrap()
    }

    #[test]
    fn the_innermost_column_is_the_lowest_digit() {
        let split = Split::of(Board::STANDARD);
        let columns = [marker(0b1), marker(0b101), marker(0b1110)];
        let side = SideState::from_columns(split, columns);
        assert_eq!(side, SideState(0b000_0001 << 14 | 0b000_0101 << 7 | 0b000_1110));
        assert!(split.side_columns().map(|column| side.column(split, column)).eq(columns));
        assert_eq!(side.class(split), Class::new(5, 3).unwrap());
        let outermost = split.side_columns().next().unwrap();
        let other = side.with_column(split, outermost, marker(0b11));
        assert_eq!(other, SideState(0b000_0011 << 14 | 0b000_0101 << 7 | 0b000_1110));
        assert_eq!(side.dropped(split, outermost, Player::First), Some(other));
        let full = side.with_column(split, outermost, marker(0b1_010_101));
        assert_eq!(full.dropped(split, outermost, Player::First), None);
    }

    #[test]
    fn dropping_a_stone_keeps_the_order() {
        for player in Player::BOTH {
            let dropped: Vec<u64> =
                (1..1 << 7).map(|code| marker(code).dropped_unchecked(player).marker()).collect();
            assert!(dropped.is_sorted_by(|a, b| a < b));
        }
    }
}
