//! One column in a word.

use crate::board::{Player, Tier};

/// The stones of one column in marker form: never 0, empty = 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ColumnCode(pub(super) u64);

impl ColumnCode {
    /// A column without stones.
    pub const EMPTY: ColumnCode = ColumnCode(1);

    /// The column with this marker code, unless it is 0.
    pub(crate) fn from_marker(code: u64) -> Option<ColumnCode> {
        (code != 0).then_some(ColumnCode(code))
    }

    /// The column with this guard code, unless it is 0.
    pub(crate) fn from_guard(code: u64) -> Option<ColumnCode> {
        let (cells, first_player_owns_ones) = (code >> 1, code & 1 == 1);
        if cells == 0 {
            return first_player_owns_ones.then_some(ColumnCode::EMPTY);
        }
        let marker = 1 << (cells.ilog2() + 1);
        let below = marker - 1;
        Some(ColumnCode(marker | if first_player_owns_ones { cells } else { !cells & below }))
    }

    /// The code in marker form.
    pub fn marker(self) -> u64 {
        self.0
    }

    /// The code in guard form.
    pub fn guard(self) -> u64 {
        match self.top() {
            None => 1,
            Some(Player::First) => self.first_stones() << 1 | 1,
            Some(Player::Second) => self.second_stones() << 1,
        }
    }

    /// Number of stones.
    pub fn stones(self) -> usize {
        self.0.ilog2() as usize
    }

    /// The first player's stones, bottom at bit 0.
    pub fn first_stones(self) -> u64 {
        self.0 ^ 1 << self.stones()
    }

    /// The second player's stones, bottom at bit 0.
    pub(crate) fn second_stones(self) -> u64 {
        self.occupied() & !self.0
    }

    /// The stones of `player`, bottom at bit 0.
    pub(crate) fn stones_of(self, player: Player) -> u64 {
        match player {
            Player::First => self.first_stones(),
            Player::Second => self.second_stones(),
        }
    }

    /// Stones of either player, bottom at bit 0.
    pub fn occupied(self) -> u64 {
        (1 << self.stones()) - 1
    }

    /// First player's stones minus second player's.
    pub fn surplus(self) -> i32 {
        2 * self.first_stones().count_ones() as i32 - self.stones() as i32
    }

    /// Whose stone lies on top, if there is one.
    pub fn top(self) -> Option<Player> {
        let below_top = self.stones().checked_sub(1)?;
        Some(if self.0 >> below_top & 1 == 1 { Player::First } else { Player::Second })
    }

    /// The column with one more stone; `None` if it has as many as the tallest column of any board.
    pub fn dropped(self, player: Player) -> Option<ColumnCode> {
        (self.stones() < Tier::LAST.stones()).then(|| self.dropped_unchecked(player))
    }

    /// The same for callers that know that there is room.
    pub(crate) fn dropped_unchecked(self, player: Player) -> ColumnCode {
        let marker = 1 << self.stones();
        match player {
            Player::First => ColumnCode(self.0 + 2 * marker),
            Player::Second => ColumnCode(self.0 + marker),
        }
    }

    /// The column without its top stone, if it has one.
    pub fn lifted(self) -> Option<ColumnCode> {
        let below_top = self.stones().checked_sub(1)?;
        let below = (1 << below_top) - 1;
        Some(ColumnCode(self.0 & below | 1 << below_top))
    }

    /// The column with the colours of its stones exchanged.
    pub(crate) fn exchanged(self) -> ColumnCode {
        ColumnCode(self.0 ^ self.occupied())
    }

    /// Whether four stones of one colour lie in a row in this column.
    pub fn has_four(self) -> bool {
        let four = |x: u64| x & x >> 1 & x >> 2 & x >> 3 != 0;
        four(self.first_stones()) || four(self.second_stones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_all_columns_are_in_bijection() {
        for height in 1..=10 {
            let codes = 1u64..1 << (height + 1);
            let mut guards: Vec<u64> = codes
                .clone()
                .map(|marker| {
                    let code = ColumnCode::from_marker(marker).unwrap();
                    assert_eq!(ColumnCode::from_guard(code.guard()), Some(code));
                    assert_eq!(code.first_stones() & code.second_stones(), 0);
                    assert_eq!(code.first_stones() | code.second_stones(), code.occupied());
                    code.guard()
                })
                .collect();
            guards.sort_unstable();
            assert!(guards.into_iter().eq(codes));
        }
        assert_eq!(ColumnCode::from_marker(0), None);
        assert_eq!(ColumnCode::from_guard(0), None);
    }

    #[test]
    fn dropping_and_lifting_undo_each_other() {
        for marker in 1..1 << 8 {
            let code = ColumnCode::from_marker(marker).unwrap();
            for player in Player::BOTH {
                let taller = code.dropped(player).unwrap();
                assert_eq!(taller.top(), Some(player));
                assert_eq!(taller.lifted(), Some(code));
                assert_eq!(taller.surplus(), code.surplus() + player.sign());
                assert_eq!(taller.stones(), code.stones() + 1);
            }
        }
        let tallest =
            [Player::First; 63].into_iter().try_fold(ColumnCode::EMPTY, ColumnCode::dropped);
        assert_eq!(tallest.unwrap().dropped(Player::Second), None);
        assert_eq!(ColumnCode::EMPTY.lifted(), None);
        assert_eq!(ColumnCode::EMPTY.top(), None);
    }
}
