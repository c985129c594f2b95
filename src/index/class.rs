//! The number of stones and whose they are: all that a tier needs to know about a side.

use crate::board::Player;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
