//! A column, with the values that growing sides needs most often.

use crate::board::Player;
use crate::tromp::ColumnCode;

use super::Class;
use super::side::class_of_column;

/// One state of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ColumnState {
    pub code: ColumnCode,
    /// The stones of the first and of the second player, bottom at bit 0.
    pub stones: [u64; 2],
    pub class: Class,
}

impl ColumnState {
    pub fn of(code: ColumnCode) -> ColumnState {
        let stones = Player::BOTH.map(|player| code.stones_of(player));
        ColumnState { code, stones, class: class_of_column(code) }
    }

    /// All of these columns.
    pub fn all(codes: &[ColumnCode]) -> Vec<ColumnState> {
        codes.iter().map(|code| ColumnState::of(*code)).collect()
    }
}
