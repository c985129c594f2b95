//! The states that a column can be in.
//!
//! A column never holds four of a colour on top of each other, and at no time
//! more stones of one player than the other can have answered elsewhere. The
//! second rule matters on narrow boards: on 1x63 it leaves one column of each
//! height, where the first alone leaves far too many to list.

use crate::board::{Board, Player};
use crate::tromp::ColumnCode;

use super::side::class_of_column;
use super::{Class, IndexError, Part};

/// A column, with what growing sides asks of it most.
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
}

/// All states of a column, in the order of their codes.
pub(super) fn column_states(board: Board) -> Result<Vec<ColumnState>, IndexError> {
    let elsewhere = ((board.width() - 1) * board.height()) as i32;
    let answered = -elsewhere..=elsewhere + 1;
    let mut states = Vec::new();
    let mut open = vec![ColumnCode::EMPTY];
    while let Some(code) = open.pop() {
        states.push(ColumnState::of(code));
        Part::Columns.check(board, states.len() as u64)?;
        if code.stones() < board.height() {
            let taller = Player::BOTH.map(|player| code.dropped(player));
            let possible =
                |code: &ColumnCode| !code.has_four() && answered.contains(&code.surplus());
            open.extend(taller.into_iter().filter(possible));
        }
    }
    states.sort_unstable_by_key(|state| state.code);
    Ok(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(width: u64, height: u64) -> usize {
        column_states(Board::new(width, height).unwrap()).unwrap().len()
    }

    #[test]
    fn columns_without_four_in_a_row_follow_the_tribonacci_numbers() {
        assert_eq!(count(7, 6), 103);
        let grown: Vec<usize> = (1..=8).map(|height| count(6, height)).collect();
        assert_eq!(grown, [3, 7, 15, 29, 55, 103, 191, 353]);
    }

    #[test]
    fn a_lonely_column_alternates() {
        let columns = column_states(Board::new(1, 63).unwrap()).unwrap();
        assert_eq!(columns.len(), 64);
        assert!(
            columns
                .iter()
                .enumerate()
                .all(|(stones, state)| { state.class == Class::of_board(stones) })
        );
    }

    #[test]
    fn columns_that_are_too_many_are_refused_early() {
        let board = Board::new(2, 31).unwrap();
        assert_eq!(
            column_states(board).unwrap_err().to_string(),
            "the index of 2x31 is too large: 65537 or more states of a column, \
             and at most 65536 are handled"
        );
    }
}
